//! What readers ask and do not get: in the report of the gaps, and into the catalog.

use std::fs;

use serde_json::{Value, json};
use wegweiser::access::{Audiences, Role};
use wegweiser::config::{Config, QueryLog};
use wegweiser::{catalog, query_log};

use crate::access::Service;
use crate::work::{done, with_catalog};

/// Asked by somebody who sees everything; none of it may reach who does not.
const ASKED: [&str; 2] = [
    "Wie wird das Wetter morgen in Leipzig? Antwort an eva@example.org",
    "Regnet es morgen am Becken des Quastenflossers in Leipzig?",
];

async fn service(prepare: impl FnOnce(&mut Config)) -> Service {
    with_catalog(|config| {
        let folder = config.data_dir.join("log");
        config.query_log = Some(QueryLog { folder, days: 2 });
        prepare(config);
    })
    .await
}

/// Each question three times, each time without help.
async fn asked(service: &Service, key: Option<&str>) {
    for question in ASKED.iter().cycle().take(6) {
        let body = json!({"question": question});
        let answer = service.ask("POST", "/v1/search", Some(&body), key).await;
        let id = answer.headers["x-request-id"].to_str().expect("text").to_owned();
        for (rating, section) in [("unhelpful", None), ("clicked", Some("oeffentlich#gebuehren"))] {
            let body = json!({"request_id": id, "rating": rating, "section": section});
            let taken = service.ask("POST", "/v1/feedback", Some(&body), key).await;
            assert_eq!(taken.status, 204, "{}", taken.text);
        }
    }
    let folder = service.config.data_dir.join("log");
    for _ in 0..200 {
        let log = query_log::read(&folder).expect("readable");
        if log.entries.iter().map(|entry| entry.outcomes.len()).sum::<usize>() == 12 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("never written");
}

async fn report(service: &Service, key: Option<&str>) -> Value {
    done(service, "/v1/gaps", key, |reply| reply.status == 200).await.json()
}

/// The finding of the report that the first question is behind.
fn topic(report: &Value) -> &Value {
    let findings = report["findings"].as_array().expect("a list");
    let is_live = |finding: &&Value| finding["evidence"].to_string().contains("[E-Mail]");
    findings.iter().find(is_live).unwrap_or_else(|| panic!("{report}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_readers_miss_is_in_the_report_and_becomes_open_questions_of_the_catalog() {
    let service = service(|_| ()).await;
    asked(&service, None).await;
    let report = report(&service, None).await;
    assert_eq!(
        (&report["live"]["state"], &report["live"]["log"]["failed"]),
        (&json!("read"), &json!(6))
    );
    let topic = topic(&report);
    let told = topic.to_string();
    assert!(told.contains("Wetter") && !told.contains("eva@"), "masked as it was kept: {told}");
    assert_eq!(topic["reach"], 3.0, "{told}");
    let id = topic["id"].as_str().expect("an id");
    assert_eq!(report["tickets"][id], json!({"new": 1, "known": 0}), "{report}");

    let promote = async |finding: &str| {
        let body = json!({ "finding": finding });
        service.ask("POST", "/v1/gaps/promote", Some(&body), None).await
    };
    let broken = service.config.catalog.join("kaputt.yaml");
    fs::write(&broken, "questions:\n  - {id: x}\n").expect("written");
    let refused = promote(id).await;
    assert_eq!(refused.problem(), (409, "catalog_invalid".to_owned()));
    assert!(refused.json()["problems"][0]["place"].to_string().contains("kaputt.yaml:2"));
    fs::remove_file(&broken).expect("removed");
    assert!(!service.config.catalog.join("live.yaml").exists(), "nothing was written");

    let promoted = promote(id).await;
    assert_eq!(promoted.status, 200, "{}", promoted.text);
    let promoted = promoted.json();
    assert_eq!(
        (promoted["opened"].as_array().map(Vec::len), &promoted["known"]),
        (Some(1), &json!(0))
    );
    assert_eq!(
        (&promoted["guarding"], &promoted["passing"]),
        (&json!([]), &json!([])),
        "{promoted}"
    );
    assert!(promoted["file"].as_str().is_some_and(|file| file.ends_with("fragen/live.yaml")));
    let questions = catalog::load(&service.config.catalog).expect("sound");
    let live: Vec<_> =
        questions.iter().filter(|question| question.status == catalog::Status::Open).collect();
    assert_eq!(live.len(), 1, "{questions:?}");
    assert!(live.iter().all(|question| question.origin == catalog::Origin::Live));
    // The catalog is another one now; the report before is good enough to go on with.
    let again = promote(id).await.json();
    assert_eq!((&again["opened"], &again["known"]), (&json!([]), &json!(1)), "{again}");
    let audit = fs::read_to_string(service.config.data_dir.join("audit.jsonl")).expect("a log");
    let lines: Vec<Value> =
        audit.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let promotions: Vec<&Value> =
        lines.iter().filter(|line| line["action"] == "promoted").collect();
    assert_eq!(promotions.len(), 1, "what wrote nothing is no action: {audit}");
    assert_eq!(promotions[0]["by"], "local");
    assert_eq!((&promotions[0]["finding"], &promotions[0]["questions"]), (&json!(id), &json!(1)));

    assert_eq!(promote("G-THIN:nirgends").await.problem(), (404, "finding_unknown".to_owned()));
    let findings = report["findings"].as_array().expect("a list");
    let silent = findings.iter().filter_map(|finding| finding["id"].as_str());
    for finding in silent.filter(|id| report["tickets"].get(id).is_none()).take(1) {
        let refused = promote(finding).await;
        assert_eq!(refused.problem(), (409, "finding_without_question".to_owned()), "{finding}");
    }
    let reloaded = service.ask("POST", "/v1/reload", None, None).await;
    assert_eq!(reloaded.status, 200, "{}", reloaded.text);
    let after = self::report(&service, None).await;
    assert_eq!(after["tickets"][id], json!({"new": 0, "known": 1}), "{after}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_sees_less_than_the_asker_does_not_see_the_question_and_writes_nothing() {
    let mut keys = Vec::new();
    let service = service(|config| {
        keys.push(Service::key(config, "alles", Role::Editor, Audiences::All));
        keys.push(Service::key(config, "gast", Role::Editor, Audiences::public()));
    })
    .await;
    let [whole, guest] = [&keys[0], &keys[1]].map(|key| Some(key.as_str()));
    asked(&service, whole).await;
    let seen = report(&service, whole).await;
    assert!(seen.to_string().contains("Wetter"), "{seen}");
    let hidden = report(&service, guest).await;
    assert_eq!((&hidden["live"]["log"]["questions"], &hidden["tickets"]), (&json!(0), &json!({})));
    let told = hidden.to_string().to_lowercase();
    assert!(!told.contains("wetter") && !told.contains("quastenflos"), "{told}");
    let body = json!({"finding": topic(&seen)["id"]});
    let refused = service.ask("POST", "/v1/gaps/promote", Some(&body), guest).await;
    assert_eq!(refused.problem(), (403, "audiences_too_few".to_owned()));
    let unknown = json!({"finding": "G-THIN:oeffentlich#quastenflosser"});
    let same = service.ask("POST", "/v1/gaps/promote", Some(&unknown), guest).await;
    assert_eq!(same.text, refused.text, "it does not tell what there is");
    assert!(!service.config.catalog.join("live.yaml").exists());
}
