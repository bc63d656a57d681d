//! What an edit changed: rule files and sections, told apart from what only moved by some lines.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::snapshot::{Part, Snapshot};
use crate::domain::Section;

/// What differs between two states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Names of rule files.
    pub rules: Vec<String>,
    /// Sections, sorted by id.
    pub sections: Vec<SectionChange>,
}

impl Changes {
    /// What leads from one state to the other.
    pub fn between(before: &Snapshot, after: &Snapshot) -> Self {
        let name = |part: Part| match part {
            Part::Rules(name) => Some(name),
            Part::Compendium => None,
        };
        Self {
            rules: before.differing(after).into_iter().filter_map(name).collect(),
            sections: section_changes(before.sections(), after.sections()),
        }
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.sections.is_empty()
    }
}

/// A section that an edit made, changed or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SectionChange {
    /// Its id.
    pub id: String,
    /// Its heading: the new one, where it stays.
    pub title: String,
    /// `file:line:column` of the heading: where it stands now, else where it stood.
    pub place: String,
    /// What became of it.
    pub change: Change,
    /// What was changed: `title`, `text`, `group`, `path`, `facets`, `audience`, `updated`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<&'static str>,
}

impl SectionChange {
    /// For example `kapitel#abschnitt changed (text, group), kapitel.md:3:1`.
    pub fn told(&self) -> String {
        let Self { id, place, fields, .. } = self;
        let what = match self.change {
            Change::New => "new".to_owned(),
            Change::Gone => "gone".to_owned(),
            Change::Changed => format!("changed ({})", fields.join(", ")),
        };
        format!("{id} {what}, {place}")
    }
}

/// What became of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It was not there.
    New,
    /// It is not there any more.
    Gone,
    /// It was written otherwise.
    Changed,
}

/// The sections that differ, sorted by id.
fn section_changes(before: &[Section], after: &[Section]) -> Vec<SectionChange> {
    let (before, after) = (by_id(before), by_id(after));
    let ids: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let change = |id: &str| {
        let (change, section, fields) = match (before.get(id), after.get(id)) {
            (Some(old), Some(new)) => (Change::Changed, new, changed_fields(old, new)),
            (None, Some(new)) => (Change::New, new, Vec::new()),
            (Some(old), None) => (Change::Gone, old, Vec::new()),
            (None, None) => return None,
        };
        let differs = change != Change::Changed || !fields.is_empty();
        differs.then(|| SectionChange {
            id: id.to_owned(),
            title: section.title.clone(),
            place: section.place.to_string(),
            change,
            fields,
        })
    };
    ids.into_iter().filter_map(change).collect()
}

fn by_id(sections: &[Section]) -> BTreeMap<&str, &Section> {
    sections.iter().map(|section| (section.id.as_str(), section)).collect()
}

fn changed_fields(old: &Section, new: &Section) -> Vec<&'static str> {
    [
        ("title", old.title != new.title),
        ("text", old.text != new.text),
        ("group", old.group != new.group),
        ("path", old.path != new.path),
        ("facets", old.facets != new.facets),
        ("audience", old.audience != new.audience),
        ("updated", old.updated != new.updated),
    ]
    .into_iter()
    .filter_map(|(name, differs)| differs.then_some(name))
    .collect()
}
