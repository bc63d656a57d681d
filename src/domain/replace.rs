//! Files that are written as a whole.

use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file and the folder where it is missing. A reader sees the old file or the new one, never
/// half of it.
///
/// # Errors
/// The folder can not be made, or the file not be written; the old one is then as it was.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
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
