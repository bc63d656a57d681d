//! A model behind Ollama.

use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Duration;

use async_trait::async_trait;
use ollama_rs::generation::embeddings::GenerateEmbeddingsResponse;
use ollama_rs::generation::embeddings::request::GenerateEmbeddingsRequest;
use sha2::{Digest, Sha256};

use super::passage::{Passage, Role};
use super::windows::{self, Size};
use super::{EmbedError, Embedder, ModelIdentity};
use crate::domain::{PrefixedQuery, Vector, hex};
use crate::ollama::{OllamaError, Server};

/// Characters in a window. The tokenizer is not here to count: German takes two to five characters
/// for a token, so that the most is within the 512 tokens of the small models, and the target is
/// near the windows of the built-in model.
const SIZE: Size = Size { target: 600, most: 1_000 };

/// Bytes of an answer with one vector: 16,384 numbers, as no model has them, with 64 bytes each.
const MOST_BYTES: usize = 1 << 20;

/// A text that the server still finds too long is halved this often at most.
const MOST_HALVINGS: u32 = 4;

/// Which server and model, and how long to wait for one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OllamaOptions {
    /// Address, for example `http://localhost:11434`.
    pub url: String,
    /// Name as `ollama list` shows it.
    pub model: String,
    /// For one text, connecting included.
    pub time_limit: Duration,
}

/// An embedding model behind Ollama.
#[derive(Debug)]
pub struct Ollama {
    options: OllamaOptions,
    server: Server,
    identity: ModelIdentity,
}

impl Ollama {
    /// Asks the server for one vector to learn the model's dimension.
    ///
    /// # Errors
    /// Whatever keeps the server from answering; a missing model names the command that fetches it.
    pub async fn connect(options: OllamaOptions) -> Result<Self, EmbedError> {
        let mut ollama = Self::with_dimension(options, 0)?;
        let values = ollama.request("dimension").await?;
        ollama.identity = identity(&ollama.options.model, values.len());
        ollama.vector(values)?;
        Ok(ollama)
    }

    /// Trusts a dimension known from an index; does not touch the network.
    ///
    /// # Errors
    /// [`EmbedError::Address`] for an address that is no `http://` URL.
    pub fn with_dimension(options: OllamaOptions, dimension: usize) -> Result<Self, EmbedError> {
        let server = Server::new(&options.url)
            .ok_or_else(|| EmbedError::Address { url: options.url.clone() })?;
        let identity = identity(&options.model, dimension);
        Ok(Self { options, server, identity })
    }

    async fn embed(&self, role: Role, text: &str) -> Result<Vector, EmbedError> {
        let (question, section) = prefixes(&self.options.model);
        let own = match role {
            Role::Question => question,
            Role::Window | Role::Whole => section,
        };
        let count = |text: &str| text.chars().count();
        // Windows fit; a long question is embedded in parts, whose mean is its vector.
        let whole = Size { target: SIZE.most, ..SIZE };
        let mut parts = windows::cut("", "", text, whole, &count);
        let mut halvings = 0;
        loop {
            match self.mean(own, &parts).await {
                Err(EmbedError::Remote { reason, .. })
                    if is_too_long(&reason) && halvings < MOST_HALVINGS =>
                {
                    halvings += 1;
                    let most = SIZE.most >> halvings;
                    parts = windows::cut("", "", text, Size { target: most, most }, &count);
                }
                other => return other,
            }
        }
    }

    async fn mean(&self, own: &str, parts: &[String]) -> Result<Vector, EmbedError> {
        let mut sum = vec![0.0_f32; self.identity.dimension];
        for part in parts {
            let vector = self.vector(self.request(&format!("{own}{part}")).await?)?;
            if parts.len() == 1 {
                return Ok(vector);
            }
            sum.iter_mut().zip(vector.values()).for_each(|(sum, value)| *sum += value);
        }
        self.vector(sum)
    }

    async fn request(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        // `truncate: false`: a server that would cut silently says so instead.
        let request =
            GenerateEmbeddingsRequest::new(self.options.model.clone(), text.into()).truncate(false);
        let sent = self.server.post("api/embed", &request, self.options.time_limit, MOST_BYTES);
        let answer: GenerateEmbeddingsResponse = sent.await.map_err(|e| self.error(e))?;
        let count = answer.embeddings.len();
        match <[Vec<f32>; 1]>::try_from(answer.embeddings) {
            Ok([values]) => Ok(values),
            Err(_) => Err(self.remote(format!("one vector was asked for, {count} came"), None)),
        }
    }

