//! Runs of the catalog, gaps, rules, status: what the pages ask.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use wegweiser::access::{Audiences, Role};
use wegweiser::config::Config;

use crate::access::Service;
use crate::harness::Reply;

/// What somebody writes who wants to do harm.
const HOSTILE: &str = "<script>alert(1)</script> \u{202e}nettim\u{2066} & \"Gebühren\"?";
const QUESTIONS: &str = r#"questions:
  - {id: mahnung, question: "Was kostet eine Mahnung?", expect: {section: "oeffentlich#gebuehren"}, origin: human, tier: paraphrase}
  - {id: frist, question: "Wie kann ich die Leihfrist verlängern?", expect: {section: "oeffentlich#frist-verlaengern"}, origin: human, tier: title}
  - {id: tier, question: "Was frisst der Quastenflosser?", expect: {section: "oeffentlich#quastenflosser"}, origin: human, tier: title}
"#;

/// A service over public and hidden sections, with a catalog.
pub(crate) async fn with_catalog(prepare: impl FnOnce(&mut Config)) -> Service {
    Service::new(true, |config| {
        let folder = config.compendium.as_ref().expect("named").with_file_name("fragen");
        fs::create_dir_all(&folder).expect("a folder");
        let hostile = json!({"questions": [{"id": "boese", "question": HOSTILE, "origin": "live",
            "expect": {"section": "oeffentlich#gebuehren"}, "tier": "live"}]});
        fs::write(folder.join("fragen.yaml"), QUESTIONS).expect("written");
        fs::write(folder.join("boese.yaml"), hostile.to_string()).expect("written");
        config.catalog = folder;
        prepare(config);
    })
    .await
}

