//! The file of keys: JSON, only digests, mode 600, replaced as a whole.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::{Audiences, Caller, Role, Secret};
use crate::domain::{Place, Problem, Problems};

/// Keys that one name may have: the old one and the one that takes its place.
const MOST_PER_NAME: usize = 2;
const LONGEST_NAME: usize = 64;
const LONGEST_AUDIENCE: usize = 100;

/// One key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The part of the key that is no secret.
    pub id: String,
    /// Who has it, for example a service.
    pub name: String,
    /// What its owner may do.
    pub role: Role,
    /// What its owner may see.
    pub audiences: Audiences,
    /// When it was made, RFC 3339 in UTC.
    pub created: String,
    /// SHA-256 of the whole key, in hex.
    sha256: String,
}

/// What a new key is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Right {
    /// What its owner may do.
    pub role: Role,
    /// What its owner may see.
    pub audiences: Audiences,
}

/// All keys of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keys {
    keys: Vec<Key>,
}

/// Why the keys could not be changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The file is damaged.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// The file can not be written.
    #[error("the keys can not be written to {}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The operating system gives no random numbers.
    #[error("the operating system gives no random numbers")]
    Random(#[source] getrandom::Error),
    /// A name that could not be told apart in lists and logs.
    #[error("`{0}` is no name for a key: write 1 to 64 letters, digits, `.`, `_` or `-`")]
    Name(String),
    /// An audience that no section can have.
    #[error("`{0}` is no audience: write 1 to 100 visible characters")]
    Audience(String),
    /// A third key.
    #[error("`{0}` has two keys already; revoke the old one first (wegweiser keys list)")]
    TooMany(String),
    /// The second key of a name stands for the same rights as the first.
    #[error(
        "`{name}` has a key as {role} for {audiences}; leave --role and --audience out to replace \
         it, or choose another name"
    )]
    OtherRight {
        /// The name.
        name: String,
        /// Its role.
        role: Role,
        /// Its audiences.
        audiences: Audiences,
    },
    /// The first key of a name needs a role.
    #[error("`{0}` has no key yet: say what it may do with --role")]
    NoRole(String),
    /// Nothing to revoke.
    #[error("there is no key with the id or name `{0}` (wegweiser keys list)")]
    Unknown(String),
}

impl Key {
    fn owner(&self) -> Caller {
        Caller {
            name: format!("{} ({})", self.name, self.id),
            role: self.role,
            audiences: self.audiences.clone(),
        }
    }
}

