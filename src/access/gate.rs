//! Who is let in: the rule for keys, for the owner of the machine, and for everybody else.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

use super::{Audiences, Caller, Keys, RateLimit, Secret};
use crate::domain::Problems;

/// Decides who a request comes from.
///
/// | keys file | address | `allow_anonymous` | without a key |
/// |---|---|---|---|
/// | none | loopback | no | the owner of the machine: admin, sees everything |
/// | none | other | no | the service does not start |
/// | there | any | no | refused |
/// | any | any | yes | a reader of what is for everybody |
#[derive(Debug)]
pub struct Gate {
    keys: ArcSwap<Keys>,
    without_key: Without,
    /// Whether keys are looked at: not while there is no file of keys.
    guarded: std::sync::atomic::AtomicBool,
    limit: Option<RateLimit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Without {
    Owner,
    Anonymous,
    Nobody,
}

/// What a request shows of itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown<'a> {
    /// What stands behind `Authorization: Bearer`.
    pub token: Option<&'a str>,
    /// Whether it was sent to this machine by its own name and passed no proxy.
    pub is_direct: bool,
    /// Where it came from; tells callers without a key apart.
    pub peer: Option<IpAddr>,
}

/// Why a request is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It needs a key and shows none.
    NoKey,
    /// It shows something that is no valid key.
    WrongKey,
    /// Without keys only the owner of the machine may ask, and this came from elsewhere: through a
    /// proxy, or from a page that pretends to be on this machine (DNS rebinding).
    NotLocal,
}

/// A service that everybody could use who reaches it.
#[derive(Debug, thiserror::Error)]
#[error(
    "without a key everybody who reaches this address could ask; create one with `wegweiser keys \
     create NAME --role reader`, or allow it with --allow-anonymous: then everybody may read what \
     is for everybody"
)]
pub struct Unguarded;

impl Gate {
    /// A gate for a service on loopback or elsewhere, with the keys of `file`. `per_minute` 0: no
    /// limit.
    ///
    /// # Errors
    /// [`Unguarded`], or problems of the file.
    pub fn new(
        file: &Path,
        is_loopback: bool,
        allow_anonymous: bool,
        per_minute: u32,
    ) -> Result<Result<Self, Unguarded>, Problems> {
        let keys = Keys::read(file)?;
        let guarded = keys.is_some();
        let keys = keys.unwrap_or_default();
        let without_key = match (allow_anonymous, guarded, is_loopback) {
            (true, _, _) => Without::Anonymous,
            (false, true, _) if is_loopback || !keys.list().is_empty() => Without::Nobody,
            (false, false, true) => Without::Owner,
            (false, _, _) => return Ok(Err(Unguarded)),
        };
        // The owner of the machine may ask as much as he likes.
        let limit = (per_minute > 0).then(|| RateLimit::new(per_minute));
        Ok(Ok(Self {
            keys: ArcSwap::from_pointee(keys),
            without_key,
            guarded: guarded.into(),
            limit,
        }))
    }

    /// Takes the keys of the file again. Once there were keys, a missing file lets nobody in who is
    /// not anonymous: removing it must not make everybody an admin.
    ///
    /// # Errors
    /// Problems of the file; the keys before stay valid.
    pub fn refresh(&self, file: &Path) -> Result<(), Problems> {
        let keys = Keys::read(file)?;
        if keys.is_some() {
            self.guarded.store(true, std::sync::atomic::Ordering::Release);
        }
        self.keys.store(Arc::new(keys.unwrap_or_default()));
        Ok(())
    }

    fn is_guarded(&self) -> bool {
        self.guarded.load(std::sync::atomic::Ordering::Acquire)
    }

    /// Who a request comes from.
    ///
    /// # Errors
    /// See [`Refused`].
    pub fn caller(&self, shown: Shown<'_>) -> Result<Caller, Refused> {
        // Where there are no keys, client libraries send an invented one.
        if let Some(token) = shown.token.filter(|_| self.is_guarded()) {
            let secret = Secret::read(token).ok_or(Refused::WrongKey)?;
            return self.keys.load().owner(&secret).ok_or(Refused::WrongKey);
        }
        match self.without_key {
            Without::Anonymous => Ok(Caller::anonymous(shown.peer)),
            Without::Owner if !self.is_guarded() && shown.is_direct => Ok(Caller::local()),
            Without::Owner if !self.is_guarded() => Err(Refused::NotLocal),
            Without::Owner | Without::Nobody => Err(Refused::NoKey),
        }
    }

    /// Counts requests of a caller; the owner of the machine is not counted.
    ///
    /// # Errors
    /// How long to wait, where he has sent too many.
    pub fn count(&self, caller: &Caller, cost: u32) -> Result<(), Duration> {
        match &self.limit {
            Some(limit) if self.is_guarded() || self.without_key == Without::Anonymous => {
                limit.take(&caller.name, cost, Instant::now())
            }
            Some(_) | None => Ok(()),
        }
    }

