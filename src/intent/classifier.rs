//! The classifier in this process: multinomial logistic regression on the question's embedding and
//! its surface features, with calibrated probabilities.

use linfa::prelude::*;
use linfa_logistic::MultiLogisticRegression;
use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};

use super::Guess;
use super::calibration::{self, log_softmax};
use super::features::{self, Sparse};
use super::gram;
use crate::domain::{IntentId, NormalisedQuery, Vector};

/// Strength of the L2 penalty on the weights. From 0.02 to 0.1 the cross-validated share of right
/// decisions differs by 0.0015 (docs/decisions/0006).
const PENALTY: f64 = 0.05;
/// Bounds the time of a build. Its effect on accuracy was not measured on its own.
const MOST_ITERATIONS: u64 = 40;
/// The optimiser stops where the gradient is this small; the gradient of the start is about 1.
const TOLERANCE: f64 = 1e-4;
/// Parts of the cross-validation.
pub const FOLDS: usize = 5;
/// Below this probability the question's intent is `unknown`. A first value, not tuned.
pub const UNSURE: f64 = 0.2;

/// Which features a model looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Embedding and surface features.
    Both,
    /// The embedding only.
    Embedding,
    /// The surface features only.
    Surface,
}

/// A labelled question; without a label it stands for `unknown`.
#[derive(Debug, Clone)]
pub struct Example {
    /// The label.
    pub intent: Option<IntentId>,
    /// The question.
    pub query: NormalisedQuery,
    /// Embedding of the plain question.
    pub vector: Vector,
}

/// A trained classifier, stored with the index.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Classifier {
    /// Label of each column of `weights`; empty where there was nothing to tell apart.
    classes: Vec<Option<IntentId>>,
    /// Mean of the examples' embeddings.
    mean: Vec<f64>,
    /// What makes the centred embeddings as long as a block of surface features.
    scale: f64,
    /// One row for each feature: the embedding's, then the surface's.
    weights: Vec<Vec<f32>>,
    intercept: Vec<f64>,
    /// Divides the logits (Guo et al. 2017); fitted on questions the model had not seen.
    temperature: f64,
}

