//! Files that commands write.

use std::path::Path;

use anyhow::Context as _;

use crate::domain::replace_file;

/// Writes a file and the folder where it is missing, see [`replace_file`].
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    replace_file(path, text).with_context(|| format!("{} can not be written", path.display()))
}
