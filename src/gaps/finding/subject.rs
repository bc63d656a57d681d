//! What a finding is about.

use serde::Serialize;

use crate::domain::{Place, Section};

/// A section as reports name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Section id.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Semantic group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Where the heading stands.
    pub place: Place,
}

impl From<&Section> for Named {
    fn from(section: &Section) -> Self {
        Self {
            id: section.id.to_string(),
            title: section.title.clone(),
            group: section.group.as_ref().map(ToString::to_string),
            place: section.place.clone(),
        }
    }
}

/// What a finding is about: sections, a term or topic, or a group; at least one of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Subject {
    /// The sections to work on, the one to begin with first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Named>,
    /// A term of the compendium's field, or the label of a topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// A semantic group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

impl Subject {
    /// One section.
    pub fn section(section: &Section) -> Self {
        Self { sections: vec![section.into()], ..Self::default() }
    }

    /// Several sections, the one to begin with first.
    pub fn sections<'a>(sections: impl IntoIterator<Item = &'a Section>) -> Self {
        Self { sections: sections.into_iter().map(Named::from).collect(), ..Self::default() }
    }

    /// A term or topic.
    pub fn term(term: impl Into<String>) -> Self {
        Self { term: Some(term.into()), ..Self::default() }
    }

    /// A group.
    pub fn group(group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..Self::default() }
    }

    /// What makes it this subject: section ids, else the term, else the group.
    pub fn key(&self) -> String {
        if !self.sections.is_empty() {
            let ids: Vec<&str> = self.sections.iter().map(|named| named.id.as_str()).collect();
            return ids.join("+");
        }
        self.term.as_ref().or(self.group.as_ref()).cloned().unwrap_or_default()
    }

    /// For people: titles, else the term, else the group's name with blanks.
    pub fn german(&self) -> String {
        if !self.sections.is_empty() {
            let titles: Vec<String> =
                self.sections.iter().map(|named| format!("„{}“", named.title)).collect();
            return titles.join(" und ");
        }
        match (&self.term, &self.group) {
            (Some(term), _) => term.clone(),
            (None, group) => group.as_deref().unwrap_or_default().replace('_', " "),
        }
    }
}