    fn vector(&self, values: Vec<f32>) -> Result<Vector, EmbedError> {
        let model = || self.options.model.clone();
        if values.len() != self.identity.dimension {
            let (expected, found) = (self.identity.dimension, values.len());
            return Err(EmbedError::Dimension { model: model(), expected, found });
        }
        Vector::new(values).map_err(|source| EmbedError::Unusable { model: model(), source })
    }

    fn error(&self, error: OllamaError) -> EmbedError {
        let (url, model) = (self.server.address(), self.options.model.clone());
        match error {
            OllamaError::Slow(limit) => EmbedError::TimeLimit { url, model, limit },
            OllamaError::ModelMissing => EmbedError::ModelMissing { url, model },
            other @ (OllamaError::Unreachable(_)
            | OllamaError::Broken(_)
            | OllamaError::Refused { .. }
            | OllamaError::TooLong(_)
            | OllamaError::Ended
            | OllamaError::Unreadable(_)) => {
                let (reason, source) = other.into_parts();
                self.remote(reason, source)
            }
        }
    }

    fn remote(
        &self,
        reason: String,
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    ) -> EmbedError {
        let (url, model) = (self.server.address(), self.options.model.clone());
        EmbedError::Remote { url, model, reason, source }
    }
}

#[async_trait]
impl Embedder for Ollama {
    fn model(&self) -> &ModelIdentity {
        &self.identity
    }

    #[tracing::instrument(name = "embed_query", skip_all)]
    async fn embed_query(&self, query: &PrefixedQuery) -> Result<Vector, EmbedError> {
        self.embed(Role::Question, query.text()).await
    }

    #[tracing::instrument(name = "embed_passage", skip_all)]
    async fn embed_passage(&self, passage: &Passage) -> Result<Vector, EmbedError> {
        self.embed(passage.role(), passage.text()).await
    }

    fn embed_each(
        &self,
        passages: &[Passage],
        deliver: &mut dyn FnMut(usize, Vector) -> ControlFlow<()>,
    ) -> Result<(), EmbedError> {
        // A thread with a runtime and connections of its own: works from any thread, and no
        // connection outlives the runtime that drives it.
        let own = Self::with_dimension(self.options.clone(), self.identity.dimension)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| EmbedError::Inference(e.into()))?;
        std::thread::scope(|scope| {
            let (results, finished) = mpsc::sync_channel(1);
            scope.spawn(move || {
                for passage in passages {
                    let vector = runtime.block_on(own.embed(passage.role(), passage.text()));
                    let failed = vector.is_err();
                    if results.send(vector).is_err() || failed {
                        break;
                    }
                }
            });
            for (at, vector) in finished.into_iter().enumerate() {
                if deliver(at, vector?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn windows(&self, prefix: &str, title: &str, text: &str) -> Vec<Passage> {
        windows::cut(prefix, title, text, SIZE, &|text| text.chars().count())
            .into_iter()
            .map(Passage::window)
            .collect()
    }

    fn whole(&self, title: &str, text: &str) -> Vec<Passage> {
        let size = Size { target: SIZE.most, ..SIZE };
        windows::cut("", title, text, size, &|text| text.chars().count())
            .into_iter()
            .map(Passage::whole)
            .collect()
    }
}

/// Ollama names no digest of the weights with a vector: a model that is replaced under the same
/// name and with the same dimension needs a new index, which only its owner can know.
fn identity(model: &str, dimension: usize) -> ModelIdentity {
    let (question, section) = prefixes(model);
    let mut hash = Sha256::new();
    for part in ["ollama", model, question, section] {
        hash.update(Sha256::digest(part.as_bytes()));
    }
    hash.update((dimension as u64).to_le_bytes());
    ModelIdentity { name: model.to_owned(), digest: hex(&hash.finalize()), dimension }
}

/// What the model was trained to see before a question and before a section; from the model cards.
fn prefixes(model: &str) -> (&'static str, &'static str) {
    let name = model.to_lowercase();
    if name.contains("e5") {
        ("query: ", "passage: ")
    } else if name.contains("nomic-embed") {
        ("search_query: ", "search_document: ")
    } else {
        ("", "")
    }
}

fn is_too_long(reason: &str) -> bool {
    reason.contains("context length") || reason.contains("too large") || reason.contains("too long")
}
