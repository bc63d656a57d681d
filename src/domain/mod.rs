//! The nouns of Wegweiser. Nothing here imports from the rest of the crate.

mod answer;
mod audiences;
mod chain;
mod day;
mod enrichment;
mod filter;
mod fusion;
mod group;
mod hex;
mod ids;
mod intent;
mod problem;
mod profile;
mod query;
mod replace;
mod section;
mod vector;
mod why_not;

pub use answer::{
    Answer, ChannelScore, Channels, Evidence, Explanation, FusionTrace, GroupAnswer, GroupTrace,
    Hit, IntentAnswer, IntentGuess, ItemTrace, Mode, Neighbour, PartTrace, RuleTrace, TermScore,
    Trace, Warning,
};
pub use audiences::Audiences;
pub use chain::{chain, shortened};
pub use day::day;
pub use enrichment::{EnrichmentPlan, Facet, FacetMode, Use};
pub use filter::Allowed;
pub use fusion::Fusion;
pub use group::{GroupScore, Payment, Reason};
pub use hex::hex;
pub use ids::{GroupId, IntentId, InvalidId, LONGEST_ID, RuleId, SectionId};
pub use intent::{Decision, Source};
pub use problem::{Place, Problem, Problems, did_you_mean, suggestion};
pub use profile::Profile;
pub use query::{InvalidQuery, NormalisedQuery, PrefixedQuery, Query};
pub use replace::replace_file;
pub use section::Section;
pub use vector::{InvalidVector, Vector, dot};
pub use why_not::{Change, ChangeKind, Stage, StageVerdict, WhyNot};
