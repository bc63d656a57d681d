//! What the handlers share: what serves now, what is going on, and who may ask.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use actix_web::HttpRequest;
use arc_swap::ArcSwapOption;
use tokio::sync::{mpsc, oneshot};

use super::background::Background;
use super::catalog_runs::Runs;
use super::error::{ApiError, ProblemNote};
use super::gaps::Studies;
use super::limits::Limits;
use super::metrics::Metrics;
use crate::access::{Action, Audiences, AuditLog, Caller, Gate, Role, Unguarded};
use crate::catalog::Question;
use crate::chat::Chat;
use crate::config::{Config, is_link_base};
use crate::domain::{Answer, Problem, Problems, Query};
use crate::pipeline::{Answered, Pipeline, Views};
use crate::query_log::{Asked, Audited, DailyLog, QueryLog, Record};
use crate::queue::Queue;
use crate::telemetry::Traces;

/// Reloads that may be asked for at the same time.
const MOST_RELOADS: usize = 16;

/// Shared by all handlers.
#[derive(Debug)]
pub struct State {
    views: ArcSwapOption<Views>,
    readiness: Mutex<Readiness>,
    /// What is wrong with the files on disk, where they differ from what serves.
    problems: Mutex<Vec<Problem>>,
    gate: Gate,
    origins: Vec<String>,
    question_limit: usize,
    public_url: Option<String>,
    pub(super) chat: Chat,
    /// The questions of the catalog; none before the first load.
    catalog: ArcSwapOption<Vec<Question>>,
    /// The folder of the catalog.
    catalog_folder: PathBuf,
    actions: AuditLog,
    started: Instant,
    pub(super) background: Background,
    pub(super) runs: Runs,
    pub(super) studies: Studies,
    query_log: Option<QueryLog>,
    audit: Option<DailyLog<Audited>>,
    traces: Option<Traces>,
    pub(super) limits: Limits,
    /// Where questions wait until they are worked on.
    pub(super) admission: Queue,
    pub(super) metrics: Metrics,
    reloads: mpsc::Sender<Reload>,
    asked: Mutex<Option<mpsc::Receiver<Reload>>>,
}

/// What a caller sees: an index of its own, and the questions about what is in it.
#[derive(Debug, Clone)]
pub(super) struct View {
    /// Equal for callers who see the same.
    pub(super) audiences: Audiences,
    pub(super) pipeline: Arc<Pipeline>,
    /// The whole catalog: another one where it was read again.
    pub(super) catalog: Arc<Vec<Question>>,
    /// The questions of the catalog that name nothing hidden.
    pub(super) questions: Vec<Question>,
}

/// Somebody wants the files to be read again.
#[derive(Debug)]
pub(super) struct Reload {
    pub(super) by: String,
    pub(super) done: oneshot::Sender<Result<usize, Vec<Problem>>>,
}

/// Whether questions can be answered, and what is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// Settings, rules and compendium are being read.
    Starting,
    /// The index is being built.
    Building {
        /// Passages embedded so far.
        done: usize,
        /// Passages to embed.
        total: usize,
    },
    /// Questions are answered.
    Ready,
}

/// Why the service does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The keys can not be read.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// Everybody could ask.
    #[error("refusing to listen on {address}")]
    Unguarded {
        /// Where it should listen.
        address: SocketAddr,
        /// Why not.
        #[source]
        source: Unguarded,
    },
}

impl State {
    /// Nothing is ready yet.
    ///
    /// # Errors
    /// The keys can not be read, or there are none and everybody could ask.
    pub fn new(config: &Config) -> Result<Self, StartError> {
        let service = &config.service;
        let gate = Gate::new(
            &service.keys,
            config.listen.ip().is_loopback(),
            service.allow_anonymous,
            service.requests_per_minute,
        )?;
        let address = config.listen;
        let gate = gate.map_err(|source| StartError::Unguarded { address, source })?;
        let (reloads, asked) = mpsc::channel(MOST_RELOADS);
        Ok(Self {
            views: ArcSwapOption::empty(),
            readiness: Mutex::new(Readiness::Starting),
            problems: Mutex::default(),
            gate,
            origins: service.cors_origins.clone(),
            question_limit: config.question_limit,
            public_url: service.public_url.clone(),
            chat: Chat::new(config.ollama.as_ref()),
            catalog: ArcSwapOption::empty(),
            catalog_folder: config.catalog.clone(),
            actions: AuditLog::below(&config.data_dir),
            started: Instant::now(),
            background: Background::default(),
            runs: Runs::below(&config.data_dir),
            studies: Studies::default(),
            query_log: None,
            audit: None,
            traces: None,
            limits: Limits::default(),
            admission: Limits::default().queue(),
            metrics: Metrics::default(),
            reloads,
            asked: Mutex::new(Some(asked)),
        })
    }

