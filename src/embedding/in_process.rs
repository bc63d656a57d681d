//! The built-in model behind a bounded queue.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use async_trait::async_trait;
use rten::ThreadPool;
use tracing::Span;

use super::model::E5;
use super::passage::{Passage, Role};
use super::{EmbedError, Embedder, ModelIdentity};
use crate::domain::{PrefixedQuery, Vector};
use crate::queue::Queue;

/// How many texts are embedded at once, and how long others wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Texts embedded at once, one thread each; at least 1.
    pub at_once: usize,
    /// Texts that may wait; the next one is refused at once.
    pub waiting: usize,
    /// Longest wait for a free thread.
    pub wait: Duration,
}

impl Default for Limits {
    /// As many at once as there are cores; 32 may wait for each, up to five seconds: at about 10 ms a
    /// question and ten times that for the longest, the last in the queue is served in time.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { at_once: cores, waiting: 32 * cores, wait: Duration::from_secs(5) }
    }
}

/// The model that is part of this binary.
#[derive(Debug)]
pub struct InProcess {
    model: Arc<E5>,
    limits: Limits,
    places: Queue,
    /// One-thread pools, as many as places: a pool shared by two calls would run them in turn.
    pools: Arc<Mutex<Vec<Arc<ThreadPool>>>>,
}

impl InProcess {
    /// Loads the model; takes about 0.2 s, blocks.
    ///
    /// # Errors
    /// [`EmbedError::Load`] when the library refuses the built-in files.
    pub fn load(limits: Limits) -> Result<Self, EmbedError> {
        let limits = Limits { at_once: limits.at_once.max(1), ..limits };
        let pools = (0..limits.at_once).map(|_| one_thread()).collect();
        Ok(Self {
            model: Arc::new(E5::load()?),
            limits,
            places: Queue::new(limits.at_once, limits.waiting, limits.wait),
            pools: Arc::new(Mutex::new(pools)),
        })
    }

    /// Tokens that the model sees for a text, its own prefix included; for reports.
    ///
    /// # Errors
    /// [`EmbedError::Inference`] when the tokenizer fails.
    pub fn tokens(&self, text: &str) -> Result<usize, EmbedError> {
        self.model.tokens(text)
    }

    async fn embed(&self, role: Role, text: &str) -> Result<Vector, EmbedError> {
        let place = self.places.enter().await.map_err(|_| EmbedError::Busy)?;
        let (model, pools, text) =
            (Arc::clone(&self.model), Arc::clone(&self.pools), text.to_owned());
        let span = Span::current();
        tokio::task::spawn_blocking(move || {
            // The place is taken as long as the work, also when nobody waits for the answer any more.
            let _place = place;
            span.in_scope(|| {
                let pool = Borrowed::take(&pools);
                model.embed(role, &text, &pool.pool)
            })
        })
        .await
        .map_err(EmbedError::Task)?
    }
}

#[async_trait]
impl Embedder for InProcess {
    fn model(&self) -> &ModelIdentity {
        self.model.identity()
    }

    fn waiting(&self) -> usize {
        self.places.waiting()
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
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let workers = self.limits.at_once.min(passages.len());
        std::thread::scope(|scope| {
            // Small, so that little finished work is lost when the process is killed.
            let (results, finished) = mpsc::sync_channel(workers.max(1));
            for _ in 0..workers {
                let (results, next, stop) = (results.clone(), &next, &stop);
                scope.spawn(move || {
                    let pool = one_thread();
                    while !stop.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(passage) = passages.get(at) else { break };
                        let vector = self.model.embed(passage.role(), passage.text(), &pool);
                        if results.send((at, vector)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(results);
            for (at, vector) in finished {
                let step = match vector {
                    Ok(vector) => Ok(deliver(at, vector)),
                    Err(error) => Err(error),
                };
                match step {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => {
                        stop.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(())
        })
    }

    fn windows(&self, prefix: &str, title: &str, text: &str) -> Vec<Passage> {
        self.model.windows(prefix, title, text).into_iter().map(Passage::window).collect()
    }

    fn whole(&self, title: &str, text: &str) -> Vec<Passage> {
        self.model.whole(title, text).into_iter().map(Passage::whole).collect()
    }
}

/// A pool in use, put back when the work ends, also by a panic.
struct Borrowed<'a> {
    pools: &'a Mutex<Vec<Arc<ThreadPool>>>,
    pool: Arc<ThreadPool>,
}

impl<'a> Borrowed<'a> {
    fn take(pools: &'a Mutex<Vec<Arc<ThreadPool>>>) -> Self {
        let pool = pools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self { pools, pool: pool.expect("there are as many pools as places") }
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&self.pool));
    }
}

fn one_thread() -> Arc<ThreadPool> {
    Arc::new(ThreadPool::with_num_threads(1))
}
