//! What an index was made of; checked before it is used.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::domain::{EnrichmentPlan, hex};

/// Version of the folder layout and file formats. Raise it with every change that an older binary
/// or an older index would not survive.
pub const FORMAT: u32 = 10;

const FILE: &str = "manifest.json";

/// What went into an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Layout and file formats.
    pub format: u32,
    /// Version of the German analysis of the lexical channel.
    pub analyzer: String,
    /// Kind and version of the intent classifier; its examples are among the rules.
    pub classifier: String,
    /// Name of the embedding model.
    pub model: String,
    /// Digest of the model's weights and tokenizer.
    pub model_digest: String,
    /// Numbers in one vector.
    pub dimension: usize,
    /// The prefix that the sections were embedded with; questions must use the same.
    pub prefix_template: String,
    /// What sections get from their documents.
    pub enrichment: EnrichmentPlan,
    /// How they get it: version and limits of the method.
    pub enrichment_method: String,
    /// Digest of the model and the instructions that documents are read with beside; empty for none.
    pub enrichment_llm: String,
    /// Digest of the compendium's files.
    pub compendium: String,
    /// Digest of the rule files that shape the index (intents, symbols, taxonomy, synonyms,
    /// compounds).
    pub rules: String,
}

/// What an index holds; written once it is finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Sections.
    pub sections: usize,
    /// Vectors of sections without prefix; long sections have several.
    pub plain_vectors: usize,
    /// Vectors of sections with their group's prefix.
    pub prefixed_vectors: usize,
    /// Vectors of whole sections; sections longer than the model reads have several.
    pub whole_vectors: usize,
    /// Documents that the model should have read and did not, or not in full.
    pub unread_documents: usize,
    /// Why the first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread_reason: Option<String>,
    /// Digest of the files that have no checksum of their own: a flipped bit makes tantivy panic, or
    /// gives other answers without a word.
    pub files: String,
}

/// Digest over names and contents of the files of an index, without the manifest itself, vectors
/// (they have checksums) and hidden files (locks).
///
/// # Errors
/// A folder or a file can not be read.
pub(super) fn files_digest(folder: &Path) -> std::io::Result<String> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if !name.starts_with('.') && name != FILE && !name.ends_with(".usearch") {
                paths.push(entry.path());
            }
        }
    }
    paths.sort();
    let mut hasher = Sha256::new();
    for path in paths {
        hasher.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        hasher.update(Sha256::digest(fs::read(&path)?));
    }
    Ok(hex(&hasher.finalize()))
}

#[derive(Serialize, Deserialize)]
struct File {
    #[serde(flatten)]
    manifest: Manifest,
    #[serde(flatten)]
    counts: Counts,
}

/// Why an index can not be used; the mend is always the same: build it again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The manifest is missing or unreadable.
    #[error("its manifest can not be read: {0}")]
    Unreadable(String),
    /// One entry differs from what is in force now.
    #[error("its {what} is `{found}`, now it is `{wanted}`")]
    Differs {
        /// Which entry.
        what: &'static str,
        /// In the index.
        found: String,
        /// In force.
        wanted: String,
    },
}

impl Manifest {
    /// A short digest of everything above: the name of the generation.
    pub fn digest(&self) -> String {
        let text = serde_json::to_string(self).expect("a manifest is plain data");
        hex(&Sha256::digest(text.as_bytes()))[..16].to_owned()
    }

    /// Writes the manifest of a finished index.
    ///
    /// # Errors
    /// The file can not be written.
    pub fn write(&self, folder: &Path, counts: Counts) -> std::io::Result<()> {
        let file = File { manifest: self.clone(), counts };
        let text = serde_json::to_string_pretty(&file).expect("a manifest is plain data");
        fs::write(folder.join(FILE), text + "\n")
    }

    /// Checks that the index in `folder` was made of exactly this.
    ///
    /// # Errors
    /// The first entry that differs, with both values.
    pub fn check(&self, folder: &Path) -> Result<Counts, Unfit> {
        let text = fs::read_to_string(folder.join(FILE))
            .map_err(|error| Unfit::Unreadable(error.to_string()))?;
        let File { manifest, counts } =
            serde_json::from_str(&text).map_err(|error| Unfit::Unreadable(error.to_string()))?;
        let entries = [
            ("format", manifest.format.to_string(), self.format.to_string()),
            ("analyzer", manifest.analyzer, self.analyzer.clone()),
            ("classifier", manifest.classifier, self.classifier.clone()),
            ("model", manifest.model, self.model.clone()),
            ("model digest", manifest.model_digest, self.model_digest.clone()),
            ("dimension", manifest.dimension.to_string(), self.dimension.to_string()),
            ("prefix template", manifest.prefix_template, self.prefix_template.clone()),
            ("enrichment", manifest.enrichment.to_string(), self.enrichment.to_string()),
            ("way to enrich", manifest.enrichment_method, self.enrichment_method.clone()),
            ("reading by a model", manifest.enrichment_llm, self.enrichment_llm.clone()),
            ("compendium digest", manifest.compendium, self.compendium.clone()),
            ("rules digest", manifest.rules, self.rules.clone()),
        ];
        for (what, found, wanted) in entries {
            if found != wanted {
                return Err(Unfit::Differs { what, found, wanted });
            }
        }
        Ok(counts)
    }
}
