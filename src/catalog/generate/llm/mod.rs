//! What llama3 asks about each section: once with the section's words, once without them.
//!
//! ```text
//! section ─ remembered? ─┬─ yes ──────────────────────────┐
//!                        └─ no ─ ask, at most three times ─┴─ check ─┬─ a question
//!                                └──── told what was wrong ─────────┴─ refused, counted
//! ```
//!
//! A section is data: it goes to the model as one JSON value behind the instructions, and what comes
//! back is checked as if the model had never read them. Every answer is kept at once, refused ones
//! too, so a run that ends early loses nothing, and the next one asks only what is missing.

mod check;
mod link;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use check::Fault;

pub use crate::ollama::AskError as WriterError;

use crate::domain::{Section, SectionId};
use crate::ollama::{Answers, Model};
use check::{Wording, check, key};
use link::{Correction, Link};

/// What the model wrote, in the folder of the cache.
const ANSWERS: &str = "catalog-answers.jsonl";
/// How often a section is asked about in one run.
const MOST_ATTEMPTS: usize = 3;
/// Pause before a failed request is sent again.
const PAUSE: Duration = Duration::from_millis(500);
/// Sections without an answer in a row after which the server is given up.
const GIVEN_UP_AFTER: usize = 3;

/// How far a question is from the section's wording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// With the words of the heading.
    Title,
    /// Without the words of the section.
    Paraphrase,
}

impl Tier {
    /// All, in the order of files.
    pub const ALL: [Self; 2] = [Self::Title, Self::Paraphrase];

    /// As it stands in the catalog.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Paraphrase => "paraphrase",
        }
    }
}

/// What the model wrote about a section, unchecked.
type Drafts = BTreeMap<Tier, String>;

/// A section and the questions that it lacks.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// The section.
    pub section: &'a Section,
    /// At least one.
    pub tiers: Vec<Tier>,
}

/// Where the model is and how long one answer may take.
#[derive(Debug, Clone)]
pub struct WriterOptions {
    /// Address of the Ollama server, for example `http://127.0.0.1:11434`.
    pub url: String,
    /// Model name, for example `llama3`.
    pub model: String,
    /// For one answer, loading the model included.
    pub time_limit: Duration,
}

/// llama3, or another model behind Ollama, as a writer of questions.
#[derive(Debug)]
pub struct Writer {
    link: Link,
    answers: Answers<Drafts>,
    time_limit: Duration,
}

/// What came of a run.
#[derive(Debug)]
pub struct Written {
    /// The questions that passed all checks.
    pub questions: BTreeMap<(SectionId, Tier), String>,
    /// What did not pass.
    pub refused: Vec<Refused>,
    /// Sections without an answer.
    pub failed: Vec<(SectionId, WriterError)>,
    /// Sections whose answer was remembered.
    pub remembered: usize,
    /// Sections that the model answered now.
    pub answered: usize,
    /// Why the run ended.
    pub end: End,
}

/// Why a run ended.
#[derive(Debug)]
pub enum End {
    /// All sections had their turn.
    Complete,
    /// It was told to stop.
    Interrupted,
    /// The server would not have answered for the other sections either; the error of the last
    /// section is the last of [`Written::failed`].
    GivenUp,
}

/// A question that did not pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// Its section.
    pub section: SectionId,
    /// Its tier.
    pub tier: Tier,
    /// What the model wrote last.
    pub question: String,
    /// Why.
    pub reason: Fault,
}

impl Writer {
    /// Prepares the link and opens what was answered before, in `folder`; nothing is sent yet.
    ///
    /// # Errors
    /// [`WriterError::Address`] where the address is not an `http://` URL, [`WriterError::Answers`]
    /// from the disk.
    pub fn new(options: WriterOptions, prompt: &str, folder: &Path) -> Result<Self, WriterError> {
        let WriterOptions { url, model, time_limit } = options;
        let model = Model::new(&url, model)?;
        let answers = Answers::open(folder, ANSWERS)?;
        Ok(Self { link: Link::new(model, prompt), answers, time_limit })
    }

    /// Model name and address, for people.
    pub fn describe(&self) -> String {
        self.link.describe()
    }

