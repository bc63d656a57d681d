//! An embedder that keeps the vectors of questions on disk: those of a catalog are asked again after
//! every change, and most of them have not changed.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use super::cache::{CacheError, EmbeddingCache};
use super::{EmbedError, Embedder, ModelIdentity, Passage};
use crate::domain::{PrefixedQuery, Vector};

/// Embeds a question once, however often it is asked. Equal text gives equal bits, so nothing else
/// changes.
#[derive(Debug)]
pub struct Remembering {
    inner: Arc<dyn Embedder>,
    questions: Mutex<EmbeddingCache>,
}

impl Remembering {
    /// Keeps the vectors in `folder`, which must not be that of the sections' vectors: a cache is
    /// open for one user at a time.
    ///
    /// # Errors
    /// The folder can not be written, or another process has the cache open.
    pub fn new(inner: Arc<dyn Embedder>, folder: &Path) -> Result<Self, CacheError> {
        let questions = Mutex::new(EmbeddingCache::open(folder, inner.model())?);
        Ok(Self { inner, questions })
    }

    fn known(&self, question: &Passage) -> Option<Vector> {
        let mut questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        questions.get(question).unwrap_or_else(|error| {
            tracing::warn!(error = %error, "a question is embedded again");
            None
        })
    }

    fn keep(&self, question: &Passage, vector: &Vector) {
        let mut questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = questions.put(question, vector) {
            tracing::warn!(error = %error, "the vector of a question is not kept");
        }
    }
}

#[async_trait]
impl Embedder for Remembering {
    fn model(&self) -> &ModelIdentity {
        self.inner.model()
    }

    async fn embed_query(&self, query: &PrefixedQuery) -> Result<Vector, EmbedError> {
        let question = Passage::question(query);
        if let Some(known) = self.known(&question) {
            return Ok(known);
        }
        let vector = self.inner.embed_query(query).await?;
        self.keep(&question, &vector);
        Ok(vector)
    }

    async fn embed_passage(&self, passage: &Passage) -> Result<Vector, EmbedError> {
        self.inner.embed_passage(passage).await
    }

    fn embed_each(
        &self,
        passages: &[Passage],
        deliver: &mut dyn FnMut(usize, Vector) -> ControlFlow<()>,
    ) -> Result<(), EmbedError> {
        self.inner.embed_each(passages, deliver)
    }

    fn windows(&self, prefix: &str, title: &str, text: &str) -> Vec<Passage> {
        self.inner.windows(prefix, title, text)
    }

    fn whole(&self, title: &str, text: &str) -> Vec<Passage> {
        self.inner.whole(title, text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::domain::Query;
    use crate::normalise::normalise;

    #[derive(Debug)]
    struct Counting {
        model: ModelIdentity,
        asked: AtomicUsize,
    }

    #[async_trait]
    impl Embedder for Counting {
        fn model(&self) -> &ModelIdentity {
            &self.model
        }

        async fn embed_query(&self, query: &PrefixedQuery) -> Result<Vector, EmbedError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            Ok(Vector::new(vec![query.text().len() as f32, 1.0]).expect("a vector"))
        }

        async fn embed_passage(&self, _: &Passage) -> Result<Vector, EmbedError> {
            Err(EmbedError::Busy)
        }

        fn embed_each(
            &self,
            _: &[Passage],
            _: &mut dyn FnMut(usize, Vector) -> ControlFlow<()>,
        ) -> Result<(), EmbedError> {
            Err(EmbedError::Busy)
        }

        fn windows(&self, _: &str, _: &str, _: &str) -> Vec<Passage> {
            Vec::new()
        }

        fn whole(&self, _: &str, _: &str) -> Vec<Passage> {
            Vec::new()
        }
    }

    #[tokio::test]
    async fn a_question_is_embedded_once_also_by_the_next_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let model =
            ModelIdentity { name: "small".to_owned(), digest: "abc".to_owned(), dimension: 2 };
        let inner = Arc::new(Counting { model, asked: AtomicUsize::new(0) });
        let ask = |text: &str| {
            PrefixedQuery::plain(&normalise(&Query::new(text, 100).expect("a question")))
        };
        let mut vectors = Vec::new();
        for _ in 0..2 {
            let remembering =
                Remembering::new(Arc::clone(&inner) as Arc<dyn Embedder>, folder.path())
                    .expect("its own folder");
            assert!(
                Remembering::new(Arc::clone(&inner) as Arc<dyn Embedder>, folder.path()).is_err()
            );
            for text in ["Was ist das?", "Wozu dient es?", "Was ist das?"] {
                vectors.push(remembering.embed_query(&ask(text)).await.expect("embedded"));
            }
        }
        assert_eq!(inner.asked.load(Ordering::Relaxed), 2);
        assert_eq!(vectors[..3], vectors[3..]);
        assert_eq!(vectors[0], vectors[2]);
        assert_ne!(vectors[0], vectors[1]);
    }
}