    /// What callers may see, each once: an index is kept for each.
    pub fn audiences(&self) -> Vec<Audiences> {
        let keys = self.keys.load();
        let mut audiences: Vec<Audiences> =
            keys.list().iter().map(|key| key.audiences.clone()).collect();
        audiences.extend((self.without_key == Without::Anonymous).then(Audiences::public));
        audiences.sort();
        audiences.dedup();
        audiences
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Right, Role};
    use super::*;

    fn gate(file: &Path, is_loopback: bool, allow_anonymous: bool) -> Option<Gate> {
        Gate::new(file, is_loopback, allow_anonymous, 0).expect("a sound file").ok()
    }

    fn ask(gate: &Gate, token: Option<&str>, is_direct: bool) -> Result<String, Refused> {
        gate.caller(Shown { token, is_direct, peer: None }).map(|caller| caller.name)
    }

    #[test]
    fn without_keys_the_owner_of_the_machine_is_let_in_and_nobody_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys.json");
        assert!(gate(&file, false, false).is_none(), "an open address needs keys");
        let own = gate(&file, true, false).expect("loopback");
        assert_eq!(ask(&own, None, true), Ok("local".to_owned()));
        assert_eq!(ask(&own, Some("sk-invented"), true), Ok("local".to_owned()));
        assert_eq!(ask(&own, None, false), Err(Refused::NotLocal));
        let open = gate(&file, false, true).expect("allowed");
        assert_eq!(ask(&open, Some("sk-invented"), false), Ok("anonymous".to_owned()));
        assert_eq!(open.audiences(), [Audiences::public()]);
    }

    #[test]
    fn with_keys_a_key_is_needed_also_on_loopback() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys.json");
        let right = Right { role: Role::Reader, audiences: Audiences::public() };
        let (key, secret) = Keys::create(&file, "chat", Some(right)).expect("made");
        let closed = gate(&file, true, false).expect("guarded");
        assert_eq!(ask(&closed, None, true), Err(Refused::NoKey));
        assert_eq!(ask(&closed, Some("sk-invented"), true), Err(Refused::WrongKey));
        let known = Ok(format!("chat ({})", key.id));
        assert_eq!(ask(&closed, Some(secret.reveal()), false), known);
        let mixed = gate(&file, false, true).expect("allowed");
        assert_eq!(ask(&mixed, None, false), Ok("anonymous".to_owned()));
        assert_eq!(ask(&mixed, Some(secret.reveal()), false), known);
        assert_eq!(ask(&mixed, Some("sk-invented"), false), Err(Refused::WrongKey));
    }

    #[test]
    fn keys_come_and_go_while_it_runs_and_a_lost_file_opens_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys.json");
        let gate = gate(&file, true, false).expect("loopback");
        let right = Right { role: Role::Admin, audiences: Audiences::All };
        let (_, secret) = Keys::create(&file, "ich", Some(right)).expect("made");
        gate.refresh(&file).expect("sound");
        assert_eq!(ask(&gate, None, true), Err(Refused::NoKey));
        assert!(ask(&gate, Some(secret.reveal()), false).is_ok());
        std::fs::write(&file, "damaged").expect("written");
        assert!(gate.refresh(&file).is_err());
        assert!(ask(&gate, Some(secret.reveal()), false).is_ok(), "the keys before stay valid");
        std::fs::remove_file(&file).expect("removed");
        gate.refresh(&file).expect("no file is no problem");
        assert_eq!(ask(&gate, None, true), Err(Refused::NoKey));
        assert_eq!(ask(&gate, Some(secret.reveal()), true), Err(Refused::WrongKey));
    }

    #[test]
    fn an_empty_file_of_keys_keeps_an_open_address_shut() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys.json");
        std::fs::write(&file, "{\"keys\":[]}").expect("written");
        assert!(gate(&file, false, false).is_none());
        let own = gate(&file, true, false).expect("loopback");
        assert_eq!(ask(&own, None, true), Err(Refused::NoKey));
    }

    #[test]
    fn the_owner_is_not_counted_and_everybody_else_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys.json");
        let counted = |gate: Gate, caller: &Caller| {
            [gate.count(caller, 1).is_ok(), gate.count(caller, 1).is_ok()]
        };
        let of = |anonymous| Gate::new(&file, true, anonymous, 1).expect("sound").expect("a gate");
        assert_eq!(counted(of(false), &Caller::local()), [true, true]);
        assert_eq!(counted(of(true), &Caller::anonymous(None)), [true, false]);
    }
}
