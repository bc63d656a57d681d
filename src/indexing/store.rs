//! Generations of the index on disk.
//!
//! ```text
//! data/index/current                 name of the generation that serves, one line
//! data/index/generation-<digest>/    a finished index; its name follows from what went into it
//! data/index/building-<process>/     an unfinished one; swept away by the next build
//! data/index/compendium              path of the compendium that was named for it, if one was
//! data/index/lock                    held by the one process that builds
//! data/index/views/<name>/           the same again, of the sections that one set of callers sees
//! data/cache/                        embeddings by content digest
//! data/published.json                rules and sections that were published last
//! data/baselines/<digest>.json       rules and sections that a baseline of the catalog was made of
//! data/aside/<process>-<number>/     an index that only one process looks at
//! ```
//!
//! A build happens aside and ends with the swap of the pointer file, so a reader sees the old index
//! or the new one, never half of one. The generation before the current one is kept, because a
//! reader may be about to open it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const POINTER: &str = "current";
const COMPENDIUM: &str = "compendium";
const GENERATION: &str = "generation-";
const BUILDING: &str = "building-";
/// Baselines whose sources are kept; each takes as much as the compendium.
const BASELINES: usize = 30;

/// The folder that holds the generations.
#[derive(Debug, Clone)]
pub struct Store {
    data_dir: PathBuf,
    /// Of a part of the sections; `None` is all.
    view: Option<String>,
}

/// The right to build: held by one process at a time, given back when dropped.
#[derive(Debug)]
pub struct BuildLock {
    _file: File,
}

/// An index under construction; removed when dropped without [`Building::publish`].
#[derive(Debug)]
pub struct Building {
    folder: PathBuf,
    index_dir: PathBuf,
    published: bool,
}

/// A folder for an index that nobody else will use; removed when dropped.
#[derive(Debug)]
pub struct Aside {
    folder: PathBuf,
    /// Locked as long as the process lives: this tells the folder from one that was left behind.
    _alive: File,
}

/// Hidden, so that it does not count among the files of the index.
const ALIVE: &str = ".alive";

impl Aside {
    /// Where the files go.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // The next one sweeps it away if this fails.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Store {
    /// The store under a data folder, which need not exist yet.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self { data_dir: data_dir.into(), view: None }
    }

    /// The generations of a part of the sections, under a name of letters and digits; the cache and
    /// the right to build are the same.
    #[must_use]
    pub fn view(&self, name: &str) -> Self {
        Self { view: Some(name.to_owned()), ..self.clone() }
    }

    /// Removes the views that are not named, as far as possible.
    pub fn keep_views(&self, names: &BTreeSet<String>) {
        for folder in folders(&self.data_dir.join("index/views"), "").unwrap_or_default() {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !names.contains(&name) {
                // Not worth failing for: the next one tries again.
                let _ = fs::remove_dir_all(folder);
            }
        }
    }

    /// Where embeddings are cached.
    pub fn cache_dir(&self) -> PathBuf {
        self.data_dir.join("cache")
    }

    /// What was published last: rules and sections of the last build, `index` or start of `serve`.
    pub fn published(&self) -> PathBuf {
        self.data_dir.join("published.json")
    }

    /// What a baseline of the catalog was made of, by its digest.
    pub fn baseline(&self, digest: &str) -> PathBuf {
        self.data_dir.join("baselines").join(format!("{digest}.json"))
    }

    /// Removes what the oldest baselines were made of, as far as possible: all but the [`BASELINES`]
    /// that were saved last. What is gone is read from git, where the baseline was committed.
    pub fn forget_baselines(&self) {
        let Ok(entries) = fs::read_dir(self.data_dir.join("baselines")) else { return };
        let mut saved: Vec<_> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
            .collect();
        saved.sort();
        let old = saved.len().saturating_sub(BASELINES);
        for (_, path) in &saved[..old] {
            // Not worth failing for: the next one tries again.
            let _ = fs::remove_file(path);
        }
    }

    fn index_dir(&self) -> PathBuf {
        let all = self.data_dir.join("index");
        self.view.as_ref().map_or(all.clone(), |view| all.join("views").join(view))
    }

    /// Folder of the generation that serves, if there is one.
    ///
    /// # Errors
    /// The pointer file can not be read, or names something that is no generation.
    pub fn current(&self) -> io::Result<Option<PathBuf>> {
        let pointer = self.index_dir().join(POINTER);
        let name = match fs::read_to_string(&pointer) {
            Ok(name) => name,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let name = name.trim();
        let is_generation = name
            .strip_prefix(GENERATION)
            .is_some_and(|digest| digest.chars().all(|c| c.is_ascii_alphanumeric()));
        if !is_generation {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("{} does not name a generation: `{name}`", pointer.display()),
            ));
        }
        Ok(Some(self.index_dir().join(name)))
    }

    /// The compendium that was named when the index was built: later commands need not repeat it.
    ///
    /// # Errors
    /// The note exists and can not be read.
    pub fn remembered_compendium(&self) -> io::Result<Option<PathBuf>> {
        match fs::read_to_string(self.index_dir().join(COMPENDIUM)) {
            Ok(path) => Ok(Some(PathBuf::from(path.trim_end_matches('\n')))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Notes which compendium the index belongs to, as an absolute path.
    ///
    /// # Errors
    /// The note can not be written, or the path is no text.
    pub fn remember_compendium(&self, path: &Path) -> io::Result<()> {
        let absolute = std::path::absolute(path)?;
        if self.remembered_compendium()?.as_deref() == Some(&absolute) {
            return Ok(());
        }
        let text = absolute.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
        let aside = self.index_dir().join(format!("{COMPENDIUM}.{}", std::process::id()));
        fs::write(&aside, format!("{text}\n"))?;
        fs::rename(&aside, self.index_dir().join(COMPENDIUM))
    }

    /// Waits for the right to build; `waiting` is called once where another process has it.
    ///
    /// # Errors
    /// The folder can not be written.
    pub fn lock(&self, waiting: impl FnOnce()) -> io::Result<BuildLock> {
        fs::create_dir_all(self.index_dir())?;
        let path = self.data_dir.join("index/lock");
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                waiting();
                file.lock()?;
            }
            Err(fs::TryLockError::Error(error)) => return Err(error),
        }
        Ok(BuildLock { _file: file })
    }

    /// An empty folder to build in; sweeps away what killed builds left. Needs the lock.
    ///
    /// # Errors
    /// The folder can not be written.
    pub fn begin(&self, _lock: &BuildLock) -> io::Result<Building> {
        let index_dir = self.index_dir();
        for folder in folders(&index_dir, BUILDING)? {
            fs::remove_dir_all(folder)?;
        }
        let folder = index_dir.join(format!("{BUILDING}{}", std::process::id()));
        fs::create_dir(&folder)?;
        Ok(Building { folder, index_dir, published: false })
    }
}

