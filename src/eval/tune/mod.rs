//! Learns the weights of the channels from labelled questions.
//!
//! Every question is searched once; then its reciprocal rank under each share of the lexical channel is
//! a table, and learning is looking up. What is in force is kept unless a gain on questions that were
//! not learnt from lies outside the noise.

mod learn;
mod observe;
mod patch;
#[cfg(test)]
mod tests;

use serde::Serialize;

pub use learn::learn;
pub use observe::{Observed, observe};
pub use patch::patch;

use super::bootstrap::Estimate;
use crate::domain::Fusion;

/// The shares of the lexical channel that are tried: 0, 0.05, … 1.
const STEPS: usize = 20;

/// The share that a step stands for; exact to two decimals.
fn share(step: usize) -> f64 {
    (step as f64 * 100.0 / STEPS as f64).round() / 100.0
}

/// Which weights were learnt, and what they are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Where the questions come from, in the order of all lists `sources`.
    pub sources: Vec<String>,
    /// How the scores are fused now.
    pub fusion: Fusion,
    /// One share for all profiles, by each fusion, against what is in force; the present fusion first.
    pub fusions: Vec<Row>,
    /// A share for each profile, against what is in force or the one share, where that one is better.
    pub profiles: Vec<Row>,
    /// Questions whose section is not in the index.
    pub unknown_sections: Vec<String>,
}

/// What a share of the lexical channel is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Fusion or profile.
    pub name: String,
    /// Number of questions.
    pub n: usize,
    /// Share of the lexical channel now, 0 to 1; absent where profiles differ.
    pub now: Option<f64>,
    /// The share learnt from all questions.
    pub learnt: f64,
    /// MRR@10 now.
    pub mrr_now: f64,
    /// MRR@10 on questions that were not learnt from.
    pub mrr_held_out: f64,
    /// The difference, question by question.
    pub gain: Estimate,
    /// The same by source, in their order.
    pub sources: Vec<OfSource>,
    /// Whether the share learnt is better.
    pub verdict: Verdict,
}

/// A [`Row`] on the questions of one source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfSource {
    /// Number of questions.
    pub n: usize,
    /// MRR@10 now.
    pub mrr_now: f64,
    /// MRR@10 on questions that were not learnt from.
    pub mrr_held_out: f64,
    /// The difference, question by question.
    pub gain: Estimate,
}

/// Whether what was learnt replaces what is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The interval of the gain lies above 0.
    Better,
    /// It holds 0.
    WithinNoise,
    /// It lies below 0: what was learnt does not hold for other questions.
    Worse,
    /// Better on the whole, and outside the noise worse on one source.
    HarmsOneSource,
    /// Fewer than 30 questions say nothing.
    TooFew,
}

impl Verdict {
    /// For people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::WithinNoise => "kept: within the noise",
            Self::Worse => "kept: worse",
            Self::HarmsOneSource => "kept: harms one source",
            Self::TooFew => "kept: too few questions",
        }
    }
}
