//! Files that are written as a whole.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file and the folder where it is missing. A reader sees the old file or the new one, never
/// half of it. A link stays a link: the file behind it is written.
///
/// # Errors
/// The folder can not be made, or the file not be written; the old one is then as it was.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    let path = &behind_links(path);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // A pipe or a device is written to, not replaced.
        return std::fs::write(path, text);
    }
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let outcome = written.and_then(|()| std::fs::rename(&beside, path));
    if outcome.is_err() {
        // The first error tells more than that its remains can not be removed either.
        let _ = std::fs::remove_file(&beside);
    }
    outcome
}

/// The file that a path leads to, also where it is still to be made.
fn behind_links(path: &Path) -> PathBuf {
    std::fs::canonicalize(path)
        .or_else(|_| {
            let target = std::fs::read_link(path)?;
            io::Result::Ok(path.parent().unwrap_or(Path::new("")).join(target))
        })
        .unwrap_or_else(|_| path.to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_a_link_and_its_file_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let (link, file) = (folder.path().join("link.yaml"), folder.path().join("da/echt.yaml"));
        std::os::unix::fs::symlink("da/echt.yaml", &link).expect("a link");
        for text in ["neu", "ersetzt"] {
            replace_file(&link, text).expect("written");
            assert_eq!(std::fs::read_to_string(&file).expect("there"), text);
            assert!(link.symlink_metadata().expect("there").is_symlink());
        }
        assert_eq!(std::fs::read_dir(folder.path().join("da")).expect("there").count(), 1);
    }
}
