//! The classifier in this process: the labelled examples nearest to the question decide.

use serde::{Deserialize, Serialize};

use super::Guess;
use crate::domain::{IntentId, Vector};

/// How many of an intent's nearest examples speak for it. One alone would be an accident, many
/// would punish intents whose examples are spread over many domains.
const WITNESSES: usize = 3;

/// Cosines of e5 lie close together (0.72 to 0.85); this temperature spreads them so that a lead of
/// 0.03 means about 3 : 1.
const TEMPERATURE: f64 = 0.027;

/// Below this confidence the question's intent is `unknown`.
pub const UNSURE: f64 = 0.25;

/// Labelled examples with their embeddings, stored with the index.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Nearest {
    examples: Vec<LabelledVector>,
}

/// An embedded example; without a label it stands for `unknown`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LabelledVector {
    /// The label.
    pub intent: Option<IntentId>,
    /// Embedding of the plain question.
    pub vector: Vector,
}

impl Nearest {
    /// Takes the examples in a fixed order.
    pub fn new(examples: Vec<LabelledVector>) -> Self {
        Self { examples }
    }

    /// All intents with their share of confidence, best first; the shares add up to 1.
    ///
    /// An intent's score is the mean cosine of its [`WITNESSES`] nearest examples; a softmax turns
    /// the scores into shares.
    pub fn guess(&self, question: &Vector) -> Vec<Guess> {
        let mut similarities: std::collections::BTreeMap<Option<&IntentId>, Vec<f32>> =
            std::collections::BTreeMap::new();
        for example in &self.examples {
            if example.vector.dimension() == question.dimension() {
                similarities
                    .entry(example.intent.as_ref())
                    .or_default()
                    .push(example.vector.cosine(question));
            }
        }
        let scores: Vec<(Option<&IntentId>, f64)> = similarities
            .into_iter()
            .map(|(intent, mut cosines)| {
                cosines.sort_by(|a, b| b.total_cmp(a));
                cosines.truncate(WITNESSES);
                let count = cosines.len() as f64;
                (intent, cosines.into_iter().map(f64::from).sum::<f64>() / count)
            })
            .collect();
        let best = scores.iter().map(|(_, score)| *score).fold(f64::MIN, f64::max);
        let weights: Vec<f64> =
            scores.iter().map(|(_, score)| ((score - best) / TEMPERATURE).exp()).collect();
        let total: f64 = weights.iter().sum();
        let mut guesses: Vec<Guess> = scores
            .into_iter()
            .zip(weights)
            .map(|((intent, _), weight)| Guess {
                intent: intent.cloned(),
                confidence: weight / total,
            })
            .collect();
        guesses.sort_by(|a, b| {
            b.confidence.total_cmp(&a.confidence).then_with(|| a.intent.cmp(&b.intent))
        });
        guesses
    }
}
