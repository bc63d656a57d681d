//! llama3 behind Ollama as a classifier: never slower than its deadline, never a condition.
//!
//! After a failure the model is *not ready*: questions do not wait for it any more, and one probe
//! in the background asks with growing pauses until it answers again. A cold start is such a probe
//! too, so that loading a model is never cancelled by the deadline of a question.

mod cache;
mod counts;
mod error;
mod link;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep, timeout};

pub use counts::LlmCounts;
pub use error::LlmError;

use super::Intents;
use crate::domain::{IntentId, NormalisedQuery};
use crate::ollama::Server;
use cache::Cache;
use link::Link;

/// A probe may take as long as loading a large model from a slow disk.
const PROBE_TIME_LIMIT: Duration = Duration::from_mins(3);
/// Pause after a failed probe; doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// What probes ask.
const PROBE: &str = "Was ist ein Wegweiser?";

/// Where the model is and how long a question waits for it.
#[derive(Debug, Clone)]
pub struct LlmOptions {
    /// Address of the Ollama server, for example `http://127.0.0.1:11434`.
    pub url: String,
    /// Model name, for example `llama3`.
    pub model: String,
    /// How long one question waits, connecting included.
    pub time_limit: Duration,
    /// How many questions may wait at the same time; one more does not queue.
    pub at_once: usize,
}

/// llama3, or another model behind Ollama.
#[derive(Debug, Clone)]
pub struct Llm(Arc<State>);

#[derive(Debug)]
struct State {
    link: Link,
    time_limit: Duration,
    places: Semaphore,
    cache: Cache,
    counts: Mutex<LlmCounts>,
    ready: watch::Sender<bool>,
    probing: AtomicBool,
}

impl Llm {
    /// Prepares the link; nothing is sent before [`Llm::warm_up`] or the first question.
    ///
    /// `prompt` holds the instructions; the line `{intents}` in it is replaced by the list of
    /// intents with their descriptions.
    ///
    /// # Errors
    /// [`LlmError::Address`] where the address is not an `http://` URL.
    pub fn new(options: LlmOptions, prompt: &str, intents: &Intents) -> Result<Self, LlmError> {
        let LlmOptions { url, model, time_limit, at_once } = options;
        let server = Server::new(&url).ok_or(LlmError::Address(url))?;
        let link = Link::new(server, model, prompt, intents);
        Ok(Self(Arc::new(State {
            cache: Cache::new(link.model(), link.prompt()),
            link,
            time_limit,
            places: Semaphore::new(at_once),
            counts: Mutex::default(),
            ready: watch::Sender::new(false),
            probing: AtomicBool::new(false),
        })))
    }

    /// Model name and address, for people.
    pub fn describe(&self) -> String {
        format!("{} at {}", self.0.link.model(), self.0.link.address())
    }

    /// What the model is told before every question.
    pub fn prompt(&self) -> &str {
        self.0.link.prompt()
    }

    /// What became of the questions so far.
    pub fn counts(&self) -> LlmCounts {
        *self.0.counts()
    }

    /// Starts to load the model in the background, unless a probe is already under way. Needs a
    /// running tokio runtime.
    pub fn warm_up(&self) {
        if self.0.probing.swap(true, Ordering::AcqRel) {
            return;
        }
        let probe = Probe(Arc::downgrade(&self.0));
        tokio::spawn(async move { probe.run().await });
    }

    /// Waits until the model answers as fast as questions need it; says whether it does.
    pub async fn until_ready(&self, at_most: Duration) -> bool {
        let mut ready = self.0.ready.subscribe();
        if *ready.borrow_and_update() {
            return true;
        }
        self.warm_up();
        timeout(at_most, ready.wait_for(|ready| *ready)).await.is_ok_and(|heard| heard.is_ok())
    }

    /// The intent of a question as the model sees it, or as it saw it before; `None` is `unknown`.
    ///
    /// # Errors
    /// Everything that can go wrong; the caller falls back to the classifier in this process and
    /// says so. Returns within the time limit in any case.
    pub async fn classify(&self, query: &NormalisedQuery) -> Result<Option<IntentId>, LlmError> {
        let key = self.0.cache.key(query.original());
        if let Some(intent) = self.0.cache.get(&key) {
            self.0.counts().add_cached();
            return Ok(intent);
        }
        let outcome = self.asked(query).await;
        self.0.counts().add(&outcome);
        if let Ok(intent) = &outcome {
            self.0.cache.put(key, intent.clone());
        }
        outcome
    }

    async fn asked(&self, query: &NormalisedQuery) -> Result<Option<IntentId>, LlmError> {
        let State { link, time_limit, places, ready, .. } = &*self.0;
        if !*ready.borrow() {
            self.warm_up();
            return Err(LlmError::NotReady { url: link.address(), model: link.model().to_owned() });
        }
        let _place = places.try_acquire().map_err(|_| LlmError::Busy(link.model().to_owned()))?;
        let answer = link.ask(query.original(), *time_limit).await;
        // An answer without a label is an answer: the model is there.
        if answer.as_ref().is_err_and(|error| !matches!(error, LlmError::NoLabel { .. })) {
            ready.send_replace(false);
            self.warm_up();
        }
        answer
    }
}

impl State {
    /// A panic while the lock was held can at worst lose a count.
    fn counts(&self) -> MutexGuard<'_, LlmCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The one probe in the background; it ends with the last [`Llm`].
struct Probe(Weak<State>);

impl Probe {
    async fn run(self) {
        let mut pause = FIRST_PAUSE;
        let mut told = String::new();
        while let Some(state) = self.0.upgrade() {
            let started = Instant::now();
            let failure = match state.link.ask(PROBE, PROBE_TIME_LIMIT).await {
                // The first answer may have waited for the model to load; questions can not.
                Ok(_) | Err(LlmError::NoLabel { .. }) if started.elapsed() > state.time_limit => {
                    let (took, limit) = (started.elapsed(), state.time_limit);
                    format!(
                        "answered after {} ms, above {} ms",
                        took.as_millis(),
                        limit.as_millis()
                    )
                }
                Ok(_) | Err(LlmError::NoLabel { .. }) => {
                    tracing::info!(model = state.link.model(), "the model is ready");
                    state.ready.send_replace(true);
                    return;
                }
                Err(error) => error.to_string(),
            };
            drop(state);
            // The same failure is told once, not every thirty seconds.
            if told != failure {
                tracing::warn!(failure, "the model is not ready");
                told = failure;
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

impl Drop for Probe {
    /// Also where the runtime ends before the probe: the next question starts another.
    fn drop(&mut self) {
        if let Some(state) = self.0.upgrade() {
            state.probing.store(false, Ordering::Release);
        }
    }
}
