//! Sections by document, in the order of the document.

use std::collections::BTreeMap;

use crate::domain::Section;

/// Ordinals of each document's sections, in the order of the document; documents by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Documents(Vec<Vec<u32>>);

impl Documents {
    /// Groups sections, given by ordinal.
    pub fn of(sections: &[Section]) -> Self {
        let mut documents: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (ordinal, section) in sections.iter().enumerate() {
            documents.entry(section.document()).or_default().push(ordinal as u32);
        }
        let mut documents: Vec<Vec<u32>> = documents.into_values().collect();
        for ordinals in &mut documents {
            ordinals.sort_by_key(|ordinal| (&sections[*ordinal as usize].place, *ordinal));
        }
        Self(documents)
    }

    /// The documents, by name.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
