//! One question to the model.

use std::time::Duration;

use ollama_rs::generation::chat::ChatMessage;
use ollama_rs::generation::parameters::JsonStructure;
use serde_json::json;

use super::{Intents, LlmError};
use crate::domain::IntentId;
use crate::intent::label::{Labels, UNKNOWN, Unclear};
use crate::ollama::{OllamaError, Server, ends, printable};

/// A label is a handful of tokens; more is a model that ran away.
const MOST_TOKENS: i32 = 24;
/// Characters of a question. With the prompt they fit into [`crate::ollama::CONTEXT`].
const MOST_ASKED: usize = 2_000;
/// Characters of an answer that errors quote.
const MOST_QUOTED: usize = 80;

/// Server, model and what it is asked.
#[derive(Debug)]
pub(super) struct Link {
    server: Server,
    model: String,
    prompt: String,
    labels: Labels,
    schema: JsonStructure,
}

impl Link {
    pub(super) fn new(server: Server, model: String, prompt: &str, intents: &Intents) -> Self {
        let list: Vec<String> =
            intents.iter().map(|(id, intent)| format!("- {id}: {}", intent.description)).collect();
        let prompt = prompt.replace("{intents}", &list.join("\n"));
        let (labels, schema) = (Labels::new(intents), schema(intents));
        Self { server, model, prompt, labels, schema }
    }

    /// The instructions with the list of intents.
    pub(super) fn prompt(&self) -> &str {
        &self.prompt
    }

    pub(super) fn model(&self) -> &str {
        &self.model
    }

    pub(super) fn address(&self) -> String {
        self.server.address()
    }

    /// The model's label for a question; `None` is `unknown`. The limit is for everything.
    pub(super) async fn ask(
        &self,
        question: &str,
        limit: Duration,
    ) -> Result<Option<IntentId>, LlmError> {
        let messages = vec![
            ChatMessage::system(self.prompt.clone()),
            ChatMessage::user(format!("Frage: {}", ends(question, MOST_ASKED))),
        ];
        let content =
            self.server.structured(&self.model, messages, &self.schema, MOST_TOKENS, limit).await;
        let content = content.map_err(|error| self.error(error))?;
        self.labels.read(&content).map_err(|Unclear| LlmError::NoLabel {
            model: self.model.clone(),
            answer: printable(&content, MOST_QUOTED),
        })
    }

    fn error(&self, error: OllamaError) -> LlmError {
        let (url, model) = (self.address(), self.model.clone());
        match error {
            OllamaError::Slow(limit) => LlmError::Slow { url, model, limit_ms: limit.as_millis() },
            OllamaError::ModelMissing => LlmError::NotPulled { url, model },
            other @ (OllamaError::Unreachable(_)
            | OllamaError::Broken(_)
            | OllamaError::Refused { .. }
            | OllamaError::TooLong(_)
            | OllamaError::Ended
            | OllamaError::Unreadable(_)) => {
                let (reason, source) = other.into_parts();
                LlmError::Failed { url, model, reason, source }
            }
        }
    }
}

/// The closed list as a JSON schema, so that the model can write nothing else.
fn schema(intents: &Intents) -> JsonStructure {
    let ids = intents.ids();
    let labels: Vec<&str> = ids.iter().map(IntentId::as_str).chain([UNKNOWN]).collect();
    serde_json::from_value(json!({
        "type": "object",
        "properties": {"intent": {"type": "string", "enum": labels}},
        "required": ["intent"],
        "additionalProperties": false,
    }))
    .expect("a JSON object is a schema")
}
