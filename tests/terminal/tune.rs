//! tune: learning the weights of the channels.

use serde_json::Value;

use crate::harness::Folder;

const CATALOG: &str = "\
questions:
  - id: q1
    question: 'Welchen Nutzen hat die Fernleihe?'
    expect: {section: bibliothek#fernleihe}
    origin: human
    tier: title
  - id: q2
    question: 'Was ist der Unterschied zwischen Drucker und E-Mail?'
    expect: {section: technik#e-mail-adresse-aendern}
    origin: human
    tier: title
  - id: q3
    question: 'Was ist das, und wo steht es?'
    expect: {section: technik#nirgends}
    origin: human
    tier: paraphrase
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("catalog/klein.yaml", CATALOG);
    folder.write(
        "satz/sections.jsonl",
        "{\"section_id\": \"a\", \"title\": \"Beet\", \"text\": \"Im Beet wächst Salbei.\"}\n\
         {\"section_id\": \"b\", \"title\": \"Topf\", \"text\": \"Im Topf kocht Suppe.\"}\n",
    );
    folder.write(
        "satz/questions.jsonl",
        "{\"question\": \"Was wächst im Beet?\", \"section_id\": \"a\"}\n\
         {\"question\": \"Was kocht im Beet?\", \"section_id\": \"b\"}\n",
    );
    folder
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

#[test]
fn what_is_learnt_from_is_what_is_measured_and_few_questions_change_nothing() {
    let folder = folder();
    let report = json(&folder, &["tune", "--data", "satz", "--write", "patch.yaml"]);
    assert_eq!(report["sources"], serde_json::json!(["catalog", "satz"]));
    assert_eq!(report["unknown_sections"], serde_json::json!(["q3"]));
    let all = &report["fusions"][0];
    assert_eq!((&all["name"], &all["n"]), (&Value::from("linear"), &Value::from(4)));
    assert_eq!((&all["now"], &all["verdict"]), (&Value::from(0.2), &Value::from("too-few")));
    let names: Vec<&Value> =
        report["fusions"].as_array().expect("rows").iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["linear", "min-max", "z-score", "rrf"]);
    // The offline order is the one that a search shows.
    for (at, arguments) in [&["eval", "retrieval"][..], &["eval", "retrieval", "--data", "satz"]]
        .into_iter()
        .enumerate()
    {
        let measured = json(&folder, arguments);
        assert_eq!(all["sources"][at]["mrr_now"], measured["channels"]["hybrid"]["mrr@10"]);
    }
    let patch = std::fs::read_to_string(folder.path("patch.yaml")).expect("written");
    assert!(patch.ends_with("profiles: {}\n"), "{patch}");
    let text = folder.run(&["tune"]).out;
    assert!(text.contains("one for all profiles"), "{text}");
    assert!(text.contains("kept: too few questions"), "{text}");
    assert_eq!(folder.run(&["tune"]).out, text, "the same every time");
}

#[test]
fn without_questions_there_is_nothing_to_learn() {
    let folder = Folder::new();
    let run = folder.run(&["tune"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("no labelled question to learn from"), "{}", run.err);
    let run = folder.run(&["tune", "--data", "nirgends"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("nirgends"), "{}", run.err);
}

#[test]
fn a_profile_is_changed_without_a_new_index() {
    let folder = Folder::new();
    folder.run(&["index"]);
    let file = folder.path("rules/intents.yaml");
    let text = std::fs::read_to_string(&file).expect("readable");
    folder.write(
        "rules/intents.yaml",
        &text.replace("vector: 0.8, lexical: 0.2", "vector: 0.7, lexical: 0.3"),
    );
    let found = folder.run(&["search", "--format", "json", "Wozu dient die Fernleihe?"]);
    assert_eq!(found.err, "");
    let answer: Value = serde_json::from_str(&found.out).expect("JSON");
    assert_eq!(answer["trace"]["fusion"]["lexical"], 0.3);
}
