//! Slow models, full queues, clients that give up.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use wegweiser::config::Ollama;
use wegweiser::http::{Limits, State};

use crate::harness::{Asked, Server, Step, open, says};
use crate::http::{Reply, get, post, ready, settings, start_within};

/// A question that no rule decides.
const UNDECIDED: &str = "Regenwetter im Herbst und Pflaumenkuchen dazu";
/// A question that a rule decides.
const DECIDED: &str = "Was ist Interleaving?";
/// Longer than any of these tests: nothing here ends because of it.
const NEVER: Duration = Duration::from_mins(1);

/// Limits that end no question within these tests: only hanging up does, unless a test says otherwise.
fn patient() -> Limits {
    Limits { answer: NEVER, wait: NEVER, ..Limits::default() }
}

/// A service whose model answers probes, and begins to answer questions without ever coming to an end.
struct Service {
    _folder: tempfile::TempDir,
    address: String,
    ollama: Server,
    _state: Arc<State>,
}

impl Service {
    async fn new(limits: Limits) -> Self {
        let ollama = Server::start(|asked: &Asked| {
            if asked.probe {
                says(r#"{"intent": "how"}"#)
            } else {
                vec![open(""), Step::Flood(" ".to_owned(), Duration::from_millis(5))]
            }
        })
        .await;
        let folder = tempfile::tempdir().expect("a folder");
        let mut config = settings(folder.path());
        config.ollama = Some(Ollama {
            url: ollama.url.clone(),
            model: "llama3".to_owned(),
            time_limit: NEVER,
            answer_time_limit: NEVER,
        });
        let started = tokio::task::spawn_blocking(move || start_within(config, limits));
        let (address, state) = started.await.expect("it starts");
        ready(&address).await;
        let views = state.views().expect("it is ready");
        let llm = views.whole().llm().expect("it is configured");
        assert!(llm.until_ready(NEVER).await, "the probe succeeds");
        Self { _folder: folder, address, ollama, _state: state }
    }

    /// Asks in the background; aborting it closes the connection.
    fn asking(&self, question: &str) -> JoinHandle<Reply> {
        self.sending("/v1/search", &json!({ "question": question }))
    }

    fn sending(&self, path: &str, body: &Value) -> JoinHandle<Reply> {
        let (url, body) = (format!("{}{path}", self.address), body.to_string());
        tokio::spawn(async move { post(&url, "application/json", body).await })
    }

    async fn ask(&self, question: &str) -> Reply {
        self.asking(question).await.expect("no panic")
    }

    /// Waits until so many questions are worked on, and so many wait.
    async fn until(&self, running: u64, waiting: u64) {
        let wanted = (json!(running), json!(waiting));
        let mut told = Value::Null;
        for _ in 0..600 {
            told = get(&format!("{}/v1/status", self.address)).await.json();
            if (&told["running"], &told["waiting"]) == (&wanted.0, &wanted.1) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never {wanted:?}: {told}");
    }

    async fn until_the_model_is_silent(&self, path: &str) {
        for _ in 0..100 {
            let taken = self.ollama.sent();
            tokio::time::sleep(Duration::from_millis(100)).await;
            if self.ollama.sent() == taken {
                return;
            }
        }
        panic!("{path}: the model goes on writing");
    }

    /// Waits until the model was asked so many questions.
    async fn until_asked(&self, questions: usize) {
        for _ in 0..600 {
            if self.ollama.questions() == questions {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the model was asked {} questions", self.ollama.questions());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_model_delays_no_question_that_a_rule_decides() {
    let service = Service::new(patient()).await;
    let undecided: Vec<_> =
        (0..12).map(|at| service.asking(&format!("{UNDECIDED}, Teil {at}"))).collect();
    // As many as may wait for the model; the others are decided without it.
    service.until(4, 0).await;
    assert_eq!(service.ollama.questions(), 4);
    for _ in 0..30 {
        let reply = service.ask(DECIDED).await;
        assert_eq!((reply.status, &reply.json()["intent"]["source"]), (200, &json!("rule")));
    }
    let (mut waiting, mut answered) = (0, 0);
    for asking in undecided {
        if asking.is_finished() {
            let reply = asking.await.expect("no panic").json();
            assert_eq!(reply["degraded"], json!(["llm"]), "{reply}");
            answered += 1;
        } else {
            asking.abort();
            waiting += 1;
        }
    }
    assert_eq!((waiting, answered), (4, 8), "the slow questions were still waiting");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_finds_everything_taken_is_told_at_once_and_who_hangs_up_makes_room() {
    let service = Service::new(Limits { at_once: 1, waiting: 1, ..patient() }).await;
    let slow = service.asking(UNDECIDED);
    service.until_asked(1).await;
    let impatient = service.asking(DECIDED);
    service.until(1, 1).await;
    let refused = service.ask(DECIDED).await;
    assert_eq!(refused.problem(), (503, "busy".to_owned()));
    assert_eq!(refused.headers["retry-after"], "1");
    assert_eq!(get(&format!("{}/healthz", service.address)).await.status, 200);
    assert!(!slow.is_finished() && !impatient.is_finished(), "both still wait");

    impatient.abort();
    service.until(1, 0).await;
    let patient = service.asking(DECIDED);
    service.until(1, 1).await;

    slow.abort();
    assert_eq!(patient.await.expect("no panic").status, 200, "the place was given back");
    service.until(0, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_whose_asker_hung_up_is_not_worked_on_any_more() {
    let service = Service::new(patient()).await;
    let messages = json!([{"role": "user", "content": UNDECIDED}]);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": UNDECIDED}}});
    for (path, body) in [
        ("/v1/search", json!({ "question": UNDECIDED })),
        (
            "/v1/search/batch",
            json!({"questions": [{"question": UNDECIDED}, {"question": DECIDED}]}),
        ),
        ("/v1/chat/completions", json!({ "messages": messages })),
        ("/v1/chat/completions", json!({"messages": messages, "stream": true})),
        ("/mcp", call),
    ] {
        let before = service.ollama.sent();
        let asking = service.sending(path, &body);
        service.until(1, 0).await;
        while service.ollama.sent() < before + 20 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        asking.abort();
        service.until(0, 0).await;
        // The model's connection is closed as well: after what was under way, nothing more is taken.
        service.until_the_model_is_silent(path).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_takes_too_long_is_given_up() {
    let limits = Limits { answer: Duration::from_millis(300), ..patient() };
    let service = Service::new(limits).await;
    let refused = service.ask(UNDECIDED).await;
    assert_eq!(refused.problem(), (503, "too_slow".to_owned()));
    assert_eq!(refused.headers["retry-after"], "1");
    service.until(0, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_waits_too_long_for_its_turn_is_told_so() {
    let wait = Duration::from_millis(300);
    let service = Service::new(Limits { at_once: 1, wait, ..patient() }).await;
    let slow = service.asking(UNDECIDED);
    service.until(1, 0).await;
    let late = service.ask(DECIDED).await;
    assert_eq!(late.problem(), (503, "too_slow".to_owned()));
    assert_eq!(late.headers["retry-after"], "1");
    service.until(1, 0).await;
    slow.abort();
    service.until(0, 0).await;
}
