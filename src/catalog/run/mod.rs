//! All questions of the catalog through the real pipeline, judged one by one.

mod judge;
mod outcome;
mod summary;
#[cfg(test)]
pub(super) mod tests;

use std::sync::Arc;

use serde::Serialize;

pub use outcome::{Code, DecidingRule, Finding, Found, Outcome, Ticket, Verdict};
pub use summary::{Answerable, Figures, Share, Summary, Tickets};

use super::{Expected, Question};
use crate::domain::{Query, SectionId};
use crate::eval::ask_all;
use crate::eval::metrics::overlap;
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};
use judge::{Target, judge, orphan};

/// Ranks beyond this do not count.
const DEPTH: usize = 10;
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// A run of the catalog.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// The figures.
    pub summary: Summary,
    /// The questions with what became of them, sorted by id.
    pub questions: Vec<Outcome>,
}

impl Run {
    /// Sorts and counts what the questions gave.
    pub fn new(mut questions: Vec<Outcome>) -> Self {
        questions.sort_by(|a, b| a.id.cmp(&b.id));
        Self { summary: Summary::of(&questions), questions }
    }

    /// Whether a question failed.
    pub fn has_failures(&self) -> bool {
        self.questions.iter().any(|outcome| outcome.verdict == Verdict::Fail)
    }
}

/// Asks all questions on all cores; `progress` hears how many are done.
///
/// # Errors
/// A question can not be searched at all.
pub async fn run(
    pipeline: &Arc<Pipeline>,
    questions: &[Question],
    progress: impl FnMut(usize),
) -> Result<Run, PipelineError> {
    let ask = |question: &Question| {
        let (pipeline, question) = (Arc::clone(pipeline), question.clone());
        async move { asked(&pipeline, &question).await }
    };
    Ok(Run::new(ask_all(questions, ask, progress).await?))
}

async fn asked(pipeline: &Pipeline, question: &Question) -> Result<Outcome, PipelineError> {
    let unknown: Vec<&SectionId> =
        question.right().filter(|id| pipeline.section(id).is_none()).collect();
    if !unknown.is_empty() {
        return Ok(orphan(question, &unknown));
    }
    let query = Query::new(&question.question, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
    let request = SearchRequest { k: Some(DEPTH), ..SearchRequest::default() };
    let answer = pipeline.search(&query, &request).await?.answer;
    Ok(judge(question, &target(pipeline, question), &answer))
}

/// The right section of a question that one section answers.
fn target(pipeline: &Pipeline, question: &Question) -> Target {
    let Expected::Section { section, .. } = &question.expected else { return Target::default() };
    let Some(section) = pipeline.section(section) else { return Target::default() };
    Target {
        group: section.group.as_ref().map(ToString::to_string),
        overlap: Some(overlap(pipeline.analyzer(), &question.question, section)),
    }
}
