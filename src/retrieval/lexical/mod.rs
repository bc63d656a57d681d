//! The lexical channel: BM25 over German tokens, with tantivy.
//!
//! | field | holds |
//! |---|---|
//! | `title`, `path`, `text` | stems; weighed by the profile |
//! | `heads`, `parts` | stems of the parts of compounds in title and text: what they are, which kind |
//! | `exact` | folded words, unstemmed: the tie-breaker (schon/schön) |
//! | `grams` | character 4-grams, for typos and compounds that nobody has seen |
//! | `symbols` | identifiers under all their forms |
//! | `synonyms` | other words for what title and text say |
//! | `inherited` | identifiers and names of the whole document |
//!
//! User text never reaches a query parser: queries are built from tokens.

mod coverage;
mod document;
mod error;
mod fields;
mod identifiers;
mod index;
mod matching;
mod plan;
mod query;
mod schema;
mod shown;
mod snippet;
mod write;

pub use coverage::Coverage;
pub use error::LexicalError;
pub use fields::{FieldBoosts, InvalidFields};
pub use index::LexicalIndex;
pub use snippet::{Highlighter, Snippet};

use std::collections::BTreeMap;

use crate::domain::Allowed;

/// A question to the lexical channel.
#[derive(Debug, Clone, Copy)]
pub struct LexicalRequest<'a> {
    /// As it was asked.
    pub question: &'a str,
    /// Fields with their boosts.
    pub fields: &'a FieldBoosts,
    /// Sections that may be found; `None` is all.
    pub allowed: Option<&'a Allowed>,
    /// Most hits.
    pub limit: usize,
}

/// How a question says which documents are meant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DocumentNames {
    /// Its words that do so, by identifier or name: `[start, end)` in Unicode scalar values.
    pub spans: Vec<(usize, usize)>,
    /// Sections of the documents, with the share of identifiers and names that lead to them, 0 to 1.
    pub sections: BTreeMap<u32, f64>,
}

/// What the lexical channel found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LexicalHits {
    /// Ordinals with BM25 scores, best first, ties by ordinal.
    pub hits: Vec<(u32, f32)>,
    /// Words and identifiers of the question that name something and occur in the index; 0 means that
    /// the channel has nothing to say, whatever it found.
    pub terms: usize,
    /// Identifiers of the question whose sections come first.
    pub identifiers: usize,
    /// Identifiers of the index that look like one of the question, as they are written there.
    pub similar_identifiers: Vec<String>,
    /// Identifiers of the question that no section has.
    pub unknown_identifiers: Vec<String>,
}
