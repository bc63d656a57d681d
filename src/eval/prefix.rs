//! The ablation of the prefix: the same questions with groups used in every way.

use std::sync::Arc;

use serde::Serialize;

use super::bootstrap::{Estimate, Random, estimate};
use super::dataset::LabelledQuestion;
use super::groups::expected;
use super::parallel::ask_all;
use crate::domain::{GroupId, Mode, Query, SectionId};
use crate::pipeline::{Pipeline, PipelineError, Plan, Sides, Told};

/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;
/// Evidence that the boost adds: that of an everyday hit, so that a group can lift one over another.
const BOOST: f64 = 1.0;
/// A wrong group may cost so much of the plain reciprocal rank.
const MOST_LOSS: f64 = 0.05;
/// The right group must bring so much of what a filter by group brings.
const LEAST_GAIN: f64 = 0.9;

const MODES: [(&str, Mode); 2] = [("vector", Mode::Vector), ("hybrid", Mode::Hybrid)];

/// Name, group, and place of the prefix.
const CONDITIONS: [(&str, Told, Sides); 15] = [
    ("none", Told::Inferred, Sides::None),
    ("query only, inferred", Told::Inferred, Sides::Query),
    ("document only", Told::Inferred, Sides::Document),
    ("both, inferred", Told::Inferred, Sides::Both),
    ("one vector a group, inferred", Told::Inferred, Sides::BothEach),
    ("both, right", Told::Right, Sides::Both),
    ("both, wrong", Told::Wrong, Sides::Both),
    ("guarded, inferred", Told::Inferred, Sides::Guarded),
    ("guarded, right", Told::Right, Sides::Guarded),
    ("guarded, wrong", Told::Wrong, Sides::Guarded),
    ("boost, inferred", Told::Inferred, Sides::Boost(BOOST)),
    ("boost, right", Told::Right, Sides::Boost(BOOST)),
    ("boost, wrong", Told::Wrong, Sides::Boost(BOOST)),
    ("filter, inferred", Told::Inferred, Sides::Filter),
    ("filter, right", Told::Right, Sides::Filter),
];

/// Outcome of an ablation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Questions with a known section and group.
    pub n: usize,
    /// Share of them for which a group was inferred.
    pub inferred: f64,
    /// Every condition in every mode.
    pub conditions: Vec<Condition>,
    /// What the guard is worth, by mode.
    pub guard: Vec<Guard>,
    /// Questions that do not count: their section is unknown or has no group, or there is only one.
    pub left_out: Vec<String>,
}

/// One way to search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Condition {
    /// Where the prefix stands, and whose group it is.
    pub name: &'static str,
    /// `vector` or `hybrid`.
    pub mode: &'static str,
    /// Share of questions whose section is among the first five.
    #[serde(rename = "r@5")]
    pub recall_at_5: Estimate,
    /// Mean reciprocal rank, 0 beyond rank 10.
    #[serde(rename = "mrr@10")]
    pub mrr_at_10: Estimate,
    /// Share of questions whose section is among the first five without a prefix and not so here.
    pub harm: Estimate,
}

/// The bars of the guard in one mode.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Guard {
    /// `vector` or `hybrid`.
    pub mode: &'static str,
    /// Share of the plain MRR@10 that is left where a wrong group is forced.
    pub kept_under_wrong_group: f64,
    /// At least 0.95.
    pub wrong_group_holds: bool,
    /// Share of what a filter by the right group gains in MRR@10; absent where it gains nothing.
    pub gained_by_right_group: Option<f64>,
    /// At least 0.9, or nothing to gain.
    pub right_group_holds: bool,
}

/// Rank of the right section by condition and mode, and whether a group was inferred.
struct Outcome {
    ranks: Vec<Vec<Option<usize>>>,
    inferred: bool,
}

