//! Roles, audiences, and the two together.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

/// What a caller may do; each role may do what those before it may.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    clap::ValueEnum,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Ask questions and read sections.
    Reader,
    /// See metrics, catalog runs, and where things stand in files.
    Qa,
    /// See what is missing in the compendium.
    Editor,
    /// Reload, and whatever changes the service.
    Admin,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reader => "reader",
            Self::Qa => "qa",
            Self::Editor => "editor",
            Self::Admin => "admin",
        })
    }
}

/// Which sections a caller may see: those for everybody, and those for one of his audiences.
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

/// Somebody who was let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Who it is, for audit log and rate limit: `name (key id)`, `local` or `anonymous`.
    pub name: String,
    /// What he may do.
    pub role: Role,
    /// What he may see.
    pub audiences: Audiences,
}

impl Caller {
    /// The owner of the machine, asking over loopback while there are no keys.
    pub fn local() -> Self {
        Self { name: "local".to_owned(), role: Role::Admin, audiences: Audiences::All }
    }

    /// Who it is, without the address of who shows no key.
    pub fn without_address(&self) -> &str {
        match self.name.split_once(' ') {
            // Behind the name of a key stands its id in brackets.
            Some((kind @ "anonymous", rest)) if !rest.ends_with(')') => kind,
            _ => &self.name,
        }
    }

    /// Somebody without a key, where that is allowed. Who asks from elsewhere is somebody else; a
    /// network of IPv6 (the first 64 bits) counts as one.
    pub fn anonymous(peer: Option<IpAddr>) -> Self {
        let name = match peer {
            None => "anonymous".to_owned(),
            Some(IpAddr::V4(address)) => format!("anonymous {address}"),
            Some(IpAddr::V6(address)) => format!("anonymous {:x}", address.to_bits() >> 64),
        };
        Self { name, role: Role::Reader, audiences: Audiences::public() }
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
    fn an_address_can_be_left_out_of_a_name() {
        let peer = "192.0.2.7".parse().expect("an address");
        assert_eq!(Caller::anonymous(Some(peer)).without_address(), "anonymous");
        assert_eq!(Caller::anonymous(None).without_address(), "anonymous");
        for name in ["anonymous x (3f9a01c2)", "local", "chat (3f9a01c2)"] {
            let named = Caller { name: name.to_owned(), ..Caller::local() };
            assert_eq!(named.without_address(), name);
        }
    }

    #[test]
    fn roles_are_a_ladder() {
        assert!(Role::Reader < Role::Qa && Role::Qa < Role::Editor && Role::Editor < Role::Admin);
    }
}
