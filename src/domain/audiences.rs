//! Who may see what.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Which sections somebody may see: those for everybody, and those for one of his audiences.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audiences {
    /// Every section.
    All,
    /// Sections for one of these; with none, only what is for everybody.
    Only(BTreeSet<String>),
}

impl Audiences {
    /// Only what is for everybody.
    pub const fn public() -> Self {
        Self::Only(BTreeSet::new())
    }

    /// Whether who has these may see everything that `others` may see.
    pub fn include(&self, others: &Self) -> bool {
        match (self, others) {
            (Self::All, _) => true,
            (Self::Only(_), Self::All) => false,
            (Self::Only(own), Self::Only(others)) => others.is_subset(own),
        }
    }

    /// Whether a section for `audience` (empty: everybody) may be seen.
    pub fn admit(&self, audience: &BTreeSet<String>) -> bool {
        match self {
            Self::All => true,
            Self::Only(own) => audience.is_empty() || !audience.is_disjoint(own),
        }
    }

    /// The same rights in terms of the audiences that exist, so that equal rights are equal values.
    #[must_use]
    pub fn among(&self, existing: &BTreeSet<String>) -> Self {
        match self {
            Self::All => Self::All,
            Self::Only(own) if existing.is_subset(own) => Self::All,
            Self::Only(own) => Self::Only(own.intersection(existing).cloned().collect()),
        }
    }
}

impl fmt::Display for Audiences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Only(own) if own.is_empty() => f.write_str("public"),
            Self::Only(own) => f.write_str(&own.iter().cloned().collect::<Vec<_>>().join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_section_for_nobody_in_particular_is_for_everybody() {
        assert!(Audiences::public().admit(&set(&[])));
        assert!(!Audiences::public().admit(&set(&["personal"])));
        assert!(Audiences::Only(set(&["gast", "personal"])).admit(&set(&["personal", "leitung"])));
        assert!(!Audiences::Only(set(&["gast"])).admit(&set(&["personal"])));
        assert!(Audiences::All.admit(&set(&["personal"])));
    }

    #[test]
    fn equal_rights_are_equal_values() {
        let existing = set(&["leitung", "personal"]);
        let among = |names: &[&str]| Audiences::Only(set(names)).among(&existing);
        assert_eq!(among(&["gast"]), Audiences::public());
        assert_eq!(among(&["gast", "personal"]), Audiences::Only(set(&["personal"])));
        assert_eq!(among(&["gast", "personal", "leitung"]), Audiences::All);
        assert_eq!(Audiences::public().among(&set(&[])), Audiences::All);
    }

    #[test]
    fn who_sees_everything_sees_what_others_see_and_not_the_other_way() {
        let only = |names: &[&str]| Audiences::Only(set(names));
        assert!(Audiences::All.include(&Audiences::All) && Audiences::All.include(&only(&["a"])));
        assert!(only(&["a", "b"]).include(&only(&["a"])) && only(&[]).include(&only(&[])));
        assert!(!only(&["a"]).include(&Audiences::All) && !only(&["a"]).include(&only(&["b"])));
    }

    #[test]
    fn they_are_written_as_a_word_or_a_sorted_list() {
        let written = |audiences: &Audiences| serde_json::to_string(audiences).expect("plain data");
        assert_eq!(written(&Audiences::All), r#""all""#);
        assert_eq!(written(&Audiences::Only(set(&["b", "a"]))), r#"{"only":["a","b"]}"#);
    }
}
