//! An Ollama server that plays scripts, byte by byte, over real HTTP.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use wegweiser::domain::Query;
use wegweiser::intent::{Intents, Llm, LlmError, LlmOptions};
use wegweiser::normalise::normalise;

/// How long a question waits in these tests.
pub(crate) const LIMIT: Duration = Duration::from_millis(600);

/// What the server does next.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Send(Vec<u8>),
    Pause(Duration),
    /// Again and again, until nobody listens.
    Flood(String, Duration),
}

/// What was asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Number of the request, from 1.
    pub(crate) number: usize,
    /// Whether it is a probe in the background.
    pub(crate) probe: bool,
    /// The body.
    pub(crate) request: Value,
}

#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    sent: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Server {
    /// Every request is answered by the steps of `script`; then the connection ends.
    pub(crate) async fn start<S>(script: S) -> Self
    where
        S: Fn(&Asked) -> Vec<Step> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        Self::on(listener, script)
    }

    /// As [`Server::start`], on a port that is already open.
    pub(crate) fn on<S>(listener: TcpListener, script: S) -> Self
    where
        S: Fn(&Asked) -> Vec<Step> + Send + Sync + 'static,
    {
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let (asked, sent) = (Arc::default(), Arc::default());
        let (log, count, script) = (Arc::clone(&asked), Arc::clone(&sent), Arc::new(script));
        let task = tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.expect("a connection");
                let script = Arc::clone(&script);
                tokio::spawn(played(socket, script, Arc::clone(&log), Arc::clone(&count)));
            }
        });
        Self { url, asked, sent, task }
    }

    /// Everything that was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no panic").clone()
    }

    /// Requests that were no probes.
    pub(crate) fn questions(&self) -> usize {
        self.asked().iter().filter(|asked| !asked.probe).count()
    }

    /// Bytes that the clients took, with what the system holds for them.
    pub(crate) fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn played<S: Fn(&Asked) -> Vec<Step>>(
    mut socket: TcpStream,
    script: Arc<S>,
    log: Arc<Mutex<Vec<Asked>>>,
    sent: Arc<AtomicUsize>,
) {
    let Some(request) = body(&mut socket).await else { return };
    let probe = request["messages"][1]["content"] == "Frage: Was ist ein Wegweiser?";
    let asked = {
        let mut log = log.lock().expect("no panic");
        let asked = Asked { number: log.len() + 1, probe, request };
        log.push(asked.clone());
        asked
    };
    let mut send = async |bytes: &[u8]| {
        let taken = socket.write_all(bytes).await.is_ok();
        sent.fetch_add(bytes.len(), Ordering::SeqCst);
        taken
    };
    for step in script(&asked) {
        match step {
            Step::Send(bytes) => {
                send(&bytes).await;
            }
            Step::Pause(time) => tokio::time::sleep(time).await,
            Step::Flood(text, pause) => {
                while send(text.as_bytes()).await {
                    tokio::time::sleep(pause).await;
                }
            }
        }
    }
}

/// Reads one request and gives its JSON.
async fn body(socket: &mut TcpStream) -> Option<Value> {
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let count = socket.read(&mut buffer).await.ok().filter(|count| *count > 0)?;
        read.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&read);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        assert!(head.starts_with("POST /api/chat HTTP/1.1\r\n"), "{head}");
        if let Ok(json) = serde_json::from_str(body) {
            return Some(json);
        }
    }
}

/// A whole response.
pub(crate) fn response(status: &str, body: impl AsRef<[u8]>) -> Vec<Step> {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n", body.len());
    vec![Step::Send([head.as_bytes(), b"connection: close\r\n\r\n", body].concat())]
}

/// The start of a response that ends with its connection.
pub(crate) fn open(body: impl AsRef<[u8]>) -> Step {
    Step::Send([b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", body.as_ref()].concat())
}

/// What Ollama writes around what the model wrote.
pub(crate) fn reply(content: &str) -> String {
    json!({
        "model": "llama3",
        "created_at": "2026-11-30T08:00:00.000Z",
        "message": {"role": "assistant", "content": content},
        "done_reason": "stop",
        "done": true,
        "total_duration": 1, "load_duration": 1, "prompt_eval_count": 1,
        "prompt_eval_duration": 1, "eval_count": 1, "eval_duration": 1,
    })
    .to_string()
}

/// A whole answer with what the model wrote.
pub(crate) fn says(content: &str) -> Vec<Step> {
    response("200 OK", reply(content))
}

/// A model on this server, with the shipped prompt and intents; not asked anything yet.
pub(crate) fn cold(url: &str, limit: Duration) -> Llm {
    let intents = include_str!("../../rules/intents.yaml");
    let intents = Intents::load("intents.yaml", intents).expect("the shipped intents");
    let options = LlmOptions {
        url: url.to_owned(),
        model: "llama3".to_owned(),
        time_limit: limit,
        at_once: 4,
    };
    Llm::new(options, include_str!("../../rules/intent_prompt.md"), &intents).expect("an address")
}

/// A server whose probes succeed and whose questions are answered by `steps`; and its model, ready.
pub(crate) async fn ready(steps: Vec<Step>) -> (Server, Llm) {
    let server = Server::start(move |asked: &Asked| {
        if asked.probe { says(r#"{"intent": "definition"}"#) } else { steps.clone() }
    })
    .await;
    let llm = cold(&server.url, LIMIT);
    assert!(llm.until_ready(Duration::from_secs(5)).await, "the probe succeeds");
    (server, llm)
}

/// The label of a question, `unknown` included.
pub(crate) async fn ask(llm: &Llm, question: &str) -> Result<String, LlmError> {
    let query = normalise(&Query::new(question, 20_000).expect("a question"));
    let intent = llm.classify(&query).await?;
    Ok(intent.map_or_else(|| "unknown".to_owned(), |id| id.to_string()))
}
