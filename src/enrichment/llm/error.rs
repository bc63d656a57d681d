//! Why a document was not read by the model.

use crate::ollama::{AnswersError, OllamaError};

/// Why there is no reading. Foreign text in it has no control characters; addresses are without user
/// and password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReaderError {
    /// The address is not an `http://` URL.
    #[error("`{0}` is not an address; write for example http://127.0.0.1:11434")]
    Address(String),
    /// There is no connection.
    #[error("nobody answers at {url}")]
    Away {
        /// Address.
        url: String,
        /// What happened.
        #[source]
        source: OllamaError,
    },
    /// The server does not have the model.
    #[error("{url} does not have model `{model}`; run: ollama pull {model}")]
    NotPulled {
        /// Address.
        url: String,
        /// Model.
        model: String,
    },
    /// Anything else that the server or the connection said.
    #[error("model `{model}` at {url} failed")]
    Failed {
        /// Address.
        url: String,
        /// Model.
        model: String,
        /// What happened.
        #[source]
        source: OllamaError,
    },
    /// The answer is not the JSON that was asked for.
    #[error("model `{model}` did not write a list: `{answer}`")]
    Unreadable {
        /// Model.
        model: String,
        /// First characters of the answer.
        answer: String,
    },
    /// The model failed a moment ago and is left alone for some minutes.
    #[error("model `{0}` failed a moment ago")]
    Resting(String),
    /// Answers can not be kept.
    #[error(transparent)]
    Answers(#[from] AnswersError),
    /// There is no thread to ask with.
    #[error("the system gives no thread to ask the model with")]
    Thread(#[source] std::io::Error),
}

impl ReaderError {
    /// Whether other documents would fare no better.
    pub(super) fn ends_the_run(&self) -> bool {
        match self {
            Self::Address(_)
            | Self::Away { .. }
            | Self::NotPulled { .. }
            | Self::Resting(_)
            | Self::Answers(_)
            | Self::Thread(_) => true,
            Self::Failed { .. } | Self::Unreadable { .. } => false,
        }
    }

    /// The error with its causes in one line.
    pub(super) fn told(&self) -> String {
        let mut text = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            text = format!("{text}: {cause}");
            source = cause.source();
        }
        text
    }
}
