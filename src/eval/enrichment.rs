//! What enrichment brings: the same questions over the same sections with none, mixed and typed
//! enrichment, each also with foreign identifiers in every document.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::retrieval::{ByChannel, Report};
use crate::domain::{EnrichmentPlan, Section, Use};

/// Foreign identifiers that are added to each document, as a bill of materials would.
pub const FOREIGN: usize = 20;

/// The plans that are compared.
pub const PLANS: [(&str, EnrichmentPlan); 4] = [
    ("none", EnrichmentPlan::NONE),
    ("mixed", EnrichmentPlan::MIXED),
    ("typed", EnrichmentPlan::TYPED),
    ("symbols only", EnrichmentPlan { symbols: Use::On, concepts: Use::Off }),
];

/// One plan over one state of the documents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variant {
    /// `none`, `mixed`, `typed`, or `symbols only`: the default.
    pub plan: &'static str,
    /// Foreign identifiers in each document, 0 or [`FOREIGN`].
    pub foreign: usize,
    /// All questions, by channel.
    pub channels: ByChannel,
    /// The questions of each kind, by channel.
    pub by_kind: BTreeMap<String, ByChannel>,
    /// Size of the index on disk.
    pub bytes: u64,
    /// Time of the build. Texts that were embedded before come from the cache.
    pub build_ms: u64,
}

impl Variant {
    /// Takes over the figures of an evaluation.
    pub fn new(plan: &'static str, foreign: usize, report: Report, size: (u64, u64)) -> Self {
        let Report { channels, by_tier, .. } = report;
        let (bytes, build_ms) = size;
        Self { plan, foreign, channels, by_kind: by_tier, bytes, build_ms }
    }
}

/// Adds [`FOREIGN`] identifiers to the first section of each document: codes that no question asks
/// for, the same in every run.
pub fn with_foreign_identifiers(sections: &mut [Section]) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    for (ordinal, section) in sections.iter().enumerate() {
        let at = first.entry(section.document().to_owned()).or_insert(ordinal);
        if section.place < sections[*at].place {
            *at = ordinal;
        }
    }
    for (document, at) in first {
        let mut codes = BTreeSet::new();
        let mut number = 0_u32;
        while codes.len() < FOREIGN {
            codes.insert(code(&document, number));
            number += 1;
        }
        let list: Vec<String> = codes.into_iter().collect();
        let text = &mut sections[at].text;
        text.push_str("\n\nStückliste: ");
        text.push_str(&list.join(", "));
        text.push('.');
    }
}

/// `XQ-48213-K`; no business document of ours uses the prefix.
fn code(document: &str, number: u32) -> String {
    let digest = Sha256::digest(format!("{document} {number}"));
    let digits = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]) % 100_000;
    let letter = char::from(b'A' + digest[4] % 26);
    format!("XQ-{digits:05}-{letter}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Place, SectionId};

    #[test]
    fn every_document_gets_twenty_codes_of_its_own_in_its_first_section() {
        let section = |id: &str, line| Section {
            id: SectionId::try_from(id).expect("an id"),
            title: String::new(),
            path: Vec::new(),
            text: "Text.".to_owned(),
            group: None,
            facets: BTreeMap::new(),
            audience: BTreeSet::new(),
            updated: None,
            place: Place { file: "a.md".to_owned(), line, column: 1 },
        };
        let mut sections = [section("a#eins", 9), section("a#zwei", 2), section("b#eins", 1)];
        let before = sections.clone();
        with_foreign_identifiers(&mut sections);
        assert_eq!(sections[0], before[0]);
        let codes = |at: usize| sections[at].text.matches("XQ-").count();
        assert_eq!((codes(1), codes(2)), (FOREIGN, FOREIGN));
        assert_ne!(sections[1].text, sections[2].text);
    }
}
