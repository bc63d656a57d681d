//! Files as text: where they are, what they are called, and one spelling for all of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::domain::{Place, Problem, Problems};

/// One file.
#[derive(Debug)]
pub(super) struct Source {
    /// Path below the root without extension, with forward slashes, NFC: the first half of the ids.
    pub(super) document: String,
    /// Path as the user gave it, for messages.
    pub(super) file: String,
    /// NFC, line feeds only, no byte order mark, no NUL.
    pub(super) text: String,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A Markdown document.
    Markdown,
    /// `sections.jsonl`.
    Lines,
}

/// A path for messages: forward slashes on every system.
pub(super) fn shown(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    nfc(text.trim_end_matches('/')).to_string()
}

/// The files under `root` in the order of their names, and what could not be read.
pub(super) fn read(root: &Path) -> Result<(Vec<Source>, Vec<Problem>), Problems> {
    let mut problems = Vec::new();
    let meta = fs::metadata(root).map_err(|error| missing(root, &error))?;
    if meta.is_file() {
        let name =
            root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let kind = if root.extension().is_some_and(|extension| extension == "jsonl") {
            Kind::Lines
        } else {
            Kind::Markdown
        };
        let source = open(root, &shown(root), &name, kind, &mut problems);
        return Ok((source.into_iter().collect(), problems));
    }
    let lines = root.join("sections.jsonl");
    if lines.is_file() {
        let source = open(&lines, &shown(&lines), "sections.jsonl", Kind::Lines, &mut problems);
        return Ok((source.into_iter().collect(), problems));
    }
    let mut sources: Vec<Source> = markdown_files(root, &mut problems)
        .iter()
        .filter_map(|(path, name)| {
            open(path, &format!("{}/{name}", shown(root)), name, Kind::Markdown, &mut problems)
        })
        .collect();
    by_name(&mut sources, &mut problems);
    Ok((sources, problems))
}

/// Files that were compiled in.
pub(super) fn embedded(files: &[(&str, &str)], problems: &mut Vec<Problem>) -> Vec<Source> {
    let mut sources: Vec<Source> = files
        .iter()
        .filter(|(name, _)| !is_readme(name.rsplit('/').next().unwrap_or(name)))
        .filter_map(|(name, text)| {
            let file = nfc(&format!("compendium/{name}")).to_string();
            one_spelling(&file, text, problems).map(|text| Source {
                document: document(name),
                file,
                text,
                kind: Kind::Markdown,
            })
        })
        .collect();
    by_name(&mut sources, problems);
    sources
}

