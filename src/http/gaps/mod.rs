//! What editors must write next: the report, and everything about one section.
//!
//! It takes seconds, so it is made in the background, once for what serves, and kept until other
//! files serve or another day begins (the age of sections is counted from today). Where there is a
//! question log, its topics are read again from time to time, and the report before serves meanwhile.

mod live;
pub(super) mod ticket;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, web};
use arc_swap::ArcSwap;
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
use crate::gaps::{Code, Finding, Report, Study, Wordings};
use crate::pipeline::{Pipeline, PipelineError};
use live::{LiveBody, Source, Topics};

type Reply = Result<HttpResponse, ApiError>;

/// The studies of what serves, by who sees it.
#[derive(Debug, Default)]
pub(super) struct Studies(Mutex<BTreeMap<Audiences, Entry>>);

/// A study with what it is of.
#[derive(Debug, Clone)]
struct Entry {
    pipeline: Arc<Pipeline>,
    catalog: Arc<Vec<Question>>,
    /// Whether it is of all sections.
    sees_all: bool,
    source: Source,
    today: Date,
    progress: Arc<Progress>,
    outcome: Arc<OnceLock<Result<Studied, PipelineError>>>,
    /// What was found when other files served.
    before: Arc<Vec<Finding>>,
}

#[derive(Debug)]
struct Studied {
    study: Arc<Study>,
    told: ArcSwap<Told>,
    /// Whether the log is being read again.
    is_reading: AtomicBool,
}

/// A report as it is sent.
#[derive(Debug)]
struct Told {
    /// As JSON: it is made once and sent often.
    report: String,
    findings: Arc<Vec<Finding>>,
    topics: Topics,
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
    /// What became of the question log.
    live: LiveBody,
    /// By the id of a finding, what `POST /v1/gaps/promote` would do; only for keys that see all
    /// sections, and only where a finding holds questions.
    tickets: BTreeMap<String, TicketBody>,
}

/// Questions of a finding that can be promoted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TicketBody {
    /// Questions that would be added to the catalog.
    new: usize,
    /// Questions that stand there already.
    known: usize,
}

impl Entry {
    fn is_of(&self, view: &View, today: Date) -> bool {
        Arc::ptr_eq(&self.pipeline, &view.pipeline)
            && Arc::ptr_eq(&self.catalog, &view.catalog)
            && self.today == today
    }

    /// The report of a study, with what the log says now.
    async fn told(&self, study: &Study) -> Told {
        let topics = Topics::read(&self.source, &self.catalog, &self.progress).await;
        let report = study.report(self.today, topics.findings.clone());
        let tickets =
            if self.sees_all { tickets(&report.findings, &self.catalog) } else { BTreeMap::new() };
        Told {
            report: json(&report, &topics.body, &tickets),
            findings: Arc::new(report.findings),
            topics,
        }
    }
}

impl Studied {
    /// Reads the log again in the background where there is something new in it.
    fn read_again(&self, state: &State, entry: &Entry) {
        if !self.told.load().topics.is_due(&entry.source)
            || self.is_reading.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let (entry, shown) = (entry.clone(), Arc::clone(&entry.progress));
        state.background.in_turn(&shown, async move {
            let Some(Ok(studied)) = entry.outcome.get() else { return };
            if studied.told.load().topics.is_stale(&entry.source) {
                let told = entry.told(&studied.study).await;
                studied.told.store(Arc::new(told));
            }
            studied.is_reading.store(false, Ordering::Relaxed);
        });
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
            done.read_again(&state, &entry);
            let report = done.told.load().report.clone();
            Ok(HttpResponse::Ok().content_type(ContentType::json()).body(report))
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
    let before = entries.get(&view.audiences).map(|entry| match entry.outcome.get() {
        Some(Ok(studied)) => Arc::clone(&studied.told.load().findings),
        Some(Err(_)) | None => Arc::clone(&entry.before),
    });
    // Studies hold on to their pipelines: those of views that are gone must not stay.
    let views = state.views();
    entries
        .retain(|audiences, _| views.as_ref().is_some_and(|views| views.of(audiences).is_some()));
    let source = Source::of(state, &view, views.as_ref());
    let entry = Entry {
        pipeline: Arc::clone(&view.pipeline),
        catalog: Arc::clone(&view.catalog),
        sees_all: view.audiences == Audiences::All,
        source,
        today,
        progress: Arc::default(),
        outcome: Arc::default(),
        before: before.unwrap_or_default(),
    };
    entries.insert(view.audiences.clone(), entry.clone());
    let (own, questions) = (entry.clone(), view.questions);
    let shown = Arc::clone(&entry.progress);
    state.background.in_turn(&shown, async move {
        let heard = |done, total| own.progress.set(done, total);
        let made = match Study::new(Arc::clone(&own.pipeline), &questions, heard).await {
            Ok(study) => Ok(Studied {
                told: ArcSwap::from_pointee(own.told(&study).await),
                study: Arc::new(study),
                is_reading: AtomicBool::new(false),
            }),
            Err(error) => Err(error),
        };
        let _ = own.outcome.set(made);
    });
    entry
}

/// A report as JSON, with what its codes mean.
fn json(report: &Report, live: &LiveBody, tickets: &BTreeMap<String, TicketBody>) -> String {
    #[derive(Serialize)]
    struct Body<'a> {
        codes: BTreeMap<&'static str, &'static str>,
        live: &'a LiveBody,
        tickets: &'a BTreeMap<String, TicketBody>,
        #[serde(flatten)]
        report: &'a Report,
    }
    let codes = Code::ALL.map(|code| (code.as_str(), code.german())).into();
    serde_json::to_string(&Body { codes, live, tickets, report }).expect("plain data")
}

/// What promoting each finding would do; nothing for one that holds no question.
fn tickets(findings: &[Finding], catalog: &[Question]) -> BTreeMap<String, TicketBody> {
    let wordings = Wordings::of(catalog);
    let promotable = findings.iter().filter(|finding| finding.is_promotable());
    let ticket = |finding: &Finding| {
        let (new, known) = wordings.split(finding);
        (finding.id.clone(), TicketBody { new, known })
    };
    promotable.map(ticket).collect()
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
