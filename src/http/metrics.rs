//! `GET /metrics`: counts and times for Prometheus. No question, section or key stands in it.

use std::time::Duration;

use actix_web::{HttpResponse, web};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::error::ApiError;
use super::guard::needs;
use super::state::State;
use crate::access::{Caller, Role};
use crate::chat::Author;
use crate::domain::Answer;
use crate::pipeline::Answered;

/// Media type of the `OpenMetrics` text format 1.0, which Prometheus reads.
pub(super) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// From half a millisecond to eight seconds, doubling: rules take less, llama3 more.
const BUCKETS: [f64; 15] = [
    0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048,
    4.096, 8.192,
];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfRequest {
    endpoint: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfStage {
    stage: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfSource {
    source: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfPart {
    what: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfAuthor {
    author: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfOutcome {
    outcome: &'static str,
}

/// Everything that is counted.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<OfRequest, Counter>,
    durations: Family<OfEndpoint, Histogram, fn() -> Histogram>,
    stages: Family<OfStage, Histogram, fn() -> Histogram>,
    sources: Family<OfSource, Counter>,
    degraded: Family<OfPart, Counter>,
    refused: Counter,
    chats: Family<OfAuthor, Counter>,
    reloads: Family<OfOutcome, Counter>,
    llm: Family<OfOutcome, Gauge>,
    waiting: Gauge,
    running: Gauge,
    embeddings: Gauge,
    problems: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfEndpoint {
    endpoint: String,
}

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

impl Default for Metrics {
    fn default() -> Self {
        let timed = Family::<OfEndpoint, Histogram, _>::new_with_constructor(
            histogram as fn() -> Histogram,
        );
        let mut metrics = Self {
            registry: Registry::with_prefix("wegweiser"),
            requests: Family::default(),
            durations: timed,
            stages: Family::new_with_constructor(histogram as fn() -> Histogram),
            sources: Family::default(),
            degraded: Family::default(),
            refused: Counter::default(),
            chats: Family::default(),
            reloads: Family::default(),
            llm: Family::default(),
            waiting: Gauge::default(),
            running: Gauge::default(),
            embeddings: Gauge::default(),
            problems: Gauge::default(),
        };
        metrics.register();
        metrics
    }
}

impl Metrics {
    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("requests", "Requests by endpoint and status", self.requests.clone());
        registry.register_with_unit(
            "request_duration",
            "Time from the last byte of the head to the answer",
            Unit::Seconds,
            self.durations.clone(),
        );
        registry.register_with_unit(
            "stage_duration",
            "Time in each stage of a question",
            Unit::Seconds,
            self.stages.clone(),
        );
        registry.register(
            "intents",
            "Questions by who decided the intent: rule, llm, classifier, or default (unknown)",
            self.sources.clone(),
        );
        registry.register(
            "degraded",
            "Answers that had to do without llm, classifier, vector or lexical",
            self.degraded.clone(),
        );
        registry.register("unanswerable", "Questions that were refused", self.refused.clone());
        registry.register(
            "chat_answers",
            "Chat answers by author: llm, quotation (without llm), or refusal",
            self.chats.clone(),
        );
        registry.register("reloads", "Reloads of the files by outcome", self.reloads.clone());
        registry.register(
            "llm_questions",
            "What became of the questions to llama3 since it was told its instructions; cached: \
             answered from memory",
            self.llm.clone(),
        );
        registry.register("questions_waiting", "Questions in the queue", self.waiting.clone());
        registry.register("questions_running", "Questions being answered", self.running.clone());
        registry.register(
            "embeddings_waiting",
            "Texts that wait for the embedding model",
            self.embeddings.clone(),
        );
        registry.register(
            "file_problems",
            "Problems in files on disk that keep them from serving",
            self.problems.clone(),
        );
    }

    /// A request was answered.
    pub(super) fn answered(&self, endpoint: &str, status: u16, took: Duration) {
        let endpoint = endpoint.to_owned();
        self.durations
            .get_or_create(&OfEndpoint { endpoint: endpoint.clone() })
            .observe(took.as_secs_f64());
        self.requests.get_or_create(&OfRequest { endpoint, status }).inc();
    }

    /// A question was answered.
    pub(super) fn question(&self, Answered { answer, times }: &Answered) {
        let Answer { intent, degraded, answerable, .. } = answer;
        let source = intent.source.as_str();
        self.sources.get_or_create(&OfSource { source }).inc();
        for what in degraded {
            self.degraded.get_or_create(&OfPart { what: what.clone() }).inc();
        }
        if *answerable == Some(false) {
            self.refused.inc();
        }
        for (stage, took) in times.stages() {
            self.stages.get_or_create(&OfStage { stage }).observe(took.as_secs_f64());
        }
    }

    /// A chat was answered.
    pub(super) fn chat(&self, author: Author) {
        self.chats.get_or_create(&OfAuthor { author: author.name() }).inc();
    }

    /// Files were read again.
    pub(super) fn reloaded(&self, problems: usize) {
        let outcome = if problems == 0 { "served" } else { "failed" };
        self.reloads.get_or_create(&OfOutcome { outcome }).inc();
    }

    /// Everything in the text format, with what is counted elsewhere as it is now.
    fn text(&self, state: &State) -> String {
        let gauge = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        self.waiting.set(gauge(state.admission.waiting()));
        self.running.set(gauge(state.admission.taken()));
        self.problems.set(gauge(state.problems().len()));
        if let Some(views) = state.views() {
            let whole = views.whole();
            self.embeddings.set(gauge(whole.embeddings_waiting()));
            if let Some(llm) = whole.llm() {
                let counts = llm.counts();
                for (outcome, count) in [
                    ("cached", counts.cached),
                    ("decided", counts.decided),
                    ("not_ready", counts.not_ready),
                    ("busy", counts.busy),
                    ("slow", counts.slow),
                    ("not_pulled", counts.not_pulled),
                    ("failed", counts.failed),
                    ("no_label", counts.no_label),
                ] {
                    let count = i64::try_from(count).unwrap_or(i64::MAX);
                    self.llm.get_or_create(&OfOutcome { outcome }).set(count);
                }
            }
        }
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a String takes everything");
        text
    }
}

/// Counts and times for Prometheus, in the `OpenMetrics` text format; role `qa`.
#[utoipa::path(get, path = "/metrics", responses(
    (status = 200, description = "All metrics", content_type = "application/openmetrics-text",
        body = String),
    super::openapi::GetErrors,
))]
pub(super) async fn metrics(
    state: web::Data<State>,
    caller: Caller,
) -> Result<HttpResponse, ApiError> {
    needs(&caller, Role::Qa)?;
    Ok(HttpResponse::Ok().content_type(MEDIA_TYPE).body(state.metrics.text(&state)))
}
