//! A number on every answer, so that a user's report and a log line find each other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _, HttpRequest, web};
use tracing::Instrument;

use super::state::State;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

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
    let span = tracing::info_span!(
        "request",
        request.id = id.to_str().unwrap_or_default(),
        http.method = %request.method(),
        http.path = request.path(),
    );
    request.extensions_mut().insert(RequestId(id.clone()));
    let started = Instant::now();
    let mut response = next.call(request).instrument(span.clone()).await?;
    response.headers_mut().insert(HEADER, id);
    let (status, took) = (response.status().as_u16(), started.elapsed());
    let duration_ms = took.as_secs_f64() * 1e3;
    // Not the path: there are as many as sections, and whatever somebody invents.
    let pattern = response.request().match_pattern();
    if let Some(state) = response.request().app_data::<web::Data<State>>() {
        state.metrics.answered(pattern.as_deref().unwrap_or("none"), status, took);
    }
    span.in_scope(|| tracing::info!(http.status = status, duration_ms, "answered"));
    Ok(response)
}
