//! Labelled questions → their reciprocal ranks under every weight.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{STEPS, share};
use crate::domain::{Fusion, Query, SectionId};
use crate::eval::dataset::LabelledQuestion;
use crate::eval::parallel::ask_all;
use crate::pipeline::{Pipeline, PipelineError};
use crate::retrieval::fuse::Weights;

/// Ranks beyond this do not count.
const DEPTH: usize = 10;
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// A question with what each way to weigh makes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// Position of its source.
    pub source: usize,
    /// The section that answers it.
    pub section: SectionId,
    /// Name of its profile.
    pub profile: String,
    /// Its reciprocal rank with the weights in force, 0 beyond rank 10.
    pub now: f64,
    /// The same by fusion and share of the lexical channel, in the order of the steps.
    pub by_share: BTreeMap<Fusion, Vec<f64>>,
}

/// Searches the questions of a source on all cores; `progress` hears how many are done. Beside them the
/// ids of those whose section is not in the index.
///
/// # Errors
/// A question can not be searched in both channels.
pub async fn observe(
    source: usize,
    pipeline: &Arc<Pipeline>,
    questions: &[LabelledQuestion],
    progress: impl FnMut(usize),
) -> Result<(Vec<Observed>, Vec<String>), PipelineError> {
    let (known, unknown): (Vec<_>, Vec<_>) =
        questions.iter().partition(|question| pipeline.section(&question.section).is_some());
    let ask = |question: &LabelledQuestion| {
        let (pipeline, question) = (Arc::clone(pipeline), question.clone());
        async move { observed(source, &pipeline, question).await }
    };
    let observed = ask_all(known.iter().copied(), ask, progress).await?;
    Ok((observed, unknown.into_iter().map(|question| question.id.clone()).collect()))
}

async fn observed(
    source: usize,
    pipeline: &Pipeline,
    question: LabelledQuestion,
) -> Result<Observed, PipelineError> {
    let query = Query::new(&question.question, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
    let found = pipeline.weighable(&query).await?;
    let reciprocal = |fusion, weights| {
        let ids = pipeline.weighed(&found, fusion, weights, DEPTH);
        let right = |id: &&SectionId| **id == question.section || question.acceptable.contains(id);
        ids.iter().position(right).map_or(0.0, |at| 1.0 / (at as f64 + 1.0))
    };
    let at = |fusion, step| {
        let lexical = share(step);
        reciprocal(fusion, Some(Weights { vector: 1.0 - lexical, lexical }))
    };
    let by_share = |fusion| (fusion, (0..=STEPS).map(|step| at(fusion, step)).collect());
    Ok(Observed {
        source,
        now: reciprocal(pipeline.fusion(), None),
        by_share: Fusion::ALL.into_iter().map(by_share).collect(),
        profile: found.profile.clone(),
        section: question.section,
    })
}
