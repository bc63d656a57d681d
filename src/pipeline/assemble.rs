//! Settings → [`Pipeline`]: the only place that chooses implementations.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::Pipeline;
use super::snapshot::Snapshot;
use super::sources::Sources;
use crate::analysis;
use crate::config::{Config, Embedding};
use crate::domain::Problems;
use crate::embedding::cache::CacheError;
use crate::embedding::{self, EmbedError, Embedder, InProcess, Limits, Remembered};
use crate::groups::Template;
use crate::indexing::{
    self, BuildError, FORMAT, Index, IndexError, Ingredients, Manifest, Progress, Store,
};
use crate::intent::{self, Example, Llm, LlmError, LlmOptions};

/// One question may wait this long for a remote embedding.
const REMOTE_EMBEDDING_LIMIT: Duration = Duration::from_secs(5);
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
}

/// Everything read and loaded, before the index.
#[derive(Debug)]
pub struct Assembly {
    sources: Sources,
    embedder: Arc<dyn Embedder>,
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
        let store = Store::new(&config.data_dir);
        let compendium = match &config.compendium {
            Some(named) => Some(named.clone()),
            None => store.remembered_compendium().map_err(AssembleError::Store)?,
        };
        let sources = Sources::read(config.rules.as_deref(), compendium.as_deref())?;
        Ok(Self::of(sources, embedder(config).await?, store, compendium))
    }

    /// The same model and data folder with other sources.
    #[must_use]
    pub fn with_sources(&self, sources: Sources) -> Self {
        let embedder = Arc::clone(&self.embedder);
        Self::of(sources, embedder, self.store.clone(), self.compendium.clone())
    }

    fn of(
        sources: Sources,
        embedder: Arc<dyn Embedder>,
        store: Store,
        compendium: Option<PathBuf>,
    ) -> Self {
        let template = Template::default();
        let model = embedder.model();
        let manifest = Manifest {
            format: FORMAT,
            analyzer: analysis::VERSION.to_owned(),
            classifier: intent::CLASSIFIER.to_owned(),
            model: model.name.clone(),
            model_digest: model.digest.clone(),
            dimension: model.dimension,
            prefix_template: template.as_str().to_owned(),
            compendium: sources.compendium.digest.clone(),
            rules: sources.rules_digest.clone(),
        };
        Self { sources, embedder, template, manifest, store, compendium }
    }

    /// From now on embeds each question once and for all, and tells how many it remembered. Only for
    /// questions of a catalog or a data set: it keeps digests and vectors of all that are asked.
    ///
    /// # Errors
    /// Another process has the memory open, or the disk says no; the assembly stays as it was.
    pub fn remember_questions(&mut self) -> Result<Arc<Remembered>, CacheError> {
        let folder = self.store.cache_dir().join("questions");
        let remembered = Arc::new(Remembered::open(Arc::clone(&self.embedder), &folder)?);
        self.embedder = Arc::<Remembered>::clone(&remembered);
        Ok(remembered)
    }

    /// What was read.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The labelled examples with their embeddings, which are cached. Blocks while embedding.
    ///
    /// # Errors
    /// The model or the cache fails.
    pub fn labelled_examples(&self) -> Result<Vec<Example>, AssembleError> {
        Ok(indexing::labelled_examples(&self.store, self.embedder.as_ref(), &self.sources.intents)?)
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
        listener.building(&why);
        let progress: &mut Progress<'_> = &mut |done, total| listener.progress(done, total);
        let folder = indexing::build(&self.store, &lock, self.ingredients(), progress)?;
        let index = Index::open(&folder, &self.manifest, self.sources.analyzer.clone())?;
        self.publish();
        Ok(index)
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
        let progress: &mut Progress<'_> = &mut |done, total| listener.progress(done, total);
        let aside = indexing::build_aside(&self.store, &lock, self.ingredients(), progress)?;
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

    fn ingredients(&self) -> Ingredients<'_> {
        Ingredients {
            sections: &self.sources.compendium.sections,
            intents: &self.sources.intents,
            analyzer: &self.sources.analyzer,
            template: &self.template,
            embedder: self.embedder.as_ref(),
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
    ///
    /// # Errors
    /// The address of llama3 is wrong.
    pub fn pipeline(self, config: &Config, index: Index) -> Result<Pipeline, AssembleError> {
        let Sources { rules, intents, groups, prompt, .. } = self.sources;
        let llm = match &config.ollama {
            Some(ollama) => {
                let options = LlmOptions {
                    url: ollama.url.clone(),
                    model: ollama.model.clone(),
                    time_limit: ollama.time_limit,
                    at_once: LLM_AT_ONCE,
                };
                let llm = Llm::new(options, &prompt, &intents)?;
                llm.warm_up();
                Some(llm)
            }
            None => None,
        };
        let fields = intents
            .profiles()
            .map(|profile| {
                let boosts = profile.fields.parse().expect("checked when the rules were read");
                (profile.name.clone(), boosts)
            })
            .collect();
        Ok(Pipeline {
            rules,
            intents,
            groups,
            template: self.template,
            fields,
            embedder: self.embedder,
            llm,
            index,
            fusion: config.fusion,
        })
    }
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

/// An error with its causes in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
