//! The answer to a question. Its JSON is a contract with chat frontends and checks.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Facet, Payment, Source};

/// Which channels search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Vector and lexical, fused.
    #[default]
    Hybrid,
    /// Embeddings only.
    Vector,
    /// Keywords only.
    Lexical,
}

/// A routed and searched question.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Answer {
    /// The question as it was understood (composed, trimmed).
    pub question: String,
    /// How to search.
    pub intent: IntentAnswer,
    /// Where to search: at most two groups, best first; empty without evidence.
    pub groups: Vec<GroupAnswer>,
    /// Customers, products and other things of `rules/taxonomy.yaml` that the question names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facets: Vec<Facet>,
    /// The line the question was embedded with; absent without evidence.
    pub prefix: Option<String>,
    /// Whether the compendium can answer the question; if not, the hits are only the nearest sections,
    /// or there are none. Absent from a route, and where one channel searched alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answerable: Option<bool>,
    /// Probability that the first hit is a right answer, 0 to 1; absent like `answerable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// What was not taken as it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// What was not available for this answer, for example `vector` or `llm`.
    pub degraded: Vec<String>,
    /// Identifiers of the compendium that look like one of the question, as they are written there;
    /// apart from the ranking.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub similar_identifiers: Vec<String>,
    /// Sections, best first; absent from a route.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<Vec<Hit>>,
    /// The reasons.
    pub trace: Trace,
}

/// Something in a request that has no effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Warning {
    /// Stable code: `audience_unknown` where no section is for an audience of the filter.
    pub code: &'static str,
    /// The value of the request.
    pub value: String,
}

/// The intent part of an [`Answer`].
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct IntentAnswer {
    /// Intent id, or `unknown`.
    pub id: String,
    /// Who decided.
    pub source: Source,
    /// The winning shortcut rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Probability that `id` is right, 0 to 1: calibrated where the classifier decided, 1 for a rule
    /// or llama3. For `unknown` it is the probability that the text is no question of any intent, 0
    /// where nobody could judge it.
    pub confidence: f64,
    /// Further intents of a multi-part question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// A group of an [`Answer`].
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct GroupAnswer {
    /// Group id.
    pub id: String,
    /// Sum of words, phrases and bias.
    pub score: f64,
}

/// One found section.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Hit {
    /// 1 is best.
    pub rank: usize,
    /// Section id.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Headings above it.
    pub path: Vec<String>,
    /// Semantic group of the section.
    pub group: Option<String>,
    /// Facets of the section, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub facets: BTreeMap<String, BTreeSet<String>>,
    /// Fused score, 0 to 1 on one scale in all modes. Where a question asks several things, the best
    /// hits of each take turns, and no hit shows more than the one above it.
    pub score: f64,
    /// An excerpt; matching words stand between `<mark>` and `</mark>`, everything else is HTML-escaped.
    pub snippet: String,
    /// What each channel said of this section; a channel that did not find it is absent.
    pub channels: Channels,
    /// Sections right before and after it in its document, where the intent's profile asks for
    /// them: steps often continue there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub neighbours: Vec<Neighbour>,
    /// The thing of a comparison that it was found for; absent where the whole question found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_for: Option<String>,
    /// Where the score comes from; only where `explain` was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// Where the score of a [`Hit`] comes from.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Explanation {
    /// Standard deviations by which the cosine lies above that of sections that have nothing to do
    /// with the question; at least 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector_evidence: Option<f64>,
    /// The same of the BM25 score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical_evidence: Option<f64>,
    /// What each field and term gave to the BM25 score, most first; they add up to it.
    pub terms: Vec<TermScore>,
}

/// What one term gave to a BM25 score.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TermScore {
    /// Field of the lexical index.
    pub field: String,
    /// Stem, word or identifier; for `grams` the word of the question that they come from.
    pub term: String,
    /// Its share.
    pub score: f32,
}

/// A section beside a hit.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Neighbour {
    /// Section id.
    pub id: String,
    /// Heading.
    pub title: String,
}

/// The channels of a [`Hit`].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, ToSchema)]
pub struct Channels {
    /// Embedding similarity (cosine).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<ChannelScore>,
    /// BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical: Option<ChannelScore>,
}

