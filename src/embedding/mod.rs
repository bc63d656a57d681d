//! Text becomes vectors: the model in this process, or one behind Ollama.
//!
//! A question enters as [`PrefixedQuery`], a section as [`Passage`]: neither can be mistaken for the
//! other, and only [`Embedder::windows`] cuts a section, so that nothing is cut silently.

pub mod cache;
mod error;
mod in_process;
mod model;
mod ollama;
mod passage;
mod remembered;
mod windows;

use std::fmt::Debug;
use std::ops::ControlFlow;

use async_trait::async_trait;

pub use error::EmbedError;
pub use in_process::{InProcess, Limits};
pub use ollama::{Ollama, OllamaOptions};
pub use passage::Passage;
pub use remembered::Remembered;

use crate::domain::{PrefixedQuery, Vector};

/// Which model made a vector. Vectors of different models must never meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelIdentity {
    /// The name for people, for example `multilingual-e5-small-de-en-int8`.
    pub name: String,
    /// SHA-256 in hex: of weights and tokenizer, or of name and address of a remote model, each with
    /// the prefixes that this code puts before the text.
    pub digest: String,
    /// Numbers in a vector.
    pub dimension: usize,
}

/// Turns questions and passages into vectors.
///
/// Equal text gives equal bits on one machine, whatever the number of threads.
#[async_trait]
pub trait Embedder: Send + Sync + Debug {
    /// The model in use; goes into the manifest of an index.
    fn model(&self) -> &ModelIdentity;

    /// Texts that wait for the model now; 0 where others keep the queue.
    fn waiting(&self) -> usize {
        0
    }

    /// The vector of a question.
    ///
    /// # Errors
    /// [`EmbedError::Busy`] when too many others wait, and whatever keeps the model from answering.
    async fn embed_query(&self, query: &PrefixedQuery) -> Result<Vector, EmbedError>;

    /// The vector of one window of a section.
    ///
    /// # Errors
    /// As [`Embedder::embed_query`].
    async fn embed_passage(&self, passage: &Passage) -> Result<Vector, EmbedError>;

    /// Embeds in bulk with all cores and hands each vector over with its position in `passages`,
    /// in any order. Stops early when `deliver` breaks. Blocks: call it from a thread that may.
    ///
    /// Usually called through [`cache::EmbeddingCache::embed_all`], which keeps what is done.
    ///
    /// # Errors
    /// The first failure; vectors that were delivered before it are good.
    fn embed_each(
        &self,
        passages: &[Passage],
        deliver: &mut dyn FnMut(usize, Vector) -> ControlFlow<()>,
    ) -> Result<(), EmbedError>;

    /// Cuts a section into windows that the model takes whole: each begins with `prefix` (which may
    /// be empty and ends with its own line breaks) and the title. At least one window, never more
    /// text than the model reads, no word of `text` left out.
    fn windows(&self, prefix: &str, title: &str, text: &str) -> Vec<Passage>;

    /// A section in as few pieces as the model can read, mostly one: the question is compared with
    /// all that it says as well as with its nearest window.
    fn whole(&self, title: &str, text: &str) -> Vec<Passage>;

    /// Embeds in bulk; `progress` hears `(done, total)` after each vector. Blocks.
    ///
    /// # Errors
    /// As [`Embedder::embed_each`].
    fn embed_all(
        &self,
        passages: &[Passage],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<Vector>, EmbedError> {
        let mut vectors: Vec<Option<Vector>> = vec![None; passages.len()];
        let mut done = 0;
        self.embed_each(passages, &mut |at, vector| {
            vectors[at] = Some(vector);
            done += 1;
            progress(done, passages.len());
            ControlFlow::Continue(())
        })?;
        Ok(vectors
            .into_iter()
            .map(|vector| vector.expect("embed_each delivers every position or fails"))
            .collect())
    }
}
