//! The same through the whole service: an answer of 200 with hits, whatever Ollama does.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wegweiser::config::Ollama;
use wegweiser::http::State;

use crate::harness::{Asked, LIMIT, Server, Step, open, reply, response, says};
use crate::http::{post, ready, settings, start};

/// A question that no rule decides.
const QUESTION: &str = "Regenwetter im Herbst und Pflaumenkuchen dazu";

/// A service that uses this Ollama.
async fn service(ollama: &Server) -> (tempfile::TempDir, String, Arc<State>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = settings(folder.path());
    config.ollama = Some(Ollama {
        url: ollama.url.clone(),
        model: "llama3".to_owned(),
        time_limit: LIMIT,
        answer_time_limit: LIMIT,
    });
    let (address, state) = tokio::task::spawn_blocking(move || start(config)).await.expect("fine");
    ready(&address).await;
    (folder, address, state)
}

async fn search(address: &str, question: &str) -> Value {
    let body = json!({ "question": question }).to_string();
    let reply = post(&format!("{address}/v1/search"), "application/json", body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let answer = reply.json();
    assert!(!answer["hits"].as_array().expect("hits").is_empty(), "{answer}");
    answer
}

/// Waits until the probe in the background has made the model ready.
async fn decided_by_the_model(address: &str) -> Value {
    let started = Instant::now();
    for attempt in 0.. {
        let answer = search(address, &format!("{QUESTION}, Teil {attempt}")).await;
        if answer["intent"]["source"] == "llm" {
            return answer;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{answer}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    unreachable!("the loop ends with a return or a panic")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_model_decides_where_no_rule_does() {
    let ollama = Server::start(|_| says(r#"{"intent": "Vergleich"}"#)).await;
    let (_folder, address, _) = service(&ollama).await;
    let answer = decided_by_the_model(&address).await;
    assert_eq!((&answer["intent"]["id"], &answer["degraded"]), (&json!("compare"), &json!([])));
    let by_rule = search(&address, "Was ist Interleaving?").await;
    assert_eq!(by_rule["intent"]["source"], "rule");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_talk_that_the_model_knows_as_such_is_unknown() {
    let ollama = Server::start(|_| says(r#"{"intent": "unknown"}"#)).await;
    let (_folder, address, _) = service(&ollama).await;
    let answer = decided_by_the_model(&address).await;
    assert_eq!((&answer["intent"]["id"], &answer["degraded"]), (&json!("unknown"), &json!([])));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_failure_leaves_an_answer_that_says_so() {
    let ollama = Server::start(|asked: &Asked| {
        let content = asked.request["messages"][1]["content"].as_str().unwrap_or_default();
        match content.rsplit_once(' ').map(|(_, last)| last) {
            Some("offen") => vec![open(""), Step::Flood(" ".repeat(4_096), Duration::ZERO)],
            Some("stumm") => vec![Step::Pause(Duration::from_secs(45))],
            Some("besetzt") => response("503 Service Unavailable", r#"{"error":"busy"}"#),
            Some("weg") => response("404 Not Found", r#"{"error":"model 'llama3' not found"}"#),
            Some("wirr") => says("\u{1b}[2J Keine Ahnung"),
            Some("halb") => vec![open(reply(r#"{"intent": "how"}"#).split_at(60).0)],
            _ => says(r#"{"intent": "how"}"#),
        }
    })
    .await;
    let (_folder, address, _) = service(&ollama).await;
    for (word, told) in [
        ("wirr", "answered without a known intent: `\\u{1b}[2J Keine Ahnung`"),
        ("offen", "longer than 65536 bytes"),
        ("stumm", "did not answer within 600 ms"),
        ("besetzt", "status 503: busy"),
        ("weg", "run: ollama pull llama3"),
        ("halb", "the answer is not what Ollama writes"),
    ] {
        decided_by_the_model(&address).await;
        let started = Instant::now();
        let answer = search(&address, &format!("{QUESTION} {word}")).await;
        assert!(started.elapsed() < LIMIT * 5, "{word} took {:?}", started.elapsed());
        assert_eq!(answer["degraded"], json!(["llm"]), "{word}: {answer}");
        let source = answer["intent"]["source"].as_str().expect("a source");
        assert!(["classifier", "default"].contains(&source), "{word}: {source}");
        let notes: Vec<&str> = answer["trace"]["notes"]
            .as_array()
            .expect("notes")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert!(notes.iter().any(|note| note.contains(told)), "{word}: {notes:?}");
    }
}
