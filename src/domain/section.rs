//! The unit that is found.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{GroupId, Place, SectionId};

/// One heading of the compendium with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Stable id, `file-stem#heading-slug`.
    pub id: SectionId,
    /// Heading, without markup.
    pub title: String,
    /// Headings above this one, from the document's title down; without the section's own title.
    pub path: Vec<String>,
    /// Body as plain text; paragraphs are parted by an empty line. NFC.
    pub text: String,
    /// Semantic group, where the document or the heading names one.
    pub group: Option<GroupId>,
    /// Facets by name, inherited from the document and refined by the heading.
    #[serde(default)]
    pub facets: BTreeMap<String, BTreeSet<String>>,
    /// Who may see the section; empty means everybody.
    #[serde(default)]
    pub audience: BTreeSet<String>,
    /// Day of the last revision, `YYYY-MM-DD`.
    #[serde(default)]
    pub updated: Option<String>,
    /// Where the heading stands.
    pub place: Place,
}

impl Section {
    /// The document the section belongs to: the id up to the last `#`.
    pub fn document(&self) -> &str {
        let id = self.id.as_str();
        id.rsplit_once('#').map_or(id, |(document, _)| document)
    }
}
