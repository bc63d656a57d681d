//! `POST /v1/feedback`: what readers made of an answer, into the question log.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::error::{ApiError, ProblemBody};
use super::handlers::{Reply, known_section};
use super::state::State;
use super::wire;
use crate::query_log::{Feedback, Rating, Record};

/// Longest number of a request, as in the header `X-Request-Id`.
const LONGEST_REQUEST_ID: usize = 64;

/// Body of `POST /v1/feedback`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FeedbackBody {
    /// The header `X-Request-Id` of the answer; at most 64 printable characters.
    #[schema(example = "1-17", min_length = 1, max_length = 64)]
    request_id: String,
    /// The section that is meant; left out, the answer as a whole is.
    #[serde(default)]
    #[schema(example = "wirkung-und-entwicklung#nutzen-des-verteilten-lernens")]
    section: Option<String>,
    /// Whether it helped, or that it was opened.
    rating: Rating,
}

/// Keeps what a reader made of an answer, in the question log.
///
/// Nothing of who sends it is kept. It is not checked whether a question of this number was asked:
/// what belongs to none is left out when the log is read.
#[utoipa::path(post, path = "/v1/feedback", request_body = FeedbackBody, responses(
    (status = 204, description = "Handed over to the log"),
    (status = 400, description = "`invalid_json`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 404, description = "`section_unknown`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 405, description = "`method_not_allowed`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 408, description = "`body_too_slow`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 409, description = "`query_log_off`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 413, description = "`body_too_large`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 415, description = "`unsupported_media_type`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid_body`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 503, description = "`not_ready`", body = ProblemBody,
        content_type = "application/problem+json"),
))]
pub(super) async fn feedback(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let log = state.query_log()?;
    let body: FeedbackBody = wire::read(&request, payload).await?;
    let id = body.request_id.as_str();
    let printable = id.chars().all(|c| c.is_ascii_graphic() || c == ' ');
    if id.trim().is_empty() || id.len() > LONGEST_REQUEST_ID || !printable {
        return Err(ApiError::InvalidBody(format!(
            "`request_id` must be 1 to {LONGEST_REQUEST_ID} printable characters, as in the header \
             X-Request-Id of the answer"
        )));
    }
    let section = match &body.section {
        Some(section) => Some(known_section(&*state.pipeline()?, section)?),
        None => None,
    };
    log.write(Record::Outcome(Feedback::new(id, section, body.rating)));
    Ok(HttpResponse::NoContent().finish())
}
