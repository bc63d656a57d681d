//! catalog preview.

use serde_json::Value;

use crate::catalog::{without_line, without_rule};
use crate::harness::{Folder, Run};

const QUESTIONS: &str = "questions:
- {id: a-1, question: 'Wie kann ich ein Buch verlängern?', expect: {section: bibliothek#buecher-verlaengern}, origin: human, tier: title}
- {id: b-1, question: 'Der Drucker druckt nicht, was tun?', expect: {section: technik#der-drucker-druckt-nicht}, origin: human, tier: colloquial}
- {id: c-1, question: 'Welchen Nutzen hat die Fernleihe?', expect: {section: bibliothek#fernleihe, intent: benefit, group: Wirkung_und_Entwicklung}, origin: human, tier: title}
";

/// A folder whose index was published before any edit.
fn published() -> Folder {
    let folder = Folder::new();
    folder.write("catalog/fragen.yaml", QUESTIONS);
    let built = folder.run(&["index"]);
    assert_eq!(built.code, Some(0), "{built:?}");
    folder
}

fn edit(folder: &Folder, file: &str, change: impl Fn(&str) -> String) {
    let before = std::fs::read_to_string(folder.path(file)).expect("readable");
    let after = change(&before);
    assert_ne!(before, after, "the change is one");
    folder.write(file, &after);
}

/// Names and contents of everything that serves.
fn serving(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let mut folders = vec![folder.path("data/index")];
    let mut files = Vec::new();
    while let Some(inside) = folders.pop() {
        for entry in std::fs::read_dir(inside).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = std::fs::read(&path).expect("readable");
                files.push((path.display().to_string(), bytes));
            }
        }
    }
    let published = std::fs::read(folder.path("data/published.json")).expect("published");
    files.push(("published".to_owned(), published));
    files.sort();
    files
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn without_an_edit_nothing_is_asked() {
    let folder = published();
    let run = folder.run(&["catalog", "preview"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (
            Some(0),
            "compared with what was published (data/published.json)\n\n\
             0 of 3 questions asked again, the others keep their rule and the scores of their groups\n\
             0 would be worse, 0 of them pass and would fail; 0 better, 0 decided otherwise\n"
        )
    );
}

#[test]
fn a_deleted_rule_reaches_the_questions_that_it_decides() {
    let folder = published();
    edit(&folder, "rules/shortcuts.yaml", |text| without_rule(text, "benefit_nutzen_nomen"));
    let run = folder.run(&["catalog", "preview", "--changed", "rules/shortcuts.yaml"]);
    assert!(
        run.out.starts_with(
            "compared with what was published (data/published.json)\nedited  shortcuts.yaml\n\n"
        ),
        "{}",
        run.out
    );
    assert!(run.out.contains("intent benefit by rule benefit_nutzen_nomen → "), "{}", run.out);
    assert!(run.out.contains("\n  rule benefit_nutzen_nomen: 1 → 0  (c-1)\n"), "{}", run.out);
    assert!(run.out.contains("\n1 of 3 questions asked again, "), "{}", run.out);
}

#[test]
fn a_deleted_group_word_reaches_the_questions_that_have_it() {
    let folder = published();
    edit(&folder, "rules/groups.yaml", |text| without_line(text, "- welchen nutzen"));
    let report = json(&folder.run(&["catalog", "preview", "--format", "json"]));
    assert_eq!(report["rules"], serde_json::json!(["groups.yaml"]));
    assert_eq!((report["asked"].as_u64(), report["questions"].as_u64()), (Some(1), Some(3)));
    let cause = "Wirkung_und_Entwicklung: phrase “welchen nutzen” +2.5";
    let causes = report["causes"].as_array().expect("causes");
    assert!(causes.iter().any(|of| of["what"] == cause), "{report}");
}

#[test]
fn a_changed_section_is_shown_with_its_questions_and_what_serves_stays() {
    let folder = published();
    let before = serving(&folder);
    edit(&folder, "klein/bibliothek.md", |text| {
        text.replace("## Wozu die Fernleihe dient {#fernleihe", "## Regenschirme {#fernleihe")
            .replace("Der Nutzen der Fernleihe liegt auf der Hand: Was", "Was")
    });
    let run = folder.run(&["catalog", "preview", "--changed", "klein/bibliothek.md"]);
    let section = "bibliothek#fernleihe changed (title, text), klein/bibliothek.md:18:1";
    assert!(run.out.contains(&format!("\nedited  {section}\n        worse c-1")), "{}", run.out);
    assert!(run.out.contains(&format!("\n        edited: {section}\n")), "{}", run.out);
    assert!(
        run.out.contains(
            "\n3 of 3 questions asked again, all: compendium goes into the index, which every \
             score is read against\n"
        ),
        "{}",
        run.out
    );
    assert_eq!(serving(&folder), before, "nothing was published");
    let left = std::fs::read_dir(folder.path("data/aside")).expect("it was used").count();
    assert_eq!(left, 0, "nothing is left behind");
}

#[test]
fn a_file_that_is_deleted_takes_its_sections_and_its_questions_along() {
    let folder = published();
    std::fs::remove_file(folder.path("klein/technik.md")).expect("there");
    let run = folder.run(&["catalog", "preview", "--changed", "klein/technik.md"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.out.contains("edited  technik#der-drucker-druckt-nicht gone, klein/technik.md:8:1\n        worse b-1\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("F-UNKNOWN-SECTION"), "{}", run.out);
    assert!(run.out.contains("\n1 would be worse, 1 of them pass and would fail; "), "{}", run.out);
}

#[test]
fn only_the_named_files_are_looked_at_and_moved_lines_are_no_edit() {
    let folder = published();
    edit(&folder, "rules/groups.yaml", |text| without_line(text, "- welchen nutzen"));
    edit(&folder, "klein/bibliothek.md", |text| text.replace("\n\n## Bücher", "\n\n\n\n## Bücher"));
    let run = folder.run(&["catalog", "preview", "--changed", "./klein/bibliothek.md"]);
    assert!(run.out.contains("\n\n0 of 3 questions asked again, "), "{run:?}");
}

#[test]
fn what_can_not_be_compared_is_told() {
    let folder = published();
    let run = folder.run(&["catalog", "preview", "--changed", "klein/gibt-es-nicht.md"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.err
            .contains("klein/gibt-es-nicht.md is neither a rule file nor a file of the compendium"),
        "{}",
        run.err
    );
    folder.write("data/published.json", "{");
    let run = folder.run(&["catalog", "preview"]);
    assert!(run.err.contains("data/published.json can not be read; delete it"), "{}", run.err);
    std::fs::remove_file(folder.path("data/published.json")).expect("there");
    let run = folder.run(&["catalog", "preview"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("nothing was published yet"), "{}", run.err);
}
