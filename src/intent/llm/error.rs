//! Why llama3 did not decide.

use std::error::Error;

/// Why llama3 did not decide. Foreign text in it has no control characters; addresses are without
/// user and password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The address is not an `http://` URL.
    #[error("`{0}` is not an address; write for example http://127.0.0.1:11434")]
    Address(String),
    /// The last attempt failed, or the model is still loading; a probe is under way.
    #[error("model `{model}` at {url} is not ready; it is being probed in the background")]
    NotReady {
        /// Address.
        url: String,
        /// Model.
        model: String,
    },
    /// All places are taken.
    #[error("too many questions wait for model `{0}`")]
    Busy(String),
    /// No answer within the limit.
    #[error("model `{model}` at {url} did not answer within {limit_ms} ms")]
    Slow {
        /// Address.
        url: String,
        /// Model.
        model: String,
        /// The limit.
        limit_ms: u128,
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
    #[error("model `{model}` at {url} failed: {reason}")]
    Failed {
        /// Address.
        url: String,
        /// Model.
        model: String,
        /// What happened.
        reason: String,
        /// Its cause.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// The answer names no intent of the list, or several.
    #[error("model `{model}` answered without a known intent: `{answer}`")]
    NoLabel {
        /// Model.
        model: String,
        /// First characters of the answer.
        answer: String,
    },
}
