//! The stages in order: normalise → intent → groups → prefix → embed → search → fuse.
//!
//! A [`Pipeline`] is one consistent state: rules, index and model that fit together. It is built by
//! [`assemble`], never changed, and swapped as a whole.

mod ablation;
mod affected;
mod answerable;
pub mod assemble;
mod changes;
mod channels;
mod copies;
mod evidence;
mod facets;
mod parts;
mod request;
mod route;
mod search;
mod shown;
pub mod snapshot;
pub mod sources;
mod times;
mod views;
mod weighing;
mod why;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use ablation::{Plan, Sides, Told};
pub use changes::{Change, Changes, SectionChange};
pub use request::{Filters, MOST_HITS, SearchRequest, UnknownValue};
pub use times::Times;
pub use views::Views;

use crate::analysis::Analyzer;
use crate::domain::{Answer, FacetMode, Fusion, GroupId, PrefixedQuery, Query, Section, SectionId};
use crate::embedding::{EmbedError, Embedder, ModelIdentity};
use crate::enrichment::Taxonomy;
use crate::groups::{GroupModel, Template};
use crate::indexing::Index;
use crate::intent::{Intents, Llm};
use crate::retrieval::lexical::FieldBoosts;
use crate::rules::RuleSet;

/// Everything that answers a question. A copy shares what is large.
#[derive(Debug, Clone)]
pub struct Pipeline {
    rules: Arc<RuleSet>,
    intents: Arc<Intents>,
    groups: Arc<GroupModel>,
    taxonomy: Arc<Taxonomy>,
    facet_mode: FacetMode,
    template: Template,
    fields: BTreeMap<String, FieldBoosts>,
    embedder: Arc<dyn Embedder>,
    llm: Option<Llm>,
    chat_prompt: String,
    index: Index,
    fusion: Fusion,
}

/// An answer and how long its stages took.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The answer; equal for equal questions.
    pub answer: Answer,
    /// Wall-clock time by stage; different every time.
    pub times: Times,
}

/// Why a question could not be answered at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// All places of the embedding model are taken and the queue is full.
    #[error("all places of the embedding model are taken")]
    Busy,
    /// Neither channel could search.
    #[error("no channel could search")]
    NoChannel,
    /// A filter names something that no section has.
    #[error(transparent)]
    UnknownValue(#[from] UnknownValue),
    /// The request asks for something that does not exist.
    #[error("{0}")]
    Request(String),
}

impl Pipeline {
    /// Intent and groups of a question, without a search.
    ///
    /// # Errors
    /// [`PipelineError::Busy`] where the classifier needs an embedding and all places are taken.
    pub async fn route(&self, query: &Query) -> Result<Answered, PipelineError> {
        let mut times = Times::start();
        let routed = self.routed(query, &mut times).await?;
        Ok(Answered { answer: routed.answer(), times })
    }

    /// Ranked sections with intent, groups and reasons.
    ///
    /// # Errors
    /// See [`PipelineError`].
    pub async fn search(
        &self,
        query: &Query,
        request: &SearchRequest,
    ) -> Result<Answered, PipelineError> {
        let mut times = Times::start();
        let (allowed, warnings) = request.allowed(&self.index)?;
        let routed = self.routed(query, &mut times).await?;
        let mut answer = self.found(routed, request, allowed.as_ref(), &mut times).await?;
        answer.warnings = warnings;
        Ok(Answered { answer, times })
    }

    /// A section by its id.
    pub fn section(&self, id: &SectionId) -> Option<&Section> {
        self.index.ordinal(id).map(|ordinal| self.index.section(ordinal))
    }

    /// All sections, sorted by id.
    pub fn sections(&self) -> &[Section] {
        self.index.sections()
    }

    /// The mean of the plain vectors of each section's windows, by ordinal; see [`Index::mean`].
    pub fn section_means(&self) -> Vec<Option<Vec<f32>>> {
        (0..self.index.len() as u32).map(|ordinal| self.index.mean(ordinal)).collect()
    }

    /// The ordinal of a section: its position in [`Pipeline::sections`].
    pub fn ordinal(&self, id: &SectionId) -> Option<u32> {
        self.index.ordinal(id)
    }

    /// The groups that have sections, sorted.
    pub fn section_groups(&self) -> impl Iterator<Item = &GroupId> {
        self.index.groups()
    }

    /// The groups with their words.
    pub fn groups(&self) -> &GroupModel {
        &self.groups
    }

    /// The German analysis in force.
    pub fn analyzer(&self) -> &Analyzer {
        self.index.lexical().analyzer()
    }

    /// The closed list of intents.
    pub fn intents(&self) -> &Intents {
        &self.intents
    }

    /// What the classifier in this process says of a question, whatever rules and llama3 say:
    /// intent id or `unknown`, and its probability. For measuring.
    ///
    /// # Errors
    /// [`PipelineError::Busy`] where all places of the embedding model are taken.
    pub async fn classified(&self, query: &Query) -> Result<(String, f64), PipelineError> {
        let query = crate::normalise::normalise(query);
        let decision = self
            .by_classifier(&query, &mut None, &mut Vec::new(), &mut crate::domain::Trace::default())
            .await?;
        let id = decision.intent.as_ref().map_or("unknown", crate::domain::IntentId::as_str);
        Ok((id.to_owned(), decision.confidence))
    }

    /// The shortcut rules in force.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The embedding model in use.
    pub fn model(&self) -> &ModelIdentity {
        self.embedder.model()
    }

    /// What a text means, as a question without a prefix is embedded. For measuring.
    ///
    /// # Errors
    /// [`PipelineError::Busy`] where all places of the embedding model are taken;
    /// [`PipelineError::Request`] where the text is no question or the model fails.
    pub(crate) async fn meaning(&self, text: &str) -> Result<crate::domain::Vector, PipelineError> {
        let query = Query::new(text, usize::MAX)
            .map_err(|error| PipelineError::Request(error.to_string()))?;
        let query = PrefixedQuery::plain(&crate::normalise::normalise(&query));
        match self.embedder.embed_query(&query).await {
            Ok(vector) => Ok(vector),
            Err(EmbedError::Busy) => Err(PipelineError::Busy),
            Err(error) => Err(PipelineError::Request(error.to_string())),
        }
    }

    /// llama3, where it is configured.
    pub fn llm(&self) -> Option<&Llm> {
        self.llm.as_ref()
    }

    /// What a language model is told before it puts found sections into words.
    pub fn chat_prompt(&self) -> &str {
        &self.chat_prompt
    }

    /// Texts that wait for the embedding model now.
    pub fn embeddings_waiting(&self) -> usize {
        self.embedder.waiting()
    }

    /// How many sections can be found.
    pub fn section_count(&self) -> usize {
        self.index.len()
    }
}
