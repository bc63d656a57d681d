//! An opened index: sections, both channels, and the intent classifier.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::Analyzer;
use crate::domain::{Allowed, EnrichmentPlan, GroupId, Section, SectionId, Vector};
use crate::enrichment::Enrichment;
use crate::intent::Classifier;
use crate::retrieval::lexical::{LexicalError, LexicalIndex};
use crate::retrieval::vector::{VectorError, VectorStore};

use super::Strangers;
use super::manifest::{Counts, Manifest, Unfit, files_digest};
use super::store::Aside;

pub(super) const SECTIONS: &str = "sections.json";
pub(super) const CLASSIFIER: &str = "classifier.json";
pub(super) const LEXICAL: &str = "lexical";
pub(super) const STRANGERS: &str = "strangers.json";
pub(super) const ENRICHMENT: &str = "enrichment.json";
pub(super) const PLAIN: &str = "plain.usearch";
pub(super) const PREFIXED: &str = "prefixed.usearch";
pub(super) const WHOLE: &str = "whole.usearch";

/// Share of the whole section beside its best window in the plain cosine: measured in decision 0016.
const WHOLE_SHARE: f32 = 0.3;
/// How much of a section's hubness is taken from its cosines: measured in decision 0016.
const HUB_PENALTY: f32 = 0.25;

/// The plain cosine from those of a section's best window and of the section as a whole.
pub(super) fn plain_cosine(window: f32, whole: f32) -> f32 {
    (1.0 - WHOLE_SHARE) * window + WHOLE_SHARE * whole
}

/// An index that fits the manifest in force. A copy shares what is large.
#[derive(Debug, Clone)]
pub struct Index {
    sections: Vec<Section>,
    groups: BTreeSet<GroupId>,
    /// Ordinals of each document's sections in the order of the document.
    documents: BTreeMap<String, Vec<u32>>,
    lexical: Arc<LexicalIndex>,
    plain: Arc<VectorStore>,
    prefixed: Arc<VectorStore>,
    whole: Arc<VectorStore>,
    classifier: Arc<Classifier>,
    strangers: Arc<Strangers>,
    /// Where [`Index::enrichment`] is read; a service never needs it.
    enrichment: PathBuf,
    plan: EnrichmentPlan,
    unread: Option<Unread>,
    /// Its folder, where that is only for this index. The last field: dropped when all is closed.
    _aside: Option<Arc<Aside>>,
}

/// Documents of an index that a model should have read and did not.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Unread {
    /// How many.
    pub documents: usize,
    /// Why the first of them.
    pub reason: String,
}

/// The vectors of a section with other text than it has, to try that out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// Of its windows.
    pub windows: Vec<Vector>,
    /// Of its windows with the prefix of its group.
    pub prefixed: Vec<Vector>,
    /// Of the section as a whole.
    pub whole: Vec<Vector>,
}

