//! The OpenAPI document, generated from the types that are really sent.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::{OpenApi, ToSchema};

use super::error::ProblemBody;
use super::state::Readiness;
use super::wire::{RouteBody, SearchBody};
use crate::domain::{Answer, Section};

/// A section as `GET /v1/sections/{id}` shows it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SectionBody<'a> {
    /// Section id.
    id: &'a str,
    /// Heading.
    title: &'a str,
    /// Headings above it.
    path: &'a [String],
    /// Semantic group.
    group: Option<&'a str>,
    /// Plain text; paragraphs are parted by an empty line.
    text: &'a str,
    /// Facets by name.
    facets: &'a BTreeMap<String, BTreeSet<String>>,
    /// Day of the last revision.
    updated: Option<&'a str>,
    /// `file:line:column` of the heading.
    place: String,
}

impl<'a> From<&'a Section> for SectionBody<'a> {
    fn from(section: &'a Section) -> Self {
        Self {
            id: section.id.as_str(),
            title: &section.title,
            path: &section.path,
            group: section.group.as_ref().map(crate::domain::GroupId::as_str),
            text: &section.text,
            facets: &section.facets,
            updated: section.updated.as_deref(),
            place: section.place.to_string(),
        }
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Wegweiser",
        description = "Routes German questions into a knowledge base and says why."
    ),
    paths(route, search, section, healthz, readyz)
)]
struct Document;

/// The document that `/openapi.json` serves.
pub fn document() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// Intent and groups of a question, without a search.
#[utoipa::path(post, path = "/v1/route", request_body = RouteBody, responses(
    (status = 200, description = "How and where to search", body = Answer),
    (status = 400, description = "`question_empty`, `invalid_json`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 408, description = "`body_too_slow`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`question_too_long`, `body_too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`unsupported_media_type`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`invalid_body`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`not_ready`, `busy`", body = ProblemBody, content_type = "application/problem+json"),
))]
fn route() {}

/// Ranked sections with intent, groups and reasons.
#[utoipa::path(post, path = "/v1/search", request_body = SearchBody, responses(
    (status = 200, description = "Ranked sections and the reasons", body = Answer),
    (status = 400, description = "`question_empty`, `invalid_json`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 408, description = "`body_too_slow`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`question_too_long`, `body_too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`unsupported_media_type`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`invalid_body`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`not_ready`, `busy`, `no_channel`", body = ProblemBody, content_type = "application/problem+json"),
))]
fn search() {}

/// One section. The `#` of the id is written `%23`.
#[utoipa::path(get, path = "/v1/sections/{id}",
    params(("id" = String, Path, description = "Section id, `#` as `%23`")),
    responses(
        (status = 200, description = "The section", body = SectionBody<'static>),
        (status = 404, description = "`section_unknown`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "`not_ready`", body = ProblemBody, content_type = "application/problem+json"),
))]
fn section() {}

/// Whether the process is alive.
#[utoipa::path(get, path = "/healthz", responses((status = 200, description = "Alive")))]
fn healthz() {}

/// Whether questions can be answered, and how far the index is until then.
#[utoipa::path(get, path = "/readyz", responses(
    (status = 200, description = "Ready", body = Readiness),
    (status = 503, description = "Starting, building, or failed with the reason", body = Readiness),
))]
fn readyz() {}
