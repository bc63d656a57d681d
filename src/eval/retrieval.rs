//! Every labelled question through the real pipeline, by channel and by overlap of words.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::dataset::LabelledQuestion;
use super::metrics::{Overlap, Ranks, Scores, overlap};
use super::parallel::ask_all;
use crate::domain::{Mode, Query};
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};

/// Ranks beyond this do not count.
const DEPTH: usize = 10;
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// Figures by channel. The rank of a question is that of its first right section.
pub type ByChannel = BTreeMap<&'static str, Scores>;

/// Outcome of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// `vector`, `lexical`, `hybrid`.
    pub channels: ByChannel,
    /// The same for `low`, `mid` and `high` overlap of question and section.
    pub by_overlap: BTreeMap<Overlap, ByChannel>,
    /// The same by tier or kind, where the questions have one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_tier: BTreeMap<String, ByChannel>,
    /// Questions whose section is not in the index.
    pub unknown_sections: Vec<String>,
}

const MODES: [(&str, Mode); 3] =
    [("vector", Mode::Vector), ("lexical", Mode::Lexical), ("hybrid", Mode::Hybrid)];

/// Runs the questions on all cores; `progress` hears how many are done.
///
/// # Errors
/// A question can not be searched at all.
pub async fn evaluate(
    pipeline: &Arc<Pipeline>,
    questions: &[LabelledQuestion],
    progress: impl FnMut(usize),
) -> Result<Report, PipelineError> {
    let (known, unknown): (Vec<_>, Vec<_>) =
        questions.iter().partition(|question| pipeline.section(&question.section).is_some());
    let ask = |question: &LabelledQuestion| {
        let (pipeline, question) = (Arc::clone(pipeline), question.clone());
        async move { ranks(&pipeline, &question).await }
    };
    let outcomes = ask_all(known.iter().copied(), ask, progress).await?;
    let unknown = unknown.into_iter().map(|question| question.id.clone()).collect();
    Ok(report(pipeline, &known, &outcomes, unknown))
}

async fn ranks(
    pipeline: &Pipeline,
    question: &LabelledQuestion,
) -> Result<[Option<usize>; 3], PipelineError> {
    let query = Query::new(&question.question, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
    let mut ranks = [None; 3];
    for ((_, mode), rank) in MODES.iter().zip(&mut ranks) {
        let request = SearchRequest { k: Some(DEPTH), mode: *mode, ..SearchRequest::default() };
        let answer = pipeline.search(&query, &request).await?.answer;
        let hits = answer.hits.unwrap_or_default();
        let right = |id: &str| {
            question.section.as_str() == id || question.acceptable.iter().any(|a| a.as_str() == id)
        };
        *rank = hits.iter().find(|hit| right(&hit.id)).map(|hit| hit.rank);
    }
    Ok(ranks)
}

fn report(
    pipeline: &Pipeline,
    questions: &[&LabelledQuestion],
    outcomes: &[[Option<usize>; 3]],
    unknown_sections: Vec<String>,
) -> Report {
    let mut all: [Ranks; 3] = Default::default();
    let mut by_overlap: BTreeMap<Overlap, [Ranks; 3]> = BTreeMap::new();
    let mut by_tier: BTreeMap<String, [Ranks; 3]> = BTreeMap::new();
    for (question, ranks) in questions.iter().zip(outcomes) {
        let Some(section) = pipeline.section(&question.section) else { continue };
        let class = overlap(pipeline.analyzer(), &question.question, section);
        for (at, rank) in ranks.iter().enumerate() {
            all[at].push(*rank);
            by_overlap.entry(class).or_default()[at].push(*rank);
            if let Some(tier) = &question.tier {
                by_tier.entry(tier.clone()).or_default()[at].push(*rank);
            }
        }
    }
    let figures = |ranks: &[Ranks; 3]| -> ByChannel {
        MODES.iter().zip(ranks).map(|((name, _), ranks)| (*name, ranks.scores())).collect()
    };
    Report {
        channels: figures(&all),
        by_overlap: by_overlap.iter().map(|(class, ranks)| (*class, figures(ranks))).collect(),
        by_tier: by_tier.iter().map(|(tier, ranks)| (tier.clone(), figures(ranks))).collect(),
        unknown_sections,
    }
}
