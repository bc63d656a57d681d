//! Questions: read, ask the pipeline, write.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use tokio::task::JoinHandle;
use tracing::Instrument as _;

use super::error::{ApiError, ProblemBody};
use super::guard::needs;
use super::openapi::QuestionErrors;
use super::request_id;
use super::sections::known_section;
use super::state::State;
use super::wire::{
    self, Asked, BatchAnswer, BatchBody, BatchEntry, ExplainBody, ExplainedAnswer, RouteBody,
    SearchBody,
};
use crate::access::{Caller, Role};
use crate::domain::Answer;
use crate::pipeline::{Answered, Pipeline, PipelineError, Times};
use crate::queue::NoPlace;

type Reply = Result<HttpResponse, ApiError>;

/// Intent and groups of a question, without a search.
#[utoipa::path(post, path = "/v1/route", request_body = RouteBody, responses(
    (status = 200, description = "How and where to search", body = Answer),
    QuestionErrors,
))]
pub(super) async fn route(
    state: web::Data<State>,
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let question = wire::read_question(&request, payload).await?;
    let query = state.query(&question)?;
    let pipeline = state.pipeline(&caller)?;
    let answered =
        admitted(&state, state.limits.answer, async move { pipeline.route(&query).await }).await?;
    state.answered(&answered);
    state.keep(&caller, "route", &answered.answer, &request_id::of(&request));
    Ok(reply(&answered))
}

/// Ranked sections with intent, groups and reasons.
#[utoipa::path(post, path = "/v1/search", request_body = SearchBody, responses(
    (status = 200, description = "Ranked sections and the reasons", body = Answer),
    QuestionErrors,
))]
pub(super) async fn search(
    state: web::Data<State>,
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let asked = wire::read_search(&request, payload).await?;
    let pipeline = state.pipeline(&caller)?;
    let answered = answered(&state, &pipeline, &asked).await?;
    state.keep(&caller, "search", &answered.answer, &request_id::of(&request));
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
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let (asked, section, changes) = wire::read_explain(&request, payload).await?;
    let pipeline = state.pipeline(&caller)?;
    let Some(section) = section else {
        let answered = answered(&state, &pipeline, &asked).await?;
        state.audit(&caller, "explain", &answered.answer, &request_id::of(&request));
        return Ok(reply(&answered));
    };
    needs(&caller, Role::Qa)?;
    let section = known_section(&pipeline, &section)?;
    let query = state.query(&asked.question)?;
    let Answered { answer, times } = answered(&state, &pipeline, &asked).await?;
    state.audit(&caller, "explain", &answer, &request_id::of(&request));
    let work = async move { pipeline.why_not(&query, &asked.request, &section, changes).await };
    let why_not = admitted(&state, state.limits.trial, work).await?;
    let body = ExplainedAnswer { answer, why_not: Some(why_not) };
    Ok(timed(HttpResponse::Ok().json(body), &times))
}

/// Up to 32 searches, answered in their order from one state of the files. Each counts as a request.
#[utoipa::path(post, path = "/v1/search/batch", request_body = BatchBody, responses(
    (status = 200, description = "An answer or a problem for each question", body = BatchAnswer),
    QuestionErrors,
))]
pub(super) async fn batch(
    state: web::Data<State>,
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let questions = wire::read_batch(&request, payload).await?;
    // The request itself was counted when the caller was let in.
    let more = u32::try_from(questions.len() - 1).expect("at most 32");
    state.count(&caller, more)?;
    let pipeline = state.pipeline(&caller)?;
    let mut answers = Vec::with_capacity(questions.len());
    for asked in questions {
        answers.push(match answered(&state, &pipeline, &asked).await {
            Ok(Answered { answer, .. }) => {
                // Feedback names one of them by its place, from 1.
                let id = format!("{}/{}", request_id::of(&request), answers.len() + 1);
                state.keep(&caller, "batch", &answer, &id);
                BatchEntry::Answer(Box::new(answer))
            }
            Err(error) => BatchEntry::Problem(error.body()),
        });
    }
    Ok(HttpResponse::Ok().json(BatchAnswer { answers }))
}

/// Searches in turn, and counts.
pub(super) async fn answered(
    state: &State,
    pipeline: &Arc<Pipeline>,
    Asked { question, request }: &Asked,
) -> Result<Answered, ApiError> {
    let query = state.query(question)?;
    let (pipeline, request) = (Arc::clone(pipeline), request.clone());
    let work = async move { pipeline.search(&query, &request).await };
    let answered = admitted(state, state.limits.answer, work).await?;
    state.answered(&answered);
    Ok(answered)
}

/// Waits for a place, then for the answer. Whoever hangs up drops this future, and the work with it.
///
/// The work is done away from the threads that serve connections: refusals and `/healthz` must not
/// stand behind questions that compute.
async fn admitted<Told: Send + 'static>(
    state: &State,
    limit: Duration,
    work: impl Future<Output = Result<Told, PipelineError>> + Send + 'static,
) -> Result<Told, ApiError> {
    let place = state.admission.enter().await.map_err(|none| match none {
        NoPlace::Full => ApiError::Busy,
        NoPlace::Late => ApiError::TooSlow(state.limits.wait.as_secs()),
    })?;
    let work = async move {
        // The place is taken until the work has really ended.
        let _place = place;
        tokio::time::timeout(limit, work).await
    };
    let mut work = Ending(state.background.at_once(work.in_current_span()));
    match (&mut work.0).await {
        Ok(Ok(told)) => Ok(told?),
        Ok(Err(_)) => Err(ApiError::TooSlow(limit.as_secs())),
        Err(ended) => match ended.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The process is about to end.
            Err(_) => Err(ApiError::NotReady("stopping")),
        },
    }
}

/// A task that ends with this value.
struct Ending<Told>(JoinHandle<Told>);

impl<Told> Drop for Ending<Told> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn reply(answered: &Answered) -> HttpResponse {
    timed(HttpResponse::Ok().json(&answered.answer), &answered.times)
}

/// Times go into the header `Server-Timing` (W3C), so that equal questions give equal bodies.
pub(super) fn timed(mut response: HttpResponse, times: &Times) -> HttpResponse {
    if let Ok(value) = HeaderValue::from_str(&times.server_timing()) {
        response.headers_mut().insert(HeaderName::from_static("server-timing"), value);
    }
    response
}
