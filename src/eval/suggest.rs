//! Labelled questions and the compendium → suggestions for `groups.yaml`.

use std::sync::Arc;

use super::dataset::LabelledQuestion;
use super::groups::expected;
use super::parallel::ask_all;
use crate::domain::{GroupId, IntentId, Query};
use crate::groups::{Asked, Suggestions};
use crate::normalise::normalise;
use crate::pipeline::{Pipeline, PipelineError};

/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// Routes the questions for their intents, then learns. Questions without a known group are left out.
///
/// # Errors
/// A question can not be routed at all.
pub async fn suggest(
    pipeline: &Arc<Pipeline>,
    questions: &[LabelledQuestion],
    progress: impl FnMut(usize),
) -> Result<Suggestions, PipelineError> {
    let labelled = questions.iter().filter_map(|question| {
        let group = GroupId::try_from(expected(pipeline, question)?).ok()?;
        Some((question, group))
    });
    let ask = |(question, group): (&LabelledQuestion, GroupId)| {
        let (pipeline, question) = (Arc::clone(pipeline), question.clone());
        async move { asked(&pipeline, &question, group).await }
    };
    let asked = ask_all(labelled, ask, progress).await?;
    Ok(pipeline.groups().suggest(pipeline.sections(), &asked, pipeline.analyzer()))
}

async fn asked(
    pipeline: &Pipeline,
    question: &LabelledQuestion,
    group: GroupId,
) -> Result<Asked, PipelineError> {
    let query = Query::new(&question.question, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
    let intent = pipeline.route(&query).await?.answer.intent.id;
    // `unknown` is no intent of the list, so it has no bias.
    let intent = IntentId::try_from(intent).ok();
    Ok(Asked { query: normalise(&query), intent, group })
}
