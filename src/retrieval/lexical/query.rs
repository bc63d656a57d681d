//! Tokens of a question → a query. Nothing here parses text.

use std::collections::BTreeSet;

use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, TantivyError, Term};

use super::fields::FieldBoosts;
use super::index::{Fields, GRAM};
use crate::analysis::{Analysed, Analyzer, ngrams};

/// A part of a compound says less than the whole word.
const PARTS: f32 = 0.5;
/// The unfolded word breaks ties; it must not outvote a stem.
const EXACT: f32 = 0.2;
/// Many 4-grams match by accident, but there are many of them.
const GRAMS: f32 = 0.2;
/// More words than this do not make a question clearer, only slower.
const MOST_WORDS: usize = 64;
/// 4-grams of at most so many words are searched.
const MOST_GRAM_WORDS: usize = 24;

/// The distinct terms of a question.
#[derive(Debug, Default)]
pub(super) struct Terms {
    stems: BTreeSet<String>,
    parts: BTreeSet<String>,
    exact: BTreeSet<String>,
    grams: BTreeSet<String>,
}

impl Terms {
    pub(super) fn of(words: &[Analysed]) -> Self {
        let mut terms = Self::default();
        for analysed in words {
            if terms.stems.len() >= MOST_WORDS {
                break;
            }
            if terms.stems.len() < MOST_GRAM_WORDS {
                terms.grams.extend(ngrams(&analysed.word.folded, GRAM));
            }
            terms.stems.insert(analysed.word.stem.clone());
            terms.exact.insert(Analyzer::exact(&analysed.word));
            terms.parts.extend(analysed.parts.iter().cloned());
        }
        terms
    }
}

/// The query, and how many words of the question the index knows.
pub(super) fn build(
    searcher: &Searcher,
    fields: Fields,
    boosts: &FieldBoosts,
    terms: &Terms,
) -> Result<(BooleanQuery, usize), TantivyError> {
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    let mut known = 0;
    let mut add = |field: Field, token: &str, boost: f32| -> Result<bool, TantivyError> {
        let term = Term::from_field_text(field, token);
        if boost <= 0.0 || searcher.doc_freq(&term)? == 0 {
            return Ok(false);
        }
        let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
        clauses.push((Occur::Should, Box::new(BoostQuery::new(Box::new(query), boost))));
        Ok(true)
    };
    let own =
        [(fields.title, boosts.title), (fields.path, boosts.path), (fields.text, boosts.text)];
    for stem in &terms.stems {
        let mut found = false;
        for (field, boost) in own {
            found |= add(field, stem, boost)?;
        }
        found |= add(fields.parts, stem, PARTS)?;
        known += usize::from(found);
    }
    for part in terms.parts.difference(&terms.stems) {
        let mut found = false;
        for (field, boost) in own {
            found |= add(field, part, boost * PARTS)?;
        }
        found |= add(fields.parts, part, PARTS)?;
        known += usize::from(found);
    }
    for exact in &terms.exact {
        add(fields.exact, exact, EXACT)?;
    }
    let mut by_grams = false;
    for gram in &terms.grams {
        by_grams |= add(fields.grams, gram, GRAMS)?;
    }
    // A question of nothing but unseen words can still be found by their 4-grams.
    Ok((BooleanQuery::new(clauses), known.max(usize::from(by_grams))))
}
