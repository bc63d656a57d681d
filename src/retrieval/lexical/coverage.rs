//! How much of a question one section speaks of.

use std::collections::BTreeSet;

use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, Searcher, Term};

use super::index::reaches;
use super::schema::{Fields, GRAM};
use crate::analysis::{Analysed, Analyzer, Symbol, is_function_word, ngrams, words};

/// A word that stands in the section only as a part of a compound, or that it calls otherwise.
const PART: f64 = 0.7;
/// Words that share fewer of their 4-grams are other words.
const ALIKE: f64 = 0.5;
/// More words than this do not make a question clearer.
const MOST_WORDS: usize = 64;

/// Shares of a question's words, weighed by how rare each is in the index (inverse document
/// frequency, Spärck Jones 1972), so that a word that no section knows counts most.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coverage {
    /// What of the words that name something the section speaks of, 0 to 1.
    pub section: f64,
    /// What of them any section speaks of, 0 to 1.
    pub index: f64,
    /// How many words name something.
    pub words: usize,
}

pub(super) fn coverage(
    searcher: &Searcher,
    fields: Fields,
    analyzer: &Analyzer,
    question: &str,
    address: DocAddress,
) -> tantivy::Result<Coverage> {
    let look = Look { searcher, fields, address };
    let mut seen = BTreeSet::new();
    let (mut total, mut section, mut index) = (0.0, 0.0, 0.0);
    let symbols = analyzer.symbols().find(question);
    for word in words(question).into_iter().take(MOST_WORDS) {
        if is_function_word(&word.folded) || !seen.insert(word.stem.clone()) {
            continue;
        }
        let analysed = analyzer.analysed(word);
        let frequency = look.frequency(&analysed.word.stem)?;
        let weight = inverse_frequency(searcher.num_docs(), frequency);
        total += weight;
        let span = analysed.word.span;
        let part_of = symbols.iter().find(|of| of.span.0 <= span.0 && span.1 <= of.span.1);
        // `4471` is part of ART-4471-B, which the section may have from its document.
        let named = match part_of {
            Some(symbol) => look.names(symbol)?,
            None => false,
        };
        let here = if named { 1.0 } else { look.credit(&analysed)? };
        section += weight * here;
        index += weight * if frequency > 0 { 1.0 } else { here };
    }
    let share = |sum: f64| if total > 0.0 { sum / total } else { 0.0 };
    Ok(Coverage { section: share(section), index: share(index), words: seen.len() })
}

fn inverse_frequency(sections: u64, having: u64) -> f64 {
    let (all, having) = (sections as f64, having as f64);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}

struct Look<'a> {
    searcher: &'a Searcher,
    fields: Fields,
    address: DocAddress,
}

impl Look<'_> {
    /// Sections that have a stem, as a word or in a compound.
    fn frequency(&self, stem: &str) -> tantivy::Result<u64> {
        let mut most = 0;
        for field in [self.fields.text, self.fields.title, self.fields.heads, self.fields.parts] {
            most = most.max(self.searcher.doc_freq(&Term::from_field_text(field, stem))?);
        }
        Ok(most)
    }

    /// How surely the section speaks of a word, 0 to 1.
    fn credit(&self, analysed: &Analysed) -> tantivy::Result<f64> {
        let fields = self.fields;
        let stem = &analysed.word.stem;
        let own = [fields.text, fields.title, fields.path, fields.heads, fields.symbols];
        for field in own.into_iter().chain([fields.inherited]) {
            if self.has(field, stem)? {
                return Ok(1.0);
            }
        }
        for field in [fields.parts, fields.synonyms] {
            if self.has(field, stem)? {
                return Ok(PART);
            }
        }
        for head in &analysed.heads {
            if self.has(fields.text, head)? || self.has(fields.title, head)? {
                return Ok(PART);
            }
        }
        let grams = ngrams(&analysed.word.folded, GRAM);
        let mut shared = 0;
        for gram in &grams {
            shared += usize::from(self.has(fields.grams, gram)?);
        }
        let share = shared as f64 / grams.len() as f64;
        Ok(if share > ALIKE { share * PART } else { 0.0 })
    }

    fn names(&self, symbol: &Symbol) -> tantivy::Result<bool> {
        for form in symbol.forms.iter().chain(&symbol.short) {
            if self.has(self.fields.symbols, form)? || self.has(self.fields.inherited, form)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has(&self, field: Field, token: &str) -> tantivy::Result<bool> {
        let inverted =
            self.searcher.segment_reader(self.address.segment_ord).inverted_index(field)?;
        let term = Term::from_field_text(field, token);
        let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? else {
            return Ok(false);
        };
        Ok(reaches(&mut postings, self.address.doc_id))
    }
}
