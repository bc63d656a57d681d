//! The OpenAPI document, generated from the types that are really sent.

use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};

use super::error::ProblemBody;
use super::{
    catalog_runs, chat, feedback, gaps, health, mcp, metrics, reload, rules, search, sections,
    status,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Wegweiser",
        description = "Routes German questions into a knowledge base and says why."
    ),
    paths(
        search::route,
        search::search,
        search::batch,
        search::explain,
        feedback::feedback,
        sections::section,
        chat::completions,
        chat::models,
        chat::one_model,
        mcp::mcp,
        gaps::gaps,
        gaps::sheet,
        gaps::ticket::promote,
        rules::rules,
        rules::try_pattern,
        catalog_runs::start,
        catalog_runs::list,
        catalog_runs::one,
        status::status,
        reload::reload,
        health::healthz,
        health::readyz,
        metrics::metrics,
        health::openapi
    ),
    security((), ("key" = [])),
    modifiers(&Key)
)]
struct Document;

/// How a key is sent.
struct Key;

impl utoipa::Modify for Key {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("A key of `wegweiser keys create`; not needed where none exist"))
            .build();
        document
            .components
            .get_or_insert_default()
            .add_security_scheme("key", SecurityScheme::Http(bearer));
    }
}

/// The document that `/openapi.json` serves.
pub fn document() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// What endpoints that everybody may ask answer besides.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "a type for the document only; errors are made in `error`")]
pub(super) enum OpenErrors {
    /// `method_not_allowed`
    #[response(status = 405, content_type = "application/problem+json")]
    MethodNotAllowed(ProblemBody),
    /// `not_acceptable`
    #[response(status = 406, content_type = "application/problem+json")]
    NotAcceptable(ProblemBody),
}

/// What endpoints without a body answer besides.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "a type for the document only; errors are made in `error`")]
pub(super) enum GetErrors {
    /// `key_missing`, `key_invalid`
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(ProblemBody),
    /// `role_too_low`, `not_local`
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(ProblemBody),
    /// `method_not_allowed`
    #[response(status = 405, content_type = "application/problem+json")]
    MethodNotAllowed(ProblemBody),
    /// `not_acceptable`
    #[response(status = 406, content_type = "application/problem+json")]
    NotAcceptable(ProblemBody),
    /// `rate_limited`; try again after `Retry-After` seconds
    #[response(status = 429, content_type = "application/problem+json")]
    RateLimited(ProblemBody),
    /// `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemBody),
}

/// What questions are answered with when they are not answered.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "a type for the document only; errors are made in `error`")]
pub(super) enum QuestionErrors {
    /// `question_empty`, `invalid_json`
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(ProblemBody),
    /// `key_missing`, `key_invalid`
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(ProblemBody),
    /// `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
    /// `audiences_too_few`
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(ProblemBody),
    /// `method_not_allowed`
    #[response(status = 405, content_type = "application/problem+json")]
    MethodNotAllowed(ProblemBody),
    /// `not_acceptable`
    #[response(status = 406, content_type = "application/problem+json")]
    NotAcceptable(ProblemBody),
    /// `body_too_slow`
    #[response(status = 408, content_type = "application/problem+json")]
    TooSlow(ProblemBody),
    /// `question_too_long`, `body_too_large`
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemBody),
    /// `unsupported_media_type`
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(ProblemBody),
    /// `invalid_body`, `filter_unknown`
    #[response(status = 422, content_type = "application/problem+json")]
    Invalid(ProblemBody),
    /// `rate_limited`; try again after `Retry-After` seconds
    #[response(status = 429, content_type = "application/problem+json")]
    RateLimited(ProblemBody),
    /// `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemBody),
}