/// Why there is no classifier.
#[derive(Debug, thiserror::Error)]
#[error("the intent classifier can not be trained")]
pub struct TrainError(#[from] linfa_logistic::error::Error);

impl Classifier {
    /// Trains on the examples and calibrates by cross-validation. Takes seconds; equal examples in
    /// equal order give an equal classifier.
    ///
    /// # Errors
    /// The optimiser fails.
    pub fn train(examples: &[Example]) -> Result<Self, TrainError> {
        let lessons = Lessons::new(examples);
        let all: Vec<usize> = (0..examples.len()).collect();
        let mut trained = Self::fit(&lessons, &all, Evidence::Both)?;
        trained.temperature = calibration::temperature(&lessons.out_of_fold(Evidence::Both)?);
        Ok(trained)
    }

    /// All intents with their probability, best first; the probabilities add up to 1.
    ///
    /// Empty where the classifier could not be trained on this embedding.
    pub fn guess(&self, query: &NormalisedQuery, vector: &Vector) -> Vec<Guess> {
        let fits = vector.dimension() == self.mean.len()
            && self.weights.len() == self.mean.len() + features::WIDTH;
        if !fits || self.classes.is_empty() {
            return Vec::new();
        }
        let logits = self.logits(query, vector, Evidence::Both);
        let shares = log_softmax(&logits, self.temperature);
        let mut guesses: Vec<Guess> = self
            .classes
            .iter()
            .zip(shares)
            .map(|(intent, share)| Guess { intent: intent.clone(), confidence: share.exp() })
            .collect();
        guesses.sort_by(|a, b| {
            b.confidence.total_cmp(&a.confidence).then_with(|| a.intent.cmp(&b.intent))
        });
        guesses
    }

    /// Trains on the lessons with these numbers.
    fn fit(lessons: &Lessons<'_>, which: &[usize], evidence: Evidence) -> Result<Self, TrainError> {
        let examples: Vec<&Example> = which.iter().map(|at| &lessons.examples[*at]).collect();
        let mut classes: Vec<Option<IntentId>> =
            examples.iter().map(|example| example.intent.clone()).collect();
        classes.sort();
        classes.dedup();
        let (mean, scale) = centre(&examples);
        let mut model = Self {
            classes,
            mean,
            scale,
            weights: Vec::new(),
            intercept: Vec::new(),
            temperature: 1.0,
        };
        if model.classes.len() < 2 {
            model.classes.clear();
            return Ok(model);
        }
        let embeddings = model.centred(&examples, evidence);
        let mut products = embeddings.dot(&embeddings.t());
        if evidence != Evidence::Embedding {
            products += &lessons.surface_products.select(Axis(0), which).select(Axis(1), which);
        }
        // The constant feature: an intercept that is penalised and scaled like every weight.
        products += 1.0;
        // The optimiser's first step is the gradient, a sum over all examples. On rows this much
        // shorter it is their mean; with the sum its line search got stuck on some collections.
        let shorter = 1.0 / (examples.len() as f64).sqrt();
        let rows = gram::cholesky(products) * shorter;
        let labels: Array1<usize> = examples
            .iter()
            .map(|example| model.classes.binary_search(&example.intent).expect("collected above"))
            .collect();
        let fitted = MultiLogisticRegression::default()
            .alpha(PENALTY * shorter * shorter)
            .with_intercept(false)
            .max_iterations(MOST_ITERATIONS)
            .gradient_tolerance(TOLERANCE)
            .fit(&Dataset::new(rows.clone(), labels))?;
        // Logits are `rows · params`; on rows of full length the same model has shorter weights.
        let shares = gram::weights_of_examples(&(rows / shorter), &(fitted.params() * shorter));
        let mut weights = embeddings.t().dot(&shares);
        if evidence != Evidence::Embedding {
            let mut surface = Array2::<f64>::zeros((features::WIDTH, model.classes.len()));
            for (at, share) in which.iter().zip(shares.rows()) {
                for (bucket, value) in &lessons.surfaces[*at] {
                    surface.row_mut(*bucket).scaled_add(*value, &share);
                }
            }
            weights.append(Axis(0), surface.view()).expect("equally many classes");
        }
        model.weights = weights
            .rows()
            .into_iter()
            .map(|row| row.iter().map(|weight| *weight as f32).collect())
            .collect();
        model.intercept = shares.sum_axis(Axis(0)).to_vec();
        Ok(model)
    }

    /// The embeddings as the model sees them, one row for each example.
    fn centred(&self, examples: &[&Example], evidence: Evidence) -> Array2<f64> {
        let mut rows = Array2::<f64>::zeros((examples.len(), self.mean.len()));
        if evidence != Evidence::Surface {
            for (mut row, example) in rows.rows_mut().into_iter().zip(examples) {
                let values = example.vector.values().iter().zip(&self.mean);
                for (cell, (value, mean)) in row.iter_mut().zip(values) {
                    *cell = (f64::from(*value) - mean) * self.scale;
                }
            }
        }
        rows
    }

    /// One number for each class, before the temperature.
    fn logits(&self, query: &NormalisedQuery, vector: &Vector, evidence: Evidence) -> Vec<f64> {
        let mut logits = self.intercept.clone();
        for (at, value) in self.features(query, vector, evidence) {
            for (logit, weight) in logits.iter_mut().zip(&self.weights[at]) {
                *logit += value * f64::from(*weight);
            }
        }
        logits
    }

    fn judge(&self, example: &Example, evidence: Evidence) -> Judged {
        Judged {
            right: self.classes.binary_search(&example.intent).ok(),
            logits: if self.classes.is_empty() {
                Vec::new()
            } else {
                self.logits(&example.query, &example.vector, evidence)
            },
            classes: self.classes.clone(),
            temperature: 1.0,
        }
    }

    fn features(&self, query: &NormalisedQuery, vector: &Vector, evidence: Evidence) -> Sparse {
        let dimension = self.mean.len();
        let mut features = Sparse::new();
        if evidence != Evidence::Surface {
            let centred = vector.values().iter().zip(&self.mean).enumerate();
            features.extend(
                centred.map(|(at, (value, mean))| (at, (f64::from(*value) - mean) * self.scale)),
            );
        }
        if evidence != Evidence::Embedding {
            let surface = features::surface(query);
            features.extend(surface.into_iter().map(|(at, value)| (dimension + at, value)));
        }
        features
    }
}

/// A question judged by a model that had not seen it.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Position of the right class; `None` where the model does not know it.
    pub right: Option<usize>,
    /// One number for each class, in the order of the labels (`unknown` first).
    pub logits: Vec<f64>,
    /// The classes.
    pub classes: Vec<Option<IntentId>>,
    /// What the logits are to be divided by; fitted on the questions of the other folds.
    pub temperature: f64,
}

/// Labelled examples, prepared for several trainings.
#[derive(Debug)]
pub struct Lessons<'a> {
    examples: &'a [Example],
    surfaces: Vec<Sparse>,
    /// Inner products of the surfaces, which do not depend on the fold.
    surface_products: Array2<f64>,
}

