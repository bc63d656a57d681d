//! What went into the wrong index, and how much of each index is not the section's own.

use std::collections::BTreeSet;

use serde::Serialize;

use super::concepts::Concept;
use super::{Documents, Enrichment, Readings, concepts, stems};
use crate::analysis::{Analyzer, Symbols, words};
use crate::domain::{EnrichmentPlan, Problem, Section};

/// How much of a section's indexes comes from its document, each 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Share {
    /// Section id.
    pub section: String,
    /// Of the words and inherited tokens in the keyword index.
    pub lexical: f64,
    /// Of the characters of the embedding input.
    pub embedding: f64,
}

/// Leaks and shares of a compendium.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leaks {
    /// An identifier or a name in an embedding input, a concept in the field of symbols.
    pub problems: Vec<Problem>,
    /// By section, sorted by id.
    pub shares: Vec<Share>,
}

/// Checks what a build would add. Which concepts a section gets is measured on vectors; here every
/// one that it could get is looked at.
pub fn leaks(plan: EnrichmentPlan, sections: &[Section], analyzer: &Analyzer) -> Leaks {
    let mut enrichment = Enrichment::of(plan, sections, analyzer.symbols(), &Readings::default());
    let documents = Documents::of(sections);
    let candidates = concepts::candidates(sections, &documents, analyzer);
    let mut possible = vec![Vec::new(); sections.len()];
    for (ordinals, candidates) in documents.iter().zip(&candidates) {
        for ordinal in ordinals {
            let borderline = enrichment.borderline(*ordinal);
            let terms = candidates.iter().cloned().chain(borderline);
            let concepts = terms.map(|term| Concept::of(&term, 0.0));
            possible[*ordinal as usize] = concepts.collect();
        }
    }
    enrichment.set_concepts(possible);
    check(plan, sections, &enrichment, analyzer.symbols())
}

/// Checks what `enrichment` adds to the sections.
pub fn check(
    plan: EnrichmentPlan,
    sections: &[Section],
    enrichment: &Enrichment,
    patterns: &Symbols,
) -> Leaks {
    let mut leaks = Leaks::default();
    for (ordinal, section) in (0..).zip(sections) {
        let head = enrichment.head(plan, ordinal);
        let inherited = enrichment.tokens(plan, ordinal);
        let opaque = opaque(enrichment, patterns, ordinal, &head);
        if let Some(leaked) = opaque.first() {
            leaks.problems.push(Problem {
                place: section.place.clone(),
                code: "enrichment-symbol-embedded",
                message: format!(
                    "the embedding input of `{}` gets `{leaked}` from its document",
                    section.id
                ),
                mend: "write `symbols: on` under `enrichment`, or `target: both` for its kind in \
                       rules/symbols.yaml"
                    .to_owned(),
            });
        }
        let own = document_tokens(enrichment, ordinal);
        if let Some(leaked) = inherited.iter().find(|token| !own.contains(token.as_str())) {
            leaks.problems.push(Problem {
                place: section.place.clone(),
                code: "enrichment-concept-in-symbols",
                message: format!("the inherited symbols of `{}` hold `{leaked}`", section.id),
                mend: "write `concepts: on` or `off` under `enrichment`".to_owned(),
            });
        }
        let count = words(&section.title).len() + words(&section.text).len();
        let letters = section.title.chars().count() + section.text.chars().count();
        leaks.shares.push(Share {
            section: section.id.to_string(),
            lexical: share(inherited.len(), count),
            embedding: share(head.trim_end().chars().count(), letters),
        });
    }
    leaks
}

/// Identifiers and names in a text that are not meant for the embedding.
fn opaque(enrichment: &Enrichment, patterns: &Symbols, ordinal: u32, head: &str) -> Vec<String> {
    let mut found: Vec<String> = patterns
        .find_all(head)
        .into_iter()
        .filter(|symbol| !symbol.target.embedding())
        .map(|symbol| symbol.surface)
        .collect();
    // A name is one by each of its words, too.
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for symbol in enrichment.symbols(ordinal).iter().flat_map(|document| &document.symbols) {
        if !symbol.target.embedding() && symbol.kind != "facet" {
            names.extend(symbol.tokens.iter().map(String::as_str));
        }
    }
    found.extend(stems(head).into_iter().filter(|stem| names.contains(stem.as_str())));
    found
}

fn document_tokens(enrichment: &Enrichment, ordinal: u32) -> BTreeSet<&str> {
    let symbols = enrichment.symbols(ordinal).into_iter().flat_map(|document| &document.symbols);
    symbols.flat_map(|symbol| symbol.tokens.iter().map(String::as_str)).collect()
}

fn share(added: usize, own: usize) -> f64 {
    let all = added + own;
    if all == 0 { 0.0 } else { (added as f64 / all as f64 * 1e4).round() / 1e4 }
}
