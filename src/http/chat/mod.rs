//! `POST /v1/chat/completions` and `GET /v1/models`: Wegweiser as a model for chat frontends.

mod body;
mod chores;
mod events;
mod wire;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, HttpResponse, ResponseError, web};

pub(super) use wire::*;

use super::error::ApiError;
use super::openapi::QuestionErrors;
use super::state::State;
use super::wire::{Asked as Search, read};
use super::{guard, request_id, search};
use crate::access::Caller;
use crate::pipeline::SearchRequest;
use body::{Asked, MODEL};

/// Frontends send whole conversations, pictures included.
const BODY_LIMIT: usize = 4 * 1024 * 1024;

type Reply = Result<HttpResponse, ChatError>;

/// An error as problem JSON that also has OpenAI's member `error`, which its clients show.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) struct ChatError(#[from] ApiError);

impl ResponseError for ChatError {
    fn status_code(&self) -> StatusCode {
        self.0.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        let body = self.0.chat_body();
        self.0.error_response().map_body(|_, _| actix_web::body::BoxBody::new(body))
    }
}

/// A caller whose refusal chat clients understand.
#[derive(Debug)]
pub(super) struct ChatCaller(Caller);

impl FromRequest for ChatCaller {
    type Error = ChatError;
    type Future = std::future::Ready<Result<Self, ChatError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        std::future::ready(guard::admitted(request).map(Self).map_err(ChatError))
    }
}

/// An answer in German sentences from the found sections only, with citations, in the form of OpenAI's
/// chat API. Where no language model is configured or it fails, the best sections are quoted; a question
/// without an answer in the compendium is refused with the nearest sections. With `stream`, events
/// (`data: {…}`, at last `data: [DONE]`) hold pieces of the answer.
#[utoipa::path(post, path = "/v1/chat/completions", request_body = ChatBody, responses(
    (status = 200, description = "The answer", content(
        (Completion = "application/json"), (String = "text/event-stream"),
    )),
    (status = 404, description = "`model_unknown`", body = super::error::ProblemBody,
        content_type = "application/problem+json"),
    QuestionErrors,
))]
pub(super) async fn completions(
    state: web::Data<State>,
    ChatCaller(caller): ChatCaller,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    let asked = Asked::read(read(&request, payload, BODY_LIMIT).await?.into_fields())?;
    if let Some(text) = chores::answer(&asked.question) {
        return Ok(Head::new().chore(text, &asked));
    }
    let pipeline = state.pipeline(&caller)?;
    let search = Search { question: asked.question, request: SearchRequest::default() };
    let found = search::answered(&state, &pipeline, &search).await?;
    state.keep(&caller, "chat", &found.answer, &request_id::of(&request));
    let base = state.base(&request);
    let head = Head::new();
    if asked.stream {
        let told = (base, head, asked.include_usage);
        let peer = request.conn_data().cloned();
        return Ok(events::response(state, pipeline, found, told, peer));
    }
    let reply = state.chat.answer(&pipeline, &found.answer, &base, |_| {}).await;
    state.metrics.chat(reply.author);
    let annotations = Some(Annotation::of(&reply));
    let message =
        ChatMessage { role: Some("assistant"), content: Some(reply.text.clone()), annotations };
    let choice = Choice {
        index: 0,
        message: Some(message),
        delta: None,
        logprobs: None,
        finish_reason: Some(finish_reason(&reply)),
    };
    let mut completion = head.completion("chat.completion", vec![choice]);
    completion.usage = Some(Usage::of(&reply));
    completion.wegweiser = Some(Details::of(&reply, &found.answer));
    Ok(search::timed(HttpResponse::Ok().json(completion), &found.times))
}

/// What is told of the one model.
fn model() -> Model {
    Model { id: MODEL, object: "model", created: 0, owned_by: MODEL }
}

/// The one model: `wegweiser`.
#[utoipa::path(get, path = "/v1/models", responses(
    (status = 200, description = "The models", body = Models),
    super::openapi::GetErrors,
))]
pub(super) async fn models(_: ChatCaller) -> Reply {
    Ok(HttpResponse::Ok().json(Models { object: "list", data: vec![model()] }))
}

/// One model by its name: `wegweiser`.
#[utoipa::path(get, path = "/v1/models/{id}", operation_id = "model",
    params(("id" = String, Path, description = "Name of the model")),
    responses(
        (status = 200, description = "The model", body = Model),
        (status = 404, description = "`model_unknown`", body = super::error::ProblemBody,
            content_type = "application/problem+json"),
        super::openapi::GetErrors,
    )
)]
pub(super) async fn one_model(_: ChatCaller, id: web::Path<String>) -> Reply {
    if *id != MODEL {
        return Err(ApiError::UnknownModel(id.chars().take(200).collect()).into());
    }
    Ok(HttpResponse::Ok().json(model()))
}

fn finish_reason(reply: &crate::chat::Reply) -> &'static str {
    if reply.is_cut { "length" } else { "stop" }
}

/// What is the same in all events of an answer.
#[derive(Debug, Clone)]
struct Head {
    id: String,
    created: u64,
}

impl Head {
    #[expect(
        clippy::disallowed_methods,
        reason = "clients expect the time; no answer depends on it"
    )]
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { id: format!("chatcmpl-{:x}-{number:x}", now.as_micros()), created: now.as_secs() }
    }

    /// The answer to a chore of a frontend.
    fn chore(&self, text: String, asked: &Asked) -> HttpResponse {
        let message =
            ChatMessage { role: Some("assistant"), content: Some(text), annotations: None };
        let choice = |message, delta, finish_reason| {
            vec![Choice { index: 0, message, delta, logprobs: None, finish_reason }]
        };
        if !asked.stream {
            let choices = choice(Some(message), None, Some("stop"));
            let mut whole = self.completion("chat.completion", choices);
            whole.usage = Some(Usage::default());
            return HttpResponse::Ok().json(whole);
        }
        let chunk = |choices| self.completion("chat.completion.chunk", choices);
        let end = choice(None, Some(ChatMessage::default()), Some("stop"));
        let mut chunks = vec![chunk(choice(None, Some(message), None)), chunk(end)];
        if asked.include_usage {
            chunks.push(Completion { usage: Some(Usage::default()), ..chunk(Vec::new()) });
        }
        events::at_once(&chunks)
    }

    fn completion(&self, object: &'static str, choices: Vec<Choice>) -> Completion {
        let (id, created) = (self.id.clone(), self.created);
        Completion { id, object, created, model: MODEL, choices, usage: None, wegweiser: None }
    }
}
