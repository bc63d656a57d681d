//! A bad question, asked again of the present compendium.

use super::sift::{Bad, Failure, UNSURE};
use crate::domain::{Answer, Evidence, Query, Source, Vector};
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};
use crate::query_log::without_placeholders;

/// Hits that are looked at.
const DEPTH: usize = 10;
/// Longer questions were never answered.
const LONGEST: usize = 20_000;

/// A bad question with what the present compendium says to it.
#[derive(Debug, Clone)]
pub(super) struct Looked {
    pub(super) bad: Bad,
    /// What it names, see [`super::named`].
    pub(super) named: String,
    /// The meaning of that.
    pub(super) vector: Vector,
    /// Ids of the hits, best first.
    pub(super) hits: Vec<String>,
    /// Groups that its words speak for, best first.
    pub(super) groups: Vec<String>,
    pub(super) intent: String,
    pub(super) source: Source,
    /// The best guess of the classifier that is an intent.
    pub(super) guess: Option<String>,
    pub(super) answerable: bool,
    pub(super) confidence: f64,
    pub(super) evidence: Evidence,
    /// Whether it is answered where slips of the pen are put right.
    pub(super) misspelt: bool,
}

impl Looked {
    /// Whether the compendium has learnt to answer it since. What a reader found unhelpful stays open:
    /// no figure knows better.
    pub(super) fn is_solved(&self) -> bool {
        is_sure(self.answerable, self.confidence) && self.bad.failure != Failure::Unhelpful
    }
}

fn is_sure(answerable: bool, confidence: f64) -> bool {
    answerable && confidence >= UNSURE
}

/// Asks a question again, and with its slips of the pen put right where there are any.
pub(super) async fn look(
    pipeline: &Pipeline,
    bad: Bad,
    named: &str,
    corrected: Option<&str>,
) -> Result<Looked, PipelineError> {
    let answer = asked(pipeline, &without_placeholders(&bad.question)).await?;
    let misspelt = match corrected {
        Some(corrected) => {
            let answer = asked(pipeline, corrected).await?;
            is_sure(answer.answerable == Some(true), answer.confidence.unwrap_or_default())
        }
        None => false,
    };
    let vector = pipeline.meaning(named).await?;
    let guess = answer.trace.classifier.iter().find(|guess| guess.id != "unknown");
    Ok(Looked {
        bad,
        named: named.to_owned(),
        vector,
        hits: answer.hits.iter().flatten().map(|hit| hit.id.clone()).collect(),
        groups: answer.groups.iter().map(|group| group.id.clone()).collect(),
        intent: answer.intent.id.clone(),
        source: answer.intent.source,
        guess: guess.map(|guess| guess.id.clone()),
        answerable: answer.answerable.unwrap_or(true),
        confidence: answer.confidence.unwrap_or(1.0),
        evidence: answer.trace.evidence.unwrap_or_default(),
        misspelt,
    })
}

/// The answer of the present compendium.
pub(super) async fn asked(pipeline: &Pipeline, question: &str) -> Result<Answer, PipelineError> {
    let query = Query::new(question, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{question}: {error}")))?;
    let request = SearchRequest { k: Some(DEPTH), ..SearchRequest::default() };
    Ok(pipeline.search(&query, &request).await?.answer)
}
