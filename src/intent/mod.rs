//! The intent of a question: rules first, then llama3 where configured, then the classifier in
//! this process, then `unknown`. The order is the pipeline's; the ways to decide are here.

mod calibration;
mod catalogue;
mod classifier;
mod features;
mod gram;
mod label;
mod llm;

pub use calibration::{calibration_error, log_softmax};
pub use catalogue::{Intent, Intents, NEUTRAL};
pub use classifier::{Classifier, Evidence, Example, FOLDS, Judged, Lessons, TrainError, UNSURE};
pub use llm::{Llm, LlmCounts, LlmError, LlmOptions};

use crate::domain::IntentId;

/// Kind and version of the trained classifier; part of the index's manifest. Raise it with every change
/// that gives other weights.
pub const CLASSIFIER: &str = "multinomial-logistic-regression-2";

/// An intent that was considered, with its share of confidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The intent; `None` is `unknown`.
    pub intent: Option<IntentId>,
    /// 0 to 1.
    pub confidence: f64,
}
