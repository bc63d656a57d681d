//! What editors must write next: the report, and everything about one section.
//!
//! It takes seconds, so it is made in the background, once for what serves, and kept until other
//! files serve or another day begins (the age of sections is counted from today).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, web};
use serde::Serialize;
use time::{Date, OffsetDateTime};
use utoipa::ToSchema;

use super::background::{Progress, ProgressBody};
use super::error::{ApiError, ProblemBody};
use super::guard::needs;
use super::openapi::GetErrors;
use super::state::{State, View};
use crate::access::{Audiences, Caller, Role};
use crate::catalog::Question;
use crate::domain::SectionId;
use crate::gaps::{Code, Report, Study};
use crate::pipeline::{Pipeline, PipelineError};

type Reply = Result<HttpResponse, ApiError>;

/// The studies of what serves, by who sees it.
#[derive(Debug, Default)]
pub(super) struct Studies(Mutex<BTreeMap<Audiences, Entry>>);

/// A study with what it is of.
#[derive(Debug, Clone)]
struct Entry {
    pipeline: Arc<Pipeline>,
    catalog: Arc<Vec<Question>>,
    today: Date,
    progress: Arc<Progress>,
    outcome: Arc<OnceLock<Result<Studied, PipelineError>>>,
}

#[derive(Debug)]
struct Studied {
    study: Arc<Study>,
    /// The report as JSON: it is made once and sent often.
    report: String,
}

/// Answer to `GET /v1/gaps`.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form; the report is kept as text")]
pub(super) struct GapsBody {
    /// The day that ages are counted from.
    today: String,
    /// What is wrong, most impact first; with the other members as `wegweiser gaps --format json`.
    #[schema(value_type = Vec<Object>)]
    findings: (),
    /// What the codes of findings mean, in German.
    codes: BTreeMap<String, String>,
    /// Every section as a point; near means alike.
    #[schema(value_type = Vec<Object>)]
    map: (),
}

impl Entry {
    fn is_of(&self, view: &View, today: Date) -> bool {
        Arc::ptr_eq(&self.pipeline, &view.pipeline)
            && Arc::ptr_eq(&self.catalog, &view.catalog)
            && self.today == today
    }
}

impl Studies {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<Audiences, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is missing in the compendium as the caller sees it; role `editor`. The first to ask starts the
/// work; until it is done the answer says how far it is.
#[utoipa::path(get, path = "/v1/gaps", responses(
    (status = 200, description = "The report", body = GapsBody),
    (status = 202, description = "It is being made; ask again", body = ProgressBody),
    GetErrors,
))]
pub(super) async fn gaps(state: web::Data<State>, caller: Caller) -> Reply {
    needs(&caller, Role::Editor)?;
    let view = state.view(&caller)?;
    let entry = entry(&state, view);
    match outcome(&state, &entry)? {
        None => Ok(HttpResponse::Accepted().json(entry.progress.body())),
        Some(done) => {
            Ok(HttpResponse::Ok().content_type(ContentType::json()).body(done.report.clone()))
        }
    }
}

/// Everything about one section: its figures, questions, neighbours, words and findings; role
/// `editor`. A section that the caller may not see is one that does not exist.
#[utoipa::path(get, path = "/v1/sections/{id}/sheet",
    params(("id" = String, Path, description = "Section id, `#` as `%23`")),
    responses(
        (status = 200, description = "As `wegweiser gaps --section ID --format json`", body = Object),
        (status = 202, description = "The report is being made; ask again", body = ProgressBody),
        (status = 404, description = "`section_unknown`", body = ProblemBody,
            content_type = "application/problem+json"),
        GetErrors,
    )
)]
pub(super) async fn sheet(state: web::Data<State>, caller: Caller, id: web::Path<String>) -> Reply {
    needs(&caller, Role::Editor)?;
    let view = state.view(&caller)?;
    let unknown = || ApiError::UnknownSection(id.chars().take(200).collect());
    let wanted = SectionId::try_from(id.as_str()).map_err(|_| unknown())?;
    let ordinal = view.pipeline.ordinal(&wanted).ok_or_else(unknown)?;
    let entry = entry(&state, view);
    let Some(done) = outcome(&state, &entry)? else {
        return Ok(HttpResponse::Accepted().json(entry.progress.body()));
    };
    let (study, today) = (Arc::clone(&done.study), entry.today);
    // Away from the threads that serve: all findings are made anew.
    let work = state.background.at_once(async move { study.sheet(ordinal, today).await });
    let sheet = work.await.map_err(|_| ApiError::Busy)??;
    Ok(HttpResponse::Ok().json(sheet))
}

/// The study of a view; starts it where there is none yet.
fn entry(state: &web::Data<State>, view: View) -> Entry {
    let today = OffsetDateTime::now_utc().date();
    let mut entries = state.studies.entries();
    if let Some(entry) = entries.get(&view.audiences)
        && entry.is_of(&view, today)
    {
        return entry.clone();
    }
    // Studies hold on to their pipelines: those of views that are gone must not stay.
    let views = state.views();
    entries
        .retain(|audiences, _| views.as_ref().is_some_and(|views| views.of(audiences).is_some()));
    let entry = Entry {
        pipeline: Arc::clone(&view.pipeline),
        catalog: Arc::clone(&view.catalog),
        today,
        progress: Arc::default(),
        outcome: Arc::default(),
    };
    entries.insert(view.audiences.clone(), entry.clone());
    let (progress, outcome) = (Arc::clone(&entry.progress), Arc::clone(&entry.outcome));
    let shown = Arc::clone(&entry.progress);
    state.background.in_turn(&shown, async move {
        let heard = |done, total| progress.set(done, total);
        let study = Study::new(view.pipeline, &view.questions, heard).await;
        let _ = outcome.set(study.map(|study| {
            let report = told(&study.report(today, Vec::new()));
            Studied { study: Arc::new(study), report }
        }));
    });
    entry
}

/// A report as JSON, with what its codes mean.
fn told(report: &Report) -> String {
    #[derive(Serialize)]
    struct Told<'a> {
        codes: BTreeMap<&'static str, &'static str>,
        #[serde(flatten)]
        report: &'a Report,
    }
    let codes = Code::ALL.map(|code| (code.as_str(), code.german())).into();
    serde_json::to_string(&Told { codes, report }).expect("plain data")
}

/// What came of a study, if it is done. One that failed is forgotten: the next to ask starts another.
fn outcome<'a>(state: &State, entry: &'a Entry) -> Result<Option<&'a Studied>, ApiError> {
    match entry.outcome.get() {
        None => Ok(None),
        Some(Ok(studied)) => Ok(Some(studied)),
        Some(Err(error)) => {
            let failed = |other: &Entry| Arc::ptr_eq(&other.outcome, &entry.outcome);
            state.studies.entries().retain(|_, other| !failed(other));
            Err(error.clone().into())
        }
    }
}
