//! What happens while a neighbour (Ollama) or the index is not there.

use std::sync::Arc;
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};
use serde_json::json;
use wegweiser::config::{Embedding, Ollama};
use wegweiser::http::{Bound, Readiness, State};

use crate::harness::{get, post, ready, settings, start};

const QUESTION: &str = r#"{"question":"Regenwetter im Herbst und Pflaumenkuchen dazu"}"#;

/// A server that takes its time for every request.
fn slow_ollama(delay: Duration) -> String {
    let (told, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = HttpServer::new(move || {
                App::new().default_service(web::to(move || async move {
                    tokio::time::sleep(delay).await;
                    HttpResponse::Ok().body("{}")
                }))
            })
            .workers(2)
            .bind("127.0.0.1:0")
            .expect("a port");
            told.send(format!("http://{}", server.addrs()[0])).expect("heard");
            server.run().await.expect("it runs");
        });
    });
    address.recv().expect("it starts")
}

#[tokio::test]
async fn llama3_out_of_reach_is_named_and_costs_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = settings(folder.path());
    config.ollama = Some(Ollama {
        url: "http://127.0.0.1:9".to_owned(),
        model: "llama3".to_owned(),
        time_limit: Duration::from_millis(300),
        answer_time_limit: Duration::from_millis(300),
    });
    let (address, _) = start(config);
    ready(&address).await;
    let body = post(&format!("{address}/v1/search"), "application/json", QUESTION).await.json();
    assert_eq!(body["degraded"], json!(["llm"]), "{body}");
    assert!(body["trace"]["notes"].to_string().contains("llama3"), "{body}");
    assert!(!body["hits"].as_array().expect("hits").is_empty());
}

#[tokio::test]
async fn a_slow_neighbour_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = settings(folder.path());
    config.ollama = Some(Ollama {
        url: slow_ollama(Duration::from_secs(30)),
        model: "llama3".to_owned(),
        time_limit: Duration::from_millis(500),
        answer_time_limit: Duration::from_millis(500),
    });
    let (address, _) = start(config);
    ready(&address).await;
    let mut questions = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let url = format!("{address}/v1/search");
        questions.spawn(async move { post(&url, "application/json", QUESTION).await.status });
    }
    let health = format!("{address}/healthz");
    // Answered while twenty questions are under way; a blocked worker would let this wait for 30 s.
    let alive = tokio::time::timeout(Duration::from_secs(10), get(&health));
    assert_eq!(alive.await.expect("at once").status, 200);
    while let Some(status) = questions.join_next().await {
        assert_eq!(status.expect("no panic"), 200);
    }
}

#[tokio::test]
async fn an_embedding_server_out_of_reach_is_told_at_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = settings(folder.path());
    config.embedding = Embedding::Ollama {
        url: "http://127.0.0.1:9".to_owned(),
        model: "nomic-embed-text".to_owned(),
    };
    let failed = wegweiser::pipeline::assemble::Assembly::prepare(&config).await;
    let error = format!("{:#}", anyhow::Error::from(failed.expect_err("nobody listens")));
    assert!(error.contains("127.0.0.1:9") && error.contains("nomic-embed-text"), "{error}");
}

#[tokio::test]
async fn until_the_index_is_there_questions_are_told_to_wait() {
    let (told, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let bound = Bound::new("127.0.0.1:0".parse().expect("an address")).expect("a port");
            let folder = tempfile::tempdir().expect("a folder");
            let state = Arc::new(State::new(&settings(folder.path())).expect("no keys"));
            state.report(Readiness::Building { done: 3, total: 40 });
            told.send(format!("http://{}", bound.address())).expect("heard");
            bound.run(state).expect("a server").await.expect("it runs");
        });
    });
    let address = address.recv().expect("it starts");
    let waiting = get(&format!("{address}/readyz")).await;
    assert_eq!(
        (waiting.status, waiting.json()),
        (503, json!({"status": "building", "done": 3, "total": 40}))
    );
    assert_eq!(get(&format!("{address}/healthz")).await.status, 200);
    let asked = post(&format!("{address}/v1/search"), "application/json", QUESTION).await;
    assert_eq!(asked.problem(), (503, "not_ready".to_owned()));
    assert_eq!(asked.headers["retry-after"], "1");
}
