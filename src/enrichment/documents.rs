//! Sections by document, in the order of the document.

use std::collections::{BTreeMap, BTreeSet};

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

    /// The sections of a document by who may see them: receivers, and the sections of the document
    /// that everybody who sees a receiver may see, too. What is only for some is handed down to nobody
    /// else.
    pub fn shared(ordinals: &[u32], sections: &[Section]) -> Vec<(Vec<u32>, Vec<u32>)> {
        let audience = |ordinal: &u32| &sections[*ordinal as usize].audience;
        let audiences: BTreeSet<&BTreeSet<String>> = ordinals.iter().map(audience).collect();
        let among = |wanted: &dyn Fn(&BTreeSet<String>) -> bool| -> Vec<u32> {
            ordinals.iter().copied().filter(|ordinal| wanted(audience(ordinal))).collect()
        };
        audiences
            .into_iter()
            .map(|receiver| {
                let seen = |giver: &BTreeSet<String>| {
                    giver.is_empty() || (!receiver.is_empty() && receiver.is_subset(giver))
                };
                (among(&|own| own == receiver), among(&seen))
            })
            .collect()
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
