//! llama3 behind Ollama as a classifier: never slower than its deadline, never a condition.
//!
//! After a failure the link is *down*: questions do not wait for it any more, and one probe in the
//! background asks with growing pauses until the model answers again. A cold start is such a
//! probe too, so that loading a model is never cancelled by the deadline of a question.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ollama_rs::Ollama;
use ollama_rs::error::OllamaError;
use ollama_rs::generation::chat::ChatMessage;
use ollama_rs::generation::chat::request::ChatMessageRequest;
use ollama_rs::generation::parameters::{FormatType, JsonStructure, KeepAlive, TimeUnit};
use ollama_rs::models::ModelOptions;
use serde_json::json;
use tokio::sync::Semaphore;

use super::{Intents, label};
use crate::domain::{IntentId, NormalisedQuery};

/// A probe may take as long as loading a large model from a slow disk.
const PROBE_TIME_LIMIT: Duration = Duration::from_secs(180);
/// Pause after a failed probe; doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A label is a handful of tokens; more is a model that ran away.
const MOST_TOKENS: i32 = 24;

/// Where the model is and how long a question waits for it.
#[derive(Debug, Clone)]
pub struct LlmOptions {
    /// Address of the Ollama server, for example `http://127.0.0.1:11434`.
    pub url: String,
    /// Model name, for example `llama3`.
    pub model: String,
    /// How long one question waits.
    pub time_limit: Duration,
    /// How many questions may wait at the same time.
    pub at_once: usize,
}

/// Why llama3 did not decide.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The address is not a URL.
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
    #[error("model `{model}` at {url} failed")]
    Failed {
        /// Address.
        url: String,
        /// Model.
        model: String,
        /// What was said.
        #[source]
        source: OllamaError,
    },
    /// The answer names no intent of the list.
    #[error("model `{model}` answered without a known intent: `{answer}`")]
    NoLabel {
        /// Model.
        model: String,
        /// First characters of the answer.
        answer: String,
    },
}

/// The link to the model.
#[derive(Debug, Clone)]
pub struct Llm(Arc<Link>);

struct Link {
    client: Ollama,
    options: LlmOptions,
    prompt: String,
    known: BTreeSet<IntentId>,
    ready: AtomicBool,
    probing: AtomicBool,
    places: Semaphore,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Llm {
    /// Prepares the link; nothing is sent before [`Llm::warm_up`] or the first question.
    ///
    /// `prompt` holds the instructions; the line `{intents}` in it is replaced by the list of
    /// intents with their descriptions.
    ///
    /// # Errors
    /// [`LlmError::Address`] where the address is not a URL.
    pub fn new(options: LlmOptions, prompt: &str, intents: &Intents) -> Result<Self, LlmError> {
        let address = || LlmError::Address(options.url.clone());
        let url = reqwest::Url::parse(&options.url).map_err(|_| address())?;
        let port = url.port_or_known_default().ok_or_else(address)?;
        let http = reqwest::Client::builder()
            .connect_timeout(options.time_limit)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|_| address())?;
        let list: Vec<String> =
            intents.iter().map(|(id, intent)| format!("- {id}: {}", intent.description)).collect();
        let prompt = prompt.replace("{intents}", &list.join("\n"));
        Ok(Self(Arc::new(Link {
            client: Ollama::builder().host(url).port(port).reqwest_client(http).build(),
            places: Semaphore::new(options.at_once),
            options,
            prompt,
            known: intents.ids(),
            ready: AtomicBool::new(false),
            probing: AtomicBool::new(false),
        })))
    }

    /// Model name and address, for people.
    pub fn describe(&self) -> String {
        format!("{} at {}", self.0.options.model, self.0.options.url)
    }

    /// Starts to load the model in the background, unless a probe is already under way.
    pub fn warm_up(&self) {
        let link = Arc::clone(&self.0);
        if link.probing.swap(true, Ordering::AcqRel) {
            return;
        }
        tokio::spawn(async move {
            let mut pause = FIRST_PAUSE;
            loop {
                match link.ask("Was ist ein Wegweiser?", PROBE_TIME_LIMIT).await {
                    // An answer without a label is an answer: the model is there.
                    Ok(_) | Err(LlmError::NoLabel { .. }) => break,
                    Err(error) => tracing::warn!(error = %error, "the model is not ready"),
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            link.ready.store(true, Ordering::Release);
            link.probing.store(false, Ordering::Release);
        });
    }

    /// Asks the model for the intent of a question.
    ///
    /// # Errors
    /// Everything that can go wrong; the caller falls back to the classifier in this process and
    /// says so. Returns within the time limit in any case.
    pub async fn classify(&self, query: &NormalisedQuery) -> Result<IntentId, LlmError> {
        let link = &self.0;
        if !link.ready.load(Ordering::Acquire) {
            self.warm_up();
            return Err(LlmError::NotReady {
                url: link.options.url.clone(),
                model: link.options.model.clone(),
            });
        }
        let _place =
            link.places.try_acquire().map_err(|_| LlmError::Busy(link.options.model.clone()))?;
        let answer = link.ask(query.original(), link.options.time_limit).await;
        if matches!(answer, Err(ref error) if !matches!(error, LlmError::NoLabel { .. })) {
            link.ready.store(false, Ordering::Release);
            self.warm_up();
        }
        answer
    }
}

impl Link {
    async fn ask(&self, question: &str, limit: Duration) -> Result<IntentId, LlmError> {
        let (url, model) = (self.options.url.clone(), self.options.model.clone());
        let request = ChatMessageRequest::new(
            model.clone(),
            vec![
                ChatMessage::system(self.prompt.clone()),
                ChatMessage::user(format!("Frage: {question}")),
            ],
        )
        .format(FormatType::StructuredJson(Box::new(self.schema())))
        .keep_alive(KeepAlive::Until { time: 30, unit: TimeUnit::Minutes })
        .options(
            ModelOptions::default().temperature(0.0).seed(1).num_ctx(4096).num_predict(MOST_TOKENS),
        );
        let reply = tokio::time::timeout(limit, self.client.send_chat_messages(request)).await;
        let reply = match reply {
            Err(_) => {
                let limit_ms = limit.as_millis();
                return Err(LlmError::Slow { url, model, limit_ms });
            }
            Ok(Err(source)) => {
                let missing = source.to_string().contains("not found");
                return Err(if missing {
                    LlmError::NotPulled { url, model }
                } else {
                    LlmError::Failed { url, model, source }
                });
            }
            Ok(Ok(reply)) => reply.message.content,
        };
        label::read(&reply, &self.known)
            .ok_or_else(|| LlmError::NoLabel { model, answer: reply.chars().take(80).collect() })
    }

    /// The closed list as a JSON schema, so that the model can write nothing else.
    fn schema(&self) -> JsonStructure {
        let labels: Vec<&str> = self.known.iter().map(IntentId::as_str).collect();
        serde_json::from_value(json!({
            "type": "object",
            "properties": {"intent": {"type": "string", "enum": labels}},
            "required": ["intent"],
            "additionalProperties": false,
        }))
        .expect("a JSON object is a schema")
    }
}
