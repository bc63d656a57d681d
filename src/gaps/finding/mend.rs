//! What to do about a finding.

use serde::Serialize;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Write a new section.
    NewSection,
    /// Add to a section.
    ExtendSection,
    /// Let one section absorb another.
    MergeSections,
    /// Say what parts two sections.
    TellApart,
    /// Name another group in the section's head, or the missing words in `rules/groups.yaml`.
    ChangeGroup,
    /// Revise what is written.
    Revise,
    /// Settle which of two statements holds.
    Reconcile,
    /// Link a section with others, or move or delete it.
    Connect,
    /// Add a synonym to `rules/synonyms.yaml`.
    AddSynonym,
    /// Add a rule to `rules/shortcuts.yaml`.
    AddRule,
    /// Let more people see a section, or write for them what they may know.
    ReleaseSection,
    /// Nothing in the compendium: not its topic.
    OutOfScope,
}

/// The suggested mend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mend {
    /// What to do.
    pub action: Action,
    /// The same in German, concrete enough to begin: names sections, files, words.
    pub text: String,
    /// Id of the section to change, where it is not the subject's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The group that fits: of a new section, or to be named instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Points that a new section should cover, in German.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<String>,
}

impl Mend {
    /// An action with its text.
    pub fn new(action: Action, text: impl Into<String>) -> Self {
        Self { action, text: text.into(), section: None, group: None, outline: Vec::new() }
    }
}
