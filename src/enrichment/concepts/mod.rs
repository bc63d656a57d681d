//! Key terms of a document, and which of them help a section's embedding.
//!
//! Candidates are ranked by C-value (Frantzi, Ananiadou and Mima 2000) times inverse document
//! frequency (Spärck Jones 1972) over nouns and adjective-noun phrases. Whether a term helps a
//! section is not guessed but measured on vectors: see [`choose`].

mod candidates;
mod choose;
mod proposed;

use serde::{Deserialize, Serialize};

pub use candidates::{Candidate, candidates};
pub use choose::{Topics, choose, gain, mean};
pub use proposed::proposed;

/// Who says that a term is one of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proposer {
    /// Its frequencies, see [`candidates`].
    Frequency,
    /// An entry of `rules/symbols.yaml` with `target: both`.
    Usage,
    /// A model, see [`proposed`].
    Llm,
}

/// The constants of this method, see [`super::method`].
pub(super) fn method() -> String {
    format!("concepts {} {}", candidates::method(), choose::method())
}

/// A term that a section's embedding input gets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Concept {
    /// As the document writes it most often.
    pub text: String,
    /// C-value times inverse document frequency.
    pub weight: f64,
    /// How much nearer the section comes to its document's topic than to the next other one, in
    /// cosine; estimated, above 0.
    pub gain: f64,
    /// Who proposed it.
    pub proposed_by: Proposer,
}

impl Concept {
    /// A candidate with its gain.
    pub fn of(term: &Candidate, gain: f64) -> Self {
        let rounded = |value: f64| (value * 1e4).round() / 1e4;
        Self {
            text: term.text.clone(),
            weight: rounded(term.weight),
            gain: rounded(gain),
            proposed_by: term.proposed_by,
        }
    }
}
