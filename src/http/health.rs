//! Whether the process is alive, whether it can answer, and what the API is.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ProblemNote;
use super::guard;
use super::openapi::OpenErrors;
use super::state::{Readiness, State};

/// Body of `GET /readyz`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReadyBody {
    /// `starting`, `building` or `ready`.
    status: &'static str,
    /// Passages embedded so far, while building.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<usize>,
    /// Passages to embed, while building.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    /// Sections that the caller may see; absent for callers who are not let in.
    #[serde(skip_serializing_if = "Option::is_none")]
    sections: Option<usize>,
    /// `failed` where the files on disk can not be loaded and an older state answers; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    reload: Option<&'static str>,
    /// What to mend in the files, for keys of all audiences with the role `qa` and above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ProblemNote>,
}

/// Whether the process is alive.
#[utoipa::path(get, path = "/healthz", responses(
    (status = 200, description = "Alive"),
    OpenErrors,
))]
pub(super) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({"status": "ok"}))
}

/// Whether questions can be answered, how far the index is until then, and whether the files on disk
/// are what serves. Needs no key; a key shows more.
#[utoipa::path(get, path = "/readyz", responses(
    (status = 200, description = "Ready", body = ReadyBody),
    (status = 503, description = "Starting or building", body = ReadyBody),
    OpenErrors,
))]
pub(super) async fn readyz(state: web::Data<State>, request: HttpRequest) -> HttpResponse {
    let caller = guard::caller(&request, &state).ok();
    let pipeline = caller.as_ref().and_then(|caller| state.pipeline(caller).ok());
    let (status, done, total) = match state.readiness() {
        Readiness::Starting => ("starting", None, None),
        Readiness::Building { done, total } => ("building", Some(done), Some(total)),
        Readiness::Ready => ("ready", None, None),
    };
    let body = ReadyBody {
        status,
        done,
        total,
        sections: pipeline.map(|pipeline| pipeline.section_count()),
        reload: state.has_problems().then_some("failed"),
        problems: caller.map_or_else(Vec::new, |caller| state.problems_for(&caller)),
    };
    if status == "ready" {
        HttpResponse::Ok().json(body)
    } else {
        HttpResponse::ServiceUnavailable().json(body)
    }
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", responses(
    (status = 200, description = "OpenAPI 3.1"),
    OpenErrors,
))]
pub(super) async fn openapi() -> HttpResponse {
    HttpResponse::Ok().json(super::openapi::document())
}