/// Why an index could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// It was made of something else.
    #[error("the index does not fit")]
    Unfit(#[from] Unfit),
    /// A file is missing or damaged.
    #[error("{} can not be read", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The lexical channel can not be opened.
    #[error("the lexical index can not be opened")]
    Lexical(#[from] LexicalError),
    /// A vector index can not be opened.
    #[error("a vector index can not be opened")]
    Vector(#[from] VectorError),
}

impl Index {
    /// Opens the index in `folder` where it was made of what `manifest` says.
    ///
    /// # Errors
    /// [`IndexError`]; the mend is always to build again.
    pub fn open(
        folder: &Path,
        manifest: &Manifest,
        analyzer: Analyzer,
    ) -> Result<Self, IndexError> {
        let counts = manifest.check(folder)?;
        let Counts {
            sections: expected,
            plain_vectors,
            prefixed_vectors,
            whole_vectors,
            unread_documents,
            unread_reason,
            files,
        } = counts;
        let found = files_digest(folder)
            .map_err(|error| IndexError::File { path: folder.to_owned(), source: error.into() })?;
        if found != files {
            let what = "digest of files";
            return Err(IndexError::Unfit(Unfit::Differs { what, found, wanted: files }));
        }
        let sections: Vec<Section> = read(&folder.join(SECTIONS))?;
        if sections.len() != expected {
            return Err(IndexError::Unfit(Unfit::Differs {
                what: "number of sections",
                found: sections.len().to_string(),
                wanted: expected.to_string(),
            }));
        }
        let vectors = |name: &str, count| {
            VectorStore::open(&folder.join(name), manifest.dimension, count).map(Arc::new)
        };
        Ok(Self {
            documents: documents(&sections),
            groups: sections.iter().filter_map(|section| section.group.clone()).collect(),
            lexical: Arc::new(LexicalIndex::open(&folder.join(LEXICAL), analyzer)?),
            plain: vectors(PLAIN, plain_vectors)?,
            prefixed: vectors(PREFIXED, prefixed_vectors)?,
            whole: vectors(WHOLE, whole_vectors)?,
            classifier: Arc::new(read(&folder.join(CLASSIFIER))?),
            strangers: Arc::new(read(&folder.join(STRANGERS))?),
            enrichment: folder.join(ENRICHMENT),
            plan: manifest.enrichment,
            unread: unread_reason.map(|reason| Unread { documents: unread_documents, reason }),
            sections,
            _aside: None,
        })
    }

    /// Keeps the folder that this index was built in as long as the index.
    #[must_use]
    pub fn living_in(self, aside: Aside) -> Self {
        Self { _aside: Some(Arc::new(aside)), ..self }
    }

    /// The same with another keyword index over the same sections, to try that out.
    #[must_use]
    pub fn with_lexical(&self, lexical: LexicalIndex) -> Self {
        Self { lexical: Arc::new(lexical), ..self.clone() }
    }

    /// Number of sections.
    pub fn len(&self) -> usize {
        self.sections.len()
    }

    /// Whether there is no section at all.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// The section at an ordinal.
    pub fn section(&self, ordinal: u32) -> &Section {
        &self.sections[ordinal as usize]
    }

    /// All sections, sorted by id: the position is the ordinal.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Ordinal of a section.
    pub fn ordinal(&self, id: &SectionId) -> Option<u32> {
        self.sections.binary_search_by(|section| section.id.cmp(id)).ok().map(|at| at as u32)
    }

    /// The sections up to `reach` places before and after a section in its document.
    pub fn neighbours(&self, ordinal: u32, reach: usize) -> Vec<u32> {
        let order = &self.documents[self.section(ordinal).document()];
        let at = order.iter().position(|other| *other == ordinal).unwrap_or_default();
        let near = at.saturating_sub(reach)..(at + reach + 1).min(order.len());
        order[near].iter().copied().filter(|other| *other != ordinal).collect()
    }

    /// Groups that have sections.
    pub fn groups(&self) -> impl Iterator<Item = &GroupId> + Clone {
        self.groups.iter()
    }

    /// Whether a group has sections.
    pub fn has_group(&self, id: &GroupId) -> bool {
        self.groups.contains(id)
    }

    /// The lexical channel.
    pub fn lexical(&self) -> &LexicalIndex {
        &self.lexical
    }

    /// The classifier for questions that no rule decides.
    pub fn classifier(&self) -> &Classifier {
        &self.classifier
    }

    /// How the sections stand to questions that have nothing to do with them.
    pub fn strangers(&self) -> &Strangers {
        &self.strangers
    }

    /// What a model should have read and did not; the next `wegweiser index` asks again.
    pub fn unread(&self) -> Option<&Unread> {
        self.unread.as_ref()
    }

    /// What sections have from their documents. Read from the disk each time.
    ///
    /// # Errors
    /// The file is missing or damaged.
    pub fn enrichment(&self) -> Result<Enrichment, IndexError> {
        read(&self.enrichment)
    }

    /// The tokens that sections have from their documents, by ordinal: what the lexical index was
    /// built with.
    ///
    /// # Errors
    /// As [`Index::enrichment`].
    pub fn inherited(&self) -> Result<Vec<Vec<String>>, IndexError> {
        let enrichment = self.enrichment()?;
        Ok((0..self.len() as u32).map(|at| enrichment.tokens(self.plan, at)).collect())
    }

    /// What stands before a section's text when it is embedded, behind the prefix.
    ///
    /// # Errors
    /// As [`Index::enrichment`].
    pub fn head(&self, ordinal: u32) -> Result<String, IndexError> {
        Ok(self.enrichment()?.head(self.plan, ordinal))
    }

    /// Sections nearest to a question, best first, by [`Index::nearness`].
    ///
    /// # Errors
    /// A vector has the wrong dimension, or usearch fails.
    pub fn nearest(
        &self,
        plain: &Vector,
        prefixed: &[Vector],
        prefix_share: f64,
        limit: usize,
        allowed: Option<&Allowed>,
    ) -> Result<Vec<(u32, f32)>, VectorError> {
        let by_plain = self.plain.search(plain, limit, allowed)?;
        let mut found: BTreeSet<u32> = by_plain.iter().map(|(ordinal, _)| *ordinal).collect();
        for prefixed in prefixed.iter().filter(|_| prefix_share > 0.0) {
            let by_prefix = self.prefixed.search(prefixed, limit, allowed)?;
            found.extend(by_prefix.iter().map(|(ordinal, _)| *ordinal));
        }
        let mut nearest = Vec::with_capacity(found.len());
        for ordinal in found {
            if let Some(nearness) = self.nearness(plain, prefixed, prefix_share, ordinal)? {
                nearest.push((ordinal, nearness));
            }
        }
        nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        nearest.truncate(limit);
        Ok(nearest)
    }

    /// `(1 − share) · cosine + share · cos(prefixed, prefixed) − penalty · hubness` of a question with
    /// a section: its [cosine](Index::cosine), the best of the prefixed questions with the section's
    /// best prefixed window, and how near the section is to everything, which is no merit (cross-domain
    /// similarity local scaling; Conneau, Lample, Ranzato, Denoyer and Jégou 2018).
    ///
    /// # Errors
    /// As [`Index::nearest`].
    pub fn nearness(
        &self,
        plain: &Vector,
        prefixed: &[Vector],
        prefix_share: f64,
        ordinal: u32,
    ) -> Result<Option<f32>, VectorError> {
        let Some(without) = self.cosine(plain, ordinal)? else { return Ok(None) };
        let mut with: Option<f32> = None;
        for prefixed in prefixed.iter().filter(|_| prefix_share > 0.0) {
            let score = self.prefixed.score(prefixed, ordinal)?;
            with = with.into_iter().chain(score).max_by(f32::total_cmp);
        }
        Ok(Some(self.mixed(without, with, prefix_share, ordinal)))
    }

    /// [`Index::nearness`] of a section if it had other text, which is given by its vectors; its
    /// hubness is that of the present text. `None` for no window.
    pub fn nearness_of(
        &self,
        plain: &Vector,
        prefixed: &[Vector],
        prefix_share: f64,
        ordinal: u32,
        draft: &Draft,
    ) -> Option<f32> {
        let best = |question: &Vector, vectors: &[Vector]| {
            vectors.iter().map(|vector| question.cosine(vector)).max_by(f32::total_cmp)
        };
        let window = best(plain, &draft.windows)?;
        let whole = best(plain, &draft.whole).unwrap_or(window);
        let with = prefixed.iter().filter(|_| prefix_share > 0.0);
        let with = with.filter_map(|question| best(question, &draft.prefixed));
        let with = with.max_by(f32::total_cmp);
        Some(self.mixed(plain_cosine(window, whole), with, prefix_share, ordinal))
    }

    fn mixed(&self, without: f32, with: Option<f32>, prefix_share: f64, ordinal: u32) -> f32 {
        let mixed = with.map_or(without, |with| {
            let share = prefix_share as f32;
            (1.0 - share) * without + share * with
        });
        mixed - HUB_PENALTY * self.strangers.hubness(ordinal)
    }

    /// The plain cosine of a question with a section: mostly of its best window, partly of the
    /// section as a whole.
    ///
    /// # Errors
    /// As [`Index::nearest`].
    pub fn cosine(&self, plain: &Vector, ordinal: u32) -> Result<Option<f32>, VectorError> {
        let window = self.plain.score(plain, ordinal)?;
        let whole = self.whole.score(plain, ordinal)?;
        Ok(window.zip(whole).map(|(window, whole)| plain_cosine(window, whole)))
    }

    /// Mean of the plain vectors of a section's windows; not of length 1, so that the dot product of
    /// two means is the mean cosine over all pairs of their windows.
    pub fn mean(&self, ordinal: u32) -> Option<Vec<f32>> {
        let windows = self.plain.all_of(ordinal);
        let mut mean = vec![0.0; windows.first()?.dimension()];
        for window in &windows {
            for (sum, value) in mean.iter_mut().zip(window.values()) {
                *sum += value / windows.len() as f32;
            }
        }
        Some(mean)
    }

    /// How alike two sections are: cosine of their first windows.
    pub fn similarity(&self, a: u32, b: u32) -> f32 {
        match (self.plain.all_of(a).first(), self.plain.all_of(b).first()) {
            (Some(a), Some(b)) => a.cosine(b),
            (Some(_) | None, _) => 0.0,
        }
    }
}

fn documents(sections: &[Section]) -> BTreeMap<String, Vec<u32>> {
    let mut documents: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (ordinal, section) in sections.iter().enumerate() {
        documents.entry(section.document().to_owned()).or_default().push(ordinal as u32);
    }
    for order in documents.values_mut() {
        order.sort_by_key(|ordinal| (&sections[*ordinal as usize].place, *ordinal));
    }
    documents
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, IndexError> {
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| IndexError::File {
        path: path.to_owned(),
        source,
    };
    let bytes = fs::read(path).map_err(|error| failed(error.into()))?;
    serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))
}
