//! `POST /v1/feedback`: what readers made of an answer, into the question log.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::error::{ApiError, ProblemBody};
use super::openapi::QuestionErrors;
use super::sections::known_section;
use super::state::State;
use super::wire::{self, Rated};
use crate::access::Caller;
use crate::query_log::{Feedback, Rating, Record};

/// Body of `POST /v1/feedback`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(super) struct FeedbackBody {
    /// The header `X-Request-Id` of the answer, at most 64 printable characters; of a batch with `/`
    /// and the place of the question, from 1.
    #[schema(example = "1-17", min_length = 1, max_length = 64, pattern = "^[ -~]*[!-~][ -~]*$")]
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
    (status = 404, description = "`section_unknown`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 409, description = "`query_log_off`", body = ProblemBody,
        content_type = "application/problem+json"),
    QuestionErrors,
))]
pub(super) async fn feedback(
    state: web::Data<State>,
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let log = state.query_log().ok_or(ApiError::NoQueryLog)?;
    let Rated { request_id, section, rating } = wire::read_feedback(&request, payload).await?;
    let pipeline = state.pipeline(&caller)?;
    let section = section.map(|id| known_section(&pipeline, &id)).transpose()?;
    log.write(Record::Outcome(Feedback::new(&request_id, section, rating)));
    Ok(HttpResponse::NoContent().finish())
}
