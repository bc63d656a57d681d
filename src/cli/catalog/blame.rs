//! `wegweiser catalog diff --blame-rules`: which rule file turned a question.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::ask;
use crate::catalog::{Diff, Question};
use crate::config::Config;

/// The files that route a question and are no part of the index: each is put back alone.
const PARTS: [&str; 2] = ["shortcuts.yaml", "groups.yaml"];

/// Asks the turned questions again, once for each file that differs, with the old one in its place.
pub(super) async fn blame(
    config: &Config,
    old: &Path,
    questions: &[Question],
    diff: &mut Diff,
) -> anyhow::Result<()> {
    let rules = config.rules.clone().unwrap_or_else(|| PathBuf::from("rules"));
    anyhow::ensure!(rules.is_dir(), "there is no folder {} to put files back in", rules.display());
    let turned: Vec<Question> =
        questions.iter().filter(|question| diff.has_turned(&question.id)).cloned().collect();
    for part in PARTS {
        let (before, now) = (read(&old.join(part))?, read(&rules.join(part))?);
        if turned.is_empty() || before == now {
            continue;
        }
        let folder = config.data_dir.join("blame").join(part.trim_end_matches(".yaml"));
        copy(&rules, &folder)?;
        std::fs::write(folder.join(part), before)
            .with_context(|| format!("{} can not be written", folder.display()))?;
        let with_old = Config { rules: Some(folder.clone()), ..config.clone() };
        diff.blame(part, &ask(&with_old, &turned).await?);
        std::fs::remove_dir_all(&folder)
            .with_context(|| format!("{} can not be removed", folder.display()))?;
    }
    Ok(())
}

fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("{} can not be read", file.display()))
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let failed = || format!("{} can not be copied", from.display());
    std::fs::create_dir_all(to).with_context(failed)?;
    for entry in std::fs::read_dir(from).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            std::fs::copy(&path, to.join(name)).with_context(failed)?;
        }
    }
    Ok(())
}
