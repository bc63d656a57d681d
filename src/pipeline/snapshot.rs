//! Everything that people wrote, as it was at one moment: the state that serves, the state that a
//! baseline was made of, or a mixture of two that shows what one file does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::sources::{SHAPING, Sources};
use crate::compendium::Compendium;
use crate::domain::{Section, hex};

/// Version of the file's form.
const FORMAT: u32 = 1;

/// The texts of the rule files and the sections of the compendium.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    format: u32,
    /// By name.
    rules: BTreeMap<String, RuleFile>,
    /// Digest of the compendium's files, or of the sections of a mixture.
    compendium: String,
    /// Sorted by id.
    sections: Vec<Section>,
}

/// A rule file as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFile {
    /// Its path as the user gave it, for messages.
    pub shown: String,
    /// Its text.
    pub text: String,
}

/// What can be put back, or put in, alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A rule file, by name.
    Rules(String),
    /// All sections.
    Compendium,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(name) => f.write_str(name),
            Self::Compendium => f.write_str("compendium"),
        }
    }
}

impl Snapshot {
    /// What `sources` were read from.
    pub fn of(sources: &Sources) -> Self {
        Self {
            format: FORMAT,
            rules: sources.files.clone(),
            compendium: sources.compendium.digest.clone(),
            sections: sources.compendium.sections.clone(),
        }
    }

    /// Reads a snapshot; `None` where there is none.
    ///
    /// # Errors
    /// The file can not be read, is damaged, or was written by another version.
    pub fn load(path: &Path) -> io::Result<Option<Self>> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let snapshot: Self = serde_json::from_slice(&bytes)?;
        if snapshot.format != FORMAT {
            let found = snapshot.format;
            let error = format!("it has the form {found}, this version reads {FORMAT}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
        Ok(Some(snapshot))
    }

    /// Writes it whole or not at all, and the folder where it is missing.
    ///
    /// # Errors
    /// The file can not be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let aside = path.with_extension(format!("{}.new", std::process::id()));
        let mut file = std::fs::File::create(&aside)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        std::fs::rename(aside, path)
    }

    /// Short digest of all texts and sections, wherever they stood.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for (name, file) in &self.rules {
            for text in [name, &file.text] {
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text);
            }
        }
        hash.update(sections_digest(&self.sections));
        hex(&hash.finalize())[..16].to_owned()
    }

    /// The sections, sorted by id.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// What differs from `other`, the rule files first.
    pub fn differing(&self, other: &Self) -> Vec<Part> {
        let names: BTreeSet<&String> = self.rules.keys().chain(other.rules.keys()).collect();
        let text = |of: &Self, name: &str| of.rules.get(name).map(|file| file.text.clone());
        let differs = names.into_iter().filter(|name| text(self, name) != text(other, name));
        let mut parts: Vec<Part> = differs.map(|name| Part::Rules(name.clone())).collect();
        if !same_sections(&self.sections, &other.sections) {
            parts.push(Part::Compendium);
        }
        parts
    }

    /// This state with one part of another.
    #[must_use]
    pub fn with(&self, part: &Part, other: &Self) -> Self {
        let mut mixed = self.clone();
        match part {
            Part::Rules(name) => match other.rules.get(name) {
                Some(file) => mixed.rules.insert(name.clone(), file.clone()),
                None => mixed.rules.remove(name),
            },
            Part::Compendium => {
                mixed.compendium.clone_from(&other.compendium);
                mixed.sections.clone_from(&other.sections);
                None
            }
        };
        mixed
    }

    /// This state with everything of another that differs: what only moved by some lines stays.
    #[must_use]
    pub fn with_parts_of(&self, other: &Self) -> Self {
        self.differing(other).iter().fold(self.clone(), |mixed, part| mixed.with(part, other))
    }

    /// This state with some files of another, named as they stand on disk.
    ///
    /// # Errors
    /// The first file that is in neither of the two.
    pub fn with_files(&self, other: &Self, files: &[PathBuf]) -> Result<Self, PathBuf> {
        let mut mixed = self.clone();
        let mut documents = BTreeSet::new();
        for file in files {
            let stands_in = |shown: &str| absolute(Path::new(shown)) == absolute(file);
            let rules = other.rules.iter().find(|(_, rules)| stands_in(&rules.shown));
            if let Some((name, rules)) = rules {
                mixed.rules.insert(name.clone(), rules.clone());
                continue;
            }
            // By the place and by the id: a file that was moved as a whole keeps its ids.
            let both = other.sections.iter().chain(&self.sections);
            let inside: BTreeSet<&str> = both
                .filter(|section| stands_in(&section.place.file))
                .map(Section::document)
                .collect();
            if inside.is_empty() {
                return Err(file.clone());
            }
            documents.extend(inside);
        }
        let named = |section: &&Section| documents.contains(section.document());
        let kept = self.sections.iter().filter(|section| !named(section));
        let mut sections: Vec<Section> =
            kept.chain(other.sections.iter().filter(named)).cloned().collect();
        sections.sort_by(|a, b| a.id.cmp(&b.id));
        if same_sections(&sections, &other.sections) {
            mixed = mixed.with(&Part::Compendium, other);
        } else if !same_sections(&sections, &self.sections) {
            mixed.compendium = sections_digest(&sections);
            mixed.sections = sections;
        }
        Ok(mixed)
    }

    /// What shapes the index and differs: everything but shortcut rules, groups and prompt.
    pub fn reshaped(&self, other: &Self) -> Vec<Part> {
        let shapes = |part: &Part| match part {
            Part::Rules(name) => SHAPING.contains(&name.as_str()),
            Part::Compendium => true,
        };
        self.differing(other).into_iter().filter(shapes).collect()
    }

    /// The same, shown to people as read from another folder.
    #[must_use]
    pub fn shown_as(mut self, from: &str, to: &str) -> Self {
        let moved = |shown: &mut String| {
            if let Some(rest) = shown.strip_prefix(from) {
                *shown = format!("{to}{rest}");
            }
        };
        self.rules.values_mut().for_each(|file| moved(&mut file.shown));
        self.sections.iter_mut().for_each(|section| moved(&mut section.place.file));
        self
    }

    pub(super) fn rule_file(&self, name: &str) -> Option<&RuleFile> {
        self.rules.get(name)
    }

    pub(super) fn compendium(&self) -> Compendium {
        let files: BTreeSet<&str> = self.sections.iter().map(|s| s.place.file.as_str()).collect();
        Compendium {
            files: files.len(),
            sections: self.sections.clone(),
            notices: Vec::new(),
            digest: self.compendium.clone(),
        }
    }
}

/// A path to compare with: without `.`, in composed spelling.
fn absolute(path: &Path) -> String {
    use unicode_normalization::UnicodeNormalization;
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.to_string_lossy().nfc().collect()
}

/// A section without the line that it stands at, which moves with every edit above it.
fn unplaced(section: &Section) -> Section {
    let mut section = section.clone();
    section.place.line = 1;
    section.place.column = 1;
    section.place.file.clear();
    section
}

fn same_sections(some: &[Section], others: &[Section]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(a, b)| unplaced(a) == unplaced(b))
}

fn sections_digest(sections: &[Section]) -> String {
    let mut hash = Sha256::new();
    for section in sections {
        let text = serde_json::to_vec(&unplaced(section)).expect("a section is plain data");
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hex(&hash.finalize())
}
