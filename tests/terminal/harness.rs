//! Runs the compiled binary in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with rules, data and whatever a test writes.
pub(crate) struct Folder(tempfile::TempDir);

/// What a run gave, with the folder's name and times masked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    /// Shipped rules, few labelled examples, and the small compendium under `klein`.
    pub(crate) fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy(&root.join("rules"), &folder.path("rules"));
        copy(&root.join("tests/fixtures/rules"), &folder.path("rules"));
        copy(&root.join("tests/fixtures/klein"), &folder.path("klein"));
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// The binary, run inside the folder, over the small compendium unless the test says otherwise.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wegweiser"));
        command.current_dir(self.0.path()).args(arguments);
        for name in [
            "WEGWEISER_OLLAMA_URL",
            "WEGWEISER_LOG",
            "WEGWEISER_CONFIG",
            "OTEL_EXPORTER_OTLP_ENDPOINT",
        ] {
            command.env_remove(name);
        }
        command.env("WEGWEISER_COMPENDIUM", "klein");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.masked(&self.command(arguments).output().expect("the binary runs"))
    }

    pub(crate) fn masked(&self, output: &Output) -> Run {
        let folder = self.0.path().display().to_string();
        let mask = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
            let text = text.replace(&folder, "[folder]");
            let times =
                regex::Regex::new(r"(?m)^[0-9.]+ ms$|, \d+/s, \d+ s left").expect("a pattern");
            times.replace_all(&text, "[time]").into_owned()
        };
        Run { code: output.status.code(), out: mask(&output.stdout), err: mask(&output.stderr) }
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("copied");
    }
}
