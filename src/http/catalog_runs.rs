//! Runs of the catalog: started, listed, read.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, web};
use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::background::{Progress, ProgressBody};
use super::error::{ApiError, ProblemBody};
use super::guard::needs;
use super::openapi::GetErrors;
use super::run_files::{Head, RunFiles};
use super::state::{State, View};
use crate::access::{Audiences, Caller, Role};
use crate::catalog::report::meaning;
use crate::catalog::{self, Code};
use crate::domain::chain;

type Reply = Result<HttpResponse, ApiError>;

/// The runs that are kept, and those that are going on.
#[derive(Debug)]
pub(super) struct Runs {
    files: RunFiles,
    states: Mutex<BTreeMap<Audiences, RunState>>,
}

#[derive(Debug, Clone)]
enum RunState {
    Running(Arc<Progress>),
    Failed(String),
}

/// Answer to `GET /v1/catalog/runs`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RunsBody {
    /// How far the run is that is going on; `null` without one.
    #[schema(required = true)]
    running: Option<ProgressBody>,
    /// Why the last one that was started came to nothing, in English; absent where it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    /// Questions that a run would ask.
    questions: usize,
    /// What the codes of questions mean, in German.
    codes: BTreeMap<&'static str, &'static str>,
    /// The runs that are kept, newest first.
    runs: Vec<RunHead>,
}

/// A run in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RunHead {
    /// Its id.
    id: String,
    /// When it ended, RFC 3339 in UTC.
    finished: String,
    /// Its figures: `summary` of `wegweiser catalog run --format json`.
    #[schema(value_type = Object)]
    summary: Value,
}

/// A run with its questions.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form; kept runs are handed on as they were written")]
pub(super) struct RunBody {
    /// Its id.
    id: String,
    /// When it ended, RFC 3339 in UTC.
    finished: String,
    /// Its figures: `summary` of `wegweiser catalog run --format json`.
    #[schema(value_type = Object)]
    summary: Value,
    /// `questions` of `wegweiser catalog run --format json`.
    #[schema(value_type = Vec<Object>)]
    questions: Value,
    /// When the run ended that it is compared with.
    compared_with: Option<String>,
    /// What turned since that run, as `wegweiser catalog diff --format json`; `null` for a first run.
    #[schema(value_type = Option<Object>)]
    diff: Value,
}

impl Runs {
    pub(super) fn below(data_dir: &Path) -> Self {
        Self { files: RunFiles::new(data_dir.join("runs")), states: Mutex::default() }
    }

    fn states(&self) -> MutexGuard<'_, BTreeMap<Audiences, RunState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a run over the whole catalog as the caller sees it, in the background; role `qa`. Where one
/// is going on already, nothing is started.
#[utoipa::path(post, path = "/v1/catalog/runs", operation_id = "start_catalog_run", responses(
    (status = 202, description = "It is going on", body = ProgressBody),
    (status = 409, description = "`catalog_empty`", body = ProblemBody,
        content_type = "application/problem+json"),
    GetErrors,
))]
pub(super) async fn start(state: web::Data<State>, caller: Caller) -> Reply {
    needs(&caller, Role::Qa)?;
    let view = state.view(&caller)?;
    if view.questions.is_empty() {
        return Err(ApiError::CatalogEmpty);
    }
    let mut states = state.runs.states();
    if let Some(RunState::Running(progress)) = states.get(&view.audiences) {
        return Ok(HttpResponse::Accepted().json(progress.body()));
    }
    let progress = Arc::new(Progress::default());
    states.insert(view.audiences.clone(), RunState::Running(Arc::clone(&progress)));
    drop(states);
    let body = progress.body();
    let shared = state.clone().into_inner();
    let shown = Arc::clone(&progress);
    state.background.in_turn(&shown, async move {
        let ended = run(&shared, &view, &progress).await;
        let mut states = shared.runs.states();
        match ended {
            Ok(()) => {
                states.remove(&view.audiences);
            }
            Err(reason) => {
                tracing::error!("a run of the catalog failed: {reason}");
                states.insert(view.audiences, RunState::Failed(reason));
            }
        }
    });
    Ok(HttpResponse::Accepted().json(body))
}

