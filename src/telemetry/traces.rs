//! Traces by OpenTelemetry: a span for each request, the stages of its question below it.
//!
//! Spans are made here and nowhere else, of what is named here: no text of a caller can get into one. A
//! thread of the SDK sends them in batches; the connection is served by the runtime of the process.
//! Where the collector does not keep up or is not there, spans are lost, never requests.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{
    FutureExt as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{
    ExporterBuildError, SpanExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tokio::runtime::Handle;

use crate::domain::{Source, chain};

/// A collector beside the service takes milliseconds; one that takes longer loses the batch.
const SEND_LIMIT: Duration = Duration::from_secs(5);
/// Bytes of a collector's answer.
const MOST_BYTES: usize = 64 * 1024;
/// What is left at the end must be sent in this time.
const FLUSH_LIMIT: Duration = Duration::from_secs(3);
/// A collector that is not there is told so often at most.
const TOLD_EVERY: Duration = Duration::from_mins(5);

/// Sends spans to a collector.
#[derive(Debug, Clone)]
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces {
    /// To a collector that takes OTLP over HTTP (protobuf) at `{endpoint}/v1/traces`, as this service.
    /// Sampling, batches and headers follow the standard variables (`OTEL_TRACES_SAMPLER`,
    /// `OTEL_BSP_…`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_RESOURCE_ATTRIBUTES`). Needs a running tokio
    /// runtime; nothing is sent before the first span.
    ///
    /// # Errors
    /// The address is none.
    pub fn to(endpoint: &str, service: &str) -> Result<Self, ExporterBuildError> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Sender::new()?)
            .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            .with_timeout(SEND_LIMIT)
            .build()?;
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = Resource::builder()
            .with_service_name(service.to_owned())
            .with_attribute(version)
            .build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        let tracer = provider.tracer(env!("CARGO_PKG_NAME"));
        Ok(Self { provider, tracer })
    }

    /// A request begins. `route` is the pattern of its address, never the address itself; with the
    /// headers the trace of a caller goes on.
    pub fn request(&self, method: &str, route: &str, headers: &TraceHeaders<'_>) -> RequestSpan {
        let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), headers);
        let span = self
            .tracer
            .span_builder(format!("{method} {route}"))
            .with_kind(SpanKind::Server)
            .with_attributes([
                KeyValue::new("http.request.method", method.to_owned()),
                KeyValue::new("http.route", route.to_owned()),
            ])
            .start_with_context(&self.tracer, &parent);
        RequestSpan(Context::new().with_span(span))
    }

    /// A question was answered that began so long ago: its stages, one after the other, become spans of
    /// the request that this task works on; `source` is who decided its intent.
    pub fn question(&self, since: Duration, stages: &[(&'static str, Duration)], source: Source) {
        let request = Context::current();
        if !request.has_active_span() {
            return;
        }
        request.span().set_attribute(KeyValue::new("wegweiser.intent.source", source.as_str()));
        let mut begin = now().checked_sub(since).unwrap_or(SystemTime::UNIX_EPOCH);
        for (stage, took) in stages {
            let end = begin + *took;
            let builder = self.tracer.span_builder(*stage).with_start_time(begin);
            let mut span = builder.start_with_context(&self.tracer, &request);
            opentelemetry::trace::Span::end_with_timestamp(&mut span, end);
            begin = end;
        }
    }

    /// Sends what is left, for at most three seconds. Blocks.
    pub fn close(self) {
        if let Err(error) = self.provider.shutdown_with_timeout(FLUSH_LIMIT) {
            tracing::warn!(error = %error, "the last traces were not sent");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "spans say when; no answer depends on it")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// The span of a request. It ends with [`RequestSpan::end`], or where the request is given up.
#[derive(Debug, Clone)]
pub struct RequestSpan(Context);

impl RequestSpan {
    /// That of the request which this task works on, for a task that goes on with it; of none, it says
    /// nothing.
    pub fn current() -> Self {
        Self(Context::current())
    }

    /// Does work as part of the request: stages told meanwhile stand below it.
    pub async fn around<Work: Future>(&self, work: Work) -> Work::Output {
        work.with_context(self.0.clone()).await
    }

    /// The number of the trace, in hexadecimal digits; finds it from a line of the log.
    pub fn trace_id(&self) -> String {
        self.0.span().span_context().trace_id().to_string()
    }

    /// The request was answered.
    pub fn end(self, status: u16) {
        let span = self.0.span();
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
        if status >= 500 {
            span.set_status(Status::error(""));
        }
        span.end();
    }
}

/// Headers of a request that tell the trace of its caller (W3C Trace Context).
#[derive(Debug, Clone, Copy, Default)]
pub struct TraceHeaders<'a> {
    /// `traceparent`.
    pub parent: Option<&'a str>,
    /// `tracestate`.
    pub state: Option<&'a str>,
}

impl Extractor for TraceHeaders<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        match key {
            "traceparent" => self.parent,
            "tracestate" => self.state,
            _ => None,
        }
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent", "tracestate"]
    }
}

/// Sends over the runtime of the process: the thread of the SDK has none.
#[derive(Debug)]
struct Sender {
    client: reqwest::Client,
    runtime: Handle,
    told: Mutex<Option<Instant>>,
}

impl Sender {
    fn new() -> Result<Self, ExporterBuildError> {
        let client = reqwest::Client::builder()
            .no_proxy() // the collector is a neighbour, not the internet
            .redirect(reqwest::redirect::Policy::none())
            .timeout(SEND_LIMIT)
            .build()
            .map_err(|error| ExporterBuildError::InternalFailure(error.to_string()))?;
        Ok(Self { client, runtime: Handle::current(), told: Mutex::default() })
    }

    /// Says that traces are lost, seldom.
    fn tell(&self, reason: &str) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
            *told = Some(Instant::now());
            tracing::warn!(reason, "traces are not taken by the collector and are lost");
        }
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.runtime.spawn(send(self.client.clone(), request)).await?;
        match &sent {
            Ok(response) if !response.status().is_success() => {
                self.tell(&format!("status {}", response.status().as_u16()));
            }
            Ok(_) => {}
            Err(error) => self.tell(&chain(error.as_ref())),
        }
        sent
    }
}

async fn send(
    client: reqwest::Client,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let mut answer = client.execute(request.try_into()?).await?;
    let status = answer.status();
    // What a collector says beside the status is a few bytes; the connection is used again.
    let mut left = MOST_BYTES;
    while let Some(piece) = answer.chunk().await? {
        left = left.checked_sub(piece.len()).ok_or("the collector's answer is too long")?;
    }
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = status;
    Ok(response)
}
