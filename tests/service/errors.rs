//! Every fault has its own code, and none is ours.

use serde_json::json;

use crate::harness::{ask, get, post, search, server};

#[tokio::test]
async fn a_body_that_can_not_be_read_is_told_apart() {
    let address = server().await;
    let url = format!("{address}/v1/search");
    let long = format!(r#"{{"question":"{}"}}"#, "a".repeat(2_001));
    let huge = format!(r#"{{"question":"{}"}}"#, "a".repeat(3_000_000));
    for (why, content_type, body, status, code) in [
        ("cut JSON", "application/json", r#"{"question":"#, 400, "invalid_json"),
        ("a lone surrogate", "application/json", r#"{"question":"\ud800"}"#, 400, "invalid_json"),
        ("nothing", "application/json", "", 400, "invalid_json"),
        ("a list", "application/json", r#"["Was ist das?"]"#, 400, "invalid_json"),
        ("a text", "application/json", r#""Was ist das?""#, 400, "invalid_json"),
        ("twice", "application/json", r#"{"question":"a","question":"b"}"#, 400, "invalid_json"),
        ("k as text", "application/json", r#"{"question":"x","k":"5"}"#, 422, "invalid_body"),
        ("no list", "application/json", r#"{"question":"x","filters":7}"#, 422, "invalid_body"),
        ("a number", "application/json", r#"{"question":123}"#, 422, "invalid_body"),
        ("no question", "application/json", "{}", 422, "invalid_body"),
        ("a typo", "application/json", r#"{"question":"x","mod":"vector"}"#, 422, "invalid_body"),
        ("no mode", "application/json", r#"{"question":"x","mode":"fuzzy"}"#, 422, "invalid_body"),
        ("k too small", "application/json", r#"{"question":"x","k":0}"#, 422, "invalid_body"),
        (
            "score below 0",
            "application/json",
            r#"{"question":"x","min_score":-0.1}"#,
            422,
            "invalid_body",
        ),
        (
            "score above 1",
            "application/json",
            r#"{"question":"x","min_score":1.1}"#,
            422,
            "invalid_body",
        ),
        ("k too large", "application/json", r#"{"question":"x","k":101}"#, 422, "invalid_body"),
        ("plain text", "text/plain", r#"{"question":"x"}"#, 415, "unsupported_media_type"),
        ("empty", "application/json", r#"{"question":""}"#, 400, "question_empty"),
        (
            "invisible",
            "application/json",
            "{\"question\":\" \u{200b}\\u0000 \"}",
            400,
            "question_empty",
        ),
        ("too long", "application/json", &long, 413, "question_too_long"),
        ("3 MB", "application/json", &huge, 413, "body_too_large"),
    ] {
        let reply = post(&url, content_type, body.to_owned()).await;
        assert_eq!(reply.problem(), (status, code.to_owned()), "{why}");
        assert_eq!(reply.headers["content-type"], "application/problem+json", "{why}");
    }
}

#[tokio::test]
async fn deep_nesting_is_refused_like_any_wrong_body() {
    let address = server().await;
    let deep =
        format!(r#"{{"question":"x","filters":{}1{}}}"#, "[".repeat(50_000), "]".repeat(50_000));
    let reply = post(&format!("{address}/v1/search"), "application/json", deep).await;
    assert!([400, 422].contains(&reply.status), "{}", reply.text);
}

#[tokio::test]
async fn an_address_or_a_method_that_does_not_exist_is_json_too() {
    let address = server().await;
    let lost = get(&format!("{address}/v2/search")).await;
    assert_eq!(lost.problem(), (404, "not_found".to_owned()));
    let wrong = get(&format!("{address}/v1/search")).await;
    assert_eq!(wrong.problem(), (405, "method_not_allowed".to_owned()));
    assert_eq!(wrong.headers["allow"], "POST");
    let unknown = get(&format!("{address}/v1/sections/bibliothek%23nirgends")).await;
    assert_eq!(unknown.problem(), (404, "section_unknown".to_owned()));
}

#[tokio::test]
async fn an_unknown_group_is_answered_with_the_one_that_was_meant() {
    let reply =
        search(&json!({"question": "x", "filters": {"group": "Wirkung_und_Entwiklung"}})).await;
    assert_eq!(reply.problem(), (422, "filter_unknown".to_owned()));
    let detail = reply.json()["detail"].as_str().expect("a text").to_owned();
    assert!(detail.contains("did you mean `Wirkung_und_Entwicklung`?"), "{detail}");
}

#[tokio::test]
async fn a_question_without_words_is_found_by_meaning() {
    // Not one of these words is in the compendium; the keyword channel says so.
    let reply = ask("👍").await;
    assert_eq!(reply.status, 200);
    let body = reply.json();
    assert_eq!((&body["intent"]["id"], &body["prefix"]), (&json!("unknown"), &json!(null)));
    let notes = body["trace"]["notes"].to_string();
    assert!(notes.contains("no word to search for"), "{notes}");
    assert_eq!(body["degraded"], json!(["lexical"]));
}
