//! A question that asks several things at once.

use serde_json::json;

use crate::harness::{ask, ids, search};

const BOTH: &str = "Wie lange kann ich ein Buch verlängern und wo ändere ich meine E-Mail-Adresse?";

#[tokio::test]
async fn both_parts_are_answered() {
    let reply = ask(BOTH).await;
    let found = ids(&reply);
    let top = &found[..found.len().min(2)];
    assert!(top.contains(&"bibliothek#buecher-verlaengern".to_owned()), "{found:?}");
    assert!(top.contains(&"technik#e-mail-adresse-aendern".to_owned()), "{found:?}");
    let body = reply.json();
    assert_eq!(body["intent"]["id"], "quantity");
    assert_eq!(body["intent"]["also"], json!(["where"]));
    let parts = body["trace"]["parts"].as_array().expect("parts");
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[1]["question"], "wo ändere ich meine E-Mail-Adresse?");
    assert_eq!(parts[1]["intent"]["id"], "where");
}

#[tokio::test]
async fn scores_do_not_rise_from_one_hit_to_the_next() {
    let body = ask(BOTH).await.json();
    let scores: Vec<f64> = body["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(|hit| hit["score"].as_f64().expect("a score"))
        .collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
}

#[tokio::test]
async fn the_groups_are_those_of_both_parts() {
    let question = "Welchen Nutzen hat die Fernleihe und was hilft bei einer Störung des Druckers?";
    let body = ask(question).await.json();
    let groups: Vec<&str> = body["groups"]
        .as_array()
        .expect("groups")
        .iter()
        .map(|group| group["id"].as_str().expect("an id"))
        .collect();
    assert_eq!(groups.len(), 2);
    assert!(groups.contains(&"Wirkung_und_Entwicklung"), "{groups:?}");
    assert!(groups.contains(&"Probleme_und_Lösungen"), "{groups:?}");
    assert_eq!(body["intent"]["id"], "troubleshoot");
    assert_eq!(body["intent"]["also"], json!(["benefit"]));
}

#[tokio::test]
async fn parts_are_searched_in_every_mode_and_within_the_filter() {
    for mode in ["vector", "lexical", "hybrid"] {
        let body = json!({"question": BOTH, "mode": mode, "k": 2});
        assert_eq!(ids(&search(&body).await).len(), 2, "{mode}");
    }
    let body = json!({"question": BOTH, "filters": {"document": "technik"}});
    assert!(ids(&search(&body).await).iter().all(|id| id.starts_with("technik#")));
}

#[tokio::test]
async fn one_question_has_no_parts() {
    let body = ask("Wie hängen Drucker und E-Mail zusammen?").await.json();
    assert_eq!(body["trace"]["parts"], json!(null));
    assert_eq!(body["intent"]["also"], json!(null));
}
