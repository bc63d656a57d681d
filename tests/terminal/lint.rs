//! `wegweiser lint` as an editor meets it.

use serde_json::{Value, json};

use crate::harness::Folder;

const RULES: &str = r"rules:
  - id: why_warum
    intent: why
    pattern: '^warum '
    priority: 2
    reason: 'Fragt nach dem Grund.'
    history: 'Warum ist der Himmel blau?'
    positive: ['Warum regnet es?']
    negative: ['Wie regnet es?']
  - id: trouble_nicht
    intent: troubleshoot
    pattern: '^warum .*\bnicht\b'
    unless: '\bdarf\b'
    priority: 3
    reason: 'Eine Störung.'
    positive: ['Warum geht das nicht?']
    negative: ['Warum darf man das nicht?']
  - id: how_nie
    intent: how
    pattern: '^warum nur\b'
    priority: 1
    reason: 'Wird immer überstimmt.'
    positive: ['Warum nur?']
    negative: ['Warum?']
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("rules/shortcuts.yaml", RULES);
    folder.write(
        "log.txt",
        "Warum nur regnet es?\n\nWarum darf ich das nicht?\nWarum klappt das nicht?\n",
    );
    folder
}

#[test]
fn an_example_that_another_rule_takes_is_a_finding_with_its_place() {
    let run = folder().run(&["lint"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.out
            .contains("shortcuts.yaml:23:16: `Warum nur?` of rule `how_nie`: rule `why_warum` ("),
        "{}",
        run.out
    );
    assert!(run.out.contains("[rule-positive-missed]"), "{}", run.out);
    assert!(run.out.ends_with("1 problem\n"), "{}", run.out);
}

#[test]
fn coverage_says_what_wins_loses_and_what_would_change_without_a_rule() {
    let run = folder().run(&["lint", "--coverage", "--questions", "log.txt", "--format", "json"]);
    let coverage: Value = serde_json::from_str(&run.out).expect("JSON");
    let coverage = &coverage["coverage"];
    assert_eq!(coverage["how_nie"]["won"], 0);
    assert_eq!(coverage["how_nie"]["lost_to"], json!({"why_warum": 2}));
    assert_eq!(coverage["trouble_nicht"]["vetoed"], 1);
    assert_eq!(coverage["trouble_nicht"]["without_it"], json!({"why": 2}));
    assert_eq!(coverage["why_warum"]["without_it"]["how"], 2);
    let text = folder().run(&["lint", "--coverage", "--questions", "log.txt"]);
    assert!(text.out.contains("how_nie: never wins; lost to why_warum 2\n"), "{}", text.out);
    assert!(
        text.out
            .contains("trouble_nicht: won 2 (without it why 2); called off by its `unless` 1\n"),
        "{}",
        text.out
    );
}

#[test]
fn the_catalog_counts_where_there_is_one() {
    let folder = folder();
    let entry = "questions:\n  - id: a-1\n    question: 'Warum klappt mein Plan nicht?'\n    expect: {section: bibliothek#oeffnungszeiten}\n    origin: human\n    tier: title\n";
    folder.write("catalog/a.yaml", entry);
    let run = folder.run(&["lint", "--coverage", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    assert_eq!(report["coverage"]["trouble_nicht"]["won"], 2, "its positive and the catalog's");
}

#[test]
fn a_near_miss_is_shown_with_the_rule_that_won() {
    let folder = folder();
    folder.run(&["index"]);
    let route = |question: &str| -> Value {
        let run = folder.run(&["route", question, "--format", "json"]);
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
    };
    let outcomes = |answer: &Value| -> Vec<String> {
        let rules = answer["trace"]["rules"].as_array().expect("rules").iter();
        rules.map(|rule| format!("{} {}", rule["id"], rule["outcome"]).replace('"', "")).collect()
    };
    let answer = route("Warum nur darf ich das nicht?");
    assert_eq!(outcomes(&answer), ["why_warum won", "how_nie lost", "trouble_nicht vetoed"]);
    let place = answer["trace"]["rules"][2]["place"].as_str().expect("a place");
    assert!(place.ends_with("shortcuts.yaml:10:5"), "{place}");
}

#[test]
fn a_rule_on_a_verb_does_not_fire_where_the_question_calls_it_off() {
    let folder = Folder::new();
    let rule = "rules:\n  - id: how_kuendigung\n    intent: how\n    pattern: '\\bkuendig'\n    scope: full\n    priority: 1\n    reason: 'Kündigung'\n    positive: ['Ich will kündigen']\n    negative: ['Ich will nicht kündigen, nur meine Adresse ändern']\n";
    folder.write("rules/shortcuts.yaml", rule);
    let run = folder.run(&["lint"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "0 problems\n"), "{run:?}");
}

#[test]
fn an_enrichment_that_puts_identifiers_into_the_embedding_is_a_leak() {
    let folder = Folder::new();
    let run = folder.run(&["lint"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "0 problems\n"), "{run:?}");
    assert!(run.err.starts_with("symbols of the document are 0."), "{}", run.err);
    folder.write("wegweiser.yaml", "enrichment: {symbols: both}\n");
    let run = folder.run(&["lint", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(run.code, Some(1), "{run:?}");
    let codes: Vec<&Value> =
        report["problems"].as_array().expect("a list").iter().map(|p| &p["code"]).collect();
    assert_eq!(codes, ["enrichment-symbol-embedded"; 2], "{report}");
    let shares = report["enrichment"].as_array().expect("a list");
    assert!(shares.iter().all(|share| share["embedding"].as_f64() > Some(0.0)), "{report}");
}

#[test]
fn slips_of_the_taxonomy_are_told_with_their_places() {
    let folder = Folder::new();
    folder.write(
        "rules/taxonomy.yaml",
        "ort:\n  - {id: b, label: Haus B, parent: campus}\n  - {id: b, label: Haus C}\n",
    );
    let run = folder.run(&["lint"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    for expected in [
        "taxonomy.yaml:2:5: the parent `campus` is not in `ort` [taxonomy-unknown-parent]",
        "taxonomy.yaml:3:5: the id `b` is taken in `ort` [taxonomy-duplicate-id]",
        "2 problems",
    ] {
        assert!(run.out.contains(expected), "{expected}: {}", run.out);
    }
}