    /// The same, keeping a log of the questions.
    #[must_use]
    pub fn logging(self, query_log: Option<QueryLog>) -> Self {
        Self { query_log, ..self }
    }

    /// The same, keeping an audit of who asked what.
    #[must_use]
    pub fn auditing(self, audit: Option<DailyLog<Audited>>) -> Self {
        Self { audit, ..self }
    }

    /// The same, sending traces.
    #[must_use]
    pub fn tracing(self, traces: Option<Traces>) -> Self {
        Self { traces, ..self }
    }

    /// The same within other limits.
    #[must_use]
    pub fn limited(self, limits: Limits) -> Self {
        Self { limits, admission: limits.queue(), ..self }
    }

    /// Where traces go, if anywhere.
    pub(super) fn traces(&self) -> Option<&Traces> {
        self.traces.as_ref()
    }

    /// Counts an answered question with its stages.
    pub(super) fn answered(&self, answered: &Answered) {
        self.metrics.question(answered);
        if let Some(traces) = &self.traces {
            let Answered { answer, times } = answered;
            traces.question(times.since_start(), times.stages(), answer.intent.source);
        }
    }

    /// Keeps a question with its answer, where there is a log, and who asked it, where there is an
    /// audit; `action` as in [`Audited::action`]. Never waits.
    pub(super) fn keep(
        &self,
        caller: &Caller,
        action: &'static str,
        answer: &Answer,
        request_id: &str,
    ) {
        if let Some(log) = &self.query_log {
            log.write(Record::Question(Asked::of(answer, &caller.audiences, request_id)));
        }
        self.audit(caller, action, answer, request_id);
    }

    /// Keeps who asked a question of staff, where there is an audit. Never waits.
    pub(super) fn audit(
        &self,
        caller: &Caller,
        action: &'static str,
        answer: &Answer,
        request_id: &str,
    ) {
        if let Some(audit) = &self.audit {
            let by = caller.without_address();
            audit.write(Audited::of(answer, request_id, by, action));
        }
    }

    /// The log of questions, where there is one.
    pub(super) fn query_log(&self) -> Option<&QueryLog> {
        self.query_log.as_ref()
    }

    /// The folder of the catalog.
    pub(super) fn catalog_folder(&self) -> &Path {
        &self.catalog_folder
    }

    /// Notes who did what. Where that fails, the log of the service says so.
    pub(super) fn note_action(&self, by: &str, action: Action<'_>) {
        if let Err(error) = self.actions.write(by, action) {
            tracing::error!(error = %error, "the audit log can not be written");
        }
    }

    /// Tells how far the start is.
    pub fn report(&self, readiness: Readiness) {
        *self.readiness.lock().unwrap_or_else(PoisonError::into_inner) = readiness;
    }

