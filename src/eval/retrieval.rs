//! Every labelled question through the real pipeline, by channel and by overlap of words.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use tokio::task::JoinSet;

use super::dataset::LabelledQuestion;
use super::metrics::{Overlap, Ranks, Scores, overlap};
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
    /// The same by tier; catalog only.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_tier: BTreeMap<String, ByChannel>,
    /// Questions whose section is not in the index.
    pub unknown_sections: Vec<String>,
}

const MODES: [(&str, Mode); 3] =
    [("vector", Mode::Vector), ("lexical", Mode::Lexical), ("hybrid", Mode::Hybrid)];

/// What one question gave: its place in the list and the rank in each mode.
type Outcome = (usize, [Option<usize>; 3]);

/// Runs the questions on all cores; `progress` hears how many are done.
///
/// # Errors
/// A question can not be searched at all.
pub async fn evaluate(
    pipeline: &Arc<Pipeline>,
    questions: &[LabelledQuestion],
    mut progress: impl FnMut(usize),
) -> Result<Report, PipelineError> {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from) * 2;
    let mut running: JoinSet<Result<Outcome, PipelineError>> = JoinSet::new();
    let mut outcomes: Vec<Option<[Option<usize>; 3]>> = vec![None; questions.len()];
    let mut done = 0;
    let mut unknown = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        if pipeline.section(&question.section).is_none() {
            unknown.push(question.id.clone());
            continue;
        }
        while running.len() >= at_once {
            take(&mut running, &mut outcomes).await?;
            done += 1;
            progress(done);
        }
        let (pipeline, question) = (Arc::clone(pipeline), question.clone());
        running.spawn(async move { Ok((at, ranks(&pipeline, &question).await?)) });
    }
    while !running.is_empty() {
        take(&mut running, &mut outcomes).await?;
        done += 1;
        progress(done);
    }
    Ok(report(pipeline, questions, &outcomes, unknown))
}

async fn take(
    running: &mut JoinSet<Result<Outcome, PipelineError>>,
    outcomes: &mut [Option<[Option<usize>; 3]>],
) -> Result<(), PipelineError> {
    if let Some(joined) = running.join_next().await {
        let (at, ranks) = joined.expect("an evaluation does not panic")?;
        outcomes[at] = Some(ranks);
    }
    Ok(())
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
    questions: &[LabelledQuestion],
    outcomes: &[Option<[Option<usize>; 3]>],
    unknown_sections: Vec<String>,
) -> Report {
    let mut all: [Ranks; 3] = Default::default();
    let mut by_overlap: BTreeMap<Overlap, [Ranks; 3]> = BTreeMap::new();
    let mut by_tier: BTreeMap<String, [Ranks; 3]> = BTreeMap::new();
    for (question, outcome) in questions.iter().zip(outcomes) {
        let (Some(ranks), Some(section)) = (outcome, pipeline.section(&question.section)) else {
            continue;
        };
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