impl Keys {
    /// Reads the file; `None` where there is none.
    ///
    /// # Errors
    /// The file can not be read or is no list of keys.
    pub fn read(path: &Path) -> Result<Option<Self>, Problems> {
        let problem = |line, column, message: String| Problem {
            place: Place { file: path.display().to_string().replace('\\', "/"), line, column },
            code: "keys-unreadable",
            message,
            mend: "restore the file from a backup, or remove it and create the keys anew"
                .to_owned(),
        };
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(problem(1, 1, format!("the keys can not be read: {error}")).into());
            }
        };
        let keys: Self = serde_json::from_slice(&text).map_err(|error| {
            let place = (error.line().max(1), error.column().max(1));
            problem(place.0, place.1, format!("the keys can not be read: {error}"))
        })?;
        Ok(Some(keys))
    }

    /// All of them, sorted by name, the older one first.
    pub fn list(&self) -> &[Key] {
        &self.keys
    }

    /// Whose key it is.
    pub fn owner(&self, sent: &Secret) -> Option<Caller> {
        let found = self.keys.iter().find(|key| key.id == sent.id());
        // An id is no secret; still, an unknown one takes as long as a wrong secret.
        let digest = found.map_or("", |key| &key.sha256);
        found.filter(|_| sent.fits(digest)).map(Key::owner)
    }

    /// Makes a key and writes the file. A name may have two at a time, with the same rights: the
    /// second takes the place of the first once its owner uses it. `right` may be left out there.
    ///
    /// # Errors
    /// See [`KeyError`].
    pub fn create(
        path: &Path,
        name: &str,
        right: Option<Right>,
    ) -> Result<(Key, Secret), KeyError> {
        let sound = |c: char| c.is_alphanumeric() || "._-".contains(c);
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(sound) {
            return Err(KeyError::Name(crate::ollama::printable(name, LONGEST_NAME)));
        }
        if let Some(Right { audiences: Audiences::Only(audiences), .. }) = &right {
            check(audiences)?;
        }
        let _lock = lock(path).map_err(written_to(path))?;
        let mut keys = Self::read(path)?.unwrap_or_default();
        let mut own = keys.keys.iter().filter(|key| key.name == name);
        let right = match (own.next(), right) {
            (None, None) => return Err(KeyError::NoRole(name.to_owned())),
            (None, Some(right)) => right,
            (Some(first), wanted) => {
                let Key { role, audiences, .. } = first.clone();
                let right = Right { role, audiences };
                if wanted.is_some_and(|wanted| wanted != right) {
                    let Right { role, audiences } = right;
                    return Err(KeyError::OtherRight { name: name.to_owned(), role, audiences });
                }
                right
            }
        };
        if own.count() + 1 >= MOST_PER_NAME {
            return Err(KeyError::TooMany(name.to_owned()));
        }
        let secret = Secret::random().map_err(KeyError::Random)?;
        let key = Key {
            id: secret.id().to_owned(),
            name: name.to_owned(),
            role: right.role,
            audiences: right.audiences,
            created: now(),
            sha256: secret.digest(),
        };
        keys.keys.push(key.clone());
        keys.write(path).map_err(written_to(path))?;
        Ok((key, secret))
    }

    /// Takes back the key with this id, or all keys of this name, and writes the file.
    ///
    /// # Errors
    /// See [`KeyError`].
    pub fn revoke(path: &Path, id_or_name: &str) -> Result<Vec<Key>, KeyError> {
        let _lock = lock(path).map_err(written_to(path))?;
        let mut keys = Self::read(path)?.unwrap_or_default();
        let is_meant = |key: &Key| key.id == id_or_name || key.name == id_or_name;
        let (revoked, kept) = keys.keys.into_iter().partition::<Vec<_>, _>(is_meant);
        if revoked.is_empty() {
            let shown = crate::ollama::printable(id_or_name, LONGEST_NAME);
            return Err(KeyError::Unknown(shown));
        }
        keys.keys = kept;
        keys.write(path).map_err(written_to(path))?;
        Ok(revoked)
    }

    /// Written aside and renamed: a reader sees the old file or the new one.
    fn write(&mut self, path: &Path) -> io::Result<()> {
        self.keys.sort_by(|a, b| (&a.name, &a.created, &a.id).cmp(&(&b.name, &b.created, &b.id)));
        let text = serde_json::to_string_pretty(self).expect("plain data") + "\n";
        let aside = path.with_extension("json.new");
        // What a killed process left may have another mode.
        let _ = fs::remove_file(&aside);
        let mut file = private(OpenOptions::new().create_new(true).write(true)).open(&aside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&aside, path)
    }
}

fn check(audiences: &BTreeSet<String>) -> Result<(), KeyError> {
    let sound = |audience: &&String| {
        let length = audience.chars().count();
        audience.trim() == **audience
            && (1..=LONGEST_AUDIENCE).contains(&length)
            && !audience.chars().any(char::is_control)
    };
    match audiences.iter().find(|audience| !sound(audience)) {
        Some(bad) => Err(KeyError::Audience(crate::ollama::printable(bad, LONGEST_AUDIENCE))),
        None => Ok(()),
    }
}

/// Held while the file is read, changed and written, so that no change is lost.
fn lock(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension("lock");
    let file = private(OpenOptions::new().create(true).truncate(false).write(true)).open(beside)?;
    file.lock()?;
    Ok(file)
}

