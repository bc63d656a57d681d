//! Sections → embeddings → both indexes, in a new folder, then one swap.

use std::fs;
use std::path::{Path, PathBuf};

use super::Strangers;
use super::enrich::enrichment;
use super::index::{CLASSIFIER, ENRICHMENT, LEXICAL, PLAIN, PREFIXED, SECTIONS, STRANGERS, WHOLE};
use super::strangers::SectionVectors;
use sha2::{Digest, Sha256};

use super::manifest::{Counts, Manifest, files_digest};
use super::store::{Aside, BuildLock, Store};
use crate::analysis::Analyzer;
use crate::domain::{IntentId, NormalisedQuery, PrefixedQuery, Query, Section, Vector, hex};
use crate::embedding::cache::{CacheError, EmbeddingCache};
use crate::embedding::{EmbedError, Embedder, Passage};
use crate::enrichment::llm::Reader;
use crate::enrichment::{Enrichment, Readings};
use crate::groups::Template;
use crate::intent::{Classifier, Example, Intents, TrainError};
use crate::normalise::normalise;
use crate::retrieval::lexical::{LexicalError, LexicalIndex};
use crate::retrieval::vector::{VectorError, VectorStore};

/// Longest labelled example in characters.
const LONGEST_EXAMPLE: usize = 2_000;

/// What an index is made of.
#[derive(Debug, Clone, Copy)]
pub struct Ingredients<'a> {
    /// Sections, sorted by id.
    pub sections: &'a [Section],
    /// Intents with the labelled examples that the classifier learns from.
    pub intents: &'a Intents,
    /// German analysis of the lexical channel.
    pub analyzer: &'a Analyzer,
    /// The prefix of sections.
    pub template: &'a Template,
    /// Who embeds.
    pub embedder: &'a dyn Embedder,
    /// Who reads the documents beside, where one is configured.
    pub reader: Option<&'a Reader>,
    /// What all this amounts to.
    pub manifest: &'a Manifest,
}

/// What takes its time in a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// A model reads documents.
    Reading,
    /// Texts are embedded.
    Embedding,
}

/// How far a build is: documents or texts done so far, and all of them.
pub type Progress<'a> = dyn FnMut(Work, usize, usize) + 'a;

/// The progress of embedding alone.
pub(super) fn embedding(progress: &mut Progress<'_>) -> impl FnMut(usize, usize) {
    |done, total| progress(Work::Embedding, done, total)
}

