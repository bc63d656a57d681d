//! Mirror of `rules/shortcuts.yaml`, nothing clever.

use serde::Deserialize;

use super::Scope;
use crate::yaml::Located;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub rules: Vec<Located<Entry>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub id: Located<String>,
    pub intent: Located<String>,
    pub pattern: Located<String>,
    #[serde(default)]
    pub unless: Option<Located<String>>,
    #[serde(default)]
    pub scope: Scope,
    pub priority: Located<i32>,
    pub reason: Located<String>,
    pub positive: Vec<Located<String>>,
    pub negative: Vec<Located<String>>,
    /// The question that went wrong and made somebody write the rule; for people only.
    #[serde(default, rename = "history")]
    pub _history: Option<String>,
}
