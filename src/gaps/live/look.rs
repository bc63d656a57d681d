//! A bad question, asked again of what its asker may see of the present compendium.

use std::sync::Arc;

use super::sift::{Bad, Failure};
use crate::catalog::UNSURE;
use crate::domain::{Answer, Evidence, Query, SectionId, Source, Vector, shortened};
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};
use crate::query_log::{LONGEST_QUESTION, without_placeholders};

/// Hits that are looked at.
const DEPTH: usize = 10;

/// A bad question with what the present compendium says to it.
#[derive(Debug, Clone)]
pub(super) struct Looked {
    pub(super) bad: Bad,
    /// What shows what its asker may see.
    pub(super) pipeline: Arc<Pipeline>,
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
    /// Intents that the classifier thinks of, best first.
    pub(super) guesses: Vec<String>,
    pub(super) answerable: bool,
    pub(super) confidence: f64,
    pub(super) evidence: Evidence,
    /// Whether it is answered where slips of the pen are put right.
    pub(super) misspelt: bool,
    /// The section that would answer it and that its asker may not see.
    pub(super) withheld: Option<SectionId>,
}

impl Looked {
    /// Whether the compendium has learnt to answer it since. What a reader found unhelpful stays open:
    /// no figure knows better.
    pub(super) fn is_solved(&self) -> bool {
        self.is_sure() && self.bad.failure != Failure::Unhelpful
    }

    /// Whether the first hit is more likely right than wrong.
    pub(super) fn is_sure(&self) -> bool {
        is_sure(self.answerable, self.confidence)
    }
}

fn is_sure(answerable: bool, confidence: f64) -> bool {
    answerable && confidence >= UNSURE
}

/// The section that surely answers.
pub(super) fn answering(answer: &Answer) -> Option<&str> {
    let sure = is_sure(answer.answerable == Some(true), answer.confidence.unwrap_or_default());
    answer.hits.iter().flatten().next().filter(|_| sure).map(|hit| hit.id.as_str())
}

/// Asks a question again, and with its slips of the pen put right where there are any; where its asker
/// gets no answer, also over everything that the reader of the report (`whole`) may see.
pub(super) async fn look(
    pipeline: Arc<Pipeline>,
    whole: &Arc<Pipeline>,
    bad: Bad,
    named: &str,
    corrected: Option<&str>,
) -> Result<Looked, PipelineError> {
    let question = without_placeholders(&bad.question);
    let answer = asked(&pipeline, &question).await?;
    let misspelt = match corrected {
        Some(corrected) => answering(&asked(&pipeline, corrected).await?).is_some(),
        None => false,
    };
    let mut withheld = None;
    if !Arc::ptr_eq(&pipeline, whole) {
        for text in [Some(question.as_str()), corrected].into_iter().flatten() {
            let answer = asked(whole, text).await?;
            let id = answering(&answer).and_then(|id| SectionId::try_from(id).ok());
            withheld = withheld.or(id.filter(|id| pipeline.section(id).is_none()));
        }
    }
    let vector = pipeline.meaning(named).await?;
    let guesses = answer.trace.classifier.iter().filter(|guess| guess.id != "unknown");
    Ok(Looked {
        bad,
        pipeline,
        named: named.to_owned(),
        vector,
        hits: answer.hits.iter().flatten().map(|hit| hit.id.clone()).collect(),
        groups: answer.groups.iter().map(|group| group.id.clone()).collect(),
        intent: answer.intent.id.clone(),
        source: answer.intent.source,
        guesses: guesses.map(|guess| guess.id.clone()).collect(),
        answerable: answer.answerable.unwrap_or(true),
        confidence: answer.confidence.unwrap_or(1.0),
        evidence: answer.trace.evidence.unwrap_or_default(),
        misspelt,
        withheld,
    })
}

/// The answer of the present compendium.
pub(super) async fn asked(pipeline: &Pipeline, question: &str) -> Result<Answer, PipelineError> {
    let query = Query::new(question, LONGEST_QUESTION)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", shortened(question))))?;
    let request = SearchRequest { k: Some(DEPTH), ..SearchRequest::default() };
    Ok(pipeline.search(&query, &request).await?.answer)
}
