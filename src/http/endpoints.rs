//! All addresses: which methods each takes, and what it makes.

use actix_web::http::Method;
use actix_web::http::header::ACCEPT;
use actix_web::{HttpRequest, HttpResponse, Resource, guard, web};

use super::error::ApiError;
use super::{
    catalog_runs, chat, feedback, gaps, health, mcp, metrics, pages, reload, rules, search,
    sections, status,
};

type Reply = Result<HttpResponse, ApiError>;

const JSON: &[&str] = &["application/json"];
const SECTION: &str = "/v1/sections/{id:.+}";
/// Patterns whose answers are not JSON, or not only.
const OTHERS: &[(&str, &[&str])] = &[
    ("/metrics", &["application/openmetrics-text"]),
    ("/v1/chat/completions", &["application/json", "text/event-stream"]),
    // Answers are JSON; a client that asks with GET for events must hear 405, not 406.
    ("/mcp", &["application/json", "text/event-stream"]),
    (SECTION, &["application/json", pages::HTML]),
    ("/", &[pages::HTML]),
    ("/katalog", &[pages::HTML]),
    ("/luecken", &[pages::HTML]),
    ("/regeln", &[pages::HTML]),
    ("/zustand", &[pages::HTML]),
];

/// Media types of the answers of an address; `None` where there is nothing.
pub(super) fn produced(pattern: Option<&str>) -> Option<&'static [&'static str]> {
    let pattern = pattern?;
    if pattern == pages::FILES {
        // Each file has its own.
        return None;
    }
    let other = OTHERS.iter().find(|(other, _)| *other == pattern);
    Some(other.map_or(JSON, |(_, produced)| produced))
}

pub(super) fn register(app: &mut web::ServiceConfig) {
    app.service(posted("/v1/route").route(web::post().to(search::route)))
        .service(posted("/v1/search").route(web::post().to(search::search)))
        .service(posted("/v1/search/batch").route(web::post().to(search::batch)))
        .service(posted("/v1/explain").route(web::post().to(search::explain)))
        .service(posted("/v1/chat/completions").route(web::post().to(chat::completions)))
        .service(got("/v1/models").route(get().to(chat::models)))
        .service(got("/v1/models/{id}").route(get().to(chat::one_model)))
        .service(posted("/mcp").route(web::post().to(mcp::mcp)))
        .service(posted("/v1/feedback").route(web::post().to(feedback::feedback)))
        .service(posted("/v1/reload").route(web::post().to(reload::reload)))
        .service(got("/v1/status").route(get().to(status::status)))
        .service(
            resource("/v1/catalog/runs", "GET, HEAD, POST")
                .route(get().to(catalog_runs::list))
                .route(web::post().to(catalog_runs::start)),
        )
        .service(got("/v1/catalog/runs/{id}").route(get().to(catalog_runs::one)))
        .service(got("/v1/rules").route(get().to(rules::rules)))
        .service(posted("/v1/rules/try").route(web::post().to(rules::try_pattern)))
        .service(got("/v1/gaps").route(get().to(gaps::gaps)))
        .service(posted("/v1/gaps/promote").route(web::post().to(gaps::ticket::promote)))
        .service(got("/v1/sections/{id:.+}/sheet").route(get().to(gaps::sheet)))
        .service(
            got(SECTION)
                .route(get().guard(guard::fn_guard(is_browser)).to(pages::section))
                .route(get().to(sections::section)),
        )
        .service(got("/healthz").route(get().to(health::healthz)))
        .service(got("/readyz").route(get().to(health::readyz)))
        .service(got("/metrics").route(get().to(metrics::metrics)))
        .service(got("/openapi.json").route(get().to(health::openapi)))
        .service(got("/").route(get().to(pages::search)))
        .service(got("/katalog").route(get().to(pages::catalog)))
        .service(got("/luecken").route(get().to(pages::gaps)))
        .service(got("/regeln").route(get().to(pages::rules)))
        .service(got("/zustand").route(get().to(pages::status)))
        .service(got(pages::FILES).route(get().to(pages::file)))
        .default_service(web::to(nothing_here));
}

/// Whether somebody followed a link: browsers ask for pages, programs for JSON or for anything.
fn is_browser(context: &guard::GuardContext<'_>) -> bool {
    let accept = context.head().headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains(pages::HTML) && !accept.contains(JSON[0]))
}

/// GET, and HEAD, which is the same without a body.
fn get() -> actix_web::Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

fn got(path: &str) -> Resource {
    resource(path, "GET, HEAD")
}

fn posted(path: &str) -> Resource {
    resource(path, "POST")
}

fn resource(path: &str, allowed: &'static str) -> Resource {
    web::resource(path).default_service(web::to(move |request: HttpRequest| {
        let method = shown(request.method());
        let path = request.path().chars().take(200).collect();
        std::future::ready(Reply::Err(ApiError::MethodNotAllowed { path, method, allowed }))
    }))
}

fn shown(method: &Method) -> String {
    method.as_str().chars().take(20).collect()
}

async fn nothing_here(request: HttpRequest) -> Reply {
    Err(ApiError::NotFound(request.path().chars().take(200).collect()))
}