/// Rank and raw score in one channel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct ChannelScore {
    /// Rank in this channel, from 1.
    pub rank: usize,
    /// Raw score of this channel; not comparable with the other channel's.
    pub score: f64,
}

/// The reasons for an answer. Times are not here: equal questions give equal bodies.
#[derive(Debug, Clone, PartialEq, Default, Serialize, ToSchema)]
pub struct Trace {
    /// The core of the question that the rules saw.
    pub core: String,
    /// Rules that matched: the winner first, then those that lost or were vetoed.
    pub rules: Vec<RuleTrace>,
    /// What the classifier thought, best first; empty where a rule decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classifier: Vec<IntentGuess>,
    /// All groups with what was paid into them, best first.
    pub groups: Vec<GroupTrace>,
    /// Retrieval profile in force.
    pub profile: String,
    /// The questions in a question that asks several at once, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartTrace>,
    /// The things that a comparison compares. Each is searched for itself beside the whole question,
    /// and the best section of each stands behind the best of the whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ItemTrace>,
    /// How the channels were weighed; absent from a route.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fusion: Option<FusionTrace>,
    /// What speaks for the first hit; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Things worth knowing, in English, for example why a step fell back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One of several questions that were asked at once. It is searched for itself and beside the whole.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PartTrace {
    /// The part, in the words of the question.
    pub question: String,
    /// Its intent.
    pub intent: IntentAnswer,
    /// Its groups, best first.
    pub groups: Vec<String>,
}

/// A thing that a question compares with another one.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ItemTrace {
    /// Its name, as it is searched for.
    pub question: String,
    /// Its groups, best first.
    pub groups: Vec<String>,
}

/// What speaks for the first hit, in figures that mean the same in every compendium.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, ToSchema)]
pub struct Evidence {
    /// Standard deviations by which the plain cosine lies above that of questions that have nothing
    /// to do with the compendium.
    pub meaning: f64,
    /// Standard deviations by which the best section stands out above the best sections of such
    /// questions, each section measured against its own cosines with them.
    pub standing: f64,
    /// Standard deviations by which the cosine lies above those of the sections behind the first ten.
    pub lead: f64,
    /// Share of the question's words that the section speaks of, weighed by their rarity, 0 to 1.
    pub words: f64,
    /// Share of the question's words that any section speaks of, 0 to 1.
    pub known_words: f64,
    /// Standard deviations by which the BM25 score lies above those of the sections behind the first ten.
    pub lexical: f64,
    /// Channels that found the section first: 0, 1 or 2.
    pub first_in: f64,
    /// What words and phrases of the question paid for the section's group.
    pub group: f64,
    /// 1 where the question names an identifier of the section, −1 where it names one that no section
    /// has, else 0.
    pub identifier: f64,
    /// Probability that the question is none the compendium could be asked (small talk, nonsense).
    pub small_talk: f64,
}

/// A shortcut rule that matched.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RuleTrace {
    /// Rule id.
    pub id: String,
    /// Its intent.
    pub intent: String,
    /// Its priority; the highest wins.
    pub priority: i32,
    /// `file:line:column`.
    pub place: String,
    /// `won`, `lost`, or `vetoed` by its `unless`.
    pub outcome: &'static str,
    /// The matching passage of the normalised question.
    pub matched: String,
}

/// An intent that the classifier considered.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct IntentGuess {
    /// Intent id.
    pub id: String,
    /// 0 to 1.
    pub confidence: f64,
}

/// A group with its payments.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct GroupTrace {
    /// Group id.
    pub id: String,
    /// Sum of the payments.
    pub score: f64,
    /// Words, phrases, bias.
    pub paid: Vec<Payment>,
}

/// How the channels were weighed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FusionTrace {
    /// `linear`, `min-max`, `z-score` or `rrf`.
    pub method: &'static str,
    /// Weight of the vector channel after its evidence, 0 to 1.
    pub vector: f64,
    /// Weight of the lexical channel after its evidence, 0 to 1.
    pub lexical: f64,
    /// Share of the prefixed vectors in the vector score, 0 (plain only) to 1.
    pub prefix_share: f64,
}
