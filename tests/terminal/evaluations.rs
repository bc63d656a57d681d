//! eval groups, eval prefix, groups suggest.

use serde_json::Value;

use crate::harness::Folder;

const CATALOG: &str = "\
questions:
  - id: q1
    question: 'Welchen Nutzen hat die Fernleihe?'
    expect: {section: bibliothek#fernleihe, group: Wirkung_und_Entwicklung}
    origin: human
    tier: title
  - id: q2
    question: 'Wie kann ich ein Buch verlängern?'
    expect: {section: bibliothek#buecher-verlaengern}
    origin: human
    tier: title
  - id: q3
    question: 'Welche Wirkung hat ein leeres Papierfach?'
    expect: {section: technik#der-drucker-druckt-nicht, group: Probleme_und_Lösungen}
    origin: human
    tier: paraphrase
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("catalog/klein.yaml", CATALOG);
    folder.run(&["index"]);
    folder
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

#[test]
fn the_ledger_of_groups_names_what_misled() {
    let folder = folder();
    let report = json(&folder, &["eval", "groups"]);
    assert_eq!((&report["n"], &report["accuracy@1"]), (&Value::from(3), &Value::from(0.3333)));
    let misled: Vec<&Value> = report["errors"].as_array().expect("errors").iter().collect();
    let wrong = misled.iter().find(|error| error["id"] == "q3").expect("q3 is sent elsewhere");
    assert_eq!(wrong["inferred"], "Wirkung_und_Entwicklung");
    assert_eq!(wrong["misled_by"][0]["what"], "welche wirkung");
    let text = folder.run(&["eval", "groups"]).out;
    assert!(text.starts_with("3 questions: accuracy at 1 0.333, at 2 "), "{text}");
    assert!(text.contains("   1  Probleme_und_Lösungen → Wirkung_und_Entwicklung\n"), "{text}");
    assert!(text.contains("phrase “welche wirkung” +2.5"), "{text}");
}

#[test]
fn the_ablation_compares_every_use_of_the_prefix_and_draws_it() {
    let folder = folder();
    let report = json(&folder, &["eval", "prefix", "--svg", "bild.svg"]);
    let conditions = report["conditions"].as_array().expect("conditions");
    assert_eq!((&report["n"], conditions.len()), (&Value::from(3), 30));
    let plain = &conditions[0];
    assert_eq!((&plain["name"], &plain["harm"]["mean"]), (&Value::from("none"), &Value::from(0.0)));
    assert_eq!(report["guard"].as_array().map(Vec::len), Some(2));
    let drawn = std::fs::read_to_string(folder.path("bild.svg")).expect("drawn");
    assert!(drawn.contains("Was bringt das Gruppenpräfix? Katalog"), "{drawn}");
    assert!(drawn.ends_with("</svg>\n") && drawn.contains("beide Seiten, falsche Gruppe"));
    assert_eq!(report, json(&folder, &["eval", "prefix"]), "the same every time");
    let text = folder.run(&["eval", "prefix"]).out;
    assert!(text.contains("guard, hybrid: a wrong group leaves "), "{text}");
    let bad = folder.run(&["eval", "prefix", "--svg", "bild.svg/darin.svg"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.err.contains("bild.svg/darin.svg can not be written"), "{bad:?}");
}

#[test]
fn a_data_set_brings_its_own_groups() {
    let folder = Folder::new();
    folder.write(
        "satz/sections.jsonl",
        "{\"section_id\": \"a\", \"title\": \"Beet\", \"text\": \"Im Beet wächst Salbei.\", \"group\": \"Garten\"}\n\
         {\"section_id\": \"b\", \"title\": \"Topf\", \"text\": \"Im Topf kocht Suppe.\", \"group\": \"Küche\"}\n",
    );
    folder.write(
        "satz/questions.jsonl",
        "{\"question\": \"Was wächst im Beet?\", \"section_id\": \"a\"}\n\
         {\"question\": \"Was kocht im Topf?\", \"section_id\": \"b\"}\n\
         {\"question\": \"Und was fehlt?\", \"section_id\": \"c\"}\n",
    );
    let groups = json(&folder, &["eval", "groups", "--data", "satz"]);
    assert_eq!((&groups["n"], &groups["without_evidence"]), (&Value::from(2), &Value::from(1.0)));
    assert_eq!(groups["without_group"][0], "line-3");
    let prefix = json(&folder, &["eval", "prefix", "--data", "satz"]);
    assert_eq!((&prefix["n"], &prefix["left_out"][0]), (&Value::from(2), &Value::from("line-3")));
}

#[test]
fn suggestions_are_a_patch_that_loads() {
    let folder = folder();
    let run = folder.run(&["groups", "suggest", "--format", "yaml"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.starts_with("# 3 questions, right group first: 0.333 now; "), "{}", run.out);
    assert!(run.out.contains("\ngroups: {}\n"), "five sections have no key terms: {}", run.out);
    let json = json(&folder, &["groups", "suggest"]);
    let listed = json["listed"].as_array().expect("listed");
    let phrase = listed.iter().find(|worth| worth["written"] == "welche wirkung").expect("listed");
    assert_eq!((&phrase["paid"], &phrase["phrase"]), (&Value::from(1), &Value::from(true)));
    let text = folder.run(&["groups", "suggest"]).out;
    for part in ["missing", "harmful", "in no question and in no section of the group"] {
        assert!(text.contains(&format!("\n{part}\n")), "{part}: {text}");
    }
}

#[test]
fn enrichment_is_compared_with_none_by_kind_of_question() {
    let folder = Folder::new();
    for (name, code, weeks) in [("a", "ART-4471-B", "Elf"), ("b", "ART-4490-T", "Neun")] {
        let text = format!(
            "---\ntitle: Angebot {name}\n---\n\n## Briefkopf\n\nWir bieten Artikel {code} an, wie angefragt.\n\n## Lieferfrist\n\n{weeks} Wochen ab Freigabe der Zeichnung.\n"
        );
        folder.write(&format!("briefe/compendium/{name}.md"), &text);
    }
    folder.write(
        "briefe/questions.jsonl",
        "{\"question\": \"Lieferfrist ART-4471-B\", \"section_id\": \"a#lieferfrist\", \"kind\": \"identifier\"}
{\"question\": \"Lieferfrist ART-4490-T\", \"section_id\": \"b#lieferfrist\", \"kind\": \"identifier\"}\n",
    );
    let run = folder.run(&["eval", "enrichment", "--data", "briefe", "--format", "json"]);
    let variants: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let variants = variants.as_array().expect("variants");
    let names: Vec<String> = variants
        .iter()
        .map(|variant| {
            format!("{} {}", variant["plan"].as_str().expect("a plan"), variant["foreign"])
        })
        .collect();
    assert_eq!(names[..4], ["none 0", "mixed 0", "typed 0", "symbols only 0"]);
    assert_eq!((names.len(), names[7].as_str()), (8, "symbols only 20"));
    let first = |at: usize| variants[at]["by_kind"]["identifier"]["lexical"]["r@1"].as_f64();
    assert_eq!((first(0), first(3), first(7)), (Some(0.0), Some(1.0), Some(1.0)), "{variants:?}");
    assert!(variants[3]["bytes"].as_u64() > Some(10_000), "{variants:?}");
}
