//! What the protocol promises: methods, media types, origins, batches, waiting, hanging up.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::access::Service;
use crate::harness::{get, post, reply, search, server};

#[tokio::test]
async fn head_is_get_without_a_body() {
    let address = server().await;
    for path in ["/healthz", "/readyz", "/openapi.json", "/v1/sections/bibliothek%23fernleihe"] {
        let url = format!("{address}{path}");
        let (head, whole) = (reply(reqwest::Client::new().head(&url)).await, get(&url).await);
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
        assert_eq!(head.headers["content-type"], whole.headers["content-type"], "{path}");
    }
    let client = reqwest::Client::new();
    for (method, path, allowed) in [
        (Method::DELETE, "/healthz", "GET, HEAD"),
        (Method::HEAD, "/v1/search", "POST"),
        (Method::PUT, "/v1/search/batch", "POST"),
        (Method::OPTIONS, "/v1/search", "POST"),
    ] {
        let wrong = reply(client.request(method, format!("{address}{path}"))).await;
        assert_eq!((wrong.status, &wrong.headers["allow"]), (405, &allowed.parse().expect("fine")));
    }
}

#[tokio::test]
async fn who_does_not_take_json_is_told_so() {
    let address = server().await;
    let with = async |path: &str, accept: &str| {
        let client = reqwest::Client::new();
        reply(client.get(format!("{address}{path}")).header("accept", accept)).await
    };
    let refused = with("/healthz", "text/html").await;
    assert_eq!(refused.problem(), (406, "not_acceptable".to_owned()));
    assert_eq!(with("/healthz", "text/html, application/*;q=0.2").await.status, 200);
    assert_eq!(with("/metrics", "application/openmetrics-text;version=1.0.0").await.status, 200);
    assert_eq!(with("/metrics", "application/json").await.status, 406);
    assert_eq!(with("/nirgends", "text/html").await.status, 404);
}

#[tokio::test]
async fn faults_are_told_in_both_languages_without_names_of_types() {
    for (body, told, told_de) in [
        (json!({"question": 1}), "`question` must be a text", "„question“ muss ein Text sein"),
        (
            json!({"question": "x", "k": -1}),
            "`k` must be a whole number from 1 to 100",
            "„k“ muss eine ganze Zahl von 1 bis 100 sein",
        ),
        (
            json!({"question": "x", "k": 1.5}),
            "`k` must be a whole number",
            "„k“ muss eine ganze Zahl",
        ),
        (
            json!({"question": "x", "mode": "fuzzy"}),
            "hybrid, vector, lexical",
            "muss eines davon sein",
        ),
        (
            json!({"question": "x", "explain": "ja"}),
            "must be true or false",
            "muss true oder false sein",
        ),
        (
            json!({"question": "x", "filter": {}}),
            "did you mean `filters`?",
            "gemeint ist wohl „filters“",
        ),
        (
            json!({"question": "x", "filters": {"facets": {"ort": 1}}}),
            "`filters.facets.ort` must be a text or a list",
            "muss ein Text oder eine Liste",
        ),
        (
            json!({"question": "x", "filters": {"document": "Biblothek"}}),
            "filters.document: no section has `Biblothek`; did you mean `bibliothek`?",
            "Kein Abschnitt hat „Biblothek“; gemeint ist wohl „bibliothek“",
        ),
        (
            json!({"question": "x", "filters": {"facets": {"Ort": "Haus A"}}}),
            "did you mean `ort`?",
            "filters.facets",
        ),
        (
            json!({"question": "x", "filters": {"facets": {"ort": "Haus C"}}}),
            "filters.facets.ort: no section has `Haus C`",
            "Kein Abschnitt hat „Haus C“",
        ),
    ] {
        let reply = search(&body).await;
        assert_eq!(reply.status, 422, "{body}");
        let problem = reply.json();
        let has = |member: &str, words: &str| {
            problem[member].as_str().is_some_and(|text| text.contains(words))
        };
        assert!(has("detail", told) && has("detail_de", told_de), "{body}: {problem}");
        let english = problem["detail"].as_str().expect("a text");
        for name in ["u64", "usize", "struct", "expected", "enum", "SearchBody"] {
            assert!(!english.contains(name), "{english}");
        }
    }
    let many: serde_json::Map<String, Value> =
        (0..500).map(|at| (format!("feld{at}"), json!(1))).collect();
    let reply = search(&Value::Object(many)).await;
    let detail = reply.json()["detail"].as_str().expect("a text").to_owned();
    assert!(detail.contains("496 more") && detail.len() < 500, "{detail}");
}