    /// How far the start is.
    pub fn readiness(&self) -> Readiness {
        self.readiness.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on questions are answered by these pipelines; running ones keep theirs.
    pub fn serve(&self, views: impl Into<Views>) {
        self.views.store(Some(Arc::new(views.into())));
        self.report(Readiness::Ready);
    }

    /// From now on the catalog has these questions.
    pub fn ask_about(&self, questions: Vec<Question>) {
        // The same questions stay the same list, so that what was made of it is not made again.
        if self.catalog.load().as_ref().is_some_and(|before| **before == questions) {
            return;
        }
        self.catalog.store(Some(Arc::new(questions)));
    }

    /// Since when the process lives.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// What serves now, for everything that is the same to all callers.
    pub fn views(&self) -> Option<Arc<Views>> {
        self.views.load_full()
    }

    /// Notes what is wrong with the files on disk; nothing once they serve.
    pub fn note_problems(&self, found: Vec<Problem>) {
        *self.problems.lock().unwrap_or_else(PoisonError::into_inner) = found;
    }

    /// What is wrong with the files on disk: for callers who may see everything.
    pub fn problems(&self) -> Vec<Problem> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the files on disk are not what serves.
    pub(super) fn has_problems(&self) -> bool {
        !self.problems.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// What of it a caller may know: problems name sections of any audience.
    pub(super) fn problems_for(&self, caller: &Caller) -> Vec<ProblemNote> {
        if caller.role < Role::Qa { Vec::new() } else { shown(caller, &self.problems()) }
    }

    /// Who is let in.
    pub(super) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Whose pages may ask.
    pub(super) fn origins(&self) -> &[String] {
        &self.origins
    }

    /// What answers this caller: an index of exactly what he may see.
    pub(super) fn pipeline(&self, caller: &Caller) -> Result<Arc<Pipeline>, ApiError> {
        let views = self.views().ok_or_else(|| {
            ApiError::NotReady(match self.readiness() {
                Readiness::Starting => "starting",
                Readiness::Building { .. } => "passages are being embedded",
                Readiness::Ready => "swapping",
            })
        })?;
        let own = views.of(&caller.audiences).cloned();
        own.ok_or(ApiError::NotReady("the index for a new key is being built"))
    }

    /// What answers this caller, with what is asked about it.
    pub(super) fn view(&self, caller: &Caller) -> Result<View, ApiError> {
        let pipeline = self.pipeline(caller)?;
        let views = self.views().ok_or(ApiError::NotReady("starting"))?;
        let audiences = views.seen(&caller.audiences);
        let catalog = self.catalog.load_full().unwrap_or_default();
        let sees_all = audiences == Audiences::All;
        // A section that does not exist may be one that is hidden.
        let may_see = |question: &&Question| {
            sees_all || question.right().all(|id| pipeline.section(id).is_some())
        };
        let questions = catalog.iter().filter(may_see).cloned().collect();
        Ok(View { audiences, pipeline, catalog, questions })
    }

    /// Counts requests against the caller's limit.
    pub(super) fn count(&self, caller: &Caller, requests: u32) -> Result<(), ApiError> {
        let counted = self.gate.count(caller, requests);
        counted.map_err(|wait| ApiError::RateLimited { seconds: wait.as_secs().max(1) })
    }

    /// Address of this service in links: as it was set, else as the caller names it.
    pub(super) fn base(&self, request: &HttpRequest) -> String {
        self.public_url.clone().unwrap_or_else(|| {
            let info = request.connection_info();
            let named = format!("{}://{}", info.scheme(), info.host());
            // A `Host` may hold anything; links then begin with the path.
            if is_link_base(&named) { named } else { String::new() }
        })
    }

    pub(super) fn query(&self, question: &str) -> Result<Query, ApiError> {
        Ok(Query::new(question, self.question_limit)?)
    }

    /// Asks for the files to be read again, and waits until they serve; says how many sections do for
    /// this caller.
    pub(super) async fn reload(&self, caller: &Caller) -> Result<usize, ApiError> {
        let (done, heard) = oneshot::channel();
        let asked = Reload { by: caller.name.clone(), done };
        self.reloads.try_send(asked).map_err(|_| ApiError::Busy)?;
        match heard.await {
            Ok(Ok(_)) => Ok(self.pipeline(caller)?.section_count()),
            Ok(Err(problems)) => Err(ApiError::FilesInvalid(shown(caller, &problems))),
            Err(_) => Err(ApiError::NotReady("nothing is loaded yet")),
        }
    }

    /// The reloads that are asked for; the first to take them answers them.
    pub(super) fn asked(&self) -> Option<mpsc::Receiver<Reload>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Problems of files for somebody who sees all sections; nothing for others.
fn shown(caller: &Caller, problems: &[Problem]) -> Vec<ProblemNote> {
    let sees_all = caller.audiences == Audiences::All;
    problems.iter().filter(|_| sees_all).map(ProblemNote::from).collect()
}
