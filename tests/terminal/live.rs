//! From a log of live questions over a promoted gap to the run that closes it.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Folder, Run};

const PARKING: [&str; 4] = [
    "Wo ist der Parkplatz für Fahrräder?",
    "Gibt es einen Parkplatz?",
    "parkplatz fahrräder",
    "Kostet der Parkplatz etwas?",
];

fn line(question: &str) -> String {
    let record = json!({
        "time": "2026-11-30T10:00:00Z", "kind": "question", "request_id": "1-1",
        "question": question, "intent": "unknown", "source": "default", "groups": [],
        "answerable": false, "confidence": 0.05, "hits": []
    });
    format!("{record}\n")
}

fn folder() -> Folder {
    let folder = Folder::new();
    let mut log: String = PARKING.iter().map(|question| line(question).repeat(3)).collect();
    log.push_str("{\"time\":\"2026-11-3");
    folder.write("log/questions-2026-11-30.jsonl", &log);
    folder.write("catalog/fragen.yaml", "# Fragen\nquestions:\n  - id: a\n    question: 'Der Drucker druckt nicht, was tun?'\n    expect: {section: technik#der-drucker-druckt-nicht}\n    origin: human\n    tier: title\n# Ende\n");
    folder
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// The finding about parking.
fn parking(folder: &Folder) -> String {
    let listed = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let report = json(&listed);
    let findings = report["findings"].as_array().expect("findings").clone();
    let mut live = findings.iter().filter(|finding| finding["code"] == "G-UNANSWERED");
    let found = live.next().unwrap_or_else(|| panic!("{listed:?}"));
    assert!(listed.err.contains("1 lines of the log are damaged"), "{}", listed.err);
    assert!(found["subject"]["term"].as_str().expect("a label").contains("Parkplatz"), "{found}");
    assert_eq!(found["reach"], 12.0, "{found}");
    found["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_topic_of_the_log_becomes_a_ticket_that_a_later_run_closes() {
    let folder = folder();
    let id = parking(&folder);
    let promote = ["gaps", "promote", &id, "--log", "log", "--catalog", "catalog/fragen.yaml"];
    let first = folder.run(&promote);
    assert_eq!(first.code, Some(0), "{first:?}");
    let text = fs::read_to_string(folder.path("catalog/fragen.yaml")).expect("there");
    assert!(text.starts_with("# Fragen\n") && text.contains("# Ende\n"), "{text}");
    assert_eq!(text.matches("status: open").count(), PARKING.len(), "{text}");
    let again = folder.run(&promote);
    assert!(again.out.contains("0 questions added, 4 were there"), "{again:?}");
    let same = fs::read_to_string(folder.path("catalog/fragen.yaml")).expect("there");
    assert_eq!(same, text);

    let open = folder.run(&["catalog", "run", "--format", "json"]);
    assert_eq!(open.code, Some(0), "an open gap fails no run: {open:?}");
    let tickets = &json(&open)["summary"]["tickets"];
    let before = tickets["open"].as_array().expect("a list").len();
    assert!(before > 0, "{tickets}");

    let written = "\n## Parkplatz für Fahrräder {#parkplatz}\n\nDer Parkplatz für Fahrräder liegt hinter dem \
        Haus. Einen Parkplatz gibt es dort für jedes Fahrrad; der Parkplatz kostet nichts.\n";
    let path = folder.path("klein/bibliothek.md");
    let old = fs::read_to_string(&path).expect("there");
    fs::write(&path, old + written).expect("written");
    let closed = folder.run(&["catalog", "run", "--format", "json"]);
    assert_eq!(closed.code, Some(0), "{closed:?}");
    let tickets = &json(&closed)["summary"]["tickets"];
    let after = tickets["open"].as_array().expect("a list").len();
    assert!(after < before, "what was written closes tickets: {tickets}");
    assert!(!tickets["closed"].as_array().expect("a list").is_empty(), "{tickets}");
}

#[test]
fn a_topic_that_does_not_exist_is_told() {
    let folder = folder();
    let run = folder.run(&["gaps", "promote", "Schwimmbad", "--log", "log"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("there is no finding `Schwimmbad`"), "{}", run.err);
    assert!(!folder.path("catalog/live.yaml").exists());
}

#[test]
fn a_log_that_does_not_exist_is_told() {
    let folder = folder();
    let run = folder.run(&["gaps", "--log", "nirgends"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("the question log nirgends can not be read"), "{}", run.err);
}
