//! A question of the catalog.

use serde::{Deserialize, Serialize};

use crate::domain::{Place, SectionId};
use crate::eval::LabelledQuestion;

/// A question with what is expected of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Unique in the catalog, for good.
    pub id: String,
    /// The question.
    pub question: String,
    /// What the search must find.
    pub expected: Expected,
    /// Intent id, where the label says it.
    pub intent: Option<String>,
    /// Intent of the second part of a question in two parts.
    pub also: Option<String>,
    /// Group of the right section, where the label says it.
    pub group: Option<String>,
    /// Who wrote it.
    pub origin: Origin,
    /// Whether it is a gap that somebody still has to close.
    pub status: Status,
    /// How far it is from the section's wording: `title`, `paraphrase`, `colloquial`, `typo`, …
    pub tier: String,
    /// What it was generated from, where it was.
    pub source: Option<Source>,
    /// Where it stands.
    pub place: Place,
}

/// Digests that tell whether a generated question, or its section, has been changed since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Of title, text and group of the section.
    pub section: String,
    /// Of question and expectation as they were generated.
    pub entry: String,
}

/// What the search must find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// This section first; the others are right as well.
    Section {
        /// The section.
        section: SectionId,
        /// Sections that answer it equally well.
        acceptable: Vec<SectionId>,
    },
    /// All of these: a question in several parts.
    Sections(Vec<SectionId>),
    /// Any section: nobody knows yet which, but the answer must say that it is one; where readers
    /// asked it, with a first hit that is more likely right than wrong.
    Answered,
    /// Nothing: the compendium can not answer it, and the answer must say so.
    Refused,
}

/// Whether a question is a regression test or a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It is answered, and must stay so.
    #[default]
    Settled,
    /// A gap: it fails until somebody writes what is missing, and a run says when that is done.
    Open,
}

/// Who wrote a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Made from the compendium.
    Generated,
    /// Written for the catalog.
    Human,
    /// Asked by readers.
    Live,
}

impl Question {
    /// The sections that answer the question, the expected ones first; none where it must be refused.
    pub fn right(&self) -> impl Iterator<Item = &SectionId> {
        let (first, others): (&[SectionId], &[SectionId]) = match &self.expected {
            Expected::Section { section, acceptable } => {
                (std::slice::from_ref(section), acceptable)
            }
            Expected::Sections(all) => (all, &[]),
            Expected::Answered | Expected::Refused => (&[], &[]),
        };
        first.iter().chain(others)
    }
}

/// The catalog's questions that one section answers; refusals and questions in parts are for
/// a run of the catalog.
pub fn labelled(mut questions: Vec<Question>) -> Vec<LabelledQuestion> {
    questions.retain(|question| matches!(question.expected, Expected::Section { .. }));
    labelled_each(questions)
}

/// The catalog's questions, those in parts once for each of their sections; without refusals.
pub fn labelled_each(questions: Vec<Question>) -> Vec<LabelledQuestion> {
    // What is still to be written can not be measured.
    let settled = questions.into_iter().filter(|question| question.status == Status::Settled);
    let each = settled.flat_map(|question| {
        let right: Vec<(SectionId, Vec<SectionId>)> = match question.expected {
            Expected::Section { section, acceptable } => vec![(section, acceptable)],
            Expected::Sections(all) => all.into_iter().map(|one| (one, Vec::new())).collect(),
            Expected::Answered | Expected::Refused => Vec::new(),
        };
        right.into_iter().map(move |(section, acceptable)| LabelledQuestion {
            id: question.id.clone(),
            question: question.question.clone(),
            section,
            acceptable,
            group: question.group.clone(),
            tier: Some(question.tier.clone()),
        })
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_in_parts_is_labelled_with_each_of_its_sections_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "questions:\n\
            - {id: a, question: A?, expect: {section: x#1, acceptable: [x#2]}, origin: human, tier: title}\n\
            - {id: b, question: B?, expect: {sections: [x#3, x#4]}, origin: human, tier: multi_part}\n\
            - {id: c, question: C?, expect: {refused: true}, origin: human, tier: off_topic}\n";
        std::fs::write(folder.path().join("a.yaml"), text).expect("written");
        let questions = crate::catalog::load(folder.path()).expect("sound");
        let told = |labelled: Vec<LabelledQuestion>| -> Vec<String> {
            labelled.iter().map(|one| format!("{} {}", one.id, one.section)).collect()
        };
        assert_eq!(told(labelled_each(questions.clone())), ["a x#1", "b x#3", "b x#4"]);
        assert_eq!(told(labelled(questions)), ["a x#1"]);
    }
}
