//! Shortcut rules: regular expressions that decide the intent, with their reasons and examples.
//!
//! Patterns read folded text, which is ASCII but for rare foreign letters. So `\w`, `\b`, `\d` and
//! `\s` mean ASCII here: a twentieth of the memory of their Unicode forms, and faster.
//!
//! `schema` mirrors the YAML, `load` turns it into a [`RuleSet`] or into all its problems,
//! `matcher` runs the set over a question.

mod load;
mod matcher;
mod schema;

use regex::bytes::Regex;

pub use load::{BadPattern, load, pattern};
pub use matcher::{Match, Outcome, RuleSet};

use crate::domain::{IntentId, Place, RuleId};

/// One shortcut rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Unique name.
    pub id: RuleId,
    /// What it decides.
    pub intent: IntentId,
    /// Which view of the question it reads.
    pub scope: Scope,
    /// The highest priority wins; rules of different intents never share one.
    pub priority: i32,
    /// Matches the questions meant.
    pub pattern: Regex,
    /// Matches the questions that only look alike.
    pub unless: Option<Regex>,
    /// Why the rule exists, in German, for editors.
    pub reason: String,
    /// Questions that this rule must decide.
    pub positive: Vec<Example>,
    /// Questions that this rule must not decide.
    pub negative: Vec<Example>,
    /// Where the rule stands.
    pub place: Place,
}

/// Which view of the question a rule reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Without greeting, politeness frame and leading subordinate clause.
    #[default]
    Core,
    /// The whole normalised question.
    Full,
}

/// An example question of a rule with its place, so that a failing one can be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The question.
    pub question: String,
    /// Where it stands.
    pub place: Place,
}
