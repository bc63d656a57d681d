//! Whether `answerable` and `confidence` can be relied on: over questions that the compendium answers
//! and questions that it can not.

use std::sync::Arc;

use serde::Serialize;

use super::parallel::ask_all;
use crate::domain::{Query, SectionId};
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};

/// Parts of the scale from 0 to 1 in a reliability table.
const BINS: usize = 10;
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// A question with the sections that answer it; none for one that must be refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The question.
    pub question: String,
    /// Right sections.
    pub right: Vec<SectionId>,
}

/// Outcome of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Questions that the compendium answers.
    pub answerable: usize,
    /// Share of them that was refused, 0 to 1.
    pub wrongly_refused: f64,
    /// Questions that it can not answer.
    pub off_topic: usize,
    /// Share of them that was refused, 0 to 1.
    pub rightly_refused: f64,
    /// Reliability of `confidence` over the answerable questions, by tenths of it.
    pub reliability: Vec<Bin>,
    /// Expected calibration error over the same (Guo et al. 2017): mean distance of confidence and
    /// share of right first hits, weighed by the bins' sizes.
    pub calibration_error: f64,
    /// Mean squared distance of confidence and outcome (Brier 1950).
    pub brier: f64,
    /// Answerable questions that were refused.
    pub refused: Vec<String>,
    /// Off-topic questions that were answered.
    pub answered: Vec<String>,
}

/// Questions of like confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// Number of questions.
    pub n: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// Share whose first hit is right.
    pub right: f64,
}

/// What one question gave.
struct Outcome {
    question: String,
    answers_exist: bool,
    answered: bool,
    confidence: f64,
    right: bool,
}

/// Runs the questions on all cores; `progress` hears how many are done.
///
/// # Errors
/// A question can not be searched at all.
pub async fn evaluate(
    pipeline: &Arc<Pipeline>,
    questions: &[Judged],
    progress: impl FnMut(usize),
) -> Result<Report, PipelineError> {
    let ask = |judged: &Judged| {
        let (pipeline, judged) = (Arc::clone(pipeline), judged.clone());
        async move { outcome(&pipeline, judged).await }
    };
    Ok(report(&ask_all(questions, ask, progress).await?))
}

async fn outcome(pipeline: &Pipeline, judged: Judged) -> Result<Outcome, PipelineError> {
    let query = Query::new(&judged.question, LONGEST).map_err(|error| {
        PipelineError::Request(format!("{}: {error}", crate::domain::shortened(&judged.question)))
    })?;
    let answer = pipeline.search(&query, &SearchRequest::default()).await?.answer;
    let first = answer.hits.as_deref().and_then(<[_]>::first);
    Ok(Outcome {
        answers_exist: !judged.right.is_empty(),
        answered: answer.answerable.unwrap_or(true),
        confidence: answer.confidence.unwrap_or(0.0),
        right: first.is_some_and(|hit| judged.right.iter().any(|id| id.as_str() == hit.id)),
        question: judged.question,
    })
}

fn report(outcomes: &[Outcome]) -> Report {
    let (own, foreign): (Vec<&Outcome>, Vec<&Outcome>) =
        outcomes.iter().partition(|outcome| outcome.answers_exist);
    let refused = |list: &[&Outcome]| list.iter().filter(|outcome| !outcome.answered).count();
    let mut bins: Vec<Vec<&Outcome>> = vec![Vec::new(); BINS];
    for outcome in &own {
        let place = (0..BINS).find(|at| outcome.confidence * (BINS as f64) < (at + 1) as f64);
        bins[place.unwrap_or(BINS - 1)].push(outcome);
    }
    let reliability: Vec<Bin> =
        bins.iter().filter(|bin| !bin.is_empty()).map(|bin| of(bin)).collect();
    let distance = |bin: &Bin| (bin.confidence - bin.right).abs() * bin.n as f64;
    let squared = |outcome: &&Outcome| {
        let hit = f64::from(u8::from(outcome.right));
        (outcome.confidence - hit) * (outcome.confidence - hit)
    };
    let texts = |list: &[&Outcome], answered: bool| -> Vec<String> {
        let found = list.iter().filter(|outcome| outcome.answered == answered);
        found.map(|outcome| outcome.question.clone()).collect()
    };
    Report {
        answerable: own.len(),
        wrongly_refused: share(refused(&own) as f64, own.len()),
        off_topic: foreign.len(),
        rightly_refused: share(refused(&foreign) as f64, foreign.len()),
        calibration_error: share(reliability.iter().map(distance).sum(), own.len()),
        brier: share(own.iter().map(squared).sum(), own.len()),
        reliability,
        refused: texts(&own, false),
        answered: texts(&foreign, true),
    }
}

fn of(bin: &[&Outcome]) -> Bin {
    let right = bin.iter().filter(|outcome| outcome.right).count();
    let confidence: f64 = bin.iter().map(|outcome| outcome.confidence).sum();
    let n = bin.len();
    Bin { n, confidence: share(confidence, n), right: share(right as f64, n) }
}

/// Four decimals; 0 of nothing.
fn share(sum: f64, n: usize) -> f64 {
    if n == 0 { 0.0 } else { (sum / n as f64 * 1e4).round() / 1e4 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_follow_their_definitions() {
        let outcome = |answers_exist, answered, confidence, right| Outcome {
            question: String::new(),
            answers_exist,
            answered,
            confidence,
            right,
        };
        let report = report(&[
            outcome(true, true, 1.0, true),
            outcome(true, true, 0.95, false),
            outcome(true, false, 0.2, false),
            outcome(true, true, 0.25, true),
            outcome(false, false, 0.1, false),
            outcome(false, true, 0.6, false),
        ]);
        assert!((report.wrongly_refused - 0.25).abs() < 1e-9);
        assert!((report.rightly_refused - 0.5).abs() < 1e-9);
        assert_eq!(report.reliability.iter().map(|bin| bin.n).collect::<Vec<_>>(), [2, 2]);
        assert!((report.calibration_error - (2.0 * 0.275 + 2.0 * 0.475) / 4.0).abs() < 1e-9);
        let brier = (0.0 + 0.9025 + 0.04 + 0.5625) / 4.0;
        assert!((report.brier - brier).abs() < 1e-4);
    }
}
