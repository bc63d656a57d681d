//! German analysis: from text to the tokens that both sides of a search compare.
//!
//! The chain, in order. Index and question go through the same code, so they always agree.
//!
//! | step | what | where |
//! |---|---|---|
//! | 1 | words: runs of letters and digits, inner `-`, `.`, `/` and `'` part them; spans in characters | [`words`] |
//! | 2 | fold: NFC, lower case, ä→ae ö→oe ü→ue ß→ss, accents off | [`fold`] |
//! | 3 | stem: Snowball German on the folded word; words with digits are kept whole | [`stem`] |
//! | 4 | compounds: parts of a word from the vocabulary of the compendium | [`Compounds`] |
//! | 5 | 4-grams of the folded word, for typos and unseen compounds | [`ngrams`] |
//!
//! No stop words are removed: without question words and negations 75 of 244 real questions share
//! no word with their answer. BM25 gives frequent words little weight anyway.

mod analyzer;
mod compounds;
mod spelling;
mod words;

pub use analyzer::{Analysed, Analyzer};
pub use compounds::{Compounds, Part};
pub use spelling::fold;
pub use words::{Token, Word, ngrams, stem, tokens, words};

/// Version of the whole chain; part of the index's manifest. Raise it with every change that gives
/// other tokens.
pub const VERSION: &str = "german-1";