/// Only the owner of the process may read the file.
pub(super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// The wall clock, for what is shown to people: no answer to a question depends on it.
pub(super) fn now() -> String {
    let now = OffsetDateTime::now_utc().replace_nanosecond(0).expect("0 is a nanosecond");
    now.format(&Rfc3339).expect("this year is written with four digits")
}

fn written_to(path: &Path) -> impl FnOnce(io::Error) -> KeyError {
    let path = path.to_owned();
    move |source| KeyError::Write { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data/keys.json");
        (folder, path)
    }

    const READER: Option<Right> =
        Some(Right { role: Role::Reader, audiences: Audiences::public() });

    fn owner(path: &Path, secret: &Secret) -> Option<String> {
        let keys = Keys::read(path).expect("readable").expect("written");
        keys.owner(secret).map(|caller| caller.name)
    }

    #[test]
    fn a_key_is_known_until_it_is_revoked_and_its_secret_stands_nowhere() {
        let (_folder, path) = file();
        assert_eq!(Keys::read(&path).expect("fine"), None);
        let (key, secret) = Keys::create(&path, "chat", READER).expect("made");
        assert_eq!(owner(&path, &secret), Some(format!("chat ({})", key.id)));
        let text = fs::read_to_string(&path).expect("readable");
        let random = secret.reveal().rsplit('_').next().expect("the secret");
        assert!(!text.contains(random) && text.contains(&secret.digest()), "{text}");
        assert_eq!(Keys::revoke(&path, &key.id).expect("revoked"), [key]);
        assert_eq!(owner(&path, &secret), None);
        let forged = format!("{}{}", &secret.reveal()[..13], "0".repeat(64));
        assert_eq!(owner(&path, &Secret::read(&forged).expect("a form")), None);
    }

    #[test]
    fn a_right_id_with_a_wrong_secret_is_nobody() {
        let (_folder, path) = file();
        let (_, secret) = Keys::create(&path, "chat", READER).expect("made");
        let forged = format!("{}{}", &secret.reveal()[..13], "0".repeat(64));
        assert_eq!(owner(&path, &Secret::read(&forged).expect("a form")), None);
    }

    #[test]
    fn a_name_has_two_keys_with_the_same_rights_while_it_changes_them() {
        let (_folder, path) = file();
        let right = Right { role: Role::Qa, audiences: Audiences::Only(["p".into()].into()) };
        let (old, first) = Keys::create(&path, "qa", Some(right.clone())).expect("made");
        let other = Keys::create(&path, "qa", READER).expect_err("other rights");
        assert!(other.to_string().contains("a key as qa for p"), "{other}");
        let (new, second) = Keys::create(&path, "qa", None).expect("made");
        assert_eq!((new.role, new.audiences), (right.role, right.audiences));
        assert!(owner(&path, &first).is_some() && owner(&path, &second).is_some());
        let third = Keys::create(&path, "qa", None).expect_err("two are enough");
        assert!(matches!(third, KeyError::TooMany(_)), "{third}");
        Keys::revoke(&path, &old.id).expect("revoked");
        assert!(owner(&path, &first).is_none() && owner(&path, &second).is_some());
        assert_eq!(Keys::revoke(&path, "qa").expect("by name").len(), 1);
    }

    #[test]
    fn names_and_audiences_can_be_shown() {
        let (_folder, path) = file();
        for bad in ["", "a b", "a\u{1b}[2J", "\u{202e}x", &"x".repeat(65)] {
            let error = Keys::create(&path, bad, READER).expect_err("no name");
            assert!(matches!(error, KeyError::Name(_)), "{bad:?}: {error}");
            assert!(!error.to_string().contains('\u{1b}'), "{error:?}");
        }
        for bad in ["", " x", "a\nb", &"x".repeat(101)] {
            let audiences = Audiences::Only([bad.to_owned()].into());
            let right = Some(Right { role: Role::Reader, audiences });
            let error = Keys::create(&path, "a", right).expect_err("no audience");
            assert!(matches!(error, KeyError::Audience(_)), "{bad:?}: {error}");
        }
        assert!(matches!(Keys::create(&path, "neu", None), Err(KeyError::NoRole(_))));
        assert!(matches!(Keys::revoke(&path, "niemand"), Err(KeyError::Unknown(_))));
    }

    #[test]
    fn a_damaged_file_is_told_with_its_place_and_never_overwritten() {
        let (_folder, path) = file();
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        for bad in ["", "{\"keys\": [", "{\"keys\":[{\"id\":\"x\"}]}", "[]", "\u{0}"] {
            fs::write(&path, bad).expect("written");
            let error = Keys::create(&path, "a", READER).expect_err("damaged");
            assert!(error.to_string().contains("keys.json:1:"), "{bad:?}: {error}");
            assert_eq!(fs::read_to_string(&path).expect("readable"), bad);
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, path) = file();
        Keys::create(&path, "a", READER).expect("made");
        Keys::create(&path, "b", READER).expect("made");
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn keys_made_at_the_same_time_are_all_kept() {
        let (_folder, path) = file();
        std::thread::scope(|scope| {
            for at in 0..8 {
                let path = &path;
                scope.spawn(move || Keys::create(path, &format!("k{at}"), READER).expect("made"));
            }
        });
        assert_eq!(Keys::read(&path).expect("fine").expect("there").list().len(), 8);
    }
}
