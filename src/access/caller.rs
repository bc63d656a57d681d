//! Roles, and who has which.

use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::domain::Audiences;

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
