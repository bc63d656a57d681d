//! The words of every section, as stems, and how many sections use them.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{Analyzer, Word, is_function_word, words};
use crate::domain::Section;

/// Shorter stems say little; those with a digit are names of things.
const SHORTEST: usize = 3;

/// Words of all sections.
#[derive(Debug, Clone)]
pub(super) struct Vocabulary {
    /// By ordinal: stem → occurrences in title and text.
    pub(super) counts: Vec<BTreeMap<String, usize>>,
    /// Stem → number of sections that use it.
    sections: BTreeMap<String, usize>,
    /// Stem → its most frequent spelling.
    surfaces: BTreeMap<String, String>,
    /// Stems of the parts of compounds: known, though no section uses them alone.
    parts: BTreeSet<String>,
}

impl Vocabulary {
    pub(super) fn new(all: &[Section], analyzer: &Analyzer) -> Self {
        let mut sections: BTreeMap<String, usize> = BTreeMap::new();
        let mut spelled: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        let mut parts = BTreeSet::new();
        let mut counts = Vec::with_capacity(all.len());
        for section in all {
            let mut own: BTreeMap<String, usize> = BTreeMap::new();
            let texts = [section.title.as_str(), section.text.as_str()];
            for word in texts.into_iter().flat_map(words).filter(is_content) {
                let (heads, modifiers) = analyzer.heads_and_modifiers(&word.folded);
                parts.extend(heads.into_iter().chain(modifiers));
                *spelled.entry(word.stem.clone()).or_default().entry(word.surface).or_default() +=
                    1;
                *own.entry(word.stem).or_default() += 1;
            }
            for stem in own.keys() {
                *sections.entry(stem.clone()).or_default() += 1;
            }
            counts.push(own);
        }
        let most = |spelled: BTreeMap<String, usize>| {
            let most = spelled.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
            most.map(|(surface, _)| surface).unwrap_or_default()
        };
        let surfaces = spelled.into_iter().map(|(stem, spelled)| (stem, most(spelled))).collect();
        Self { counts, sections, surfaces, parts }
    }

    /// How many sections use a stem.
    pub(super) fn sections_with(&self, stem: &str) -> usize {
        self.sections.get(stem).copied().unwrap_or_default()
    }

    /// Whether any section uses a stem, alone or in a compound.
    pub(super) fn knows(&self, stem: &str) -> bool {
        self.sections.contains_key(stem) || self.parts.contains(stem)
    }

    /// How a stem is usually written.
    pub(super) fn surface<'a>(&'a self, stem: &'a str) -> &'a str {
        self.surfaces.get(stem).map_or(stem, String::as_str)
    }

    /// All stems, sorted.
    pub(super) fn stems(&self) -> impl Iterator<Item = &str> {
        self.sections.keys().map(String::as_str)
    }

    /// How telling a stem is: the logarithm of the share of sections that do without it (inverse
    /// document frequency, Spärck Jones 1972).
    pub(super) fn weight(&self, stem: &str) -> f64 {
        let (all, with) = (self.counts.len() as f64, self.sections_with(stem) as f64);
        ((all + 1.0) / (with + 0.5)).ln()
    }

    /// Words of a section that no other one uses: nouns and names, most frequent first.
    pub(super) fn only_in(&self, ordinal: u32) -> Vec<String> {
        let Some(own) = self.counts.get(ordinal as usize) else { return Vec::new() };
        let mut only: Vec<(&String, usize)> = own
            .iter()
            .filter(|(stem, _)| self.sections_with(stem) == 1)
            .filter(|(stem, _)| self.surface(stem).starts_with(char::is_uppercase))
            .map(|(stem, count)| (stem, *count))
            .collect();
        only.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        only.into_iter().map(|(stem, _)| self.surface(stem).to_owned()).collect()
    }
}

/// A word that says what a text is about.
pub(super) fn is_content(word: &Word) -> bool {
    let long = word.stem.chars().count() >= SHORTEST;
    let number = word.folded.chars().all(|c| c.is_ascii_digit());
    long && !number && !is_function_word(&word.folded)
}

/// The words of a text that say what it is about, in their order.
pub(super) fn content(text: &str) -> Vec<Word> {
    words(text).into_iter().filter(is_content).collect()
}
