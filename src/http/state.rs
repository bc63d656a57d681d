//! What the handlers share: the pipeline once it is ready, and what is going on until then.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ApiError;
use crate::domain::{Answer, Query};
use crate::pipeline::Pipeline;
use crate::query_log::{Asked, QueryLog, Record};

/// Shared by all handlers.
#[derive(Debug)]
pub struct State {
    pipeline: ArcSwapOption<Pipeline>,
    readiness: Mutex<Readiness>,
    question_limit: usize,
    query_log: Option<QueryLog>,
}

/// Whether questions can be answered, and what is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Readiness {
    /// Settings, rules and compendium are being read.
    Starting,
    /// The index is being built.
    Building {
        /// Sections embedded so far.
        done: usize,
        /// Sections to embed.
        total: usize,
    },
    /// Questions are answered.
    Ready {
        /// Sections in the index.
        sections: usize,
    },
}

impl State {
    /// Nothing is ready yet.
    pub fn new(question_limit: usize) -> Self {
        Self {
            pipeline: ArcSwapOption::empty(),
            readiness: Mutex::new(Readiness::Starting),
            question_limit,
            query_log: None,
        }
    }

    /// The same, keeping a log of the questions.
    #[must_use]
    pub fn logging(self, query_log: Option<QueryLog>) -> Self {
        Self { query_log, ..self }
    }

    /// Keeps a question with its answer, where there is a log. Never waits.
    pub(super) fn keep(&self, answer: &Answer, request_id: &str) {
        if let Some(log) = &self.query_log {
            log.write(Record::Question(Asked::of(answer, request_id)));
        }
    }

    /// The log of questions.
    pub(super) fn query_log(&self) -> Result<&QueryLog, ApiError> {
        self.query_log.as_ref().ok_or(ApiError::NoQueryLog)
    }

    /// Tells how far the start is.
    pub fn report(&self, readiness: Readiness) {
        *self.readiness.lock().unwrap_or_else(PoisonError::into_inner) = readiness;
    }

    /// How far the start is.
    pub fn readiness(&self) -> Readiness {
        self.readiness.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on questions are answered by this pipeline; running ones keep theirs.
    pub fn serve(&self, pipeline: Arc<Pipeline>) {
        let sections = pipeline.section_count();
        self.pipeline.store(Some(pipeline));
        self.report(Readiness::Ready { sections });
    }

    pub(super) fn pipeline(&self) -> Result<Arc<Pipeline>, ApiError> {
        self.pipeline.load_full().ok_or_else(|| {
            ApiError::NotReady(match self.readiness() {
                Readiness::Starting => "starting".to_owned(),
                Readiness::Building { done, total } => {
                    format!("{done} of {total} passages embedded")
                }
                Readiness::Ready { .. } => "swapping".to_owned(),
            })
        })
    }

    pub(super) fn query(&self, question: &str) -> Result<Query, ApiError> {
        Ok(Query::new(question, self.question_limit)?)
    }
}
