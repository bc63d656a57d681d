//! Settings → [`Pipeline`]: the only place that chooses implementations.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::Pipeline;
use super::snapshot::Snapshot;
use super::sources::Sources;
use crate::access::Audiences;
use crate::analysis;
use crate::config::{Config, Embedding};
use crate::domain::{EnrichmentPlan, Problems, Section, SectionId, chain, hex};
use crate::embedding::cache::CacheError;
use crate::embedding::{self, EmbedError, Embedder, InProcess, Limits, Remembered};
use crate::enrichment;
use crate::enrichment::llm::{Reader, ReaderError, ReaderOptions};
use crate::groups::Template;
use crate::indexing::{
    self, BuildError, BuildLock, FORMAT, Index, IndexError, Ingredients, Inspection, Manifest,
    Progress, Store, Work,
};
use crate::intent::{self, Example, Llm, LlmError, LlmOptions};

/// One question may wait this long for a remote embedding.
const REMOTE_EMBEDDING_LIMIT: Duration = Duration::from_secs(5);
/// One document may take the model this long, loading it included.
const READING_LIMIT: Duration = Duration::from_mins(3);
/// Questions that may wait for llama3 at the same time.
const LLM_AT_ONCE: usize = 4;

/// Why there is no pipeline.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// Files to mend.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// The embedding model can not be used.
    #[error("the embedding model can not be used")]
    Embedder(#[from] EmbedError),
    /// llama3's address is wrong.
    #[error(transparent)]
    Llm(#[from] LlmError),
    /// The address of the model that reads documents is wrong.
    #[error(transparent)]
    Reader(#[from] ReaderError),
    /// The data folder can not be used.
    #[error("the data folder can not be used")]
    Store(#[source] std::io::Error),
    /// The index can not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The index that was just built can not be opened.
    #[error("the new index can not be opened")]
    Open(#[from] IndexError),
}

/// What an assembly tells on its way.
pub trait Listener {
    /// There is no index that fits; one is built now, for this reason.
    fn building(&mut self, why: &str);
    /// Another process builds; this one waits for it.
    fn waiting(&mut self);
    /// Texts embedded so far, and all of them.
    fn progress(&mut self, done: usize, total: usize);
    /// Documents that a model has read so far, and all of them. Heard only where one is configured.
    fn reading(&mut self, _done: usize, _total: usize) {}
}

/// What outlives a change of the files: loading a model takes long, and llama3 that is warm stays warm.
#[derive(Debug, Clone)]
pub struct Models {
    embedder: Arc<dyn Embedder>,
    llm: Option<Llm>,
    reader: Option<Reader>,
}

/// Everything read and loaded, before the index.
#[derive(Debug, Clone)]
pub struct Assembly {
    sources: Sources,
    models: Models,
    template: Template,
    manifest: Manifest,
    store: Store,
    /// The compendium that was named, now or when the index was built.
    compendium: Option<PathBuf>,
}

impl Assembly {
    /// Reads rules and compendium and loads the embedding model.
    ///
    /// # Errors
    /// All problems of all files at once, or the model's.
    pub async fn prepare(config: &Config) -> Result<Self, AssembleError> {
        Self::prepare_with(config, None).await
    }

    /// The same with the models of an assembly before, under the same settings.
    ///
    /// # Errors
    /// All problems of all files at once.
    pub async fn prepare_with(
        config: &Config,
        before: Option<&Models>,
    ) -> Result<Self, AssembleError> {
        let store = Store::new(&config.data_dir);
        let (sources, compendium) = read(config, &store)?;
        let embedder = match before {
            Some(models) => Arc::clone(&models.embedder),
            None => embedder(config).await?,
        };
        let llm = llm(config, &sources, before.and_then(|models| models.llm.as_ref()))?;
        let reader = reader(config, &sources, before.and_then(|models| models.reader.as_ref()))?;
        let models = Models { embedder, llm, reader };
        Ok(Self::of(config.enrichment, sources, models, (store, compendium)))
    }

    /// The same model and data folder with other sources.
    ///
    /// # Errors
    /// The address of Ollama is none.
    pub fn with_sources(&self, config: &Config, sources: Sources) -> Result<Self, AssembleError> {
        let llm = llm(config, &sources, self.models.llm.as_ref())?;
        let reader = reader(config, &sources, self.models.reader.as_ref())?;
        let models = Models { embedder: Arc::clone(&self.models.embedder), llm, reader };
        let kept = (self.store.clone(), self.compendium.clone());
        Ok(Self::of(config.enrichment, sources, models, kept))
    }

    fn of(
        enrichment: EnrichmentPlan,
        sources: Sources,
        models: Models,
        (store, compendium): (Store, Option<PathBuf>),
    ) -> Self {
        let template = Template::default();
        let model = models.embedder.model();
        let manifest = Manifest {
            format: FORMAT,
            analyzer: analysis::VERSION.to_owned(),
            classifier: intent::CLASSIFIER.to_owned(),
            model: model.name.clone(),
            model_digest: model.digest.clone(),
            dimension: model.dimension,
            prefix_template: template.as_str().to_owned(),
            enrichment,
            enrichment_method: enrichment::method(),
            enrichment_llm: models.reader.as_ref().map(Reader::digest).unwrap_or_default(),
            compendium: sources.compendium.digest.clone(),
            rules: sources.rules_digest.clone(),
        };
        Self { sources, models, template, manifest, store, compendium }
    }

    /// Reads rules and compendium and loads nothing.
    ///
    /// # Errors
    /// All problems of all files at once.
    pub fn check(config: &Config) -> Result<Sources, AssembleError> {
        Ok(read(config, &Store::new(&config.data_dir))?.0)
    }

    /// From now on embeds each question once and for all, and tells how many it remembered. Only for
    /// questions of a catalog or a data set: it keeps digests and vectors of all that are asked.
    ///
    /// # Errors
    /// Another process has the memory open, or the disk says no; the assembly stays as it was.
    pub fn remember_questions(&mut self) -> Result<Arc<Remembered>, CacheError> {
        let folder = self.store.cache_dir().join("questions");
        let remembered = Arc::new(Remembered::open(Arc::clone(&self.models.embedder), &folder)?);
        self.models.embedder = Arc::<Remembered>::clone(&remembered);
        Ok(remembered)
    }

    /// What was read.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Folders (or files) that rules, compendium and catalog are read from, or would be if they existed.
    pub fn folders(config: &Config) -> Vec<PathBuf> {
        let remembered = || Store::new(&config.data_dir).remembered_compendium().ok().flatten();
        let compendium = config.compendium.clone().or_else(remembered);
        vec![
            config.rules.clone().unwrap_or_else(|| "rules".into()),
            compendium.unwrap_or_else(|| "compendium".into()),
            config.catalog.clone(),
        ]
    }

    /// What may be handed to the next assembly.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// The same of the sections that these audiences may see, as if there were no others. Its index
    /// is one of its own; embeddings come from the same cache.
    pub(super) fn seen_by(&self, audiences: &Audiences) -> Self {
        let sources = self.sources.seen_by(audiences);
        let manifest =
            Manifest { compendium: sources.compendium.digest.clone(), ..self.manifest.clone() };
        let store = self.store.view(&view_name(audiences));
        // The note which compendium was named belongs to the index of all sections.
        Self { sources, manifest, store, compendium: None, ..self.clone() }
    }

    /// Removes the indexes of views that nobody needs any more.
    pub(super) fn keep_views<'a>(&self, needed: impl Iterator<Item = &'a Audiences>) {
        self.store.keep_views(&needed.map(view_name).collect());
    }

    /// The labelled examples with their embeddings, which are cached. Blocks while embedding.
    ///
    /// # Errors
    /// The model or the cache fails.
    pub fn labelled_examples(&self) -> Result<Vec<Example>, AssembleError> {
        Ok(indexing::labelled_examples(
            &self.store,
            self.models.embedder.as_ref(),
            &self.sources.intents,
        )?)
    }

    /// Opens the index, or builds it where it is missing, unfit or damaged. Blocks while building.
    ///
    /// # Errors
    /// The index can neither be opened nor built.
    pub fn index(&self, listener: &mut dyn Listener) -> Result<Index, AssembleError> {
        let index = self.opened_or_built(listener)?;
        if let Some(compendium) = &self.compendium {
            // A read-only data folder can still be searched; the next command names it again.
            if let Err(error) = self.store.remember_compendium(compendium) {
                tracing::warn!(error = %error, "the compendium's path is not remembered");
            }
        }
        Ok(index)
    }

    /// Changes the sections, for measuring; `what` tells the index from one of the files as they are.
    /// The order of the sections and their ids must stay.
    pub fn amend(&mut self, what: &str, change: impl FnOnce(&mut [Section])) {
        change(&mut self.sources.compendium.sections);
        self.manifest.compendium.push(' ');
        self.manifest.compendium.push_str(what);
    }

    /// What goes into each index for a section; `None` where there is no such section.
    ///
    /// # Errors
    /// The index's list of enrichment can not be read.
    pub fn inspect(
        &self,
        index: &Index,
        id: &SectionId,
    ) -> Result<Option<Inspection>, AssembleError> {
        let Some(ordinal) = index.ordinal(id) else { return Ok(None) };
        let with = (&self.template, self.models.embedder.as_ref(), &self.sources.analyzer);
        let (section, plan) = (index.section(ordinal), self.manifest.enrichment);
        Ok(Some(indexing::inspect(section, ordinal, &index.enrichment()?, plan, with)))
    }

    fn opened_or_built(&self, listener: &mut dyn Listener) -> Result<Index, AssembleError> {
        let why = match self.open() {
            Ok(index) => return Ok(index),
            Err(why) => why,
        };
        let lock = self.store.lock(|| listener.waiting()).map_err(AssembleError::Store)?;
        // Another process may have built it while this one waited.
        if let Ok(index) = self.open() {
            return Ok(index);
        }
        self.build(&lock, &why, listener)
    }

    fn build(
        &self,
        lock: &BuildLock,
        why: &str,
        listener: &mut dyn Listener,
    ) -> Result<Index, AssembleError> {
        listener.building(why);
        let progress: &mut Progress<'_> =
            &mut |work, done, total| told(listener, work, done, total);
        let sections = self.sources.annotated();
        let from = self.ingredients(&sections);
        let folder = indexing::build(&self.store, lock, from, progress)?;
        let index = Index::open(&folder, &self.manifest, self.sources.analyzer.clone())?;
        self.publish();
        Ok(index)
    }

    /// Builds an index again where the model left documents unread; the others are remembered. Blocks
    /// as [`Assembly::index`].
    ///
    /// # Errors
    /// The index can not be built.
    pub fn completed(
        &self,
        index: Index,
        listener: &mut dyn Listener,
    ) -> Result<Index, AssembleError> {
        let Some(unread) = index.unread() else { return Ok(index) };
        let why = format!("the model did not read {} documents", unread.documents);
        let lock = self.store.lock(|| listener.waiting()).map_err(AssembleError::Store)?;
        drop(index);
        self.build(&lock, &why, listener)
    }

    /// Opens the index that serves where it fits, else builds one that nobody else will use: the one
    /// that serves stays. Blocks while building.
    ///
    /// # Errors
    /// As [`Assembly::index`].
    pub fn index_aside(&self, listener: &mut dyn Listener) -> Result<Index, AssembleError> {
        if let Ok(index) = self.open() {
            return Ok(index);
        }
        let lock = self.store.lock(|| listener.waiting()).map_err(AssembleError::Store)?;
        let progress: &mut Progress<'_> =
            &mut |work, done, total| told(listener, work, done, total);
        let sections = self.sources.annotated();
        let from = self.ingredients(&sections);
        let aside = indexing::build_aside(&self.store, &lock, from, progress)?;
        let analyzer = self.sources.analyzer.clone();
        let index = Index::open(aside.folder(), &self.manifest, analyzer)?;
        Ok(index.living_in(aside))
    }

    /// Notes that these sources are the published ones from now on: those that an edit is compared
    /// with. Called by every build of the index; a command that publishes without one calls it too.
    pub fn publish(&self) {
        let (snapshot, file) = (Snapshot::of(&self.sources), self.store.published());
        if Snapshot::load(&file).is_ok_and(|published| published.as_ref() == Some(&snapshot)) {
            return;
        }
        // A read-only data folder can still be searched.
        if let Err(error) = snapshot.save(&file) {
            tracing::warn!(error = %error, "what is published is not noted");
        }
    }

    /// Where index, cache and notes are.
    pub fn store(&self) -> &Store {
        &self.store
    }

    fn ingredients<'a>(&'a self, sections: &'a [Section]) -> Ingredients<'a> {
        Ingredients {
            sections,
            intents: &self.sources.intents,
            analyzer: &self.sources.analyzer,
            template: &self.template,
            embedder: self.models.embedder.as_ref(),
            reader: self.models.reader.as_ref(),
            manifest: &self.manifest,
        }
    }

    fn open(&self) -> Result<Index, String> {
        match self.store.current() {
            Ok(Some(folder)) => Index::open(&folder, &self.manifest, self.sources.analyzer.clone())
                .map_err(|error| chain(&error)),
            Ok(None) => Err("there is no index yet".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Joins everything. Needs a running tokio runtime where llama3 is configured.
    pub fn pipeline(self, config: &Config, index: Index) -> Pipeline {
        let Sources { rules, intents, groups, taxonomy, chat_prompt, .. } = self.sources;
        let Models { embedder, llm, reader: _ } = self.models;
        if let Some(llm) = &llm {
            llm.warm_up();
        }
        let fields = intents
            .profiles()
            .map(|profile| {
                let boosts = profile.fields.parse().expect("checked when the rules were read");
                (profile.name.clone(), boosts)
            })
            .collect();
        Pipeline {
            rules,
            intents,
            groups,
            taxonomy,
            facet_mode: config.facet_mode,
            template: self.template,
            fields,
            embedder,
            llm,
            chat_prompt,
            index,
            fusion: config.fusion,
        }
    }
}

/// Rules and compendium, and the path of the compendium that was named now or before.
fn read(config: &Config, store: &Store) -> Result<(Sources, Option<PathBuf>), AssembleError> {
    let compendium = match &config.compendium {
        Some(named) => Some(named.clone()),
        None => store.remembered_compendium().map_err(AssembleError::Store)?,
    };
    let sources = Sources::read(config.rules.as_deref(), compendium.as_deref())?;
    Ok((sources, compendium))
}

async fn embedder(config: &Config) -> Result<Arc<dyn Embedder>, EmbedError> {
    Ok(match &config.embedding {
        Embedding::InProcess => {
            let loaded = tokio::task::spawn_blocking(|| InProcess::load(Limits::default())).await;
            Arc::new(loaded.map_err(EmbedError::Task)??)
        }
        Embedding::Ollama { url, model } => {
            let options = embedding::OllamaOptions {
                url: url.clone(),
                model: model.clone(),
                time_limit: REMOTE_EMBEDDING_LIMIT,
            };
            Arc::new(embedding::Ollama::connect(options).await?)
        }
    })
}

/// llama3 where it is configured; the one before where it was told the same.
fn llm(config: &Config, sources: &Sources, before: Option<&Llm>) -> Result<Option<Llm>, LlmError> {
    let Some(ollama) = &config.ollama else { return Ok(None) };
    let options = LlmOptions {
        url: ollama.url.clone(),
        model: ollama.model.clone(),
        time_limit: ollama.time_limit,
        at_once: LLM_AT_ONCE,
    };
    let new = Llm::new(options, &sources.prompt, &sources.intents)?;
    Ok(Some(before.filter(|before| before.prompt() == new.prompt()).unwrap_or(&new).clone()))
}

/// The model that reads documents where it is switched on; the one before where it was told the same,
/// which knows whether it failed a moment ago.
fn reader(
    config: &Config,
    sources: &Sources,
    before: Option<&Reader>,
) -> Result<Option<Reader>, ReaderError> {
    let Some(ollama) = config.ollama.as_ref().filter(|_| config.enrichment_llm) else {
        return Ok(None);
    };
    let options = ReaderOptions {
        url: ollama.url.clone(),
        model: ollama.model.clone(),
        time_limit: READING_LIMIT,
    };
    let new = Reader::new(options, sources.reading_prompts.clone())?;
    Ok(Some(before.filter(|before| before.digest() == new.digest()).unwrap_or(&new).clone()))
}

fn told(listener: &mut dyn Listener, work: Work, done: usize, total: usize) {
    match work {
        Work::Reading => listener.reading(done, total),
        Work::Embedding => listener.progress(done, total),
    }
}

fn view_name(audiences: &Audiences) -> String {
    let whose = serde_json::to_string(audiences).expect("plain data");
    hex(&Sha256::digest(whose.as_bytes()))[..16].to_owned()
}
