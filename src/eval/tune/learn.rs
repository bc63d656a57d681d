//! Reciprocal ranks under every weight → the weights that are better on questions not learnt from.

use std::collections::{BTreeMap, BTreeSet};

use super::{Observed, OfSource, Report, Row, STEPS, Verdict, share};
use crate::domain::{Fusion, Profile, SectionId};
use crate::eval::bootstrap::estimate;

/// Parts of the questions; each is held out once.
const FOLDS: usize = 5;
/// Fewer questions than this have no interval worth the name.
const FEWEST: usize = 30;

/// Learns one share for all profiles, then one for each.
///
/// Questions of one section are never on both sides: they would give the answer away. A share that is
/// equally good is preferred where it is nearer to the one in force.
pub fn learn(
    fusion: Fusion,
    sources: Vec<String>,
    profiles: &BTreeMap<String, Profile>,
    observed: &[Observed],
    unknown_sections: Vec<String>,
) -> Report {
    let of_profile = |profile: &Profile| profile.lexical / (profile.vector + profile.lexical);
    let mut shares: Vec<f64> = profiles.values().map(of_profile).collect();
    shares.dedup();
    let common = if let [only] = shares[..] { Some(only) } else { None };
    let all: Vec<&Observed> = observed.iter().collect();
    let in_force = |question: &Observed| question.now;
    let others = Fusion::ALL.into_iter().filter(|other| *other != fusion);
    let fusions: Vec<Row> = [fusion]
        .into_iter()
        .chain(others)
        .map(|other| row(other.as_str(), other, &all, sources.len(), common, in_force))
        .collect();
    let shared = fusions.first().filter(|row| row.verdict == Verdict::Better);
    let is_learnt = |row: &Row| (0..=STEPS).find(|step| share(*step) >= row.learnt);
    let step = shared.and_then(is_learnt);
    let rows = profiles.iter().map(|(name, profile)| {
        let own: Vec<&Observed> =
            observed.iter().filter(|question| question.profile == *name).collect();
        let now = step.map_or_else(|| of_profile(profile), share);
        let base = |question: &Observed| {
            step.map_or(question.now, |step| question.by_share[&fusion][step])
        };
        row(name, fusion, &own, sources.len(), Some(now), base)
    });
    Report { profiles: rows.collect(), sources, fusion, fusions, unknown_sections }
}

fn row(
    name: &str,
    fusion: Fusion,
    questions: &[&Observed],
    sources: usize,
    now: Option<f64>,
    base: impl Fn(&Observed) -> f64,
) -> Row {
    let usual = now.unwrap_or(0.2);
    let best = |among: &[&Observed]| best_step(fusion, among, usual);
    let folds = folds(questions);
    let mut held_out = vec![0.0; questions.len()];
    for fold in 0..FOLDS {
        let (held, learnt_from): (Vec<usize>, Vec<usize>) =
            (0..questions.len()).partition(|at| folds[*at] == fold);
        let among: Vec<&Observed> = learnt_from.iter().map(|at| questions[*at]).collect();
        let step = best(&among);
        for at in held {
            held_out[at] = questions[at].by_share[&fusion][step];
        }
    }
    let before: Vec<f64> = questions.iter().map(|question| base(question)).collect();
    let of_source = |source: Option<usize>| {
        let inside = |at: &usize| source.is_none_or(|source| questions[*at].source == source);
        let chosen: Vec<usize> = (0..questions.len()).filter(inside).collect();
        let mean = |values: &[f64]| {
            chosen.iter().map(|at| values[*at]).sum::<f64>() / chosen.len().max(1) as f64
        };
        let gains: Vec<f64> = chosen.iter().map(|at| held_out[*at] - before[*at]).collect();
        OfSource {
            n: chosen.len(),
            mrr_now: round(mean(&before)),
            mrr_held_out: round(mean(&held_out)),
            gain: estimate(&gains),
        }
    };
    let OfSource { n, mrr_now, mrr_held_out, gain } = of_source(None);
    let sources: Vec<OfSource> = (0..sources).map(|source| of_source(Some(source))).collect();
    let verdict = if n < FEWEST {
        Verdict::TooFew
    } else if gain.high < 0.0 {
        Verdict::Worse
    } else if gain.low <= 0.0 {
        Verdict::WithinNoise
    } else if sources.iter().any(|source| source.n > 0 && source.gain.high < 0.0) {
        Verdict::HarmsOneSource
    } else {
        Verdict::Better
    };
    Row {
        name: name.to_owned(),
        n,
        now: now.map(round),
        learnt: share(best(questions)),
        mrr_now,
        mrr_held_out,
        gain,
        sources,
        verdict,
    }
}

/// The fold of each question: sections in turn, so that all questions of one stay together.
pub(super) fn folds(questions: &[&Observed]) -> Vec<usize> {
    let key = |question: &Observed| (question.source, question.section.clone());
    let sections: BTreeSet<(usize, SectionId)> =
        questions.iter().map(|question| key(question)).collect();
    let places: BTreeMap<_, usize> =
        sections.into_iter().enumerate().map(|(at, section)| (section, at % FOLDS)).collect();
    questions.iter().map(|question| places[&key(question)]).collect()
}

/// The step with the best mean reciprocal rank, then the one nearest to the share in force.
fn best_step(fusion: Fusion, questions: &[&Observed], usual: f64) -> usize {
    /// Sums that differ by less are equal.
    const EQUAL: f64 = 1e-9;
    let sum = |step: usize| -> f64 {
        questions.iter().map(|question| question.by_share[&fusion][step]).sum()
    };
    let sums: Vec<f64> = (0..=STEPS).map(sum).collect();
    let most = sums.iter().copied().fold(0.0, f64::max);
    let distance = |step: &usize| (share(*step) - usual).abs();
    (0..=STEPS)
        .filter(|step| sums[*step] > most - EQUAL)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .expect("the best is among them")
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
