//! What a second run of the generator leaves alone.

use std::collections::BTreeSet;

use super::{purposes, section};
use crate::catalog::generate::{Plan, RemarkKind, plan};
use crate::catalog::{Question, load};
use crate::domain::Section;

/// A folder with the catalog, and the sections it is for.
struct Desk {
    folder: tempfile::TempDir,
    sections: Vec<Section>,
}

impl Desk {
    fn new() -> Self {
        let sections = vec![
            section(0, "Chunking", "terms", "Eins."),
            section(1, "Gute Karteikarten schreiben", "methods", "Zwei."),
            section(2, "Die Feynman-Methode", "methods", "Drei."),
        ];
        Self { folder: tempfile::tempdir().expect("a folder"), sections }
    }

    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("generiert.yaml")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap_or_default()
    }

    fn questions(&self) -> Vec<Question> {
        load(self.folder.path()).expect("a sound catalog")
    }

    /// Runs the generator and writes what it says.
    fn run(&self) -> Plan {
        let file = self.file().display().to_string().replace('\\', "/");
        let plan = plan(&self.sections, &purposes(), &self.questions(), &file, &self.text());
        if let Some(text) = &plan.text {
            std::fs::write(self.file(), text).expect("written");
        }
        plan
    }

    fn edit(&self, from: &str, to: &str) {
        let text = self.text();
        assert!(text.contains(from), "{from} in {text}");
        std::fs::write(self.file(), text.replacen(from, to, 1)).expect("written");
    }
}

fn kinds(plan: &Plan) -> Vec<RemarkKind> {
    plan.remarks.iter().map(|remark| remark.kind).collect()
}

#[test]
fn a_second_run_changes_nothing() {
    let desk = Desk::new();
    assert_eq!(kinds(&desk.run()), [RemarkKind::Added; 3]);
    let again = desk.run();
    assert_eq!((again.text, again.remarks, again.questions), (None, Vec::new(), 3));
    let ids: Vec<String> = desk.questions().into_iter().map(|question| question.id).collect();
    assert_eq!(ids, ["title-a#0", "title-a#1", "title-a#2"]);
}

#[test]
fn an_edited_question_and_comments_stay_as_they_are() {
    let mut desk = Desk::new();
    desk.run();
    desk.edit("Wie kann man gute", "# fürs Team\n    question: 'Wie schreibt man gute");
    desk.edit("    question: '# fürs Team\n", "    # fürs Team\n");
    let edited = desk.text();
    assert_eq!(desk.run().text, None);
    desk.sections[1].text = "Ganz anders.".to_owned();
    desk.sections[2].text = "Auch anders.".to_owned();
    let plan = desk.run();
    assert_eq!(kinds(&plan), [RemarkKind::Review, RemarkKind::SectionChanged]);
    assert!(plan.remarks[0].kind.is_finding() && !plan.remarks[1].kind.is_finding());
    let kept = |text: &str| text.split("  - id: ").nth(2).map(str::to_owned);
    assert_eq!(kept(&desk.text()), kept(&edited));
    // The digest of the third section is new; the report is made once.
    assert_eq!(kinds(&desk.run()), [RemarkKind::Review]);
}

#[test]
fn a_label_that_somebody_added_makes_the_entry_theirs() {
    let mut desk = Desk::new();
    desk.run();
    desk.edit("{section: a#0,", "{section: a#0, acceptable: [a#1],");
    desk.sections[0].title = "Bündelung".to_owned();
    assert_eq!(kinds(&desk.run()), [RemarkKind::Review]);
    assert_eq!(desk.questions()[0].question, "Was ist Chunking?");
}

#[test]
fn a_heading_that_changed_gets_a_new_question() {
    let mut desk = Desk::new();
    desk.run();
    desk.sections[2].title = "Die Loci-Methode".to_owned();
    assert_eq!(kinds(&desk.run()), [RemarkKind::Rewritten]);
    assert_eq!(desk.questions()[2].question, "Wie funktioniert die Loci-Methode?");
    assert_eq!(desk.run().text, None);
}

#[test]
fn a_section_that_is_gone_leaves_its_question_and_a_finding() {
    let mut desk = Desk::new();
    desk.run();
    let before = desk.text();
    desk.sections.remove(0);
    let plan = desk.run();
    assert_eq!((kinds(&plan), plan.text), (vec![RemarkKind::Orphan], None));
    assert_eq!(desk.text(), before);
}

#[test]
fn a_new_section_comes_behind_the_one_before_it() {
    let mut desk = Desk::new();
    let middle = desk.sections.remove(1);
    desk.run();
    desk.sections.insert(1, middle);
    assert_eq!(kinds(&desk.run()), [RemarkKind::Added]);
    let ids: BTreeSet<_> = desk.questions().into_iter().map(|q| (q.place.line, q.id)).collect();
    let ids: Vec<String> = ids.into_iter().map(|(_, id)| id).collect();
    assert_eq!(ids, ["title-a#0", "title-a#1", "title-a#2"]);
}

#[test]
fn a_question_of_another_file_is_not_asked_again() {
    let desk = Desk::new();
    let written = "questions:\n- {id: x, question: 'Was ist Chunking?', expect: {section: a#0}, \
                   origin: human, tier: title}\n";
    std::fs::write(desk.folder.path().join("a.yaml"), written).expect("written");
    desk.run();
    let questions = desk.questions();
    assert_eq!(questions[1].question, "Was bedeutet Chunking?");
    assert_eq!(desk.run().text, None);
}