impl Store {
    /// An empty folder beside the generations; sweeps away what killed processes left. Needs the lock.
    ///
    /// # Errors
    /// The folder can not be written.
    pub fn aside(&self, _lock: &BuildLock) -> io::Result<Aside> {
        let parent = self.data_dir.join("aside");
        fs::create_dir_all(&parent)?;
        for left in folders(&parent, "")? {
            // Without the file its process was killed before it locked it.
            let in_use = File::open(left.join(ALIVE)).is_ok_and(|file| file.try_lock().is_err());
            if !in_use {
                fs::remove_dir_all(left)?;
            }
        }
        let mut number = 0;
        let folder = loop {
            let folder = parent.join(format!("{}-{number}", std::process::id()));
            match fs::create_dir(&folder) {
                Ok(()) => break folder,
                // This process has it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        };
        let alive = File::create(folder.join(ALIVE))?;
        alive.lock()?;
        Ok(Aside { folder, _alive: alive })
    }
}

impl Building {
    /// Where the files go.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the finished files durable, swaps the pointer, and removes old generations.
    ///
    /// # Errors
    /// A file can not be written; the old generation then goes on serving.
    pub fn publish(mut self, digest: &str) -> io::Result<PathBuf> {
        sync_tree(&self.folder)?;
        let before = fs::read_to_string(self.index_dir.join(POINTER)).unwrap_or_default();
        let name = format!("{GENERATION}{digest}");
        let target = self.index_dir.join(&name);
        if target.exists() {
            // Same inputs, so a generation that was found unfit: a damaged file. Replace it.
            fs::remove_dir_all(&target)?;
        }
        fs::rename(&self.folder, &target)?;
        self.published = true;
        let aside = self.index_dir.join(format!("{POINTER}.new"));
        let mut pointer = File::create(&aside)?;
        writeln!(pointer, "{name}")?;
        pointer.sync_all()?;
        fs::rename(&aside, self.index_dir.join(POINTER))?;
        File::open(&self.index_dir)?.sync_all()?;
        for old in folders(&self.index_dir, GENERATION)? {
            if old != target && !old.ends_with(before.trim()) {
                // Not worth failing for: the next build tries again.
                let _ = fs::remove_dir_all(old);
            }
        }
        Ok(target)
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        if !self.published {
            // The next build sweeps it away if this fails.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn folders(parent: &Path, prefix: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(prefix) && entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn sync_tree(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_tree(&entry.path())?;
        } else {
            File::open(entry.path())?.sync_all()?;
        }
    }
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(store: &Store, digest: &str, content: &str) -> PathBuf {
        let lock = store.lock(|| {}).expect("the folder is ours");
        let building = store.begin(&lock).expect("an empty folder");
        fs::write(building.folder().join("file"), content).expect("written");
        building.publish(digest).expect("published")
    }

    #[test]
    fn a_build_that_is_dropped_leaves_the_old_index_serving() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::new(dir.path());
        assert_eq!(store.current().expect("readable"), None);
        let first = build(&store, "aaa", "old");
        let lock = store.lock(|| {}).expect("free again");
        let building = store.begin(&lock).expect("an empty folder");
        fs::write(building.folder().join("file"), "half").expect("written");
        drop(building);
        assert_eq!(store.current().expect("readable"), Some(first));
    }

    #[test]
    fn the_baselines_that_were_saved_last_are_kept() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::new(dir.path());
        store.forget_baselines();
        fs::create_dir(dir.path().join("baselines")).expect("made");
        let note = dir.path().join("baselines/notiz.txt");
        fs::write(&note, "").expect("written");
        let saved = |at: usize| store.baseline(&format!("{:02}", (at * 7) % 32));
        for at in 0..32 {
            let file = File::create(saved(at)).expect("made");
            let moment = std::time::UNIX_EPOCH + std::time::Duration::from_secs(at as u64);
            file.set_modified(moment).expect("set");
        }
        store.forget_baselines();
        let left: Vec<bool> = (0..32).map(|at| saved(at).exists()).collect();
        assert_eq!(left.iter().filter(|left| **left).count(), BASELINES);
        assert!(!left[0] && !left[1] && note.exists());
    }