    /// Asks about each section that has no remembered answer, one after the other, until all are
    /// done or `stop` is. `existing` are questions that must not come again; `progress` hears how
    /// many sections are done.
    pub async fn write(
        &mut self,
        wanted: &[Wanted<'_>],
        existing: impl IntoIterator<Item = &str>,
        stop: impl Future<Output = ()>,
        mut progress: impl FnMut(usize),
    ) -> Written {
        let mut taken: BTreeSet<String> = existing.into_iter().map(key).collect();
        let mut written = Written {
            questions: BTreeMap::new(),
            refused: Vec::new(),
            failed: Vec::new(),
            remembered: 0,
            answered: 0,
            end: End::Complete,
        };
        let (mut stop, mut in_a_row) = (pin!(stop), 0);
        for (at, wanted) in wanted.iter().enumerate() {
            let section = wanted.section;
            let digest = self.link.key(section);
            let outcome = if let Some(drafts) = self.answers.get(&digest) {
                written.remembered += 1;
                Ok(drafts.clone())
            } else {
                let asked = tokio::select! {
                    biased;
                    () = &mut stop => {
                        written.end = End::Interrupted;
                        return written;
                    }
                    asked = self.asked(section, &taken) => asked,
                };
                match asked {
                    Ok(drafts) => match self.answers.put(digest, drafts.clone()) {
                        Ok(()) => {
                            in_a_row = 0;
                            written.answered += 1;
                            Ok(drafts)
                        }
                        Err(error) => Err(error.into()),
                    },
                    Err(error) => Err(error),
                }
            };
            match outcome {
                Ok(drafts) => written.take(wanted, drafts, &mut taken),
                Err(error) => {
                    in_a_row += 1;
                    let over = error.ends_the_run() || in_a_row == GIVEN_UP_AFTER;
                    written.failed.push((section.id.clone(), error));
                    if over {
                        written.end = End::GivenUp;
                        return written;
                    }
                }
            }
            progress(at + 1);
        }
        written
    }

    /// The best that the model writes in a few attempts; what is wrong with the last one is told it.
    async fn asked(
        &self,
        section: &Section,
        taken: &BTreeSet<String>,
    ) -> Result<Drafts, WriterError> {
        let wording = Wording::of(section);
        let mut best: Option<Drafts> = None;
        let mut correction: Option<Correction> = None;
        let mut failure = None;
        for _ in 0..MOST_ATTEMPTS {
            match self.link.ask(section, correction.as_ref(), self.time_limit).await {
                Ok((drafts, answer)) => {
                    let kept = best.get_or_insert_with(|| drafts.clone());
                    let mut wrong = Vec::new();
                    for (tier, draft) in drafts {
                        if check(tier, &kept[&tier], &wording, taken).is_err() {
                            kept.insert(tier, draft);
                        }
                        if let Err(fault) = check(tier, &kept[&tier], &wording, taken) {
                            wrong.push(format!("{} {}", tier.as_str(), fault.told()));
                        }
                    }
                    if wrong.is_empty() {
                        break;
                    }
                    let told = format!(
                        "So geht es noch nicht: {}. Schreibe beide Fragen noch einmal, nur als JSON.",
                        wrong.join("; ")
                    );
                    correction = Some(Correction { answer, told });
                }
                Err(error) if error.is_final() => return Err(error),
                Err(error) => {
                    if matches!(error, WriterError::Unreadable { .. }) {
                        // The same words would be answered in the same way.
                        correction = Some(Correction {
                            answer: "{}".to_owned(),
                            told: "Antworte nur mit JSON der Form {\"title\": \"…\", \
                                   \"paraphrase\": \"…\"}."
                                .to_owned(),
                        });
                    } else {
                        tokio::time::sleep(PAUSE).await;
                    }
                    failure = Some(error);
                }
            }
        }
        best.ok_or_else(|| failure.expect("an attempt gives drafts or fails"))
    }
}

impl Written {
    /// Takes what passes; the two questions of a section must differ as well.
    fn take(&mut self, wanted: &Wanted<'_>, mut drafts: Drafts, taken: &mut BTreeSet<String>) {
        let wording = Wording::of(wanted.section);
        for tier in &wanted.tiers {
            let Some(draft) = drafts.remove(tier) else { continue };
            match check(*tier, &draft, &wording, taken) {
                Ok(question) => {
                    taken.insert(key(&question));
                    self.questions.insert((wanted.section.id.clone(), *tier), question);
                }
                Err(reason) => self.refused.push(Refused {
                    section: wanted.section.id.clone(),
                    tier: *tier,
                    question: crate::ollama::printable(&draft, SHOWN),
                    reason,
                }),
            }
        }
    }
}

/// Characters of a refused question in reports.
const SHOWN: usize = 240;
