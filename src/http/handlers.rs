//! The endpoints: read, ask the pipeline, write.

use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, Resource, Route, web};

use super::error::{ApiError, ProblemBody};
use super::openapi::{QuestionErrors, SectionBody};
use super::state::{Readiness, State};
use super::wire::{self, ExplainBody, ExplainedAnswer, RouteBody, SearchBody};
use super::{feedback, request_id};
use crate::domain::{Answer, SectionId};
use crate::pipeline::{Answered, Pipeline, Times};

pub(super) type Reply = Result<HttpResponse, ApiError>;

/// All addresses with the one method each of them takes.
pub(super) fn register(app: &mut web::ServiceConfig) {
    app.service(resource("/v1/route", "POST", web::post().to(route)))
        .service(resource("/v1/search", "POST", web::post().to(search)))
        .service(resource("/v1/explain", "POST", web::post().to(explain)))
        .service(resource("/v1/feedback", "POST", web::post().to(feedback::feedback)))
        .service(resource("/v1/sections/{id:.+}", "GET", web::get().to(section)))
        .service(resource("/healthz", "GET", web::get().to(healthz)))
        .service(resource("/readyz", "GET", web::get().to(readyz)))
        .service(resource("/openapi.json", "GET", web::get().to(openapi)))
        .default_service(web::to(nothing_here));
}

fn resource(path: &str, allowed: &'static str, handler: Route) -> Resource {
    web::resource(path).route(handler).default_service(web::to(move |request: HttpRequest| {
        std::future::ready(Reply::Err(ApiError::MethodNotAllowed {
            path: request.path().to_owned(),
            method: request.method().to_string(),
            allowed,
        }))
    }))
}

async fn nothing_here(request: HttpRequest) -> Reply {
    Err(ApiError::NotFound(request.path().chars().take(200).collect()))
}

/// Intent and groups of a question, without a search.
#[utoipa::path(post, path = "/v1/route", request_body = RouteBody, responses(
    (status = 200, description = "How and where to search", body = Answer),
    QuestionErrors,
))]
pub(super) async fn route(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let body: RouteBody = wire::read(&request, payload).await?;
    let query = state.query(&body.question)?;
    let answered = state.pipeline()?.route(&query).await?;
    state.keep(&answered.answer, &request_id::of(&request));
    Ok(reply(&answered))
}

/// Ranked sections with intent, groups and reasons.
#[utoipa::path(post, path = "/v1/search", request_body = SearchBody, responses(
    (status = 200, description = "Ranked sections and the reasons", body = Answer),
    QuestionErrors,
))]
pub(super) async fn search(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let answered = searched(&state, wire::read(&request, payload).await?).await?;
    state.keep(&answered.answer, &request_id::of(&request));
    Ok(reply(&answered))
}

/// As a search with `explain`: every hit says where its score comes from. With `section` it also says
/// why that section is not the first hit, stage by stage, and which small change would make it so.
#[utoipa::path(post, path = "/v1/explain", request_body = ExplainBody, responses(
    (status = 200, description = "Ranked sections, and where their scores come from",
        body = ExplainedAnswer),
    (status = 404, description = "`section_unknown`", body = ProblemBody,
        content_type = "application/problem+json"),
    QuestionErrors,
))]
pub(super) async fn explain(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let body: ExplainBody = wire::read(&request, payload).await?;
    let ExplainBody { question, k, mode, filters, _explain: _, section, changes } = body;
    let (question, search) = SearchBody { question, k, mode, filters, explain: true }.request();
    let query = state.query(&question)?;
    let pipeline = state.pipeline()?;
    let section = section.map(|id| known_section(&pipeline, &id)).transpose()?;
    let answered = pipeline.search(&query, &search).await?;
    let why_not = match section {
        Some(section) => Some(pipeline.why_not(&query, &search, &section, changes).await?),
        None => None,
    };
    let body = ExplainedAnswer { answer: answered.answer, why_not };
    Ok(timed(HttpResponse::Ok().json(body), &answered.times))
}

/// The id of a section that exists.
pub(super) fn known_section(pipeline: &Pipeline, id: &str) -> Result<SectionId, ApiError> {
    let unknown = || ApiError::UnknownSection(id.chars().take(200).collect());
    let found = SectionId::try_from(id).map_err(|_| unknown())?;
    pipeline.section(&found).map(|_| found).ok_or_else(unknown)
}

async fn searched(state: &State, body: SearchBody) -> Result<Answered, ApiError> {
    let (question, search) = body.request();
    let query = state.query(&question)?;
    Ok(state.pipeline()?.search(&query, &search).await?)
}

fn reply(answered: &Answered) -> HttpResponse {
    timed(HttpResponse::Ok().json(&answered.answer), &answered.times)
}

/// Times go into the header `Server-Timing` (W3C), so that equal questions give equal bodies.
fn timed(mut response: HttpResponse, times: &Times) -> HttpResponse {
    if let Ok(value) = HeaderValue::from_str(&times.server_timing()) {
        response.headers_mut().insert(HeaderName::from_static("server-timing"), value);
    }
    response
}

/// One section. The `#` of the id is written `%23`.
#[utoipa::path(get, path = "/v1/sections/{id}",
    params(("id" = String, Path, description = "Section id, `#` as `%23`")),
    responses(
        (status = 200, description = "The section", body = SectionBody<'static>),
        (status = 404, description = "`section_unknown`", body = ProblemBody,
            content_type = "application/problem+json"),
        (status = 405, description = "`method_not_allowed`", body = ProblemBody,
            content_type = "application/problem+json"),
        (status = 503, description = "`not_ready`", body = ProblemBody,
            content_type = "application/problem+json"),
    )
)]
pub(super) async fn section(state: web::Data<State>, id: web::Path<String>) -> Reply {
    let pipeline = state.pipeline()?;
    let unknown = || ApiError::UnknownSection(id.chars().take(200).collect());
    let wanted = SectionId::try_from(id.as_str()).map_err(|_| unknown())?;
    let found = pipeline.section(&wanted).ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(SectionBody::from(found)))
}

/// Whether the process is alive.
#[utoipa::path(get, path = "/healthz", responses((status = 200, description = "Alive")))]
pub(super) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({"status": "ok"}))
}

/// Whether questions can be answered, and how far the index is until then.
#[utoipa::path(get, path = "/readyz", responses(
    (status = 200, description = "Ready", body = Readiness),
    (status = 503, description = "Starting or building", body = Readiness),
))]
pub(super) async fn readyz(state: web::Data<State>) -> HttpResponse {
    let readiness = state.readiness();
    match readiness {
        Readiness::Ready { .. } => HttpResponse::Ok().json(readiness),
        Readiness::Starting | Readiness::Building { .. } => {
            HttpResponse::ServiceUnavailable().json(readiness)
        }
    }
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", responses((status = 200, description = "OpenAPI")))]
pub(super) async fn openapi() -> HttpResponse {
    HttpResponse::Ok().json(super::openapi::document())
}
