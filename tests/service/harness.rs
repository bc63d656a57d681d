//! A server over a small compendium, started once for all tests of this binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use wegweiser::config::{self, Config, Layer};
use wegweiser::http::{Bound, Keeper, Limits, State};
use wegweiser::pipeline::assemble::Listener;
use wegweiser::query_log::{DailyLog, QueryLog};

/// A response as tests look at it.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// Status and code of a problem.
    pub(crate) fn problem(&self) -> (u16, String) {
        let body = self.json();
        assert_eq!(body["status"], self.status, "{body}");
        assert!(body["detail"].is_string() && body["detail_de"].is_string(), "{body}");
        (self.status, body["code"].as_str().expect("a code").to_owned())
    }
}

/// Builds an index without a word.
pub(crate) struct Silent;

impl Listener for Silent {
    fn building(&mut self, _why: &str) {}
    fn waiting(&mut self) {}
    fn progress(&mut self, _done: usize, _total: usize) {}
}

/// Settings over the small compendium with the shipped rules and few labelled examples.
pub(crate) fn settings(folder: &Path) -> Config {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = folder.join("rules");
    fs::create_dir_all(&rules).expect("a folder");
    for shipped in fs::read_dir(root.join("rules")).expect("the rules") {
        let shipped = shipped.expect("an entry").path();
        let name = shipped.file_name().expect("a name");
        fs::copy(&shipped, rules.join(name)).expect("copied");
    }
    fs::copy(root.join("tests/fixtures/rules/intents.yaml"), rules.join("intents.yaml"))
        .expect("copied");
    let file = folder.join("wegweiser.yaml");
    fs::write(&file, "question_limit: 2000\n").expect("written");
    let over = Layer {
        compendium: Some(root.join("tests/fixtures/klein")),
        rules: Some(rules),
        data_dir: Some(folder.join("data")),
        ..Layer::default()
    };
    config::load(Some(&file), over).expect("settings without problems")
}

fn folder() -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder")).path().to_owned()
}

/// Starts a server with these settings; it runs until the process ends.
pub(crate) fn start(config: Config) -> (String, Arc<State>) {
    start_within(config, Limits::default())
}

/// The same within other limits than the usual ones.
pub(crate) fn start_within(config: Config, limits: Limits) -> (String, Arc<State>) {
    let (told, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let bound = Bound::new("127.0.0.1:0".parse().expect("an address")).expect("a port");
            let log = config.query_log.as_ref();
            let log = log.map(|log| QueryLog::open(&log.folder, log.days).expect("a folder"));
            let audit = config.question_audit.as_ref();
            let audit = audit.map(|log| DailyLog::open(&log.folder, log.days).expect("a folder"));
            let state = State::new(&config).expect("keys without problems");
            let state = Arc::new(state.logging(log).auditing(audit).limited(limits));
            let address = format!("http://{}", bound.address());
            let server = bound.run(Arc::clone(&state)).expect("a server");
            told.send((address, Arc::clone(&state))).expect("heard");
            actix_web::rt::spawn(async move {
                Keeper::new(config, state).run().await.expect("files without problems")
            });
            server.await.expect("it runs");
        });
    });
    address.recv().expect("it starts")
}

/// Address of the shared server, ready to answer.
pub(crate) async fn server() -> &'static str {
    static SERVER: OnceLock<(String, Arc<State>)> = OnceLock::new();
    let (address, _) = SERVER.get_or_init(|| start(settings(&folder())));
    ready(address).await;
    address
}

/// Waits until the server is ready.
pub(crate) async fn ready(address: &str) {
    while get(&format!("{address}/readyz")).await.status != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

pub(crate) async fn get(url: &str) -> Reply {
    reply(reqwest::Client::new().get(url)).await
}

pub(crate) async fn post(url: &str, content_type: &str, body: impl Into<reqwest::Body>) -> Reply {
    reply(reqwest::Client::new().post(url).header(CONTENT_TYPE, content_type).body(body)).await
}

pub(crate) async fn reply(request: reqwest::RequestBuilder) -> Reply {
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Reply { status, headers, text: response.text().await.expect("a body") }
}

/// `POST /v1/search` on the shared server.
pub(crate) async fn search(body: &Value) -> Reply {
    let address = server().await;
    post(&format!("{address}/v1/search"), "application/json", body.to_string()).await
}

/// `POST /v1/search` with a question only.
pub(crate) async fn ask(question: &str) -> Reply {
    search(&serde_json::json!({"question": question})).await
}

/// Ids of the hits, best first.
pub(crate) fn ids(reply: &Reply) -> Vec<String> {
    let body = reply.json();
    let hits = body["hits"].as_array().unwrap_or_else(|| panic!("hits: {body}"));
    hits.iter().map(|hit| hit["id"].as_str().expect("an id").to_owned()).collect()
}
