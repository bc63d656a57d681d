//! Whether files changed, by looking at them: works on every file system and through every mount,
//! which notifications of the kernel do not.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Folders deeper than this are a loop of links.
const DEEPEST: usize = 32;

/// Names, sizes and times of files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Fingerprint {
    folders: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Stamp>,
}

/// What changes when a file is written or replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Another file under the same name, where the file system numbers its files.
    number: u64,
}

impl From<Metadata> for Stamp {
    fn from(metadata: Metadata) -> Self {
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let number = 0;
        Self { length: metadata.len(), modified: metadata.modified().ok(), number }
    }
}

impl Stamp {
    /// Of one file; `None` where there is none.
    pub(super) fn of(file: &Path) -> Option<Self> {
        fs::metadata(file).ok().map(Self::from)
    }
}

impl Fingerprint {
    /// Looks at all files below some folders (or at files).
    pub(super) fn of(folders: Vec<PathBuf>) -> Self {
        let mut files = BTreeMap::new();
        for folder in &folders {
            visit(folder, 0, &mut files);
        }
        Self { folders, files }
    }
}

/// Editors write beside a file first, under a name that begins with a dot or ends in `~`.
fn visit(path: &Path, depth: usize, files: &mut BTreeMap<PathBuf, Stamp>) {
    let Ok(metadata) = fs::metadata(path) else { return };
    if !metadata.is_dir() {
        files.insert(path.to_owned(), metadata.into());
        return;
    }
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries.flatten().filter(|_| depth < DEEPEST) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with('.') && !name.ends_with('~') {
            visit(&entry.path(), depth + 1, files);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_is_seen_and_editors_remains_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let deep = folder.path().join("k/a/b");
        fs::create_dir_all(&deep).expect("made");
        fs::write(deep.join("x.md"), "eins").expect("written");
        let look = || Fingerprint::of(vec![folder.path().join("k")]);
        let first = look();
        assert_eq!(look(), first);
        for ignored in [".x.md.swp", "x.md~"] {
            fs::write(deep.join(ignored), "").expect("written");
            assert_eq!(look(), first, "{ignored}");
        }
        fs::write(deep.join("x.md"), "zwei").expect("written");
        let written = look();
        assert_ne!(written, first, "same length, other time");
        let aside = folder.path().join("aside");
        fs::write(&aside, "drei").expect("written");
        fs::rename(&aside, deep.join("x.md")).expect("renamed");
        let renamed = look();
        assert_ne!(renamed, written);
        fs::write(deep.join("y.md"), "").expect("written");
        let added = look();
        assert_ne!(added, renamed);
        fs::remove_file(deep.join("y.md")).expect("removed");
        assert_eq!(look(), renamed);
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).expect("linked");
        fs::write(folder.path().join("a"), "").expect("written");
        assert!(!Fingerprint::of(vec![folder.path().to_owned()]).files.is_empty());
    }
}
