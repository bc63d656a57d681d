//! A house's own vocabulary: what a question names narrows or raises, and never leaves nothing.

use serde_json::{Value, json};

use crate::harness::{ids, post, ready, settings, start};

const HOUSE: &str = "haus:
  - {id: b, label: Haus B, parent: campus}
  - {id: campus, label: Campus}
  - {id: z, label: Haus Z}
abteilung:
  - {id: leihstelle, label: Leihstelle, aliases: [Ausleihe]}
";

async fn ask(body: Value) -> (Vec<String>, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let config = settings(folder.path());
    std::fs::write(folder.path().join("rules/taxonomy.yaml"), HOUSE).expect("written");
    let (address, _) = start(config);
    ready(&address).await;
    let url = format!("{address}/v1/search");
    let reply = post(&url, "application/json", body.to_string()).await;
    (ids(&reply), reply.json())
}

#[tokio::test]
async fn a_named_facet_filters_with_its_children_and_the_trace_says_so() {
    let question = "Was gilt auf dem Campus für Fernleihe?";
    let (ids, body) = ask(json!({"question": question, "k": 10, "facet_mode": "filter"})).await;
    assert_eq!(body["facets"], json!([{"facet": "haus", "id": "campus", "label": "Campus"}]));
    assert!(ids.len() == 2 && ids.iter().all(|id| id.starts_with("technik#")), "{ids:?}");
    assert_eq!(body["hits"][0]["facets"]["haus"], json!(["b", "campus"]), "{body}");
    let notes = body["trace"]["notes"].to_string();
    assert!(notes.contains("filtered by haus campus: 2 sections"), "{notes}");
}

#[tokio::test]
async fn a_filter_that_leaves_nothing_is_widened() {
    let question = "Druckt der Drucker in Haus Z?";
    let (ids, body) = ask(json!({"question": question, "k": 10, "facet_mode": "filter"})).await;
    assert_eq!(ids.len(), 5, "{ids:?}");
    let notes = body["trace"]["notes"].to_string();
    assert!(notes.contains("no section has haus z; searched without this filter"), "{notes}");
}

#[tokio::test]
async fn by_default_a_named_facet_raises_and_off_only_tells() {
    let question = "Wozu dient die Fernleihe in Haus B?";
    let (raised, body) = ask(json!({"question": question, "k": 10})).await;
    let notes = body["trace"]["notes"].to_string();
    assert!(notes.contains("raised by haus b"), "{notes}");
    let (plain, body) = ask(json!({"question": question, "k": 10, "facet_mode": "off"})).await;
    assert_eq!(body["facets"][0]["id"], "b");
    assert!(!body["trace"]["notes"].to_string().contains("haus"), "{body}");
    let first = |ids: &[String]| ids.iter().position(|id| id.starts_with("technik#"));
    assert!(first(&raised) < first(&plain), "{raised:?} {plain:?}");
}

#[tokio::test]
async fn an_unknown_mode_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (address, _) = start(settings(folder.path()));
    ready(&address).await;
    let body = json!({"question": "Fernleihe?", "facet_mode": "streng"}).to_string();
    let reply = post(&format!("{address}/v1/search"), "application/json", body).await;
    assert_eq!(reply.problem(), (422, "invalid_body".to_owned()));
}
