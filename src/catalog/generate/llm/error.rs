//! Why the model wrote nothing.

use crate::ollama::{AnswersError, OllamaError};

/// Why there are no questions of the model. Foreign text in it has no control characters; addresses
/// are without user and password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriterError {
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
    #[error("model `{model}` did not write two questions: `{answer}`")]
    Unreadable {
        /// Model.
        model: String,
        /// First characters of the answer.
        answer: String,
    },
    /// Answers can not be kept.
    #[error(transparent)]
    Answers(#[from] AnswersError),
}

impl WriterError {
    /// Whether the next attempt can not succeed either.
    pub(super) fn is_final(&self) -> bool {
        match self {
            Self::Address(_) | Self::NotPulled { .. } | Self::Answers(_) => true,
            Self::Away { .. } | Self::Failed { .. } | Self::Unreadable { .. } => false,
        }
    }

    /// Whether other sections would fare no better.
    pub(super) fn ends_the_run(&self) -> bool {
        self.is_final() || matches!(self, Self::Away { .. })
    }
}
