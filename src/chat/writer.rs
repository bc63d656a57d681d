//! llama3 behind Ollama as a writer: never slower than its deadline, never a condition for an answer.
//!
//! After a failure it is *not ready*: questions do not wait for it any more, and one probe in the
//! background asks with growing pauses until it answers again, as for the intent (`intent::llm`). The
//! two are ready apart: a deadline that is too short for an answer may do for a label.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::ollama::{CONTEXT, OllamaError, Server};

/// Tokens of an answer: about 1,500 German characters, ten sentences.
const MOST_TOKENS: u32 = 600;
/// Bytes of an answer with what Ollama writes around each token.
const MOST_BYTES: usize = 1024 * 1024;
/// Answers that are written at the same time; one more does not queue.
const AT_ONCE: usize = 4;
/// A probe may take as long as loading a large model from a slow disk.
const PROBE_TIME_LIMIT: Duration = Duration::from_mins(3);
/// Pause before the first probe; doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Ollama keeps the model loaded so long after the last question.
const KEPT: &str = "30m";

/// A model that writes answers.
#[derive(Debug, Clone)]
pub(super) struct Writer(Arc<State>);

#[derive(Debug)]
struct State {
    server: Server,
    model: String,
    time_limit: Duration,
    places: Semaphore,
    ready: AtomicBool,
    probing: AtomicBool,
}

/// Why there is no answer, or not all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum WriterError {
    /// The last attempt failed; a probe is under way.
    #[error("the model is not ready; it is being probed in the background")]
    NotReady,
    /// All places are taken.
    #[error("too many answers are being written")]
    Busy,
    /// The deadline passed.
    #[error("the answer was not complete within its time limit")]
    Slow,
    /// The server does not have the model.
    #[error("the server does not have the model")]
    Missing,
    /// The server or the connection failed; the log says how.
    #[error("the model failed")]
    Failed,
}

/// What a complete answer took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Written {
    /// Tokens read.
    pub(super) read: u64,
    /// Tokens written.
    pub(super) wrote: u64,
    /// Whether it was stopped at its length.
    pub(super) is_cut: bool,
}

/// A line of the answer; what is missing in it is nothing.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    message: Option<Message>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    done_reason: Option<String>,
    #[serde(default)]
    prompt_eval_count: u64,
    #[serde(default)]
    eval_count: u64,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
}

impl Writer {
    /// Nothing is sent before the first question.
    pub(super) fn new(server: Server, model: String, time_limit: Duration) -> Self {
        Self(Arc::new(State {
            server,
            model,
            time_limit,
            places: Semaphore::new(AT_ONCE),
            ready: AtomicBool::new(true),
            probing: AtomicBool::new(false),
        }))
    }

    /// Hands the answer over as it comes. Dropping the future closes the connection, and Ollama stops.
    ///
    /// # Errors
    /// See [`WriterError`]; what was handed over before stays.
    pub(super) async fn write(
        &self,
        rules: &str,
        message: &str,
        mut piece: impl FnMut(&str),
    ) -> Result<Written, WriterError> {
        let State { places, ready, time_limit, .. } = &*self.0;
        if !ready.load(Ordering::Acquire) {
            self.probe();
            return Err(WriterError::NotReady);
        }
        let _place = places.try_acquire().map_err(|_| WriterError::Busy)?;
        let told = timeout(*time_limit, self.0.told(rules, message, &mut piece)).await;
        let written = told.unwrap_or(Err(OllamaError::Slow(*time_limit)));
        written.map_err(|error| {
            tracing::warn!(error = %error, model = self.0.model, "no complete answer was written");
            ready.store(false, Ordering::Release);
            self.probe();
            match error {
                OllamaError::Slow(_) => WriterError::Slow,
                OllamaError::ModelMissing => WriterError::Missing,
                OllamaError::Unreachable(_) => WriterError::NotReady,
                OllamaError::Broken(_)
                | OllamaError::Refused { .. }
                | OllamaError::TooLong(_)
                | OllamaError::Ended
                | OllamaError::Unreadable(_) => WriterError::Failed,
            }
        })
    }

    fn probe(&self) {
        if !self.0.probing.swap(true, Ordering::AcqRel) {
            let probe = Probe(Arc::downgrade(&self.0));
            tokio::spawn(async move { probe.run().await });
        }
    }
}

impl State {
    /// Temperature 0 and a seed: equal questions get equal answers as far as the model allows.
    fn request(&self, rules: &str, message: &str, tokens: u32, stream: bool) -> serde_json::Value {
        json!({
            "model": self.model,
            "messages": [
                {"role": "system", "content": rules},
                {"role": "user", "content": message},
            ],
            "stream": stream,
            "keep_alive": KEPT,
            "options": {"temperature": 0.0, "seed": 1, "num_ctx": CONTEXT, "num_predict": tokens},
        })
    }

    async fn told(
        &self,
        rules: &str,
        message: &str,
        piece: &mut impl FnMut(&str),
    ) -> Result<Written, OllamaError> {
        let request = self.request(rules, message, MOST_TOKENS, true);
        let mut lines =
            self.server.stream("api/chat", &request, self.time_limit, MOST_BYTES).await?;
        while let Some(line) = lines.next::<Line>().await? {
            if let Some(content) = line.message.and_then(|message| message.content) {
                piece(&content);
            }
            if line.done {
                return Ok(Written {
                    read: line.prompt_eval_count,
                    wrote: line.eval_count,
                    is_cut: line.done_reason.as_deref() == Some("length"),
                });
            }
        }
        Err(OllamaError::Ended)
    }
}

/// The one probe in the background; it ends with the last [`Writer`].
struct Probe(Weak<State>);

impl Probe {
    async fn run(self) {
        let mut pause = FIRST_PAUSE;
        loop {
            sleep(pause).await;
            let Some(state) = self.0.upgrade() else { return };
            let request = state.request(
                "Antworte mit einem Wort.",
                "Frage: Was ist ein Wegweiser?",
                1,
                false,
            );
            let answer: Result<Line, _> =
                state.server.post("api/chat", &request, PROBE_TIME_LIMIT, MOST_BYTES).await;
            if answer.is_ok() {
                tracing::info!(model = state.model, "answers are written again");
                state.ready.store(true, Ordering::Release);
                return;
            }
            drop(state);
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
