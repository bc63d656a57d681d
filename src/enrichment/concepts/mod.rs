//! Key terms of a document, and which of them help a section's embedding.
//!
//! Candidates are ranked by C-value (Frantzi, Ananiadou and Mima 2000) times inverse document
//! frequency (Spärck Jones 1972) over nouns and adjective-noun phrases. Whether a term helps a
//! section is not guessed but measured on vectors: see [`choose`].

mod candidates;
mod choose;

use serde::{Deserialize, Serialize};

pub use candidates::{Candidate, candidates};
pub use choose::{Topics, choose, gain, mean};

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
}
