//! The catalog's questions through the real pipeline, and what they say of every section.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::catalog::{Expected, HAIR, Question, generate};
use crate::domain::{Query, SectionId, shortened};
use crate::eval::ask_all;
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};

/// Ranks beyond this do not count.
const DEPTH: usize = 10;
/// A right section must be among so many: the catalog's bound.
pub(super) const WITHIN: usize = 5;
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// A question with the sections that were found for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// Id in the catalog; absent for a question made from a heading.
    pub(super) id: Option<String>,
    /// The question.
    pub(super) text: String,
    /// Ordinals of the right sections, the expected one first; several for a question in parts.
    pub(super) right: Vec<u32>,
    /// Whether it asks several things at once: each has its own right section.
    pub(super) in_parts: bool,
    /// Ordinals and scores of the hits, best first.
    pub(super) hits: Vec<(u32, f64)>,
    /// Whether the answer says that nothing answers it.
    pub(super) refused: bool,
}

impl Asked {
    /// The section that it was written for; none for a question in parts.
    pub(super) fn own(&self) -> Option<u32> {
        if self.in_parts { None } else { self.right.first().copied() }
    }

    /// Rank of the first right section, from 1.
    pub(super) fn rank(&self) -> Option<usize> {
        self.hits.iter().position(|(found, _)| self.right.contains(found)).map(|at| at + 1)
    }

    /// The best section that is not right, with its score.
    pub(super) fn rival(&self) -> Option<(u32, f64)> {
        self.hits.iter().copied().find(|(found, _)| !self.right.contains(found))
    }

    /// The section that takes first place from the right one, or all but takes it.
    pub(super) fn contested_by(&self) -> Option<u32> {
        let (first, best) = self.hits.first()?;
        let (rival, score) = self.rival()?;
        let lost = !self.right.contains(first);
        (lost || best - score < HAIR * best).then_some(rival)
    }

    /// Neither refused nor without its section among the first five.
    pub(super) fn is_answered(&self) -> bool {
        !self.refused && self.rank().is_some_and(|rank| rank <= WITHIN)
    }
}

/// Questions of the catalog whose section is not in the compendium.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gone {
    /// The section as the catalog names it.
    pub(super) section: SectionId,
    /// Ids and texts of its questions.
    pub(super) questions: Vec<(String, String)>,
    /// Its group, where the catalog tells.
    pub(super) group: Option<String>,
}

/// Everything that asking gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Asking {
    /// Questions that were asked, the catalog's first.
    pub(super) asked: Vec<Asked>,
    /// Sections that are gone, sorted.
    pub(super) gone: Vec<Gone>,
}

impl Asking {
    /// Questions that were written for a section, by ordinal.
    pub(super) fn own(&self, sections: usize) -> Vec<Vec<&Asked>> {
        let mut own: Vec<Vec<&Asked>> = vec![Vec::new(); sections];
        for asked in &self.asked {
            if let Some(own) = asked.own().and_then(|ordinal| own.get_mut(ordinal as usize)) {
                own.push(asked);
            }
        }
        own
    }

    /// Questions that lead to a section, with the rank: those that have it among the first five.
    pub(super) fn leading_to(&self, ordinal: u32) -> Vec<(&Asked, usize)> {
        let leads = |asked: &Asked| {
            let at = asked.hits.iter().position(|(found, _)| *found == ordinal)?;
            (at < WITHIN).then_some(at + 1)
        };
        self.asked.iter().filter_map(|asked| Some((asked, leads(asked)?))).collect()
    }
}

/// Questions of the catalog whose sections are all gone, by section. A catalog of which *no* section
/// exists belongs to another compendium: it says nothing of this one.
pub(super) fn gone(
    questions: &[Question],
    exists: impl Fn(&SectionId) -> bool,
) -> Result<Vec<Gone>, OtherCatalog> {
    let mut gone: BTreeMap<&SectionId, Gone> = BTreeMap::new();
    let mut known = false;
    for question in questions {
        let right: Vec<&SectionId> = question.right().collect();
        known |= right.iter().any(|id| exists(id));
        let missing = match question.expected {
            Expected::Section { .. } if right.iter().any(|id| exists(id)) => continue,
            Expected::Section { .. } => right.into_iter().take(1).collect(),
            Expected::Sections(_) => right,
            Expected::Answered | Expected::Refused => continue,
        };
        for section in missing.into_iter().filter(|id| !exists(id)) {
            let entry = gone.entry(section).or_insert_with(|| Gone {
                section: section.clone(),
                questions: Vec::new(),
                group: None,
            });
            entry.questions.push((question.id.clone(), question.question.clone()));
            if entry.group.is_none() {
                entry.group.clone_from(&question.group);
            }
        }
    }
    if known || gone.is_empty() { Ok(gone.into_values().collect()) } else { Err(OtherCatalog) }
}