    #[test]
    fn the_generation_before_the_current_one_is_kept_and_older_ones_go() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::new(dir.path());
        let (first, second) = (build(&store, "aaa", "1"), build(&store, "bbb", "2"));
        let third = build(&store, "ccc", "3");
        assert!(!first.exists() && second.exists() && third.exists());
        assert_eq!(store.current().expect("readable"), Some(third));
    }

    #[test]
    fn what_a_killed_build_left_is_swept_away() {
        let dir = tempfile::tempdir().expect("a folder");
        let left = dir.path().join("index/building-1");
        fs::create_dir_all(&left).expect("made");
        let store = Store::new(dir.path());
        let lock = store.lock(|| {}).expect("free");
        let _building = store.begin(&lock).expect("an empty folder");
        assert!(!left.exists());
    }

    #[test]
    fn a_folder_aside_lives_as_long_as_its_process_uses_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::new(dir.path());
        let left = dir.path().join("aside/1-0");
        fs::create_dir_all(&left).expect("made");
        File::create(left.join(ALIVE)).expect("made");
        let lock = store.lock(|| {}).expect("free");
        let aside = store.aside(&lock).expect("an empty folder");
        assert!(!left.exists(), "nobody holds it");
        let other = store.aside(&lock).expect("another one");
        assert!(aside.folder().exists() && other.folder() != aside.folder());
        let folder = aside.folder().to_owned();
        drop(aside);
        assert!(!folder.exists() && other.folder().exists());
        assert_eq!(store.current().expect("readable"), None);
    }

    #[test]
    fn the_named_compendium_is_remembered() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::new(dir.path());
        assert_eq!(store.remembered_compendium().expect("readable"), None);
        build(&store, "aaa", "1");
        for name in ["ein Handbuch", "ein Handbuch", "noch eins"] {
            store.remember_compendium(&dir.path().join(name)).expect("written");
            let remembered = store.remembered_compendium().expect("readable");
            assert_eq!(remembered, Some(dir.path().join(name)));
        }
    }

    #[test]
    fn a_second_builder_waits_for_the_first() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::new(dir.path());
        let lock = store.lock(|| {}).expect("free");
        let other = store.clone();
        let (told, was_told) = std::sync::mpsc::channel();
        let second = std::thread::spawn(move || {
            other.lock(|| told.send(()).expect("heard")).expect("free after the first");
        });
        was_told.recv().expect("it says that it waits");
        drop(lock);
        second.join().expect("it went on");
    }

    #[test]
    fn a_pointer_that_leaves_the_folder_is_refused() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(dir.path().join("index")).expect("made");
        for bad in ["../../etc", "", "generation-../x"] {
            fs::write(dir.path().join("index/current"), bad).expect("written");
            assert!(Store::new(dir.path()).current().is_err(), "{bad}");
        }
    }
}