/// Searches every question in every way on all cores; `progress` hears how many are done.
///
/// # Errors
/// A question can not be searched at all.
pub async fn evaluate(
    pipeline: &Arc<Pipeline>,
    questions: &[LabelledQuestion],
    progress: impl FnMut(usize),
) -> Result<Report, PipelineError> {
    let known: Vec<GroupId> = pipeline.section_groups().cloned().collect();
    let mut random = Random(1);
    let (mut labelled, mut left_out) = (Vec::new(), Vec::new());
    for question in questions {
        let group = expected(pipeline, question).and_then(|group| GroupId::try_from(group).ok());
        let right = group.filter(|group| known.contains(group));
        // Drawn for every question, so that one left out does not change the others.
        let draw = random.below((known.len().max(2) - 1).max(1));
        match right.and_then(|right| Some((wrong(&known, &right, draw)?, right))) {
            Some((wrong, right)) if pipeline.section(&question.section).is_some() => {
                labelled.push((question, right, wrong));
            }
            _ => left_out.push(question.id.clone()),
        }
    }
    let plans: Arc<[Plan]> =
        CONDITIONS.iter().map(|(_, told, sides)| Plan { sides: *sides, told: *told }).collect();
    let ask = |(question, right, wrong): (&LabelledQuestion, GroupId, GroupId)| {
        let (pipeline, plans, question) =
            (Arc::clone(pipeline), Arc::clone(&plans), question.clone());
        async move { outcome(&pipeline, &question, &right, &wrong, &plans).await }
    };
    let outcomes = ask_all(labelled, ask, progress).await?;
    Ok(report(&outcomes, left_out))
}

/// Another group than the right one.
fn wrong(known: &[GroupId], right: &GroupId, draw: usize) -> Option<GroupId> {
    known.iter().filter(|group| *group != right).nth(draw).cloned()
}

async fn outcome(
    pipeline: &Pipeline,
    question: &LabelledQuestion,
    right: &GroupId,
    wrong: &GroupId,
    plans: &[Plan],
) -> Result<Outcome, PipelineError> {
    let query = Query::new(&question.question, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
    let modes = MODES.map(|(_, mode)| mode);
    let found = pipeline.ranked(&query, right, wrong, plans, &modes).await?;
    let is_right = |id: &SectionId| *id == question.section || question.acceptable.contains(id);
    let rank = |ids: &Vec<SectionId>| ids.iter().position(is_right).map(|at| at + 1);
    let ranks = found.rankings.iter().map(|of_plan| of_plan.iter().map(rank).collect()).collect();
    Ok(Outcome { ranks, inferred: found.inferred })
}

fn report(outcomes: &[Outcome], left_out: Vec<String>) -> Report {
    let mut conditions = Vec::with_capacity(CONDITIONS.len() * MODES.len());
    let mut guard = Vec::new();
    for (at_mode, (mode, _)) in MODES.iter().enumerate() {
        let mut mrr = Vec::new();
        for (at, (name, ..)) in CONDITIONS.iter().enumerate() {
            let of = |value: &dyn Fn(&Outcome) -> f64| -> Estimate {
                estimate(&outcomes.iter().map(value).collect::<Vec<f64>>())
            };
            let top_5 = |outcome: &Outcome, at: usize| {
                outcome.ranks[at][at_mode].is_some_and(|rank| rank <= 5)
            };
            let condition = Condition {
                name,
                mode,
                recall_at_5: of(&|outcome| f64::from(u8::from(top_5(outcome, at)))),
                mrr_at_10: of(&|outcome| {
                    outcome.ranks[at][at_mode].map_or(0.0, |rank| 1.0 / rank as f64)
                }),
                harm: of(&|outcome| f64::from(u8::from(top_5(outcome, 0) && !top_5(outcome, at)))),
            };
            mrr.push((*name, condition.mrr_at_10.mean));
            conditions.push(condition);
        }
        guard.push(bars(mode, &mrr));
    }
    let inferred = outcomes.iter().filter(|outcome| outcome.inferred).count();
    let n = outcomes.len();
    Report { n, inferred: round(inferred as f64 / n.max(1) as f64), conditions, guard, left_out }
}

fn bars(mode: &'static str, mrr: &[(&'static str, f64)]) -> Guard {
    let of = |name: &str| {
        mrr.iter().find(|(other, _)| *other == name).expect("a condition of the list").1
    };
    let plain = of("none");
    let kept = if plain > 0.0 { of("guarded, wrong") / plain } else { 1.0 };
    let filter = of("filter, right") - plain;
    let gained = (filter > 0.0).then(|| (of("guarded, right") - plain) / filter);
    Guard {
        mode,
        kept_under_wrong_group: round(kept),
        wrong_group_holds: kept >= 1.0 - MOST_LOSS,
        gained_by_right_group: gained.map(round),
        right_group_holds: gained.is_none_or(|gained| gained >= LEAST_GAIN),
    }
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
