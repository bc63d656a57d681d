//! Why a section is not the first hit, stage by stage, and what would make it so.

use serde::Serialize;
use utoipa::ToSchema;

/// Why a section is not the first hit of a question.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct WhyNot {
    /// Id of the section.
    pub section: String,
    /// Its heading.
    pub title: String,
    /// Its rank in the answer; absent where it is not among the first hundred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// The first hit; absent where nothing is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The stages in their order.
    pub stages: Vec<StageVerdict>,
    /// The first stage that went against the section; absent where none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Stage>,
    /// Changes that make it the first hit, the smallest first; each was tried on a copy. Empty where
    /// it is the first already, and where none of the small changes works.
    pub changes: Vec<Change>,
    /// Changes that were tried.
    pub tried: usize,
    /// All of it in German.
    pub german: String,
}

/// A stage of the pipeline that may go against a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The filters of the request.
    Filter,
    /// The shortcut rule that decided the intent.
    Rule,
    /// The intent, where no rule decided it.
    Intent,
    /// The groups.
    Group,
    /// The rank by meaning.
    Vector,
    /// The rank by words.
    Lexical,
    /// The weights of the two.
    Fusion,
}

/// What a stage did to the section.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StageVerdict {
    /// Which stage.
    pub stage: Stage,
    /// Whether it went against the section.
    pub against: bool,
    /// Stable code, for example `group_other_chosen`.
    pub code: &'static str,
    /// The same in German, with the figures.
    pub german: String,
    /// Rank of the section if the stage had spoken for it; absent where that can not be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank_otherwise: Option<usize>,
}

/// A change that makes the section the first hit.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Change {
    /// What kind.
    pub kind: ChangeKind,
    /// The words to write.
    pub words: Vec<String>,
    /// Where: the group, the word of the section, or the new heading.
    pub target: String,
    /// Lead over the second hit with this change, on the scale of the scores.
    pub lead: f64,
    /// What to write, in German.
    pub german: String,
}

/// Kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// A word in the list of the section's group, in `rules/groups.yaml`.
    GroupWord,
    /// An entry under `finds` in `rules/synonyms.yaml`.
    Synonym,
    /// Words in the heading of the section.
    TitleWord,
}
