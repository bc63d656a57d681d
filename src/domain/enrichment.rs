//! What a section gets beyond its own text when the index is built.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Whether one type of enrichment is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// Not at all.
    Off,
    /// In the index that it is meant for: symbols in the keyword index, concepts in the embedding.
    On,
    /// In both indexes, without regard to type; for comparing.
    Both,
}

/// Which enrichment is in force; part of an index's manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnrichmentPlan {
    /// Opaque expressions of the document: identifiers, names.
    pub symbols: Use,
    /// Key terms of the document.
    pub concepts: Use,
}

impl EnrichmentPlan {
    /// Nothing is added.
    pub const NONE: Self = Self { symbols: Use::Off, concepts: Use::Off };
    /// Each type in its own index.
    pub const TYPED: Self = Self { symbols: Use::On, concepts: Use::On };
    /// Everything in both indexes.
    pub const MIXED: Self = Self { symbols: Use::Both, concepts: Use::Both };
}

impl Default for EnrichmentPlan {
    /// Symbols pay on documents with identifiers and cost nothing elsewhere; concepts did not pay
    /// (decision 0014).
    fn default() -> Self {
        Self { symbols: Use::On, concepts: Use::Off }
    }
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Both => "both",
        })
    }
}

impl fmt::Display for EnrichmentPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "symbols {}, concepts {}", self.symbols, self.concepts)
    }
}
