//! German analysis: from text to the tokens that both sides of a search compare.
//!
//! The chain, in order. Index and question go through the same code, so they always agree.
//!
//! | step | what | where |
//! |---|---|---|
//! | 1 | words: runs of letters and digits of at most 120 characters; spans in characters | [`words`] |
//! | 2 | fold: NFC, lower case, ä→ae ö→oe ü→ue ß→ss, accents off | [`fold`] |
//! | 3 | stem: Snowball German on the folded word; words with digits are kept whole | [`stem`] |
//! | 4 | compounds: parts of a word, the head apart from the others | [`Compounds`] |
//! | 5 | hyphens: `E-Mail-Adresse` also as `emailadresse`, `email`, `mailadresse` | [`joined`] |
//! | 6 | 4-grams of the folded word, for typos and unseen compounds | [`ngrams`] |
//! | 7 | identifiers, kept whole under all their spellings | [`Symbols`] |
//! | 8 | synonyms of editors | [`Synonyms`] |
//!
//! The folded, unstemmed word is a token too: it tells `schon` from `schön` (`schoen`) and `Mützen`
//! (`muetzen`) from `Mutzen`, which share a stem, and takes `Muetzen` for `Mützen`.
//!
//! No stop words are removed: without question words and negations 75 of 244 real questions share
//! no word with their answer. BM25 gives frequent words little weight anyway.

mod analyzer;
mod compounds;
mod function_words;
mod spelling;
mod symbols;
mod synonyms;
mod words;

pub use analyzer::{Analysed, Analyzer, LanguageRules};
pub use compounds::{Compounds, Exceptions, Part, Split, is_everyday_word};
pub use function_words::is_function_word;
pub use spelling::fold;
pub use symbols::{Symbol, Symbols, Target, name_token, squeezed};
pub use synonyms::Synonyms;
pub use words::{Token, Word, joined, ngrams, stem, tokens, words};

/// Version of the whole chain; part of the index's manifest. Raise it with every change that gives
/// other tokens.
pub const VERSION: &str = "german-2";
