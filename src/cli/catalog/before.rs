//! What an edit is compared with: what was published last, what a baseline was made of, or what git
//! has of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::catalog::Baseline;
use crate::config::Config;
use crate::indexing::Store;
use crate::pipeline::snapshot::Snapshot;
use crate::pipeline::sources::Sources;

/// A state of the past, and what to call it.
pub(super) struct Before {
    pub(super) snapshot: Snapshot,
    pub(super) name: String,
}

/// The state that was published last; without one, the last commit.
pub(super) fn published(config: &Config, store: &Store) -> anyhow::Result<Before> {
    let file = store.published();
    if let Some(snapshot) = load(&file)? {
        return Ok(Before { snapshot, name: format!("what was published ({})", file.display()) });
    }
    let commit = git(Path::new("."), &["rev-parse", "--short", "HEAD"]);
    let commit = commit.context(
        "nothing was published yet that the edit could be compared with; take the edit back, run \
         `wegweiser index`, and make it again",
    )?;
    committed(config, store, &commit)
}

/// What a baseline was made of, where this machine noted it.
pub(super) fn noted(store: &Store, base: &Baseline) -> anyhow::Result<Option<Snapshot>> {
    base.sources().map_or(Ok(None), |digest| load(&store.baseline(digest)))
}

/// What a baseline was made of: as noted on this machine, else the files that were committed with it.
pub(super) fn of_baseline(
    config: &Config,
    store: &Store,
    base: &Baseline,
    file: &Path,
) -> anyhow::Result<Before> {
    if let Some(snapshot) = noted(store, base)? {
        return Ok(Before { snapshot, name: "what it was made of".to_owned() });
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let commit = git(folder, &["log", "-1", "--format=%h", "--", &name]);
    let commit = commit.ok().filter(|commit| !commit.is_empty()).with_context(|| {
        format!(
            "the rules and sections that {} was made of are neither in {} nor in git; put them \
             back, save it again with `wegweiser catalog run --save`, and repeat the edit",
            file.display(),
            store.baseline("").parent().unwrap_or(Path::new("data")).display()
        )
    })?;
    committed(config, store, &commit)
}

fn load(file: &Path) -> anyhow::Result<Option<Snapshot>> {
    Snapshot::load(file)
        .with_context(|| format!("{} can not be read; delete it, it is made again", file.display()))
}

/// Rules and compendium of a commit.
fn committed(config: &Config, store: &Store, commit: &str) -> anyhow::Result<Before> {
    let lock = store.lock(|| ()).context("the data folder can not be used")?;
    let aside = store.aside(&lock).context("the data folder can not be used")?;
    drop(lock);
    let mut folders = Vec::new();
    let compendium = store.remembered_compendium().context("the data folder can not be used")?;
    let compendium = config.compendium.clone().or(compendium);
    for (named, usual) in [(config.rules.clone(), "rules"), (compendium, "compendium")] {
        let folder = named.unwrap_or_else(|| PathBuf::from(usual));
        let copy = aside.folder().join(usual);
        let there = folder.exists();
        if there {
            check_out(&folder, commit, &copy)?;
        }
        folders.push((there.then_some(copy), folder));
    }
    let of = |at: usize| folders[at].0.as_deref();
    let sources = Sources::read(of(0), of(1))
        .with_context(|| format!("rules and compendium of commit {commit} have problems"))?;
    let mut snapshot = Snapshot::of(&sources);
    for (copy, folder) in &folders {
        if let Some(copy) = copy {
            let text = |path: &Path| path.display().to_string().replace('\\', "/");
            snapshot = snapshot.shown_as(&text(copy), &text(folder));
        }
    }
    Ok(Before { snapshot, name: format!("commit {commit}") })
}

/// Copies what a commit has of a folder.
fn check_out(folder: &Path, commit: &str, to: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(folder.is_dir(), "{} is no folder that git could know", folder.display());
    let names = git(folder, &["ls-tree", "-r", "-z", "--name-only", commit, "."])?;
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        let bytes = run(folder, &["show", &format!("{commit}:./{name}")])?;
        let file = to.join(name);
        let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&file, bytes))
            .with_context(|| format!("{} can not be written", file.display()))?;
    }
    anyhow::ensure!(to.is_dir(), "commit {commit} has nothing of {}", folder.display());
    Ok(())
}

fn git(folder: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let bytes = run(folder, arguments)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

fn run(folder: &Path, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let output = output.context("git can not be run")?;
    let said = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "git says: {}", said.trim());
    Ok(output.stdout)
}
