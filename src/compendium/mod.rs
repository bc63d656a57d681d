//! The knowledge base: Markdown files in, sections with stable ids out.
//!
//! ```text
//! files ─ source ─ one text each ─┬─ document ─ sections of one file ─┬─ assemble ─ Compendium
//!                                 │   front: front matter             │   unique ids, groups
//!                                 │   dialect: Quarto and Pandoc      │
//!                                 │   plain: Markdown → plain text    │
//!                                 └─ jsonl (`sections.jsonl`) ────────┘
//! ```
//!
//! Every problem of every file is reported at once; when there is one, nothing is loaded.

mod assemble;
mod attributes;
mod dialect;
mod document;
mod front;
mod inline;
mod jsonl;
mod plain;
mod slug;
mod source;
mod stray;
mod table;

use std::collections::BTreeSet;
use std::path::Path;

use crate::domain::{GroupId, Problem, Problems, Section};
use source::{Kind, Source};

/// All sections of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compendium {
    /// Sorted by id; ids are unique; never empty.
    pub sections: Vec<Section>,
    /// What an editor may want to know and what did not stop the load, in file order.
    pub notices: Vec<Problem>,
    /// How many files were read.
    pub files: usize,
    /// SHA-256 over names and contents in lower-case hex; the same for any order of the files, for
    /// Windows line ends and for decomposed umlauts.
    pub digest: String,
}

/// Loads a folder of Markdown, a folder with `sections.jsonl`, or one Markdown file.
///
/// `known_groups` are the groups of `rules/groups.yaml`; when there are none, every group is
/// accepted.
///
/// # Errors
/// All problems of all files. The first one names the folder and says which files are good.
pub fn load(root: &Path, known_groups: &BTreeSet<GroupId>) -> Result<Compendium, Problems> {
    let (sources, unreadable) = source::read(root)?;
    compendium(&source::shown(root), &sources, unreadable, known_groups)
}

/// Loads files that are part of the program: `(name, text)`, the name as in a folder of Markdown.
///
/// # Errors
/// As for [`load`].
pub fn load_embedded(
    files: &[(&str, &str)],
    known_groups: &BTreeSet<GroupId>,
) -> Result<Compendium, Problems> {
    let mut unreadable = Vec::new();
    let sources = source::embedded(files, &mut unreadable);
    compendium("compendium", &sources, unreadable, known_groups)
}

fn compendium(
    root: &str,
    sources: &[Source],
    mut problems: Vec<Problem>,
    known_groups: &BTreeSet<GroupId>,
) -> Result<Compendium, Problems> {
    let digest = source::digest(sources);
    let targets = document::targets(sources);
    let mut notices = Vec::new();
    let mut drafts = Vec::new();
    for source in sources {
        drafts.extend(match source.kind {
            Kind::Markdown => document::read(source, &targets, &mut problems, &mut notices),
            Kind::Lines => jsonl::read(source, &mut problems, &mut notices),
        });
    }
    let sections = assemble::sections(drafts, known_groups, &mut problems, &mut notices);
    if sections.is_empty() && problems.is_empty() {
        problems.push(assemble::nothing_found(root, sources.len()));
    } else if !problems.is_empty() {
        problems.push(assemble::summary(root, sources, &problems));
    }
    Problems::check(problems)?;
    notices.sort();
    Ok(Compendium { sections, notices, files: sources.len(), digest })
}
