//! A number on every answer, so that a user's report and a log line find each other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _, HttpRequest, web};
use tracing::Instrument;

use super::error::ApiError;
use super::peer::{self, Peer};
use super::state::State;
use crate::telemetry::{RequestSpan, TraceHeaders};

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// What is counted where the client did not wait for the answer; no client ever sees it. The number is
/// that of nginx.
const HUNG_UP: u16 = 499;

static NEXT: AtomicU64 = AtomicU64::new(1);

/// The number of a request, for what is kept of it.
struct RequestId(HeaderValue);

/// The number that [`middleware`] gave the request.
pub(super) fn of(request: &HttpRequest) -> String {
    let extensions = request.extensions();
    let id = extensions.get::<RequestId>().and_then(|RequestId(id)| id.to_str().ok());
    id.unwrap_or_default().to_owned()
}

/// Takes the caller's `x-request-id` where it is short and printable, else counts; logs each
/// request once, without its text.
pub(super) async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let id = request
        .headers()
        .get(&HEADER)
        .filter(|value| value.len() <= 64 && value.to_str().is_ok())
        .cloned()
        .unwrap_or_else(|| {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            HeaderValue::from_str(&format!("{:x}-{number:x}", std::process::id()))
                .expect("hexadecimal digits")
        });
    let state = request.app_data::<web::Data<State>>().cloned();
    // Not the path: there are as many as sections, and whatever somebody invents.
    let pattern = request.match_pattern().map_or("none".to_owned(), |of| of.replace(":.+", ""));
    let trace = state.as_ref().and_then(|state| state.traces()).map(|traces| {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        let headers = TraceHeaders { parent: header("traceparent"), state: header("tracestate") };
        traces.request(method(request.method()), &pattern, &headers)
    });
    let span = tracing::info_span!(
        "request",
        request.id = id.to_str().unwrap_or_default(),
        http.method = %request.method(),
        http.path = request.path(),
        trace.id = trace.as_ref().map(RequestSpan::trace_id),
    );
    request.extensions_mut().insert(RequestId(id.clone()));
    let started = Instant::now();
    let peer = request.conn_data::<Peer>().cloned();
    let work = next.call(request).instrument(span.clone());
    let work = async {
        match &trace {
            Some(trace) => trace.around(work).await,
            None => work.await,
        }
    };
    let answered = tokio::select! {
        biased;
        answered = work => Some(answered?),
        () = peer::gone(peer) => None,
    };
    let Some(mut response) = answered else {
        let took = started.elapsed();
        if let Some(state) = state {
            state.metrics.answered(&pattern, HUNG_UP, took);
        }
        let duration_ms = took.as_secs_f64() * 1e3;
        span.in_scope(|| tracing::info!(http.status = HUNG_UP, duration_ms, "the client hung up"));
        // Whoever closed only the direction in which he sends may still listen.
        return Err(ApiError::HungUp.into());
    };
    response.headers_mut().insert(HEADER, id);
    let (status, took) = (response.status().as_u16(), started.elapsed());
    let duration_ms = took.as_secs_f64() * 1e3;
    if let Some(state) = state {
        state.metrics.answered(&pattern, status, took);
    }
    if let Some(trace) = trace {
        trace.end(status);
    }
    span.in_scope(|| tracing::info!(http.status = status, duration_ms, "answered"));
    Ok(response)
}

/// A method by its name; what somebody invents is `_OTHER`, as OpenTelemetry names it.
fn method(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("_OTHER")
}
