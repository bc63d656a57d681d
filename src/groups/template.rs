//! The prefix that sections and questions share, so that both lie in one space.

use crate::domain::{GroupId, NormalisedQuery, PrefixedQuery};

const SLOT: &str = "{groups}";

/// The template in force; part of the index's manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(String);

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the prefix template `{0}` must contain `{{groups}}` exactly once")]
pub struct InvalidTemplate(String);

impl Default for Template {
    fn default() -> Self {
        Self("SG: {groups}\n\n".to_owned())
    }
}

impl Template {
    /// Takes a text with one slot `{groups}`.
    ///
    /// # Errors
    /// No slot, or several.
    pub fn new(text: &str) -> Result<Self, InvalidTemplate> {
        if text.matches(SLOT).count() == 1 {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidTemplate(text.to_owned()))
        }
    }

    /// The template as it is written into the manifest.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The prefix of a section; empty for a section without a group.
    pub fn of_section(&self, group: Option<&GroupId>) -> String {
        group.map_or_else(String::new, |group| self.0.replace(SLOT, group.as_str()))
    }

    /// The question with the prefix of its groups; `None` where there are none.
    pub fn prefix(&self, query: &NormalisedQuery, groups: &[GroupId]) -> Option<PrefixedQuery> {
        if groups.is_empty() {
            return None;
        }
        let names: Vec<&str> = groups.iter().map(GroupId::as_str).collect();
        let prefix = self.0.replace(SLOT, &names.join(", "));
        Some(PrefixedQuery::new(prefix, query, groups.to_vec()))
    }
}
