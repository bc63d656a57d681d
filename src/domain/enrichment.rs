//! What a section gets beyond its own text when the index is built.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

/// Something of the house's own vocabulary that a question names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
pub struct Facet {
    /// Name of the facet, for example `kunde`.
    pub facet: String,
    /// Id in `rules/taxonomy.yaml`; sections carry it in their facets.
    pub id: String,
    /// For people.
    pub label: String,
}

/// What a customer or product that a question names does to the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FacetMode {
    /// Only sections that carry it are found; where none does, the filter is widened.
    Filter,
    /// Sections that carry it are raised.
    #[default]
    Boost,
    /// Nothing; the answer still says what was named.
    Off,
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
