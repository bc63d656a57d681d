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
    /// Any section: nobody knows yet which, but the answer must say that it is one.
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
pub fn labelled(questions: Vec<Question>) -> Vec<LabelledQuestion> {
    // What is still to be written can not be measured.
    let settled = questions.into_iter().filter(|question| question.status == Status::Settled);
    let single = settled.filter_map(|question| match question.expected {
        Expected::Section { section, acceptable } => Some(LabelledQuestion {
            id: question.id,
            question: question.question,
            section,
            acceptable,
            group: question.group,
            tier: Some(question.tier),
        }),
        Expected::Sections(_) | Expected::Answered | Expected::Refused => None,
    });
    single.collect()
}
