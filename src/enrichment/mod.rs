//! What a section gets from its document: fragments do not name what they are about.
//!
//! | type | example | strengthens | aims at |
//! |---|---|---|---|
//! | symbol | `ART-4471-B`, `Hoffmann & Söhne GmbH` | the keyword index | recall: a superfluous one costs BM25 little |
//! | concept | `Zahlungsverzug` | the embedding | precision: an irrelevant one moves a vector |
//!
//! Both come from the document alone and are the same for equal documents. Where a model reads the
//! documents, too ([`llm`]), they are also the same for equal answers, which are kept.

pub mod concepts;
mod documents;
mod leaks;
pub mod llm;
mod readings;
mod symbols;
mod taxonomy;

use serde::{Deserialize, Serialize};

pub use documents::Documents;
pub use leaks::{Leaks, Share, check, leaks};
pub use readings::{Reading, Readings};
pub use symbols::{DocumentSymbol, DocumentSymbols, MODEL, MOST_SYMBOLS, Ordinary, Origin};
pub use taxonomy::Taxonomy;

use crate::analysis::{Symbols, is_function_word, stem, words};
use crate::domain::{EnrichmentPlan, Section, Use};
use concepts::{Candidate, Concept, Proposer};
use symbols::MOST_SECTIONS;

/// Raise it when other symbols or concepts come out of equal documents in a way that no constant in
/// [`method`] shows.
const VERSION: &str = "2";

/// Everything but documents, rules and settings that decides what sections get: an index that was
/// enriched by another method does not fit.
pub fn method() -> String {
    format!("{VERSION}: symbols {MOST_SYMBOLS}/{MOST_SECTIONS}, {}", concepts::method())
}

/// What all sections get; by document and by ordinal.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Enrichment {
    /// Symbols by document and audience, in the order of the sections' documents.
    symbols: Vec<DocumentSymbols>,
    /// Position in `symbols` by ordinal; `None` where the document gives nothing.
    document: Vec<Option<u32>>,
    /// Concepts by ordinal.
    concepts: Vec<Vec<Concept>>,
}

impl Enrichment {
    /// The symbols of all documents, with those that a model read; concepts are chosen later, see
    /// [`Enrichment::set_concepts`]. A section gets nothing from one that fewer people may see.
    pub fn of(
        plan: EnrichmentPlan,
        sections: &[Section],
        patterns: &Symbols,
        readings: &Readings,
    ) -> Self {
        let mut enrichment = Self {
            symbols: Vec::new(),
            document: vec![None; sections.len()],
            concepts: vec![Vec::new(); sections.len()],
        };
        if plan.symbols == Use::Off {
            return enrichment;
        }
        let documents = Documents::of(sections);
        let ordinary = Ordinary::of(&documents, sections, readings);
        for (at, ordinals) in documents.iter().enumerate() {
            let named = readings.of(at).map_or(&[][..], |reading| &reading.symbols);
            for (receivers, givers) in Documents::shared(ordinals, sections) {
                let found = DocumentSymbols::of(&givers, sections, patterns, (named, &ordinary));
                if found.symbols.is_empty() {
                    continue;
                }
                let at = enrichment.symbols.len() as u32;
                for ordinal in receivers {
                    enrichment.document[ordinal as usize] = Some(at);
                }
                enrichment.symbols.push(found);
            }
        }
        enrichment
    }

    /// Takes the concepts of each section, by ordinal.
    pub fn set_concepts(&mut self, concepts: Vec<Vec<Concept>>) {
        self.concepts = concepts;
    }

    /// The symbols of a section's document; `None` where there are none.
    pub fn symbols(&self, ordinal: u32) -> Option<&DocumentSymbols> {
        let at = *self.document.get(ordinal as usize)?;
        self.symbols.get(at? as usize)
    }

    /// Symbols that usage has given a meaning (`ISO 9001`): they go to the keyword index like all
    /// others, and may help the embedding where measuring says so.
    pub fn borderline(&self, ordinal: u32) -> impl Iterator<Item = Candidate> {
        let symbols = self.symbols(ordinal).into_iter().flat_map(|document| &document.symbols);
        symbols.filter(|symbol| symbol.target.embedding()).map(|symbol| Candidate {
            text: symbol.surface.clone(),
            stems: stems(&symbol.surface),
            weight: 0.0,
            proposed_by: Proposer::Usage,
        })
    }

    /// The concepts of a section, best first.
    pub fn concepts(&self, ordinal: u32) -> &[Concept] {
        self.concepts.get(ordinal as usize).map_or(&[], Vec::as_slice)
    }

    /// Tokens for the section's own field of the keyword index, sorted, each once.
    pub fn tokens(&self, plan: EnrichmentPlan, ordinal: u32) -> Vec<String> {
        let mut tokens = Vec::new();
        for symbol in self.symbols(ordinal).iter().flat_map(|document| &document.symbols) {
            if symbol.target.lexical() || plan.symbols == Use::Both {
                tokens.extend(symbol.tokens.iter().cloned());
            }
        }
        if plan.concepts == Use::Both {
            for concept in self.concepts(ordinal) {
                tokens.extend(stems(&concept.text));
            }
        }
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }

    /// What stands between the prefix and the title in the embedding input; empty, or ends with its
    /// own line breaks. Without a label: one constant text on every section costs the search more
    /// than any term brings (design, fact 2).
    pub fn head(&self, plan: EnrichmentPlan, ordinal: u32) -> String {
        let mut terms: Vec<&str> = Vec::new();
        if plan.symbols == Use::Both {
            let document = self.symbols(ordinal);
            let symbols = document.iter().flat_map(|document| &document.symbols);
            terms.extend(symbols.map(|symbol| symbol.surface.as_str()));
        }
        if plan.concepts != Use::Off {
            terms.extend(self.concepts(ordinal).iter().map(|concept| concept.text.as_str()));
        }
        if terms.is_empty() { String::new() } else { format!("{}\n\n", terms.join(", ")) }
    }
}

/// Stems of the words that name something.
fn stems(text: &str) -> Vec<String> {
    let words = words(text).into_iter();
    words.filter(|word| !is_function_word(&word.folded)).map(|word| stem(&word.folded)).collect()
}

#[cfg(test)]
mod tests;
