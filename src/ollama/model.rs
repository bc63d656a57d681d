//! One model of a server that is asked piece by piece, and why a piece has no answer.

use std::time::Duration;

use ollama_rs::generation::chat::ChatMessage;
use ollama_rs::generation::parameters::JsonStructure;

use super::{AnswersError, OllamaError, Server, printable};

/// A model of an Ollama server.
#[derive(Debug, Clone)]
pub struct Model {
    server: Server,
    name: String,
}

/// Why there is no answer. Foreign text in it has no control characters; addresses are without user
/// and password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
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
    #[error("model `{model}` did not write {wanted}: `{answer}`")]
    Unreadable {
        /// Model.
        model: String,
        /// What it was to write.
        wanted: &'static str,
        /// First characters of the answer.
        answer: String,
    },
    /// Answers can not be kept.
    #[error(transparent)]
    Answers(#[from] AnswersError),
}

impl AskError {
    /// Whether the next attempt can not succeed either.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Address(_) | Self::NotPulled { .. } | Self::Answers(_) => true,
            Self::Away { .. } | Self::Failed { .. } | Self::Unreadable { .. } => false,
        }
    }

    /// Whether other pieces would fare no better.
    pub fn ends_the_run(&self) -> bool {
        self.is_final() || matches!(self, Self::Away { .. })
    }
}

impl Model {
    /// A model by the address of its server and its name; nothing is sent.
    ///
    /// # Errors
    /// [`AskError::Address`]
    pub fn new(url: &str, name: String) -> Result<Self, AskError> {
        let server = Server::new(url).ok_or_else(|| AskError::Address(url.to_owned()))?;
        Ok(Self { server, name })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name and address, for people.
    pub fn describe(&self) -> String {
        format!("{} at {}", self.name, self.server.address())
    }

    /// What the model writes in a form; the limit is for everything.
    ///
    /// # Errors
    /// [`AskError::Away`], [`AskError::NotPulled`] or [`AskError::Failed`].
    pub async fn ask(
        &self,
        messages: Vec<ChatMessage>,
        schema: &JsonStructure,
        most_tokens: i32,
        limit: Duration,
    ) -> Result<String, AskError> {
        let content = self.server.structured(&self.name, messages, schema, most_tokens, limit);
        content.await.map_err(|error| self.error(error))
    }

    /// The error of an answer that is not what was `wanted`, which quotes so many characters of it.
    pub fn unreadable(&self, wanted: &'static str, content: &str, quoted: usize) -> AskError {
        AskError::Unreadable {
            model: self.name.clone(),
            wanted,
            answer: printable(content, quoted),
        }
    }

    fn error(&self, source: OllamaError) -> AskError {
        let (url, model) = (self.server.address(), self.name.clone());
        match source {
            OllamaError::ModelMissing => AskError::NotPulled { url, model },
            source @ OllamaError::Unreachable(_) => AskError::Away { url, source },
            source @ (OllamaError::Slow(_)
            | OllamaError::Broken(_)
            | OllamaError::Refused { .. }
            | OllamaError::TooLong(_)
            | OllamaError::Ended
            | OllamaError::Unreadable(_)) => AskError::Failed { url, model, source },
        }
    }
}

/// The JSON object in an answer, whatever stands around it.
pub fn object_in(content: &str) -> Option<&str> {
    content.get(content.find('{')?..=content.rfind('}')?)
}
