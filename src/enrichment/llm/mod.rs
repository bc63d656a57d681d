//! llama3 as a second reader of documents: what our patterns and statistics do not see.
//!
//! ```text
//! document ─┬─ symbols:  remembered, or asked ─ a list ─ what the document literally says
//!           └─ concepts: remembered, or asked ─ a list ─ what it says, measured on vectors like ours
//! ```
//!
//! A document is data: it goes to the model as one JSON value behind the instructions, and what comes
//! back is believed only where the document says it. The model is never needed: what it does not
//! answer is left out of the index, which counts it. After failures it is left alone for a while, and
//! the first request afterwards is a probe.

mod error;
mod link;

use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

pub use error::ReaderError;
pub use link::Prompts;

use super::symbols::is_handbook;
use super::{Documents, Reading, Readings};
use crate::domain::{EnrichmentPlan, Section, Use, chain};
use crate::ollama::{Answers, AskError, Model};
use link::{Kind, Link, data};

/// What the model wrote, in the folder of the cache.
const ANSWERS: &str = "enrichment-answers.jsonl";
/// Documents without an answer in a row after which the model is given up.
const GIVEN_UP_AFTER: usize = 3;
/// How long it is left alone then: the views of an index are built one after the other, and a service
/// builds again with every change of a file.
const REST: Duration = Duration::from_mins(5);

/// Where the model is and how long one answer may take.
#[derive(Debug, Clone)]
pub struct ReaderOptions {
    /// Address of the Ollama server, for example `http://127.0.0.1:11434`.
    pub url: String,
    /// Model name, for example `llama3`.
    pub model: String,
    /// For one answer, loading the model included.
    pub time_limit: Duration,
}

/// llama3, or another model behind Ollama, as a reader of documents.
#[derive(Debug, Clone)]
pub struct Reader {
    options: ReaderOptions,
    link: Link,
    /// When it was given up; shared by all copies.
    given_up: Arc<Mutex<Option<Instant>>>,
}

impl Reader {
    /// Prepares everything; nothing is sent before [`Reader::read`].
    ///
    /// # Errors
    /// [`AskError::Address`] where the address is not an `http://` URL.
    pub fn new(options: ReaderOptions, prompts: Prompts) -> Result<Self, AskError> {
        let link = Link::new(Model::new(&options.url, options.model.clone())?, prompts);
        Ok(Self { options, link, given_up: Arc::default() })
    }

    /// Model name and address, for people.
    pub fn describe(&self) -> String {
        self.link.model().describe()
    }

    /// Digest of model and instructions: an index that was made with others is another one.
    pub fn digest(&self) -> String {
        self.link.digest()
    }

    /// Reads each document that has no remembered answer, one after the other; blocks for as long as
    /// that takes, from any thread. Answers are kept in `folder` at once, failures are not.
    /// `progress` hears how many documents are done, and how many there are.
    ///
    /// Only what `plan` uses is asked for, and nothing of a document that has nobody to pass anything
    /// on to.
    pub fn read(
        &self,
        plan: EnrichmentPlan,
        sections: &[Section],
        folder: &Path,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Readings {
        let documents = Documents::of(sections);
        let prepared =
            Answers::open(folder, ANSWERS).map_err(ReaderError::from).and_then(|known| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                Ok((known, runtime.map_err(ReaderError::Thread)?))
            });
        let (answers, runtime) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return Readings::none(documents.len(), chain(&error)),
        };
        std::thread::scope(|scope| {
            let (questions, asked) = mpsc::sync_channel(0);
            let (results, answered) = mpsc::sync_channel(0);
            let (link, limit) = (self.own_link(), self.options.time_limit);
            scope.spawn(move || answer(&runtime, &link, limit, &asked, &results));
            let is_probe = self.given_up().is_some();
            let mut run = Run {
                reader: self,
                answers,
                questions,
                answered,
                failures: if is_probe { GIVEN_UP_AFTER - 1 } else { 0 },
                over: self.is_resting(),
                readings: Readings::default(),
            };
            for (at, ordinals) in documents.iter().enumerate() {
                let of: Vec<&Section> =
                    ordinals.iter().map(|ordinal| &sections[*ordinal as usize]).collect();
                run.document(plan, &of);
                progress(at + 1, documents.len());
            }
            run.readings
        })
    }

    /// A link for one run: no connection outlives the runtime that drives it.
    fn own_link(&self) -> Link {
        let model = Model::new(&self.options.url, self.options.model.clone());
        self.link.with(model.expect("checked when the reader was made"))
    }

    fn is_resting(&self) -> bool {
        self.given_up().is_some_and(|since| since.elapsed() < REST)
    }

    /// A panic while the lock was held can at worst lose a failure.
    fn given_up(&self) -> MutexGuard<'_, Option<Instant>> {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A list that is looked for in a document, given as data.
