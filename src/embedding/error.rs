//! Why a text has no vector.

use std::time::Duration;

use crate::domain::InvalidVector;

/// Why a text could not be embedded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// More questions wait than the machine can embed in reasonable time.
    #[error("the embedding model is busy; try again in a second")]
    Busy,
    /// The model in this process could not be loaded.
    #[error("the embedding model `{name}` can not be loaded")]
    Load {
        /// Model name.
        name: String,
        /// What the library said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The model in this process failed on a text.
    #[error("the embedding model failed")]
    Inference(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The task was cancelled or the model panicked; the service goes on.
    #[error("the embedding task ended without an answer")]
    Task(#[source] tokio::task::JoinError),
    /// The address of the Ollama server is not an `http://` URL.
    #[error(
        "`{url}` is not the address of an Ollama server; write for example `http://localhost:11434`"
    )]
    Address {
        /// What was given.
        url: String,
    },
    /// The Ollama server does not know the model.
    #[error("Ollama at {url} has no model `{model}`; run: ollama pull {model}")]
    ModelMissing {
        /// Server.
        url: String,
        /// Model name.
        model: String,
    },
    /// The Ollama server did not answer in time.
    #[error("Ollama at {url} did not embed with `{model}` within {} ms", limit.as_millis())]
    TimeLimit {
        /// Server.
        url: String,
        /// Model name.
        model: String,
        /// The limit in force.
        limit: Duration,
    },
    /// The Ollama server can not be reached, or answered with something else than vectors.
    #[error("Ollama at {url} could not embed with `{model}`: {reason}")]
    Remote {
        /// Server.
        url: String,
        /// Model name.
        model: String,
        /// What went wrong, as far as the server said.
        reason: String,
        /// The error below, where there is one.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// The model answered with numbers that are no direction.
    #[error("model `{model}` gave an unusable vector")]
    Unusable {
        /// Model name.
        model: String,
        /// What is wrong with the numbers.
        #[source]
        source: InvalidVector,
    },
    /// The model answered with a vector of another length than before.
    #[error(
        "model `{model}` gave {found} numbers instead of {expected}; rebuild the index if the model was changed"
    )]
    Dimension {
        /// Model name.
        model: String,
        /// What the index or the first answer has.
        expected: usize,
        /// What came.
        found: usize,
    },
    /// The embedding cache could not be read or written.
    #[error("the embedding cache failed")]
    Cache(#[from] super::cache::CacheError),
}