impl<'a> Lessons<'a> {
    /// Prepares the examples.
    pub fn new(examples: &'a [Example]) -> Self {
        let surfaces: Vec<Sparse> =
            examples.iter().map(|example| features::surface(&example.query)).collect();
        let surface_products = gram::of_surfaces(&surfaces);
        Self { examples, surfaces, surface_products }
    }

    /// Every example judged by a model of the other folds. Within a label, the folds take turns, so
    /// that each has its share of every label and of every theme in the file.
    ///
    /// # Errors
    /// The optimiser fails.
    pub fn out_of_fold(&self, evidence: Evidence) -> Result<Vec<Judged>, TrainError> {
        let mut seen = std::collections::BTreeMap::new();
        let fold_of: Vec<usize> = self
            .examples
            .iter()
            .map(|example| {
                let count: &mut usize = seen.entry(&example.intent).or_default();
                *count += 1;
                (*count - 1) % FOLDS
            })
            .collect();
        let mut judged: Vec<Option<Judged>> = vec![None; self.examples.len()];
        for fold in 0..FOLDS {
            let (own, others): (Vec<usize>, Vec<usize>) =
                (0..self.examples.len()).partition(|at| fold_of[*at] == fold);
            let model = Classifier::fit(self, &others, evidence)?;
            for at in own {
                judged[at] = Some(model.judge(&self.examples[at], evidence));
            }
        }
        let mut judged: Vec<Judged> = judged.into_iter().flatten().collect();
        for fold in 0..FOLDS {
            let others = judged.iter().zip(&fold_of).filter(|(_, at)| **at != fold);
            let temperature = calibration::temperature(others.map(|(one, _)| one));
            for (one, _) in judged.iter_mut().zip(&fold_of).filter(|(_, at)| **at == fold) {
                one.temperature = temperature;
            }
        }
        Ok(judged)
    }
}

/// Mean of the embeddings, and what makes the centred ones 1 long on average.
fn centre(examples: &[&Example]) -> (Vec<f64>, f64) {
    let Some(first) = examples.first() else { return (Vec::new(), 1.0) };
    let count = examples.len() as f64;
    let mut mean = vec![0.0; first.vector.dimension()];
    for example in examples {
        for (sum, value) in mean.iter_mut().zip(example.vector.values()) {
            *sum += f64::from(*value) / count;
        }
    }
    let spread: f64 = examples
        .iter()
        .flat_map(|example| example.vector.values().iter().zip(&mean))
        .map(|(value, mean)| (f64::from(*value) - mean).powi(2))
        .sum::<f64>()
        / count;
    (mean, 1.0 / spread.sqrt().max(1e-6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Query;
    use crate::normalise::normalise;

    fn example(intent: Option<&str>, question: &str) -> Example {
        let query = normalise(&Query::new(question, 200).expect("a question"));
        let sum = question.bytes().fold(0_u32, |sum, byte| sum * 31 % 9_973 + u32::from(byte));
        let values =
            (0..8_u8).map(|at| (f64::from(sum + u32::from(at) * 7).sin()) as f32).collect();
        Example {
            intent: intent.map(|id| IntentId::try_from(id).expect("an id")),
            query,
            vector: Vector::new(values).expect("numbers"),
        }
    }

    fn examples() -> Vec<Example> {
        (0..60)
            .flat_map(|at| {
                [
                    example(Some("why"), &format!("Warum ist Ding {at} so?")),
                    example(Some("where"), &format!("Wo liegt Ding {at}?")),
                    example(None, "👍"),
                ]
            })
            .collect()
    }

    #[test]
    fn a_model_knows_its_own_examples_also_where_some_stand_often() {
        let examples = examples();
        let model = Classifier::train(&examples).expect("trained");
        for example in &examples {
            let guesses = model.guess(&example.query, &example.vector);
            assert_eq!(guesses[0].intent, example.intent, "{}", example.query.original());
            let total: f64 = guesses.iter().map(|guess| guess.confidence).sum();
            assert!((total - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn equal_examples_give_an_equal_model() {
        let train = || {
            serde_json::to_string(&Classifier::train(&examples()).expect("trained")).expect("JSON")
        };
        assert_eq!(train(), train());
    }

    #[test]
    fn one_label_is_nothing_to_tell_apart() {
        let one = vec![example(Some("why"), "Warum?"), example(Some("why"), "Wieso das?")];
        let model = Classifier::train(&one).expect("trained");
        assert!(model.guess(&one[0].query, &one[0].vector).is_empty());
    }
}
