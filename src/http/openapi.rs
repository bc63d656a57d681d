//! The OpenAPI document, generated from the types that are really sent.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::{OpenApi, ToSchema};

use super::error::ProblemBody;
use super::{feedback, handlers};
use crate::domain::{GroupId, Section};

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
            group: section.group.as_ref().map(GroupId::as_str),
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
    paths(
        handlers::route,
        handlers::search,
        handlers::explain,
        feedback::feedback,
        handlers::section,
        handlers::healthz,
        handlers::readyz,
        handlers::openapi
    )
)]
struct Document;

/// The document that `/openapi.json` serves.
pub fn document() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// What `POST /v1/route` and `POST /v1/search` answer when they do not answer the question.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "a type for the document only; errors are made in `error`")]
pub(super) enum QuestionErrors {
    /// `question_empty`, `invalid_json`
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(ProblemBody),
    /// `method_not_allowed`
    #[response(status = 405, content_type = "application/problem+json")]
    MethodNotAllowed(ProblemBody),
    /// `body_too_slow`
    #[response(status = 408, content_type = "application/problem+json")]
    TooSlow(ProblemBody),
    /// `question_too_long`, `body_too_large`
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemBody),
    /// `unsupported_media_type`
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(ProblemBody),
    /// `invalid_body`
    #[response(status = 422, content_type = "application/problem+json")]
    Invalid(ProblemBody),
    /// `not_ready`, `busy`, `no_channel`; try again after `Retry-After` seconds
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemBody),
}
