//! Why a document was not read by the model.

use crate::ollama::{AnswersError, AskError};

/// Why there is no reading.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReaderError {
    /// The model gave no answer that can be read and kept.
    #[error(transparent)]
    Asked(#[from] AskError),
    /// The model failed a moment ago and is left alone for some minutes.
    #[error("model `{0}` failed a moment ago")]
    Resting(String),
    /// There is no thread to ask with.
    #[error("the system gives no thread to ask the model with")]
    Thread(#[source] std::io::Error),
}

impl From<AnswersError> for ReaderError {
    fn from(error: AnswersError) -> Self {
        Self::Asked(error.into())
    }
}

impl ReaderError {
    /// Whether other documents would fare no better.
    pub(super) fn ends_the_run(&self) -> bool {
        match self {
            Self::Asked(error) => error.ends_the_run(),
            Self::Resting(_) | Self::Thread(_) => true,
        }
    }
}
