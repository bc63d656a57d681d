//! How to search: the levers that an intent sets.

/// A retrieval profile, shared by the intents that are searched alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Name in `rules/intents.yaml`.
    pub name: String,
    /// How many hits are returned where the request does not say.
    pub k: usize,
    /// Weight of the vector channel, 0 to 1.
    pub vector: f64,
    /// Weight of the lexical channel, 0 to 1.
    pub lexical: f64,
    /// Fields of the lexical channel with their boosts, for example `title^2 path text`.
    pub fields: String,
    /// Share of diversity in the order of hits, 0 (none) to 0.5; see Carbonell and Goldstein 1998 (MMR).
    pub diversity: f64,
    /// How many sections before and after a good hit are offered too, because steps continue there.
    pub neighbours: usize,
    /// Whether the things that a question compares are searched one by one beside the whole.
    pub per_item: bool,
}
