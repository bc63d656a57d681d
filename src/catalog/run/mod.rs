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
use crate::eval::sections::{Grade, Landscape};
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};
pub(crate) use judge::{HAIR, UNSURE};
use judge::{Target, judge, orphan};

/// Ranks beyond this do not count.
const DEPTH: usize = 10;
/// Questions longer than this are no questions.
pub(super) const LONGEST: usize = 20_000;

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
    let landscape = Arc::new(Landscape::of(pipeline));
    let ask = |question: &Question| {
        let (pipeline, question) = (Arc::clone(pipeline), question.clone());
        let landscape = Arc::clone(&landscape);
        async move { asked(&pipeline, &landscape, &question).await }
    };
    Ok(Run::new(ask_all(questions, ask, progress).await?))
}

async fn asked(
    pipeline: &Pipeline,
    landscape: &Landscape,
    question: &Question,
) -> Result<Outcome, PipelineError> {
    let unknown: Vec<&SectionId> =
        question.right().filter(|id| pipeline.section(id).is_none()).collect();
    if !unknown.is_empty() {
        return Ok(orphan(question, &unknown));
    }
    let query = Query::new(&question.question, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
    let request = SearchRequest { k: Some(DEPTH), ..SearchRequest::default() };
    let answer = pipeline.search(&query, &request).await?.answer;
    Ok(judge(question, &target(pipeline, landscape, question), &answer))
}

/// The right section of a question that one section answers.
fn target(pipeline: &Pipeline, landscape: &Landscape, question: &Question) -> Target {
    let Expected::Section { section, .. } = &question.expected else { return Target::default() };
    let Some(section) = pipeline.section(section) else { return Target::default() };
    Target {
        group: section.group.as_ref().map(ToString::to_string),
        overlap: Some(overlap(pipeline.analyzer(), &question.question, section)),
        weak: pipeline.ordinal(&section.id).map(|at| weak(landscape, at)).unwrap_or_default(),
    }
}

/// What makes a section weak whatever is asked. Only what lies far out is worth a warning at every
/// one of its questions.
fn weak(landscape: &Landscape, ordinal: u32) -> Vec<(Code, String)> {
    let of = &landscape.sections[ordinal as usize];
    let mut weak = Vec::new();
    if landscape.isolated(ordinal) == Some(Grade::Outlying) {
        let factor = of.outlier_factor.unwrap_or_default();
        let usual = landscape.outlier_factors.map_or(1.0, |spread| spread.median);
        let reason = format!(
            "the right section stands apart from all others: outlier factor {factor:.2}, usual \
             {usual:.2}"
        );
        weak.push((Code::Isolated, reason));
    }
    if landscape.thin(ordinal) == Some(Grade::Outlying) {
        let (words, usual) = (of.words, landscape.usual_words().unwrap_or_default());
        let reason = format!("the right section has only {words} words, usual are {usual:.0}");
        weak.push((Code::Thin, reason));
    }
    weak
}
