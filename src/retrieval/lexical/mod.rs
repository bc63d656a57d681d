//! The lexical channel: BM25 over German tokens, with tantivy.
//!
//! Fields: `title`, `path` and `text` hold stems; `parts` the stems of compound parts of all three;
//! `exact` the unfolded words, as tie-breaker (schon/schön); `grams` character 4-grams, for typos and
//! compounds that nobody has seen. User text never reaches a query parser: queries are built from
//! tokens.

mod fields;
mod index;
mod query;
mod snippet;

pub use fields::{FieldBoosts, InvalidFields};
pub use index::{LexicalError, LexicalIndex};
pub use snippet::{Highlighter, Snippet};

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

/// What the lexical channel found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LexicalHits {
    /// Ordinals with BM25 scores, best first, ties by ordinal.
    pub hits: Vec<(u32, f32)>,
    /// Words of the question that occur in the index; 0 means that the channel has nothing to say.
    pub terms: usize,
}
