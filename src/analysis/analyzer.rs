//! The chain with its vocabulary: what index and question share.

use std::sync::Arc;

use super::{Compounds, Word, stem, words};
use crate::domain::Section;

/// The German analysis of one compendium. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Analyzer {
    compounds: Arc<Compounds>,
}

/// A word with the stems of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysed {
    /// The word.
    pub word: Word,
    /// Stems of the parts of a compound, first to last; empty for other words.
    pub parts: Vec<String>,
}

impl Analyzer {
    /// Takes the vocabulary from the sections.
    pub fn new(sections: &[Section]) -> Self {
        let mut vocabulary: Vec<String> = Vec::new();
        for section in sections {
            for text in [&section.title, &section.text] {
                vocabulary.extend(words(text).into_iter().map(|word| word.folded));
            }
        }
        let compounds = Compounds::new(vocabulary.iter().map(String::as_str));
        Self { compounds: Arc::new(compounds) }
    }

    /// The words of a text with their parts.
    pub fn analyse(&self, text: &str) -> Vec<Analysed> {
        words(text)
            .into_iter()
            .map(|word| Analysed { parts: self.parts(&word.folded), word })
            .collect()
    }

    /// Stems of the parts of a folded word.
    pub fn parts(&self, folded: &str) -> Vec<String> {
        self.compounds.split(folded).into_iter().map(|part| stem(&part.text)).collect()
    }

    /// A word as it is written but for case: tells schon from schön.
    pub fn exact(word: &Word) -> String {
        use unicode_normalization::UnicodeNormalization;
        let lower: String = word.surface.nfc().flat_map(char::to_lowercase).collect();
        // Swiss ss and capitals have no ß: they must not lose against it.
        lower.replace('ß', "ss")
    }
}