type Question = (Kind, String);

/// Asks one question after the other until there are no more.
fn answer(
    runtime: &Runtime,
    link: &Link,
    limit: Duration,
    asked: &Receiver<Question>,
    results: &SyncSender<Result<Vec<String>, AskError>>,
) {
    for (kind, data) in asked {
        if results.send(runtime.block_on(link.ask(kind, &data, limit))).is_err() {
            break;
        }
    }
}

/// A run over all documents.
struct Run<'a> {
    reader: &'a Reader,
    answers: Answers<Vec<String>>,
    questions: SyncSender<Question>,
    answered: Receiver<Result<Vec<String>, AskError>>,
    /// Documents without an answer in a row.
    failures: usize,
    /// Whether nothing is asked any more; what is remembered still counts.
    over: bool,
    readings: Readings,
}

impl Run<'_> {
    fn document(&mut self, plan: EnrichmentPlan, sections: &[&Section]) {
        let mut reading = Reading::default();
        if let Err(error) = self.lists(plan, sections, &mut reading) {
            tracing::debug!(error = chain(&error), "a document was not read by the model");
            self.readings.unread += 1;
            // Of a row of failures the first is the cause; what rests afterwards says nothing new.
            self.readings.reason.get_or_insert_with(|| chain(&error));
        }
        self.readings.by_document.push(reading);
    }

    fn lists(
        &mut self,
        plan: EnrichmentPlan,
        sections: &[&Section],
        reading: &mut Reading,
    ) -> Result<(), ReaderError> {
        if sections.len() < 2 {
            return Ok(());
        }
        let data = data(sections);
        if plan.symbols != Use::Off && !is_handbook(sections.len()) {
            reading.symbols = self.list(Kind::Symbols, &data)?;
        }
        if plan.concepts != Use::Off {
            reading.concepts = self.list(Kind::Concepts, &data)?;
        }
        Ok(())
    }

    /// The remembered list, or what the model answers now.
    fn list(&mut self, kind: Kind, data: &str) -> Result<Vec<String>, ReaderError> {
        let link = &self.reader.link;
        let key = link.key(kind, data);
        if let Some(known) = self.answers.get(&key) {
            return Ok(known.clone());
        }
        if self.over {
            return Err(ReaderError::Resting(link.model().name().to_owned()));
        }
        let asked = self.questions.send((kind, data.to_owned()));
        let answered = asked.ok().and_then(|()| self.answered.recv().ok());
        let ended = || ReaderError::Thread(std::io::ErrorKind::BrokenPipe.into());
        let answered =
            answered.map_or_else(|| Err(ended()), |list| list.map_err(ReaderError::from));
        let kept = answered.and_then(|list| {
            self.answers.put(key, list.clone())?;
            Ok(list)
        });
        match &kept {
            Ok(_) => {
                self.failures = 0;
                *self.reader.given_up() = None;
            }
            Err(error) => {
                self.failures += 1;
                if error.ends_the_run() || self.failures >= GIVEN_UP_AFTER {
                    self.over = true;
                    *self.reader.given_up() = Some(Instant::now());
                }
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests;