/// No section of the catalog is in the compendium.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no section that the catalog names is in this compendium: it belongs to another one")]
pub struct OtherCatalog;

/// The questions to ask: those of the catalog with a section that exists, and for every section
/// without any a question made from its heading.
pub(super) fn to_ask(pipeline: &Pipeline, questions: &[Question]) -> Vec<Asked> {
    let mut asked = Vec::new();
    for question in questions {
        let right: Option<Vec<u32>> = match &question.expected {
            Expected::Section { .. } => {
                let right: Vec<u32> =
                    question.right().filter_map(|id| pipeline.ordinal(id)).collect();
                (!right.is_empty()).then_some(right)
            }
            Expected::Sections(all) => all.iter().map(|id| pipeline.ordinal(id)).collect(),
            Expected::Answered | Expected::Refused => None,
        };
        let in_parts = matches!(question.expected, Expected::Sections(_));
        let id = Some(question.id.clone());
        asked.extend(right.map(|right| blank(id, question.question.clone(), right, in_parts)));
    }
    let having: BTreeSet<u32> = asked.iter().filter_map(Asked::own).collect();
    let purposes = generate::purposes(pipeline.intents(), pipeline.groups(), pipeline.analyzer());
    let taken = asked.iter().map(|asked| asked.text.clone()).collect();
    let made = generate::questions(pipeline.sections(), &purposes, &taken);
    let made = made.into_iter().filter_map(|made| {
        let ordinal = pipeline.ordinal(&made.section).filter(|at| !having.contains(at))?;
        Some(blank(None, made.question, vec![ordinal], false))
    });
    asked.extend(made);
    asked
}

fn blank(id: Option<String>, text: String, right: Vec<u32>, in_parts: bool) -> Asked {
    Asked { id, text, right, in_parts, hits: Vec::new(), refused: false }
}

/// Asks on all cores; `progress` hears how many are done.
///
/// # Errors
/// A question can not be searched at all.
pub(super) async fn ask(
    pipeline: &Arc<Pipeline>,
    questions: Vec<Asked>,
    progress: impl FnMut(usize),
) -> Result<Vec<Asked>, PipelineError> {
    let ask = |question: Asked| {
        let pipeline = Arc::clone(pipeline);
        async move { one(&pipeline, question).await }
    };
    ask_all(questions, ask, progress).await
}

async fn one(pipeline: &Pipeline, asked: Asked) -> Result<Asked, PipelineError> {
    let query = Query::new(&asked.text, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", shortened(&asked.text))))?;
    let request = SearchRequest { k: Some(DEPTH), ..SearchRequest::default() };
    let answer = pipeline.search(&query, &request).await?.answer;
    let hits = answer.hits.iter().flatten().filter_map(|hit| {
        let id = SectionId::try_from(hit.id.as_str()).ok()?;
        Some((pipeline.ordinal(&id)?, hit.score))
    });
    Ok(Asked { hits: hits.collect(), refused: answer.answerable == Some(false), ..asked })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A question for section `own` with hits a tenth apart.
    pub(in crate::gaps) fn asked(own: u32, hits: &[u32]) -> Asked {
        let hits = hits.iter().enumerate().map(|(at, hit)| (*hit, 0.9 - 0.1 * at as f64));
        let hits = hits.collect();
        Asked {
            hits,
            ..blank(Some(format!("q-{own}")), "Was ist das?".to_owned(), vec![own], false)
        }
    }

    #[test]
    fn a_rival_contests_by_winning_and_by_a_hair() {
        assert_eq!(asked(1, &[1, 2]).contested_by(), None);
        assert_eq!(asked(1, &[2, 1]).contested_by(), Some(2));
        assert_eq!(asked(1, &[1]).contested_by(), None);
        let close = Asked { hits: vec![(1, 0.9), (2, 0.89)], ..asked(1, &[]) };
        assert_eq!((close.contested_by(), close.rank()), (Some(2), Some(1)));
        let also = Asked { right: vec![1, 2], ..close };
        assert_eq!(also.contested_by(), None, "both are right");
    }

    #[test]
    fn an_answer_counts_within_five_and_unless_it_is_refused() {
        assert!(asked(9, &[1, 2, 3, 4, 9]).is_answered());
        assert!(!asked(9, &[1, 2, 3, 4, 5, 9]).is_answered());
        assert!(!Asked { refused: true, ..asked(9, &[9]) }.is_answered());
    }
}
