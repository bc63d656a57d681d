//! The question log as a frontend fills it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Value, json};
use wegweiser::access::{Audiences, Role};
use wegweiser::config::QueryLog;
use wegweiser::query_log::{Log, Rating, read};

use crate::access::Service;
use crate::harness::{Reply, get, post, ready, reply, server, settings, start};

/// A server that keeps a log, and the folder of the log.
async fn logging() -> (&'static str, &'static Path) {
    static SERVER: OnceLock<(tempfile::TempDir, PathBuf, String)> = OnceLock::new();
    let (_, log, address) = SERVER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        let mut config = settings(folder.path());
        config.query_log = Some(QueryLog { folder: log.clone(), days: 2 });
        let (address, _) = start(config);
        (folder, log, address)
    });
    ready(address).await;
    (address, log)
}

async fn send(address: &str, body: &Value) -> Reply {
    post(&format!("{address}/v1/feedback"), "application/json", body.to_string()).await
}

async fn ask(address: &str, path: &str, question: &str, id: &str) -> Reply {
    let request =
        reqwest::Client::new().post(format!("{address}{path}")).header("x-request-id", id);
    reply(
        request
            .header("content-type", "application/json")
            .body(json!({"question": question}).to_string()),
    )
    .await
}

/// The log once it satisfies `complete`; records are written shortly after the answer.
async fn log_when(folder: &Path, complete: impl Fn(&Log) -> bool) -> Log {
    for _ in 0..200 {
        let log = read(folder).expect("readable");
        if complete(&log) {
            return log;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{:?}", read(folder));
}

#[tokio::test]
async fn a_question_is_kept_masked_and_its_outcome_joins_it() {
    let (address, folder) = logging().await;
    let question = "Wie ändere ich die Adresse eva@example.org? Ruft 0171 1234567 an";
    let answer = ask(address, "/v1/search", question, "frage-1").await.json();
    assert_eq!(answer["question"], question, "the answer itself is not masked");
    let clicked = json!({"request_id": "frage-1", "section": "technik#e-mail-adresse-aendern", "rating": "clicked"});
    assert_eq!(send(address, &clicked).await.status, 204);
    let unhelpful = json!({"request_id": "frage-1", "rating": "unhelpful"});
    assert_eq!(send(address, &unhelpful).await.status, 204);
    let mine = |log: &Log| {
        let found = log.entries.iter().find(|entry| entry.asked.request_id == "frage-1");
        found.filter(|entry| entry.outcomes.len() == 2).cloned()
    };
    let log = log_when(folder, |log| mine(log).is_some()).await;
    let entry = mine(&log).expect("complete");
    let expected = "Wie ändere ich die Adresse [E-Mail]? Ruft [Telefonnummer] an";
    assert_eq!(entry.asked.question, expected);
    assert_eq!(json!(entry.asked.hits[0]), answer["hits"][0]["id"]);
    assert_eq!(json!(entry.asked.intent), answer["intent"]["id"]);
    assert_eq!(json!(entry.asked.answerable), answer["answerable"]);
    assert!(entry.is_rated(Rating::Unhelpful) && entry.is_rated(Rating::Clicked));
    let raw = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|file| std::fs::read_to_string(file.expect("an entry").path()).expect("UTF-8"));
    let raw: String = raw.collect();
    assert!(!raw.contains("127.0.0.1") && !raw.contains("1234567"), "{raw}");
}

#[tokio::test]
async fn a_route_is_kept_and_an_explanation_is_not() {
    let (address, folder) = logging().await;
    let question = "Wozu dient die Fernleihe?";
    assert_eq!(ask(address, "/v1/explain", question, "erklart").await.status, 200);
    assert_eq!(ask(address, "/v1/route", question, "geroutet").await.status, 200);
    let by_id = |log: &Log, id: &str| log.entries.iter().any(|entry| entry.asked.request_id == id);
    let log = log_when(folder, |log| by_id(log, "geroutet")).await;
    let route = log.entries.iter().find(|entry| entry.asked.request_id == "geroutet");
    assert_eq!(route.expect("kept").asked.answerable, None);
    assert!(!by_id(&log, "erklart"), "people who explain are no readers");
}

#[tokio::test]
async fn feedback_that_says_nothing_is_refused() {
    let (address, _) = logging().await;
    let long = "x".repeat(65);
    for (body, status, code) in [
        (json!({"request_id": "1-1"}), 422, "invalid_body"),
        (json!({"request_id": "1-1", "rating": "great"}), 422, "invalid_body"),
        (json!({"request_id": "1-1", "rating": "helpful", "ip": "1.2.3.4"}), 422, "invalid_body"),
        (json!({"request_id": "", "rating": "helpful"}), 422, "invalid_body"),
        (json!({"request_id": long, "rating": "helpful"}), 422, "invalid_body"),
        (json!({"request_id": "a\u{202e}b", "rating": "helpful"}), 422, "invalid_body"),
        (
            json!({"request_id": "1-1", "section": "nicht#da", "rating": "helpful"}),
            404,
            "section_unknown",
        ),
        (json!({"request_id": "1-1", "section": "", "rating": "helpful"}), 404, "section_unknown"),
        (json!([]), 400, "invalid_json"),
    ] {
        assert_eq!(send(address, &body).await.problem(), (status, code.to_owned()), "{body}");
    }
    let torn = post(&format!("{address}/v1/feedback"), "application/json", "{").await;
    assert_eq!(torn.problem(), (400, "invalid_json".to_owned()));
    let got = get(&format!("{address}/v1/feedback")).await;
    assert_eq!(got.problem(), (405, "method_not_allowed".to_owned()));
}

#[tokio::test]
async fn without_a_log_feedback_is_refused_with_the_reason() {
    let body = json!({"request_id": "1-1", "rating": "helpful"});
    let refused = send(server().await, &body).await;
    assert_eq!(refused.problem(), (409, "query_log_off".to_owned()));
    assert!(refused.json()["detail_de"].as_str().expect("words").contains("Fragenprotokoll"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_keeps_what_the_asker_could_see_and_not_who_it_was() {
    let mut keys = Vec::new();
    let service = Service::new(true, |config| {
        config.query_log = Some(QueryLog { folder: config.data_dir.join("log"), days: 2 });
        let mut key = |name: &str, audiences| {
            keys.push(Service::key(config, name, Role::Reader, audiences));
        };
        key("alles", Audiences::All);
        key("rat", Audiences::Only(["geheimrat".to_owned(), "beirat".to_owned()].into()));
        key("gast", Audiences::public());
    })
    .await;
    let question = json!({"question": "Was kostet eine Mahnung?"});
    for key in &keys {
        let found = service.ask("POST", "/v1/search", Some(&question), Some(key)).await;
        assert_eq!(found.status, 200, "{}", found.text);
    }
    let folder = service.config.data_dir.join("log");
    let log = log_when(&folder, |log| log.entries.len() == 3).await;
    let audiences: Vec<String> =
        log.entries.iter().map(|entry| entry.asked.audiences.to_string()).collect();
    assert_eq!(audiences, ["all", "beirat, geheimrat", "public"]);
    for file in std::fs::read_dir(&folder).expect("a folder") {
        let text = std::fs::read_to_string(file.expect("an entry").path()).expect("readable");
        for name in ["alles", "\"rat\"", "gast", "wgw_"] {
            assert!(!text.contains(name), "{name} in {text}");
        }
    }
}
