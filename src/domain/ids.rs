//! Identifiers as types, so that a section id can not be passed where a group id is wanted.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                check(&text)?;
                Ok(Self(text))
            }
        }

        impl TryFrom<&str> for $name {
            type Error = InvalidId;

            fn try_from(text: &str) -> Result<Self, InvalidId> {
                Self::try_from(text.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

identifier! {
    /// Names one section for good: `file-stem#heading-slug`.
    SectionId
}
identifier! {
    /// Names one semantic group, for example `Wirkung_und_Entwicklung`.
    GroupId
}
identifier! {
    /// Names one intent, for example `benefit`.
    IntentId
}
identifier! {
    /// Names one shortcut rule, for example `benefit_nutzen_nomen`.
    RuleId
}

/// Longest identifier in characters. Longer ones are pasted text, not names.
pub const LONGEST_ID: usize = 200;

/// Why a text can not be an identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidId {
    /// Nothing, or white space only.
    #[error("an id must not be empty")]
    Empty,
    /// More than [`LONGEST_ID`] characters.
    #[error("an id has at most {LONGEST_ID} characters, this one has {0}")]
    TooLong(usize),
    /// A control character or a line break.
    #[error("an id must not contain the control character U+{0:04X}")]
    Control(u32),
}

fn check(text: &str) -> Result<(), InvalidId> {
    if text.trim().is_empty() {
        return Err(InvalidId::Empty);
    }
    let length = text.chars().count();
    if length > LONGEST_ID {
        return Err(InvalidId::TooLong(length));
    }
    match text.chars().find(|c| c.is_control()) {
        Some(c) => Err(InvalidId::Control(u32::from(c))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_name_and_not_any_text() {
        assert_eq!(SectionId::try_from(" "), Err(InvalidId::Empty));
        assert_eq!(GroupId::try_from("a\u{0}b"), Err(InvalidId::Control(0)));
        assert_eq!(RuleId::try_from("ä".repeat(201)), Err(InvalidId::TooLong(201)));
        assert_eq!(
            SectionId::try_from("datei#überschrift").map(String::from),
            Ok("datei#überschrift".to_owned())
        );
    }
}
