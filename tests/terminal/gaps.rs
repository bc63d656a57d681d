//! gaps.

use std::fs;

use serde_json::Value;

use crate::harness::{Folder, Run};

const QUESTIONS: &str = "questions:
- {id: a-1, question: 'Wie kann ich ein Buch verlängern?', expect: {section: bibliothek#buecher-verlaengern}, origin: human, tier: title}
- {id: b-1, question: 'Wann beginnt die Nacht der Bibliotheken?', expect: {section: bibliothek#nacht-der-bibliotheken}, origin: human, tier: title}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("catalog/fragen.yaml", QUESTIONS);
    folder
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn a_section_that_is_gone_is_the_first_gap_in_every_form_of_the_report() {
    let folder = folder();
    let run = folder.run(&[
        "gaps",
        "--today",
        "2026-11-30",
        "--csv",
        "l.csv",
        "--markdown",
        "l.md",
        "--html",
        "l.html",
    ]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.out.starts_with("  1. Fehler  G-MISSING  Nacht der Bibliotheken  Gewicht 9\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("Stand 2026-11-30."), "{}", run.out);
    for file in ["l.csv", "l.md", "l.html"] {
        let text = fs::read_to_string(folder.path(file)).expect("written");
        assert!(text.contains("Nacht der Bibliotheken"), "{file}");
    }
    let list = json(&folder.run(&["gaps", "--today", "2026-11-30", "--format", "json"]));
    assert_eq!(list["findings"][0]["id"], "G-MISSING:Nacht der Bibliotheken");
    assert_eq!(list["findings"][0]["mend"]["action"], "new_section");
    let sections = list["sections"].as_u64().expect("a number");
    assert_eq!(list["map"].as_array().map(Vec::len), usize::try_from(sections).ok());
    assert_eq!(list["catalog_questions"], 1);
    assert_eq!(list["heading_questions"], sections - 1);
}

#[test]
fn a_sheet_tells_everything_of_one_section_and_a_typing_error_is_mended() {
    let folder = folder();
    let run = folder.run(&["gaps", "--section", "bibliothek#buecher-verlaengern"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    for wanted in [
        "Lesbarkeit",
        "Flesch-Amstad",
        "Eigene Fragen\n  Rang  1",
        "[a-1]",
        "Nächste Nachbarn\n",
        "Wörter, die herführen",
    ] {
        assert!(run.out.contains(wanted), "{wanted}: {}", run.out);
    }
    let sheet = json(&folder.run(&[
        "gaps",
        "--section",
        "bibliothek#buecher-verlaengern",
        "--format",
        "json",
    ]));
    assert_eq!(sheet["questions"][0]["rank"], 1);
    assert!(!sheet["neighbours"].as_array().expect("a list").is_empty());
    let run = folder.run(&["gaps", "--section", "bibliothek#buecher-verlaengert"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("did you mean `bibliothek#buecher-verlaengern`?"), "{}", run.err);
}

#[test]
fn the_catalog_of_another_compendium_is_left_out_and_a_clean_one_ends_with_zero() {
    let folder = Folder::new();
    folder.write(
        "catalog/fragen.yaml",
        "questions:\n- {id: a, question: 'Was ist das?', expect: {section: fremd#ding}, origin: human, tier: title}\n",
    );
    let run = folder.run(&["gaps"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("no section of this catalog is in the compendium"), "{}", run.err);
    assert!(run.out.contains("gehört zu einem anderen Kompendium"), "{}", run.out);
    let run = folder.run(&["gaps", "--today", "2026-02-30"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn a_catalog_that_is_named_and_does_not_exist_is_told() {
    let folder = folder();
    let run = folder.run(&["gaps", "--catalog", "katalgo"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("katalgo") && run.out.is_empty(), "{run:?}");
    let same = folder.run(&["catalog", "run", "--catalog", "katalgo"]);
    assert_eq!((same.code, same.err), (Some(2), run.err), "as for a run");
    fs::remove_dir_all(folder.path("catalog")).expect("removed");
    let without = folder.run(&["gaps"]);
    assert!(without.code != Some(2), "{without:?}");
    assert!(without.err.contains("only questions from headings are asked"), "{without:?}");
}
