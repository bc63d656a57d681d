//! Who changed what: one JSON object a line, never rewritten.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::keys::{now, private};
use super::{Audiences, Key, Role};

/// The file `audit.jsonl` in a data folder.
#[derive(Debug, Clone)]
pub struct AuditLog {
    path: PathBuf,
}

/// An administrative action.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action<'a> {
    /// A key was made.
    KeyCreated {
        /// Its id.
        key: &'a str,
        /// Who has it.
        name: &'a str,
        /// What he may do.
        role: Role,
        /// What he may see.
        audiences: &'a Audiences,
    },
    /// A key was taken back.
    KeyRevoked {
        /// Its id.
        key: &'a str,
        /// Who had it.
        name: &'a str,
    },
    /// Files were read again and serve.
    Reloaded {
        /// Sections that can be found now.
        sections: usize,
    },
    /// Files were read again and can not serve; the old state does.
    ReloadFailed {
        /// How many things are to be mended; the log names them.
        problems: usize,
    },
    /// Questions were written into the catalog.
    Promoted {
        /// Id of the finding that they stand for.
        finding: &'a str,
        /// The file.
        file: &'a str,
        /// How many.
        questions: usize,
    },
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    by: &'a str,
    #[serde(flatten)]
    action: Action<'a>,
}

impl<'a> Action<'a> {
    /// A new key.
    pub fn created(key: &'a Key) -> Self {
        let Key { id, name, role, audiences, .. } = key;
        Self::KeyCreated { key: id, name, role: *role, audiences }
    }

    /// A key that was taken back.
    pub fn revoked(key: &'a Key) -> Self {
        Self::KeyRevoked { key: &key.id, name: &key.name }
    }
}

impl AuditLog {
    /// The log of a data folder.
    pub fn below(data_dir: &Path) -> Self {
        Self { path: data_dir.join("audit.jsonl") }
    }

    /// Adds a line. Lines of several processes do not mix: each is appended in one write.
    ///
    /// # Errors
    /// The file can not be written.
    pub fn write(&self, by: &str, action: Action<'_>) -> io::Result<()> {
        let mut line =
            serde_json::to_string(&Line { time: now(), by, action }).expect("plain data");
        line.push('\n');
        private(OpenOptions::new().create(true).append(true))
            .open(&self.path)?
            .write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_action_is_a_line_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = AuditLog::below(folder.path());
        let hostile = "a\n{\"action\":\"key_created\"}";
        log.write(hostile, Action::Reloaded { sections: 3 }).expect("written");
        log.write("cli", Action::ReloadFailed { problems: 2 }).expect("written");
        let text = std::fs::read_to_string(folder.path().join("audit.jsonl")).expect("readable");
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!((&lines[0]["by"], &lines[0]["action"]), (&hostile.into(), &"reloaded".into()));
        assert_eq!(lines[1]["problems"], 2);
        let time = lines[0]["time"].as_str().expect("a time");
        assert!(time.len() == 20 && time.ends_with('Z'), "{time}");
    }
}
