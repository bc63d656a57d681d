//! What comes of a model's questions, run after run.

use std::collections::BTreeMap;

use super::section;
use crate::catalog::generate::llm::Tier;
use crate::catalog::generate::{Plan, RemarkKind, plan_written, wanted};
use crate::catalog::{Origin, Question, load};
use crate::domain::{Section, SectionId};

/// A folder with the catalog, the sections it is for, and what the model says this time.
struct Desk {
    folder: tempfile::TempDir,
    sections: Vec<Section>,
    written: BTreeMap<(SectionId, Tier), String>,
}

impl Desk {
    fn new() -> Self {
        let sections = vec![
            section(0, "Chunking", "terms", "Eins."),
            section(1, "Transfer", "terms", "Zwei."),
        ];
        let mut desk = Self {
            folder: tempfile::tempdir().expect("a folder"),
            sections,
            written: BTreeMap::new(),
        };
        for at in [0, 1] {
            desk.says(at, Tier::Title, &format!("Was ist „{at}“?"));
            desk.says(at, Tier::Paraphrase, &format!("Wie geht's {at}?"));
        }
        desk
    }

    fn says(&mut self, at: usize, tier: Tier, question: &str) {
        self.written.insert((self.sections[at].id.clone(), tier), question.to_owned());
    }

    fn name(&self) -> String {
        self.folder.path().join("llm.yaml").display().to_string().replace('\\', "/")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.name()).unwrap_or_default()
    }

    fn questions(&self) -> Vec<Question> {
        load(self.folder.path()).expect("a sound catalog")
    }

    fn wanted(&self) -> Vec<(String, Vec<Tier>)> {
        wanted(&self.sections, &self.questions(), &self.name())
            .into_iter()
            .map(|wanted| (wanted.section.id.to_string(), wanted.tiers))
            .collect()
    }

    /// Puts what the model says into the file.
    fn run(&self) -> Plan {
        let existing = self.questions();
        let plan =
            plan_written(&self.sections, &self.written, &existing, &self.name(), &self.text());
        if let Some(text) = &plan.text {
            std::fs::write(self.name(), text).expect("written");
        }
        plan
    }

    fn edit(&self, from: &str, to: &str) {
        let text = self.text();
        assert!(text.contains(from), "{from} in {text}");
        std::fs::write(self.name(), text.replacen(from, to, 1)).expect("written");
    }
}

fn kinds(plan: &Plan) -> Vec<RemarkKind> {
    plan.remarks.iter().map(|remark| remark.kind).collect()
}

#[test]
fn both_tiers_are_written_once_and_marked_as_generated() {
    let mut desk = Desk::new();
    assert_eq!(desk.wanted().len(), 2);
    assert_eq!((kinds(&desk.run()), desk.run().text), (vec![RemarkKind::Added; 4], None));
    let questions = desk.questions();
    let told: Vec<(&str, &str)> =
        questions.iter().map(|entry| (entry.id.as_str(), entry.tier.as_str())).collect();
    assert_eq!(
        told,
        [
            ("llm-title-a#0", "title"),
            ("llm-paraphrase-a#0", "paraphrase"),
            ("llm-title-a#1", "title"),
            ("llm-paraphrase-a#1", "paraphrase"),
        ]
    );
    assert!(questions.iter().all(|entry| entry.origin == Origin::Generated));
    assert_eq!(questions[3].question, "Wie geht's 1?");
    assert!(desk.wanted().is_empty(), "nothing is asked for unchanged sections");
    desk.written.clear();
    assert_eq!(desk.run(), Plan { text: None, questions: 4, remarks: Vec::new() });
}

#[test]
fn edited_and_approved_questions_are_never_asked_for_and_never_overwritten() {
    let mut desk = Desk::new();
    desk.run();
    desk.edit("'Was ist „0“?'", "'Was heißt „0“?'");
    let source = desk.text().lines().find(|line| line.contains("source")).map(str::to_owned);
    // The second entry: its `source` is deleted, which approves it.
    let text = desk.text();
    let second = text.find("llm-paraphrase-a#0").expect("there");
    let at = second + text[second..].find("    source:").expect("there");
    let end = at + text[at..].find('\n').expect("a line");
    std::fs::write(desk.name(), format!("{}{}", &text[..at], &text[end + 1..])).expect("written");
    assert!(source.is_some());
    let before = desk.text();
    desk.sections[0].text = "Ganz anders.".to_owned();
    desk.says(0, Tier::Title, "Was ist neu?");
    desk.says(0, Tier::Paraphrase, "Wie ist es neu?");
    assert!(desk.wanted().is_empty());
    let plan = desk.run();
    assert_eq!((kinds(&plan), plan.text), (vec![RemarkKind::Review], None));
    assert_eq!(desk.text(), before);
}

#[test]
fn a_changed_section_is_told_until_the_model_has_asked_anew() {
    let mut desk = Desk::new();
    desk.run();
    desk.sections[1].text = "Mehr.".to_owned();
    assert_eq!(desk.wanted(), [("a#1".to_owned(), Tier::ALL.to_vec())]);
    let before = std::mem::take(&mut desk.written);
    for _ in 0..2 {
        let plan = desk.run();
        assert_eq!((kinds(&plan), plan.text), (vec![RemarkKind::SectionChanged; 2], None));
    }
    desk.written = before;
    desk.says(1, Tier::Title, "Was ist „zwei“?");
    assert_eq!(kinds(&desk.run()), [RemarkKind::Rewritten, RemarkKind::SectionChanged]);
    assert!(desk.wanted().is_empty());
    assert_eq!(desk.questions()[2].question, "Was ist „zwei“?");
}

#[test]
fn a_refused_question_leaves_its_place_empty_and_comes_between_the_others_later() {
    let mut desk = Desk::new();
    let late = desk.written.remove(&(desk.sections[0].id.clone(), Tier::Paraphrase));
    assert_eq!(desk.run().questions, 3);
    assert_eq!(desk.wanted(), [("a#0".to_owned(), vec![Tier::Paraphrase])]);
    desk.says(0, Tier::Paraphrase, &late.expect("it was there"));
    desk.run();
    let ids: Vec<String> = desk.questions().into_iter().map(|entry| entry.id).collect();
    assert_eq!(ids[..3], ["llm-title-a#0", "llm-paraphrase-a#0", "llm-title-a#1"]);
}