#[tokio::test]
async fn an_audience_that_no_section_names_is_a_warning() {
    let body = json!({"question": "Drucker", "filters": {"audience": ["personal", "gast"]}});
    let reply = search(&body).await;
    assert_eq!(reply.json()["warnings"], json!([{"code": "audience_unknown", "value": "gast"}]));
    let body = json!({"question": "Drucker", "filters": {"audience": "personal"}});
    assert!(search(&body).await.json()["warnings"].is_null());
}

#[tokio::test]
async fn a_batch_answers_each_question_as_if_it_were_alone() {
    let address = server().await;
    let questions = [
        json!({"question": "Wie kann ich ein Buch verlängern?"}),
        json!({"question": "  "}),
        json!({"question": "Drucker", "k": 1, "mode": "lexical", "explain": true}),
        json!({"question": "Drucker", "filters": {"group": "Nichts"}}),
    ];
    let url = format!("{address}/v1/search/batch");
    let body = json!({ "questions": questions }).to_string();
    let batch = post(&url, "application/json", body).await;
    assert_eq!(batch.status, 200, "{}", batch.text);
    let answers = batch.json()["answers"].as_array().expect("answers").clone();
    assert_eq!(answers.len(), questions.len());
    for (question, answer) in questions.iter().zip(&answers) {
        assert_eq!(&search(question).await.json(), answer, "{question}");
    }
    let many = vec![json!({"question": "x"}); 33];
    for (body, told) in [
        (json!({"questions": many}), "`questions` must be a list of 1 to 32 objects"),
        (json!({"questions": []}), "`questions` must be a list"),
        (json!({}), "`questions` must be a list"),
        (json!({"questions": [{"question": "x"}, 7]}), "`questions[1]` must be an object"),
        (json!({"questions": [{"question": "x", "k": 0}]}), "`questions[0].k` must be"),
    ] {
        let reply = post(&url, "application/json", body.to_string()).await;
        assert_eq!(reply.status, 422, "{body}");
        assert!(reply.json()["detail"].as_str().expect("text").contains(told), "{}", reply.text);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_pages_of_the_configured_origins_may_ask() {
    let origin = "https://chat.example.org";
    let service =
        Service::new(false, |config| config.service.cors_origins = vec![origin.to_owned()]).await;
    let client = reqwest::Client::new();
    let url = format!("{}/v1/search", service.address);
    let preflight = |from: &'static str| {
        let request = client.request(Method::OPTIONS, &url).header("origin", from);
        reply(request.header("access-control-request-method", "POST"))
    };
    let allowed = preflight(origin).await;
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.headers["access-control-allow-origin"], origin);
    assert!(
        allowed.headers["access-control-allow-headers"]
            .to_str()
            .expect("text")
            .contains("authorization")
    );
    for other in ["https://evil.example", "null", "https://chat.example.org.evil.example"] {
        let refused = preflight(other).await;
        assert_eq!(refused.status, 405, "{other}");
        assert!(!refused.headers.contains_key("access-control-allow-origin"), "{other}");
    }
    let body = json!({"question": ""}).to_string();
    let request = client.post(&url).header("origin", origin);
    let fault = reply(request.header("content-type", "application/json").body(body)).await;
    assert_eq!(fault.headers["access-control-allow-origin"], origin, "errors are readable, too");
    assert_eq!(fault.status, 400);
    assert!(
        !get(&format!("{}/healthz", service.address))
            .await
            .headers
            .contains_key("access-control-allow-origin")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_questions_in_parts_wait_their_turn() {
    let address = server().await;
    let mut asking = tokio::task::JoinSet::new();
    for at in 0..40 {
        let question = format!(
            "Wie lange kann ich ein Buch verlängern und wo ändere ich meine E-Mail-Adresse und was hilft bei Störung {at}?"
        );
        let url = format!("{address}/v1/search");
        asking.spawn(async move {
            post(&url, "application/json", json!({ "question": question }).to_string()).await.status
        });
    }
    while let Some(status) = asking.join_next().await {
        assert_eq!(status.expect("no panic"), 200);
    }
}

/// The value of a metric; 0 where it is not counted yet.
fn metric(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map_or(0.0, |value| value.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_hangs_up_is_not_worked_for() {
    let service = Arc::new(Service::new(false, |_| ()).await);
    let long = "Was kostet eine Mahnung und wie verlängere ich die Frist? ".repeat(30);
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..60 {
        let (service, question) = (Arc::clone(&service), long.clone());
        asking.spawn(async move {
            service.ask("POST", "/v1/search", Some(&json!({ "question": question })), None).await
        });
    }
    let metrics = async || service.ask("GET", "/metrics", None, None).await.text;
    let running = |text: &str| {
        metric(text, "wegweiser_questions_running") + metric(text, "wegweiser_questions_waiting")
    };
    while running(&metrics().await) < 20.0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    asking.abort_all();
    while running(&metrics().await) > 0.0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let text = metrics().await;
    let answered = metric(&text, r#"wegweiser_requests_total{endpoint="/v1/search",status="200"}"#);
    assert!(answered < 50.0, "all were answered, although nobody listened: {answered}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_count_what_happened_and_hold_no_text() {
    let service = Service::new(false, |_| ()).await;
    for question in ["Was ist eine Mahnung?", "Zzyzx im Herbst"] {
        service.ask("POST", "/v1/search", Some(&json!({ "question": question })), None).await;
    }
    service.ask("POST", "/v1/search", Some(&json!({"question": ""})), None).await;
    service.ask("GET", "/v1/sections/geheimnis%23x", None, None).await;
    let text = service.ask("GET", "/metrics", None, None).await.text;
    for (name, value) in [
        (r#"wegweiser_requests_total{endpoint="/v1/search",status="200"}"#, 2.0),
        (r#"wegweiser_requests_total{endpoint="/v1/search",status="400"}"#, 1.0),
        (r#"wegweiser_requests_total{endpoint="/v1/sections/{id}",status="404"}"#, 1.0),
        (r#"wegweiser_intents_total{source="rule"}"#, 1.0),
        (r#"wegweiser_stage_duration_seconds_count{stage="embed"}"#, 2.0),
        ("wegweiser_questions_running", 0.0),
        ("wegweiser_file_problems", 0.0),
    ] {
        assert!((metric(&text, name) - value).abs() < 1e-9, "{name} {value}:\n{text}");
    }
    for word in ["Mahnung", "Zzyzx", "geheimnis"] {
        assert!(!text.contains(word), "{text}");
    }
}

#[test]
fn the_document_of_the_api_changes_only_on_purpose() {
    let document = serde_json::to_value(wegweiser::http::openapi_document()).expect("JSON");
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    let mut document = document;
    document["info"]["version"] = json!("[version]");
    insta::assert_json_snapshot!("openapi", document);
}

/// `examples/clients/typescript` has types made from the document; they name the one they were made of.
#[test]
fn the_typescript_client_is_made_of_this_document() {
    use sha2::{Digest as _, Sha256};

    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("readable");
    let snapshot = read("tests/service/snapshots/service__api__openapi.snap");
    let (_, document) = snapshot.split_once("\n---\n").expect("the head of a snapshot");
    let digest = wegweiser::domain::hex(&Sha256::digest(document.trim()));
    let types = read("examples/clients/typescript/src/api.d.ts");
    let head = types.lines().next().expect("a line");
    assert!(
        head.ends_with(&digest),
        "run `npm run generate` in examples/clients/typescript: {head}, the document has {digest}"
    );
}

#[tokio::test]
async fn null_is_as_good_as_absent_where_the_document_says_so_and_nowhere_else() {
    let document = serde_json::to_value(wegweiser::http::openapi_document()).expect("JSON");
    let address = server().await;
    let section = "bibliothek#buecher-verlaengern";
    for (path, form, whole) in [
        ("/v1/search", "SearchBody", json!({"question": "x"})),
        ("/v1/explain", "ExplainBody", json!({"question": "x", "section": section})),
        ("/v1/route", "RouteBody", json!({"question": "x"})),
        ("/v1/rules/try", "TryBody", json!({"pattern": "x"})),
    ] {
        let fields = document["components"]["schemas"][form]["properties"].as_object();
        for (name, field) in fields.expect("fields") {
            let mut body = whole.clone();
            body[name] = Value::Null;
            let has_null = |member: &str, null: &Value| {
                field[member].as_array().is_some_and(|kinds| kinds.contains(null))
            };
            let may_be_null =
                has_null("type", &json!("null")) || has_null("oneOf", &json!({"type": "null"}));
            let reply =
                post(&format!("{address}{path}"), "application/json", body.to_string()).await;
            let expected = if may_be_null { 200 } else { 422 };
            assert_eq!(reply.status, expected, "{path} {name}: {field} {}", reply.text);
        }
    }
}