/// SHA-256 over names and contents, each with its length, so that no two lists agree by accident.
pub(super) fn digest(sources: &[Source]) -> String {
    let mut hash = Sha256::new();
    for source in sources {
        for part in [&source.document, &source.text] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
    }
    hash.finalize().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

fn missing(root: &Path, error: &std::io::Error) -> Problem {
    Problem {
        place: Place::start_of(shown(root)),
        code: "compendium-missing",
        message: format!("the compendium can not be read: {error}"),
        mend: "name a folder of Markdown files, a folder with `sections.jsonl`, or a Markdown file"
            .to_owned(),
    }
}

/// All Markdown files with their names below the root; folders behind links come last, so that a
/// file that can be reached twice keeps its real name.
fn markdown_files(root: &Path, problems: &mut Vec<Problem>) -> Vec<(PathBuf, String)> {
    let mut real = vec![(root.to_path_buf(), String::new())];
    let mut linked = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    while let Some((folder, prefix)) = real.pop().or_else(|| linked.pop_first()) {
        if !fs::canonicalize(&folder).is_ok_and(|path| seen.insert(path)) {
            continue;
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push(unreadable(&shown(&folder), &error));
                continue;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let name = nfc(&entry.file_name().to_string_lossy()).to_string();
            if name.starts_with('.') {
                continue;
            }
            let path = entry.path();
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if path.is_dir() {
                let below = (path, format!("{prefix}{name}/"));
                if is_link {
                    linked.insert(below);
                } else {
                    real.push(below);
                }
            } else if is_markdown(&name) && !is_readme(&name) {
                files.push((is_link, format!("{prefix}{name}"), path));
            }
        }
    }
    files.sort();
    // A link to a file of the compendium is the same document; a dead link is told when opened.
    files.retain(|(_, _, path)| fs::canonicalize(path).map_or(true, |path| seen.insert(path)));
    files.into_iter().map(|(_, name, path)| (path, name)).collect()
}

fn is_markdown(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

fn is_readme(name: &str) -> bool {
    name.eq_ignore_ascii_case("readme.md")
}

/// The first half of the section ids: `ordner/datei.md` → `ordner/datei`.
fn document(name: &str) -> String {
    let name = name.replace('\\', "/");
    let stem = match name.rsplit_once('.') {
        Some((stem, extension)) if !extension.contains('/') && !stem.is_empty() => stem,
        _ => &name,
    };
    nfc(stem).chars().filter(|c| !c.is_control()).collect()
}

fn open(
    path: &Path,
    file: &str,
    name: &str,
    kind: Kind,
    problems: &mut Vec<Problem>,
) -> Option<Source> {
    let bytes = bytes_of(path).map_err(|error| problems.push(unreadable(file, &error))).ok()?;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            problems.push(not_utf8(file, &bytes, error.valid_up_to()));
            return None;
        }
    };
    let text = one_spelling(file, text, problems)?;
    Some(Source { document: document(name), file: file.to_owned(), text, kind })
}

/// A pipe would be waited for and a device read for ever: only files are read.
fn bytes_of(path: &Path) -> std::io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() {
        fs::read(path)
    } else {
        Err(std::io::Error::other("it is a pipe or a device, not a file"))
    }
}

fn unreadable(file: &str, error: &std::io::Error) -> Problem {
    Problem {
        place: Place::start_of(file),
        code: "compendium-unreadable",
        message: format!("this can not be read: {error}"),
        mend: "check that it exists and that this user may read it".to_owned(),
    }
}

fn not_utf8(file: &str, bytes: &[u8], at: usize) -> Problem {
    let good = String::from_utf8_lossy(&bytes[..at]);
    Problem {
        place: place_at(file, &good, good.len()),
        code: "compendium-not-utf8",
        message: format!("byte {at} (0x{:02x}) is not UTF-8", bytes[at]),
        mend: "save the file as UTF-8".to_owned(),
    }
}

/// No byte order mark, line feeds only, NFC. A NUL is a sign of a broken or binary file.
fn one_spelling(file: &str, text: &str, problems: &mut Vec<Problem>) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.to_owned()
    };
    let text = if is_nfc(&text) { text } else { text.nfc().collect() };
    match text.find('\0') {
        None => Some(text),
        Some(at) => {
            problems.push(Problem {
                place: place_at(file, &text, at),
                code: "compendium-nul",
                message: "there is a NUL character here; this is not a text file".to_owned(),
                mend: "remove the character, or save the file as UTF-8".to_owned(),
            });
            None
        }
    }
}

/// Names sorted; two files of one name (`a.md` and `a.MD`, or two spellings of `ä`) would share ids.
fn by_name(sources: &mut [Source], problems: &mut Vec<Problem>) {
    sources.sort_by(|a, b| (&a.document, &a.file).cmp(&(&b.document, &b.file)));
    for pair in sources.windows(2) {
        if pair[0].document == pair[1].document {
            problems.push(Problem {
                place: Place::start_of(&pair[1].file),
                code: "compendium-duplicate-file",
                message: format!(
                    "`{}` and this file have the same name `{}`",
                    pair[0].file, pair[1].document
                ),
                mend: "rename one of the two".to_owned(),
            });
        }
    }
}

/// The place of a byte offset in a text.
pub(super) fn place_at(file: &str, text: &str, offset: usize) -> Place {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Place {
        file: file.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

fn nfc(text: &str) -> std::borrow::Cow<'_, str> {
    if is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() }
}
