//! The endpoints: read, ask the pipeline, write.

use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, Resource, Route, web};

use super::error::ApiError;
use super::state::{Readiness, State};
use super::wire::{self, RouteBody, SearchBody};
use crate::domain::SectionId;
use crate::pipeline::Answered;

type Reply = Result<HttpResponse, ApiError>;

/// All addresses with the one method each of them takes.
pub(super) fn register(app: &mut web::ServiceConfig) {
    app.service(resource("/v1/route", Method::POST, web::post().to(route)))
        .service(resource("/v1/search", Method::POST, web::post().to(search)))
        .service(resource("/v1/sections/{id:.+}", Method::GET, web::get().to(section)))
        .service(resource("/healthz", Method::GET, web::get().to(healthz)))
        .service(resource("/readyz", Method::GET, web::get().to(readyz)))
        .service(resource("/openapi.json", Method::GET, web::get().to(openapi)))
        .default_service(web::to(nothing_here));
}

fn resource(path: &str, method: Method, handler: Route) -> Resource {
    let allowed: &'static str = if method == Method::GET { "GET" } else { "POST" };
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

async fn route(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let body: RouteBody = wire::read(&request, payload).await?;
    let query = state.query(&body.question)?;
    Ok(reply(&state.pipeline()?.route(&query).await?))
}

async fn search(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let body: SearchBody = wire::read(&request, payload).await?;
    let (question, search) = body.request();
    let query = state.query(&question)?;
    Ok(reply(&state.pipeline()?.search(&query, &search).await?))
}

/// Times go into the header `Server-Timing` (W3C), so that equal questions give equal bodies.
fn reply(answered: &Answered) -> HttpResponse {
    let mut response = HttpResponse::Ok().json(&answered.answer);
    if let Ok(value) = HeaderValue::from_str(&answered.times.server_timing()) {
        response.headers_mut().insert(HeaderName::from_static("server-timing"), value);
    }
    response
}

async fn section(state: web::Data<State>, id: web::Path<String>) -> Reply {
    let pipeline = state.pipeline()?;
    let unknown = || ApiError::UnknownSection(id.chars().take(200).collect());
    let wanted = SectionId::try_from(id.as_str()).map_err(|_| unknown())?;
    let found = pipeline.section(&wanted).ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(super::openapi::SectionBody::from(found)))
}

async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({"status": "ok"}))
}

async fn readyz(state: web::Data<State>) -> HttpResponse {
    let readiness = state.readiness();
    match readiness {
        Readiness::Ready { .. } => HttpResponse::Ok().json(readiness),
        Readiness::Starting | Readiness::Building { .. } | Readiness::Failed { .. } => {
            HttpResponse::ServiceUnavailable().json(readiness)
        }
    }
}

async fn openapi() -> HttpResponse {
    HttpResponse::Ok().json(super::openapi::document())
}