/// Asks until the work is done.
pub(crate) async fn done(
    service: &Service,
    path: &str,
    key: Option<&str>,
    is_done: fn(&Reply) -> bool,
) -> Reply {
    for _ in 0..600 {
        let reply = service.ask("GET", path, None, key).await;
        if is_done(&reply) {
            return reply;
        }
        assert!(reply.status == 200 || reply.status == 202, "{}", reply.text);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{path}: never done");
}

async fn run(service: &Service, key: Option<&str>) -> Value {
    let started = service.ask("POST", "/v1/catalog/runs", None, key).await;
    assert_eq!(started.status, 202, "{}", started.text);
    assert!(started.json()["waiting"].is_boolean(), "{}", started.text);
    let rest = |reply: &Reply| reply.json()["running"].is_null();
    let list = done(service, "/v1/catalog/runs", key, rest).await.json();
    assert!(list["failed"].is_null(), "{list}");
    list
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_made_kept_and_compared_with_the_one_before() {
    let service = with_catalog(|_| ()).await;
    let none = service.ask("GET", "/v1/catalog/runs", None, None).await.json();
    assert_eq!((&none["runs"], &none["questions"]), (&json!([]), &json!(4)));
    let first = run(&service, None).await;
    assert_eq!(first["runs"][0]["summary"]["all"]["n"], 4, "{first}");
    assert_eq!(first["codes"]["F-MISSING"], "richtiger Abschnitt nicht unter den ersten fünf");
    let path = service.config.catalog.join("fragen.yaml");
    let fewer = QUESTIONS.lines().take(3).collect::<Vec<_>>().join("\n");
    fs::write(path, fewer).expect("written");
    assert_eq!(service.ask("POST", "/v1/reload", None, None).await.status, 200);
    let second = run(&service, None).await;
    let ids: Vec<&str> = second["runs"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|run| run["id"].as_str())
        .collect();
    assert_eq!(ids.len(), 2);
    assert!(ids[0] > ids[1], "the newest first: {ids:?}");
    let one = service.ask("GET", &format!("/v1/catalog/runs/{}", ids[0]), None, None).await;
    assert_eq!(one.headers["content-type"], "application/json");
    let one = one.json();
    assert_eq!(one["diff"]["gone"], json!(["tier"]), "{}", one["diff"]);
    assert_eq!(one["compared_with"], second["runs"][1]["finished"]);
    let questions = one["questions"].as_array().expect("a list");
    assert!(questions.iter().any(|question| question["question"] == HOSTILE), "as it was written");
    for id in ["20200101-000000-000", "..%2f..%2faudit", "x"] {
        let unknown = service.ask("GET", &format!("/v1/catalog/runs/{id}"), None, None).await;
        assert_eq!(unknown.problem(), (404, "run_unknown".to_owned()), "{id}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_not_see_a_section_learns_nothing_from_runs_gaps_and_rules() {
    let mut keys = Vec::new();
    let service = with_catalog(|config| {
        keys.push(Service::key(config, "alles", Role::Editor, Audiences::All));
        keys.push(Service::key(config, "gast", Role::Editor, Audiences::public()));
    })
    .await;
    let [whole, guest] = [&keys[0], &keys[1]].map(|key| Some(key.as_str()));
    let all = run(&service, whole).await;
    let id = all["runs"][0]["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/catalog/runs/{id}");
    assert!(service.ask("GET", &path, None, whole).await.text.contains("Quastenflosser"));
    assert_eq!(service.ask("GET", &path, None, guest).await.problem().1, "run_unknown");
    let own = run(&service, guest).await;
    assert_eq!((&own["questions"], own["runs"].as_array().map(Vec::len)), (&json!(3), Some(1)));
    let own = own["runs"][0]["id"].as_str().expect("an id");
    let is_made = |reply: &Reply| reply.status == 200;
    done(&service, "/v1/gaps", guest, is_made).await;
    let tried = json!({"pattern": "quastenflosser"});
    let replies = [
        service.ask("GET", &format!("/v1/catalog/runs/{own}"), None, guest).await,
        service.ask("GET", "/v1/gaps", None, guest).await,
        service.ask("GET", "/v1/sections/oeffentlich%23gebuehren/sheet", None, guest).await,
        service.ask("GET", "/v1/rules", None, guest).await,
        service.ask("POST", "/v1/rules/try", Some(&tried), guest).await,
        service.ask("GET", "/v1/status", None, guest).await,
    ];
    for reply in replies {
        assert_eq!(reply.status, 200, "{}", reply.text);
        let told = reply.text.to_lowercase();
        for word in ["quastenflos", "quf-4471", "quf-4477", "geheimrat", "plaene"] {
            assert!(!told.contains(word), "`{word}`: {told}");
        }
    }
    let hidden = "/v1/sections/oeffentlich%23quastenflosser/sheet";
    let refused = service.ask("GET", hidden, None, guest).await;
    assert_eq!(refused.problem(), (404, "section_unknown".to_owned()));
    done(&service, "/v1/gaps", whole, is_made).await;
    assert_eq!(service.ask("GET", hidden, None, whole).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_of_the_pages_endpoints_needs_its_role() {
    let mut keys = Vec::new();
    let service = with_catalog(|config| {
        for role in [Role::Reader, Role::Qa, Role::Editor] {
            keys.push(Service::key(config, &role.to_string(), role, Audiences::public()));
        }
    })
    .await;
    let tried = json!({"pattern": "frist"});
    let promoted = json!({"finding": "G-THIN:oeffentlich#gebuehren"});
    for (method, path, body, from) in [
        ("GET", "/v1/catalog/runs", None, 1),
        ("POST", "/v1/catalog/runs", None, 1),
        ("GET", "/v1/catalog/runs/x", None, 1),
        ("GET", "/v1/rules", None, 1),
        ("POST", "/v1/rules/try", Some(&tried), 1),
        ("GET", "/v1/status", None, 1),
        ("GET", "/v1/gaps", None, 2),
        ("POST", "/v1/gaps/promote", Some(&promoted), 2),
        ("GET", "/v1/sections/oeffentlich%23gebuehren/sheet", None, 2),
    ] {
        assert_eq!(service.ask(method, path, body, None).await.problem().1, "key_missing");
        for (at, key) in keys.iter().enumerate() {
            let reply = service.ask(method, path, body, Some(key)).await;
            let is_refused = reply.status == 403 && reply.problem().1 == "role_too_low";
            assert_eq!(is_refused, at < from, "{path} {at}: {}", reply.text);
        }
    }
    let page = service.ask("GET", "/luecken", None, None).await;
    assert_eq!(page.status, 200, "the page itself holds nothing and asks for the key");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_gaps_are_made_once_and_made_again_for_other_files() {
    let service = with_catalog(|_| ()).await;
    let is_made = |reply: &Reply| reply.status == 200;
    let first = done(&service, "/v1/gaps", None, is_made).await;
    let report = first.json();
    assert_eq!(report["codes"]["G-THIN"], "Dünn");
    assert!(report["findings"].is_array() && report["map"].is_array(), "{report}");
    assert_eq!(report["live"], json!({"state": "off"}), "nobody switched the log on");
    let sheet = service.ask("GET", "/v1/sections/oeffentlich%23gebuehren/sheet", None, None).await;
    assert_eq!(sheet.json()["section"]["title"], "Gebühren");
    let again = service.ask("GET", "/v1/gaps", None, None).await;
    assert_eq!((again.status, &again.text), (200, &first.text), "it is kept");
    assert_eq!(service.ask("POST", "/v1/reload", None, None).await.status, 200);
    let again = service.ask("GET", "/v1/gaps", None, None).await;
    assert_eq!((again.status, &again.text), (200, &first.text), "no file changed, so it is kept");
    let page = service.config.compendium.as_ref().expect("named").join("boese.md");
    fs::write(page, format!("# Böse\n\n## {HOSTILE}\n\nEin Text.\n")).expect("written");
    assert_eq!(service.ask("POST", "/v1/reload", None, None).await.status, 200);
    let changed = service.ask("GET", "/v1/gaps", None, None).await;
    assert!(changed.status == 202 || changed.text != first.text, "it is of the old files");
    let changed = done(&service, "/v1/gaps", None, is_made).await.json();
    let more = report["sections"].as_u64().map(|sections| sections + 1);
    assert_eq!(changed["sections"].as_u64(), more);
    let titles: Vec<&str> = changed["map"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|point| point["title"].as_str())
        .collect();
    assert!(titles.iter().any(|title| title.contains("nettim")), "{titles:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rules_are_counted_over_the_catalog_and_patterns_tried_within_limits() {
    let service = with_catalog(|_| ()).await;
    let body = service.ask("GET", "/v1/rules", None, None).await.json();
    let rules = body["rules"].as_array().expect("a list");
    let sum: u64 = rules.iter().filter_map(|rule| rule["won"].as_u64()).sum();
    assert_eq!((Some(sum), &body["questions"]), (body["decided"].as_u64(), &json!(4)));
    assert!(sum > 0 && rules.len() > 50, "{sum} of {}", rules.len());
    let place = rules[0]["place"].as_str().expect("a place");
    assert!(
        Path::new(place.split(".yaml").next().expect("a file")).ends_with("shortcuts"),
        "{place}"
    );
    for rule in rules {
        let shadowed = rule["won"] == 0 && rule["lost"] != 0;
        assert_eq!(rule["shadowed"], shadowed, "{rule}");
        assert_eq!(rule["lost_to"].is_object(), rule["lost"] != 0, "{rule}");
    }
    let tried = async |body: Value| service.ask("POST", "/v1/rules/try", Some(&body), None).await;
    let found = tried(json!({"pattern": r"\bleihfrist\b"})).await.json();
    assert_eq!((&found["matched"], &found["matches"][0]["id"]), (&json!(1), &json!("frist")));
    assert_eq!(found["matches"][0]["matched"], "leihfrist");
    let vetoed = tried(json!({"pattern": "frist", "unless": "verlaenger", "scope": "full"})).await;
    assert_eq!((&vetoed.json()["matched"], &vetoed.json()["vetoed"]), (&json!(0), &json!(1)));
    for (wrong, told) in [
        (json!({"pattern": "("}), "„pattern“ ist kein gültiges Muster; den Grund nennt"),
        (json!({"pattern": "(?=x)"}), "kein gültiges Muster"),
        (json!({"pattern": ""}), "1 bis 2000 Zeichen"),
        (json!({"pattern": "x".repeat(2001)}), "es hat 2001"),
        (json!({"pattern": "((a{1,500}){1,500}){1,500}"}), "kein gültiges Muster"),
        (json!({"pattern": "x", "unless": "["}), "„unless“"),
        (json!({"pattern": "x", "scope": "alles"}), "muss eines davon sein"),
        (json!({"patern": "x"}), "gemeint ist wohl „pattern“"),
    ] {
        let refused = tried(wrong.clone()).await;
        assert_eq!(refused.problem(), (422, "invalid_body".to_owned()), "{wrong}");
        assert!(refused.text.contains(told), "{wrong}: {}", refused.text);
    }
    // A pattern that takes a backtracking engine forever.
    let slow = tried(json!({"pattern": "(a|a|aa)+$|(.*)*z"})).await;
    assert_eq!(slow.status, 200, "{}", slow.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_status_says_what_serves_and_what_is_to_be_mended() {
    let service = with_catalog(|_| ()).await;
    let status = service.ask("GET", "/v1/status", None, None).await.json();
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&status["questions"], &status["llm"]), (&json!(4), &Value::Null));
    assert!(
        status["sections"].as_u64() > Some(3) && status["model"]["dimension"] == 384,
        "{status}"
    );
    assert_eq!(status["problems"], json!([]));
    fs::write(service.config.catalog.join("boese.yaml"), "questions:\n  - {id: x}\n")
        .expect("written");
    assert_eq!(service.ask("POST", "/v1/reload", None, None).await.status, 200);
    let status = service.ask("GET", "/v1/status", None, None).await.json();
    let place = status["problems"][0]["place"].as_str().expect("a place");
    assert!(place.contains("boese.yaml:2"), "{place}");
    assert_eq!(status["questions"], 4, "the questions before stay");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_questions_no_run_is_started() {
    let service = Service::new(false, |config| {
        config.catalog = config.data_dir.join("gibt-es-nicht");
    })
    .await;
    let refused = service.ask("POST", "/v1/catalog/runs", None, None).await;
    assert_eq!(refused.problem(), (409, "catalog_empty".to_owned()));
}
