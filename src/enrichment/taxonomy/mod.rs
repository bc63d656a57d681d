//! `rules/taxonomy.yaml`: the house's own vocabulary, matched against sections and questions.
//!
//! A label or an alias matches as a sequence of whole words, whatever their spelling and inflection;
//! the longest one wins. What a child names, its parents name too.

mod load;

use std::collections::{BTreeMap, BTreeSet};

use super::{Documents, MOST_SECTIONS};
use crate::analysis::{Word, words};
use crate::domain::{Facet, Section};

/// Customers, products, departments: whatever a house knows by name.
#[derive(Debug, Clone, Default)]
pub struct Taxonomy {
    entries: Vec<Entry>,
    /// First stem of a phrase → phrases with their entries, longest first.
    phrases: BTreeMap<String, Vec<(Vec<String>, usize)>>,
}

#[derive(Debug, Clone)]
struct Entry {
    facet: String,
    id: String,
    label: String,
    parent: Option<usize>,
}

impl Taxonomy {
    /// Whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What a text names, in the order of facets and ids, without parents.
    pub fn find(&self, text: &str) -> Vec<Facet> {
        if self.is_empty() {
            return Vec::new();
        }
        let found = self.positions(&words(text));
        let facets = found.into_iter().map(|at| {
            let Entry { facet, id, label, .. } = &self.entries[at];
            Facet { facet: facet.clone(), id: id.clone(), label: label.clone() }
        });
        let mut facets: Vec<Facet> = facets.collect();
        facets.sort();
        facets
    }

    /// Adds the ids of what each section names, with their parents, to its facets. What one section
    /// of a business letter names, all of them have; in a handbook only what stands above.
    pub fn annotate(&self, sections: &mut [Section]) {
        if self.is_empty() {
            return;
        }
        let documents = Documents::of(sections);
        for ordinals in documents.iter() {
            let letter = ordinals.len() <= MOST_SECTIONS;
            let own: Vec<BTreeSet<usize>> =
                ordinals.iter().map(|at| self.named(&sections[*at as usize])).collect();
            let all: BTreeSet<usize> = own.iter().flatten().copied().collect();
            for (ordinal, own) in ordinals.iter().zip(&own) {
                for at in if letter { &all } else { own } {
                    let Entry { facet, id, .. } = &self.entries[*at];
                    let facets = &mut sections[*ordinal as usize].facets;
                    facets.entry(facet.clone()).or_default().insert(id.clone());
                }
            }
        }
    }

    /// Entries that a section names, with their parents.
    fn named(&self, section: &Section) -> BTreeSet<usize> {
        let values = section.facets.values().flatten();
        let texts = values.chain(&section.path).chain([&section.title, &section.text]);
        let mut found: BTreeSet<usize> =
            texts.flat_map(|text| self.positions(&words(text))).collect();
        for mut at in found.clone() {
            // The file has no cycles.
            while let Some(parent) = self.entries[at].parent {
                found.insert(parent);
                at = parent;
            }
        }
        found
    }

    fn positions(&self, words: &[Word]) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at..];
            let phrases = self.phrases.get(&rest[0].stem).map_or(&[][..], Vec::as_slice);
            let fits = |phrase: &[String]| {
                rest.len() >= phrase.len()
                    && phrase.iter().zip(rest).all(|(stem, word)| *stem == word.stem)
            };
            let longest = phrases.iter().find(|(phrase, _)| fits(phrase));
            let Some((phrase, _)) = longest else {
                at += 1;
                continue;
            };
            // One name may stand for entries of several facets.
            let same = phrases.iter().filter(|(other, _)| other == phrase);
            found.extend(same.map(|(_, entry)| *entry));
            at += phrase.len();
        }
        found
    }
}