async fn run(state: &State, view: &View, progress: &Progress) -> Result<(), String> {
    let total = view.questions.len();
    progress.set(0, total);
    let told = |done| progress.set(done, total);
    let run = catalog::run(&view.pipeline, &view.questions, told).await;
    let run = run.map_err(|error| chain(&error))?;
    let (files, audiences) = (state.runs.files.clone(), view.audiences.clone());
    let kept =
        tokio::task::spawn_blocking(move || files.add(audiences, &run, OffsetDateTime::now_utc()));
    let kept = kept.await.map_err(|error| error.to_string())?;
    kept.map_err(|error| format!("the run can not be kept: {error}"))
}

/// The last runs of what the caller sees, and how far the one is that is going on; role `qa`.
#[utoipa::path(get, path = "/v1/catalog/runs", operation_id = "catalog_runs", responses(
    (status = 200, description = "The runs, newest first", body = RunsBody),
    GetErrors,
))]
pub(super) async fn list(state: web::Data<State>, caller: Caller) -> Reply {
    needs(&caller, Role::Qa)?;
    let view = state.view(&caller)?;
    // Looked up first: a run that ends in between is among the kept ones.
    let going_on = state.runs.states().get(&view.audiences).cloned();
    let (files, audiences) = (state.runs.files.clone(), view.audiences.clone());
    let heads = blocking(move || files.list(&audiences)).await?;
    let (running, failed) = match going_on {
        None => (None, None),
        Some(RunState::Running(progress)) => (Some(progress.body()), None),
        Some(RunState::Failed(reason)) => (None, Some(reason)),
    };
    let runs = heads.into_iter().filter(|head| may_see(&view, head)).map(|head| {
        let Head { id, finished, summary, .. } = head;
        RunHead { id, finished, summary }
    });
    let questions = view.questions.len();
    let runs = runs.collect();
    let codes = Code::ALL.map(|code| (code.as_str(), meaning(code))).into();
    Ok(HttpResponse::Ok().json(RunsBody { running, failed, questions, codes, runs }))
}

/// A run with all questions and the difference to the run before it; role `qa`.
#[utoipa::path(get, path = "/v1/catalog/runs/{id}", operation_id = "catalog_run",
    params(("id" = String, Path, description = "Id of a run")),
    responses(
        (status = 200, description = "The run", body = RunBody),
        (status = 404, description = "`run_unknown`", body = ProblemBody,
            content_type = "application/problem+json"),
        GetErrors,
    )
)]
pub(super) async fn one(state: web::Data<State>, caller: Caller, id: web::Path<String>) -> Reply {
    needs(&caller, Role::Qa)?;
    let view = state.view(&caller)?;
    let unknown = || ApiError::UnknownRun(id.chars().take(100).collect());
    let (files, audiences, wanted) = (state.runs.files.clone(), view.audiences.clone(), id.clone());
    let found = blocking(move || files.get(&audiences, &wanted)).await?;
    let (head, rest) = found.filter(|(head, _)| may_see(&view, head)).ok_or_else(unknown)?;
    let Head { id, finished, summary, .. } = head;
    let head = serde_json::to_string(&RunHead { id, finished, summary }).expect("plain data");
    // Two objects become one; the second is megabytes that need not be read to be handed on.
    let head = head.strip_suffix('}').expect("an object");
    let rest = rest.strip_prefix('{').ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(format!("{head},{rest}")))
}

/// Whether a caller may still see all that a run names. A section may have been moved to another
/// audience since.
fn may_see(view: &View, head: &Head) -> bool {
    view.audiences == Audiences::All
        || head
            .sections
            .iter()
            .all(|id| id.as_str().try_into().is_ok_and(|id| view.pipeline.section(&id).is_some()))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, ApiError> {
    let read = tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other);
    read.flatten().map_err(|error| {
        tracing::error!(error = %error, "the runs of the catalog can not be read");
        ApiError::Storage
    })
}
