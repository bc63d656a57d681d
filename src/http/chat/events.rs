//! An answer as server-sent events.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, HeaderName};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder, web};
use tokio::sync::mpsc;

use super::super::peer::{self, Peer};
use super::super::search;
use super::super::state::State;
use super::wire::{Annotation, ChatMessage, Choice, Completion, Details, Usage};
use super::{Head, finish_reason};
use crate::pipeline::{Answered, Pipeline};

/// A proxy of this kind (nginx) would hold events back until it has a page of them.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// The last event.
const DONE: &str = "data: [DONE]\n\n";

/// Sends the answer while it is being written. Whoever hangs up stops the writing.
pub(super) fn response(
    state: web::Data<State>,
    pipeline: Arc<Pipeline>,
    found: Answered,
    (base, head, include_usage): (String, Head, bool),
    peer: Option<Peer>,
) -> HttpResponse {
    let times = found.times.clone();
    let (sender, receiver) = mpsc::unbounded_channel();
    let written = write(state, pipeline, found, base, head, include_usage, sender.clone());
    actix_web::rt::spawn(async move {
        tokio::select! {
            () = sender.closed() => {}
            () = peer::gone(peer) => {}
            () = written => {}
        }
    });
    search::timed(stream().body(Events(receiver)), &times)
}

/// Sends an answer that is whole already.
pub(super) fn at_once(chunks: &[Completion]) -> HttpResponse {
    let events: String = chunks.iter().map(event).collect();
    stream().body(events + DONE)
}

fn stream() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .content_type("text/event-stream")
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((BUFFERING, "no"))
        // Compressed events would wait for a full block.
        .insert_header((CONTENT_ENCODING, "identity"));
    response
}

fn event(completion: &Completion) -> String {
    format!("data: {}\n\n", serde_json::to_string(completion).expect("plain data"))
}

async fn write(
    state: web::Data<State>,
    pipeline: Arc<Pipeline>,
    found: Answered,
    base: String,
    head: Head,
    include_usage: bool,
    events: mpsc::UnboundedSender<Bytes>,
) {
    let send = |completion: &Completion| {
        // Nobody listens any more: `select!` above ends this future.
        let _ = events.send(Bytes::from(event(completion)));
    };
    let chunk = |delta: ChatMessage, finish_reason| {
        let delta = Some(delta);
        let choice = Choice { index: 0, message: None, delta, logprobs: None, finish_reason };
        head.completion("chat.completion.chunk", vec![choice])
    };
    let first =
        ChatMessage { role: Some("assistant"), content: Some(String::new()), annotations: None };
    send(&chunk(first, None));
    let piece = |text: &str| {
        let content = Some(text.to_owned());
        send(&chunk(ChatMessage { content, ..ChatMessage::default() }, None));
    };
    let reply = state.chat.answer(&pipeline, &found.answer, &base, piece).await;
    state.metrics.chat(reply.author);
    let annotations = Some(Annotation::of(&reply));
    let mut last =
        chunk(ChatMessage { annotations, ..ChatMessage::default() }, Some(finish_reason(&reply)));
    last.wegweiser = Some(Details::of(&reply, &found.answer));
    send(&last);
    if include_usage {
        let mut usage = head.completion("chat.completion.chunk", Vec::new());
        usage.usage = Some(Usage::of(&reply));
        send(&usage);
    }
    let _ = events.send(Bytes::from_static(DONE.as_bytes()));
}

/// A body of events that ends with their sender.
struct Events(mpsc::UnboundedReceiver<Bytes>);

impl MessageBody for Events {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
