//! The intent of a question: rules first, then llama3 where configured, then the classifier in
//! this process, then `unknown`. The order is the pipeline's; the ways to decide are here.

mod catalogue;
mod label;
mod llm;
mod nearest;

pub use catalogue::{Intent, Intents, NEUTRAL};
pub use llm::{Llm, LlmError, LlmOptions};
pub use nearest::{LabelledVector, Nearest, UNSURE};

use crate::domain::IntentId;

/// An intent that was considered, with its share of confidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The intent; `None` is `unknown`.
    pub intent: Option<IntentId>,
    /// 0 to 1.
    pub confidence: f64,
}