/// Why an index could not be built. The one before goes on serving.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A file or folder can not be written.
    #[error("the index can not be written to {}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The model failed.
    #[error("the sections can not be embedded")]
    Embed(#[from] EmbedError),
    /// The embedding cache failed.
    #[error("the embedding cache failed")]
    Cache(#[from] CacheError),
    /// The lexical index can not be written.
    #[error("the lexical index can not be built")]
    Lexical(#[from] LexicalError),
    /// The intent classifier can not be trained.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A vector index can not be written.
    #[error("the vector index can not be built")]
    Vector(#[from] VectorError),
}

/// Builds an index and swaps it in. Blocks for as long as new sections need to be embedded.
///
/// # Errors
/// [`BuildError`]; nothing is left half done.
pub fn build(
    store: &Store,
    lock: &BuildLock,
    from: Ingredients<'_>,
    progress: &mut Progress<'_>,
) -> Result<PathBuf, BuildError> {
    let cache_dir = store.cache_dir();
    let building = store.begin(lock).map_err(written_to(&cache_dir))?;
    fill(building.folder(), &cache_dir, from, progress)?;
    let target = building.publish(&from.manifest.digest());
    target.map_err(written_to(&cache_dir))
}

/// Builds an index that only the caller will open; the one that serves stays. Blocks as [`build`].
///
/// # Errors
/// [`BuildError`]; nothing is left.
pub fn build_aside(
    store: &Store,
    lock: &BuildLock,
    from: Ingredients<'_>,
    progress: &mut Progress<'_>,
) -> Result<Aside, BuildError> {
    let cache_dir = store.cache_dir();
    let aside = store.aside(lock).map_err(written_to(&cache_dir))?;
    fill(aside.folder(), &cache_dir, from, progress)?;
    Ok(aside)
}

/// Writes all files of an index into an empty folder.
fn fill(
    folder: &Path,
    cache_dir: &Path,
    from: Ingredients<'_>,
    progress: &mut Progress<'_>,
) -> Result<(), BuildError> {
    let mut cache = EmbeddingCache::open(cache_dir, from.embedder.model())?;
    let readings = readings(&from, cache_dir, progress);
    let enrichment = enrichment(&from, &readings, &mut cache, progress)?;
    let texts = Texts::of(&from, &enrichment);
    let mut progress = embedding(progress);
    let vectors = cache.embed_all(from.embedder, &texts.passages, &mut progress)?;
    let Texts { plain, prefixed, whole, labelled, .. } = texts;

    let (plain_vectors, rest) = vectors.split_at(plain.len());
    let (prefixed_vectors, rest) = rest.split_at(prefixed.len());
    let (whole_vectors, example_vectors) = rest.split_at(whole.len());
    let dimension = from.manifest.dimension;
    VectorStore::build(&folder.join(PLAIN), dimension, &keyed(&plain, plain_vectors))?;
    VectorStore::build(&folder.join(PREFIXED), dimension, &keyed(&prefixed, prefixed_vectors))?;
    VectorStore::build(&folder.join(WHOLE), dimension, &keyed(&whole, whole_vectors))?;

    let lexical = folder.join(LEXICAL);
    fs::create_dir(&lexical).map_err(written_to(&lexical))?;
    let plan = from.manifest.enrichment;
    let inherited: Vec<Vec<String>> =
        (0..from.sections.len() as u32).map(|ordinal| enrichment.tokens(plan, ordinal)).collect();
    LexicalIndex::build(&lexical, from.sections, &inherited, from.analyzer)?;
    write_json(&folder.join(ENRICHMENT), &enrichment)?;

    let windows = by_section(from.sections.len(), &plain, plain_vectors);
    let wholes = by_section(from.sections.len(), &whole, whole_vectors);
    let sections: Vec<SectionVectors<'_>> = windows
        .into_iter()
        .zip(wholes)
        .map(|(windows, whole)| SectionVectors { windows, whole })
        .collect();
    write_json(&folder.join(STRANGERS), &Strangers::measure(&sections, example_vectors))?;
    let examples: Vec<Example> = labelled
        .into_iter()
        .zip(example_vectors)
        .map(|((intent, query), vector)| Example { intent, query, vector: vector.clone() })
        .collect();
    classifier(cache_dir, &folder.join(CLASSIFIER), from.manifest, &examples)?;
    write_json(&folder.join(SECTIONS), &from.sections)?;
    let counts = Counts {
        sections: from.sections.len(),
        plain_vectors: plain.len(),
        prefixed_vectors: prefixed.len(),
        whole_vectors: whole.len(),
        unread_documents: readings.unread,
        unread_reason: readings.reason,
        files: files_digest(folder).map_err(written_to(folder))?,
    };
    from.manifest.write(folder, counts).map_err(written_to(folder))
}

/// What a model finds in the documents, where one is configured. It is never needed: what it does not
/// answer is counted and left out.
fn readings(from: &Ingredients<'_>, cache_dir: &Path, progress: &mut Progress<'_>) -> Readings {
    let Some(reader) = from.reader else { return Readings::default() };
    let plan = from.manifest.enrichment;
    let mut progress = |done, total| progress(Work::Reading, done, total);
    let readings = reader.read(plan, from.sections, cache_dir, &mut progress);
    if let Some(reason) = &readings.reason {
        tracing::warn!(
            documents = readings.unread,
            reason,
            "the index is built without what the model would have read"
        );
    }
    readings
}

/// Everything to embed, in one list: plain sections, prefixed sections, whole sections, examples.
struct Texts {
    passages: Vec<Passage>,
    /// Ordinals of the plain passages.
    plain: Vec<u32>,
    /// Ordinals of the prefixed passages. A section without a group stands here without a prefix,
    /// so that every section has a score in both spaces.
    prefixed: Vec<u32>,
    /// Ordinals of the whole sections.
    whole: Vec<u32>,
    /// The examples.
    labelled: Vec<(Option<IntentId>, NormalisedQuery)>,
}

impl Texts {
    fn of(from: &Ingredients<'_>, enrichment: &Enrichment) -> Self {
        let plan = from.manifest.enrichment;
        let mut passages = Vec::new();
        let mut ordinals = [Vec::new(), Vec::new()];
        for (with_prefix, ordinals) in [false, true].into_iter().zip(&mut ordinals) {
            for (ordinal, section) in from.sections.iter().enumerate() {
                let group = section.group.as_ref().filter(|_| with_prefix);
                let head = enrichment.head(plan, ordinal as u32);
                let head = format!("{}{head}", from.template.of_section(group));
                for window in from.embedder.windows(&head, &section.title, &section.text) {
                    ordinals.push(ordinal as u32);
                    passages.push(window);
                }
            }
        }
        let [plain, prefixed] = ordinals;
        let mut whole = Vec::new();
        for (ordinal, section) in from.sections.iter().enumerate() {
            for piece in from.embedder.whole(&section.title, &section.text) {
                whole.push(ordinal as u32);
                passages.push(piece);
            }
        }
        let labelled = labelled(from.intents);
        passages.extend(
            labelled.iter().map(|(_, query)| Passage::question(&PrefixedQuery::plain(query))),
        );
        Self { passages, plain, prefixed, whole, labelled }
    }
}

/// The labelled examples as questions, in a fixed order. One that is no question (only blanks)
/// teaches nothing and is left out.
fn labelled(intents: &Intents) -> Vec<(Option<IntentId>, NormalisedQuery)> {
    intents
        .labelled()
        .filter_map(|(intent, text)| {
            Some((intent.cloned(), normalise(&Query::new(text, LONGEST_EXAMPLE).ok()?)))
        })
        .collect()
}

/// Labelled examples with their embeddings, from the cache where they were embedded before.
///
/// # Errors
/// The model or the cache fails.
pub fn labelled_examples(
    store: &Store,
    embedder: &dyn Embedder,
    intents: &Intents,
) -> Result<Vec<Example>, BuildError> {
    let labelled = labelled(intents);
    let passages: Vec<Passage> =
        labelled.iter().map(|(_, query)| Passage::question(&PrefixedQuery::plain(query))).collect();
    let mut cache = EmbeddingCache::open(&store.cache_dir(), embedder.model())?;
    let vectors = cache.embed_all(embedder, &passages, &mut |_, _| ())?;
    Ok(labelled
        .into_iter()
        .zip(vectors)
        .map(|((intent, query), vector)| Example { intent, query, vector })
        .collect())
}

/// Trains the classifier, or takes the one that was trained on the same examples, embedded by the
/// same model: training takes many seconds, and most builds only follow a change of the compendium.
fn classifier(
    cache_dir: &Path,
    target: &Path,
    manifest: &Manifest,
    examples: &[Example],
) -> Result<(), BuildError> {
    let mut key = Sha256::new();
    key.update(format!("{} {}", manifest.classifier, manifest.model_digest));
    for Example { intent, query, .. } in examples {
        let label = intent.as_ref().map_or("", IntentId::as_str);
        key.update(format!("\n{label}\t{}", query.original()));
    }
    let digest = hex(&key.finalize());
    let cached = cache_dir.join(format!("classifier-{}.json", &digest[..16]));
    let usable =
        fs::read(&cached).is_ok_and(|bytes| serde_json::from_slice::<Classifier>(&bytes).is_ok());
    if !usable {
        tracing::info!(examples = examples.len(), "training the intent classifier");
        // Written aside: a killed build must not leave half a classifier under the right name.
        let aside = cached.with_extension("new");
        write_json(&aside, &Classifier::train(examples)?)?;
        fs::rename(&aside, &cached).map_err(written_to(&cached))?;
    }
    fs::copy(&cached, target).map_err(written_to(target))?;
    Ok(())
}

/// The vectors of each section, by ordinal.
fn by_section<'a>(count: usize, ordinals: &[u32], vectors: &'a [Vector]) -> Vec<Vec<&'a Vector>> {
    let mut sections = vec![Vec::new(); count];
    for (ordinal, vector) in ordinals.iter().zip(vectors) {
        sections[*ordinal as usize].push(vector);
    }
    sections
}

fn keyed(ordinals: &[u32], vectors: &[Vector]) -> Vec<(u32, Vector)> {
    ordinals.iter().copied().zip(vectors.iter().cloned()).collect()
}

fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), BuildError> {
    let text = serde_json::to_vec(value).expect("plain data");
    fs::write(path, text).map_err(written_to(path))
}

fn written_to(path: &Path) -> impl FnOnce(std::io::Error) -> BuildError {
    let path = path.to_owned();
    move |source| BuildError::Write { path, source }
}
