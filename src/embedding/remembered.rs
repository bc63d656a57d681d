//! Questions that are asked again and again, embedded once: for a catalog and other measurements.
//!
//! Only these go through it. What readers ask is never kept: a service uses the embedder itself.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::cache::{CacheError, EmbeddingCache};
use super::{EmbedError, Embedder, ModelIdentity, Passage};
use crate::domain::{PrefixedQuery, Vector};

/// Vectors that are kept, 1.6 kB each; the older half makes room.
const MOST: usize = 20_000;

/// An embedder that remembers the vectors of questions on disk, by their text and the model.
#[derive(Debug)]
pub struct Remembered {
    inner: Arc<dyn Embedder>,
    cache: Mutex<EmbeddingCache>,
    recalled: AtomicUsize,
    computed: AtomicUsize,
}

impl Remembered {
    /// Opens the memory in a folder, for this process alone.
    ///
    /// # Errors
    /// [`CacheError::InUse`] while another process has it open, [`CacheError::Io`] from the disk.
    pub fn open(inner: Arc<dyn Embedder>, folder: &Path) -> Result<Self, CacheError> {
        let mut cache = EmbeddingCache::open(folder, inner.model())?;
        if cache.len() > MOST {
            cache.keep_newest(MOST / 2)?;
        }
        let (recalled, computed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Ok(Self { inner, cache: Mutex::new(cache), recalled, computed })
    }

    /// Questions that were remembered since it was opened, and those that were embedded.
    pub fn counts(&self) -> (usize, usize) {
        (self.recalled.load(Ordering::Relaxed), self.computed.load(Ordering::Relaxed))
    }

    /// A panic while the lock was held can at worst leave half a record, which its checksum tells.
    fn cache(&self) -> MutexGuard<'_, EmbeddingCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A memory that fails costs time, not the answer.
    fn recall(&self, passage: &Passage) -> Option<Vector> {
        self.cache().get(passage).unwrap_or_else(|error| {
            tracing::warn!(error = %error, "a question is embedded again");
            None
        })
    }
}

#[async_trait]
impl Embedder for Remembered {
    fn waiting(&self) -> usize {
        self.inner.waiting()
    }

    fn model(&self) -> &ModelIdentity {
        self.inner.model()
    }

    async fn embed_query(&self, query: &PrefixedQuery) -> Result<Vector, EmbedError> {
        let passage = Passage::question(query);
        if let Some(vector) = self.recall(&passage) {
            self.recalled.fetch_add(1, Ordering::Relaxed);
            return Ok(vector);
        }
        let vector = self.inner.embed_query(query).await?;
        self.computed.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = self.cache().put(&passage, &vector) {
            tracing::warn!(error = %error, "a question will be embedded again");
        }
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

    fn whole(&self, title: &str, text: &str) -> Vec<Passage> {
        self.inner.whole(title, text)
    }

    fn windows(&self, prefix: &str, title: &str, text: &str) -> Vec<Passage> {
        self.inner.windows(prefix, title, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Query;
    use crate::normalise::normalise;

    /// Gives each question another vector, and counts.
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
            if query.text() == "Voll?" {
                return Err(EmbedError::Busy);
            }
            let length = query.text().chars().count() as f32;
            Ok(Vector::new(vec![length, 1.0, -0.3]).expect("finite"))
        }

        async fn embed_passage(&self, _passage: &Passage) -> Result<Vector, EmbedError> {
            Err(EmbedError::Busy)
        }

        fn embed_each(
            &self,
            _passages: &[Passage],
            _deliver: &mut dyn FnMut(usize, Vector) -> ControlFlow<()>,
        ) -> Result<(), EmbedError> {
            Err(EmbedError::Busy)
        }

        fn whole(&self, _title: &str, _text: &str) -> Vec<Passage> {
            Vec::new()
        }

        fn windows(&self, _prefix: &str, _title: &str, _text: &str) -> Vec<Passage> {
            Vec::new()
        }
    }

    fn counting(digest: &str) -> Arc<Counting> {
        let model =
            ModelIdentity { name: "small".to_owned(), digest: digest.to_owned(), dimension: 3 };
        Arc::new(Counting { model, asked: AtomicUsize::new(0) })
    }

    fn query(text: &str) -> PrefixedQuery {
        PrefixedQuery::plain(&normalise(&Query::new(text, 100).expect("a question")))
    }

    #[tokio::test]
    async fn a_question_is_embedded_once_for_each_model_also_across_processes() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut vectors = Vec::new();
        for (digest, embedded) in [("one", 2), ("one", 0), ("other", 2)] {
            let inner = counting(digest);
            let memory = Remembered::open(Arc::<Counting>::clone(&inner), folder.path());
            let memory = memory.expect("opened");
            for text in ["Was ist das?", "Wer war das?!", "Was ist das?"] {
                vectors.push(memory.embed_query(&query(text)).await.expect("a vector"));
            }
            assert_eq!(inner.asked.load(Ordering::Relaxed), embedded, "{digest}");
            assert_eq!(memory.counts(), (3 - embedded, embedded));
        }
        assert_eq!(vectors[..3], vectors[3..6]);
        assert_ne!(vectors[0], vectors[1]);
    }

    #[tokio::test]
    async fn a_failure_is_not_remembered() {
        let (inner, folder) = (counting("one"), tempfile::tempdir().expect("a folder"));
        let memory = Remembered::open(Arc::<Counting>::clone(&inner), folder.path());
        let memory = memory.expect("opened");
        for _ in 0..2 {
            assert!(memory.embed_query(&query("Voll?")).await.is_err());
        }
        assert_eq!((inner.asked.load(Ordering::Relaxed), memory.counts()), (2, (0, 0)));
    }

    #[test]
    fn a_memory_that_is_full_forgets_its_older_half() {
        let (inner, folder) = (counting("one"), tempfile::tempdir().expect("a folder"));
        let mut cache = EmbeddingCache::open(folder.path(), &inner.model).expect("opened");
        let vector = Vector::new(vec![1.0, 2.0, 3.0]).expect("finite");
        let passage = |at: usize| Passage::question(&query(&format!("Frage {at}?")));
        for at in 0..=MOST {
            cache.put(&passage(at), &vector).expect("kept");
        }
        drop(cache);
        for _ in 0..2 {
            let memory = Remembered::open(Arc::<Counting>::clone(&inner), folder.path());
            let memory = memory.expect("opened");
            assert_eq!(memory.cache().len(), MOST / 2);
            assert_eq!(memory.recall(&passage(MOST)), Some(vector.clone()));
            assert_eq!(memory.recall(&passage(MOST / 2)), None);
        }
    }
}
