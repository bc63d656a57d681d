//! Answers in sentences, from the found sections only.
//!
//! ```text
//! Answer ─┬─ not answerable ─────────────────────────────── refusal with the nearest sections
//!         └─ sources ─┬─ no model, or it fails ──────────── quotations, and why
//!                     └─ prompt ─ writer ─ citations ─┬──── the model's sentences, checked
//!                                                     └ none valid ─ quotations
//! ```
//!
//! A text is handed over as it becomes safe: sentence by sentence once the first valid citation is
//! there ([`citations`]), never before. Nothing that was handed over is taken back.

mod citations;
mod compose;
mod excerpt;
mod prompt;
mod source;
mod writer;

use std::collections::BTreeSet;

pub use source::{Source, url};

use crate::config::Ollama;
use crate::domain::Answer;
use crate::ollama::Server;
use crate::pipeline::Pipeline;
use citations::Checker;
use compose::Why;
use writer::{Writer, Written};

/// Puts found sections into words.
#[derive(Debug)]
pub struct Chat {
    writer: Option<Writer>,
}

/// Who wrote an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The language model, checked.
    Model,
    /// Nobody: sections are quoted.
    Quotation,
    /// Nobody: the compendium has no answer.
    Refusal,
}

impl Author {
    /// Stable name: `llm`, `quotation`, `refusal`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "llm",
            Self::Quotation => "quotation",
            Self::Refusal => "refusal",
        }
    }
}

/// An answer in sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Markdown, with citations like `[1]` and the list of what was cited at its end.
    pub text: String,
    /// What was cited, or for a refusal what comes nearest, by number.
    pub sources: Vec<Source>,
    /// Who wrote it.
    pub author: Author,
    /// Whether it was stopped at its length.
    pub is_cut: bool,
    /// Tokens that the model read; 0 where none was asked.
    pub tokens_read: u64,
    /// Tokens that the model wrote; 0 where none was asked.
    pub tokens_written: u64,
}

impl Chat {
    /// Answers written by llama3 where it is configured, within `time_limit` each.
    pub fn new(ollama: Option<&Ollama>) -> Self {
        // A wrong address keeps the service from starting (`pipeline::assemble`).
        let writer = ollama.and_then(|Ollama { url, model, answer_time_limit, .. }| {
            Some(Writer::new(Server::new(url)?, model.clone(), *answer_time_limit))
        });
        Self { writer }
    }

    /// Puts the hits of a search into words. `base` is the address of the service for links; `tell`
    /// gets the text piece by piece as it becomes safe, all pieces together are [`Reply::text`].
    pub async fn answer(
        &self,
        pipeline: &Pipeline,
        found: &Answer,
        base: &str,
        mut tell: impl FnMut(&str),
    ) -> Reply {
        let mut text = String::new();
        let mut say = |piece: &str| {
            if !piece.is_empty() {
                text.push_str(piece);
                tell(piece);
            }
        };
        let mut sources = Source::of(pipeline, found, base);
        let asked = source::stems(pipeline.analyzer(), &found.question);
        let mut written = Written::default();
        let (author, cited) = if sources.is_empty() || found.answerable == Some(false) {
            let (refusal, nearest) = compose::refusal(&sources);
            say(&refusal);
            (Author::Refusal, nearest)
        } else {
            let outcome = match &self.writer {
                None => Err(Why::NoModel),
                Some(writer) => {
                    self::written(writer, pipeline, found, &asked, &sources, &mut say).await
                }
            };
            match outcome {
                Ok((what, cited)) => {
                    written = what;
                    (Author::Model, cited)
                }
                Err(why) => {
                    let analyzer = pipeline.analyzer();
                    let (quotations, cited) = compose::quotations(analyzer, &asked, &sources, why);
                    say(&quotations);
                    (Author::Quotation, cited)
                }
            }
        };
        sources.retain(|source| cited.contains(&source.number));
        let heading = if author == Author::Refusal { "Nächste Abschnitte" } else { "Quellen" };
        say(&compose::list(heading, sources.iter()));
        Reply {
            text,
            sources,
            author,
            is_cut: written.is_cut,
            tokens_read: written.read,
            tokens_written: written.wrote,
        }
    }
}

/// Lets the model write. Where it fails before anything was said, the reason is the error; after that
/// the answer says itself that it is not complete.
async fn written(
    writer: &Writer,
    pipeline: &Pipeline,
    found: &Answer,
    asked: &BTreeSet<String>,
    sources: &[Source],
    say: &mut impl FnMut(&str),
) -> Result<(Written, BTreeSet<usize>), Why> {
    let analyzer = pipeline.analyzer();
    let message = prompt::message(analyzer, &found.question, asked, sources);
    let mut checker = Checker::new(analyzer, sources);
    let outcome =
        writer.write(pipeline.chat_prompt(), &message, |piece| say(&checker.push(piece))).await;
    say(&checker.finish());
    let cited = checker.cited().clone();
    match outcome {
        Ok(_) if cited.is_empty() => Err(Why::Unsupported),
        Err(error) if cited.is_empty() => Err(Why::Failed(error)),
        Ok(written) => {
            if written.is_cut {
                say(compose::too_long());
            }
            Ok((written, cited))
        }
        Err(error) => {
            say(&compose::broken_off(error));
            Ok((Written { is_cut: true, ..Written::default() }, cited))
        }
    }
}
