//! One request to an Ollama server, with an answer of bounded size; and what was answered, on disk.
//!
//! ollama-rs gives requests and answers their shape. Its client reads a body however long it is,
//! and an endless one fills the memory; so the body is read here, and only up to the end of its
//! first JSON object: what a confused server appends to an answer does not delay it.

mod answers;
mod model;

use std::error::Error;
use std::fmt;
use std::time::Duration;

use ollama_rs::error::InternalOllamaError;
use ollama_rs::generation::chat::ChatMessage;
use ollama_rs::generation::chat::request::ChatMessageRequest;
use ollama_rs::generation::parameters::{FormatType, JsonStructure, KeepAlive, TimeUnit};
use ollama_rs::models::ModelOptions;
use reqwest::{Client, Response, StatusCode, Url};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use answers::{Answers, AnswersError, key};
pub use model::{AskError, Model, object_in};

/// What is read of an answer that refuses the request, in bytes.
const MOST_OF_A_REFUSAL: usize = 4 * 1024;
/// What is quoted of it, in characters.
const MOST_QUOTED: usize = 200;

/// Tokens of prompt and answer in every request to a language model. All name the same number: Ollama
/// loads the model again for another one. Prompts are cut to fit; the server would forget their
/// beginning.
pub const CONTEXT: u64 = 4_096;
/// Bytes of a structured answer: a little JSON among figures.
const MOST_BYTES: usize = 64 * 1024;

/// What is needed of an answer; figures and dates may be missing.
#[derive(Deserialize)]
struct Answer {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
}

/// Where an Ollama server is.
#[derive(Clone)]
pub struct Server {
    base: Url,
    client: Client,
}

/// Why there is no usable answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OllamaError {
    /// Nothing complete came within the limit.
    #[error("no answer within {} ms", .0.as_millis())]
    Slow(Duration),
    /// There is no connection.
    #[error("the server can not be reached; is `ollama serve` running?")]
    Unreachable(#[source] reqwest::Error),
    /// The connection ended in the middle, or does not speak HTTP.
    #[error("the connection broke")]
    Broken(#[source] reqwest::Error),
    /// The server does not have the model.
    #[error("the server does not have the model")]
    ModelMissing,
    /// The server refused, whatever the status; what it said has no control characters.
    #[error("status {status}: {said}")]
    Refused {
        /// HTTP status; 200 where an answer of 200 holds an error.
        status: u16,
        /// The beginning of what it said.
        said: String,
    },
    /// The answer is longer than its limit, in bytes.
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
    /// The answer ended before its last line.
    #[error("the answer ended in the middle")]
    Ended,
    /// The answer is not the JSON that was expected.
    #[error("the answer is not what Ollama writes")]
    Unreadable(#[source] serde_json::Error),
}

impl fmt::Debug for Server {
    /// Without the password that an address may hold.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Server").field(&self.address()).finish()
    }
}

impl Server {
    /// `None` where the address is no `http://` URL with a host.
    pub fn new(address: &str) -> Option<Self> {
        let base = Url::parse(address).ok()?;
        if base.scheme() != "http" || base.host().is_none() {
            return None;
        }
        let client = Client::builder()
            .no_proxy() // the model server is a neighbour, not the internet
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .ok()?;
        Some(Self { base, client })
    }

    /// The address for people: without user and password.
    pub fn address(&self) -> String {
        let mut shown = self.base.clone();
        // Neither can fail: the constructor wants a host.
        let _ = shown.set_username("");
        let _ = shown.set_password(None);
        shown.as_str().trim_end_matches('/').to_owned()
    }

    /// What a model answers to messages in the form that `schema` prescribes; empty where it says
    /// nothing. Temperature 0 and a seed: equal messages get equal answers as far as the model allows.
    ///
    /// # Errors
    /// As [`Server::post`].
    pub async fn structured(
        &self,
        model: &str,
        messages: Vec<ChatMessage>,
        schema: &JsonStructure,
        most_tokens: i32,
        limit: Duration,
    ) -> Result<String, OllamaError> {
        let request = ChatMessageRequest::new(model.to_owned(), messages)
            .format(FormatType::StructuredJson(Box::new(schema.clone())))
            .keep_alive(KeepAlive::Until { time: 30, unit: TimeUnit::Minutes })
            .options(
                ModelOptions::default()
                    .temperature(0.0)
                    .seed(1)
                    .num_ctx(CONTEXT)
                    .num_predict(most_tokens),
            );
        let Answer { message } = self.post("api/chat", &request, limit, MOST_BYTES).await?;
        Ok(message.content.unwrap_or_default())
    }

    /// Sends `request` to a path such as `api/chat`. The limit is for everything, connecting
    /// included; at most `most` bytes of the answer are held.
    ///
    /// # Errors
    /// See [`OllamaError`].
    pub async fn post<Answer: DeserializeOwned>(
        &self,
        path: &str,
        request: &impl Serialize,
        limit: Duration,
        most: usize,
    ) -> Result<Answer, OllamaError> {
        let mut response = self.sent(path, request, limit).await?;
        let mut body = Vec::new();
        match object(&mut response, &mut body, most).await {
            Ok(true) => {}
            Ok(false) => return Err(OllamaError::TooLong(most)),
            Err(cut) => return Err(failed(cut, limit)),
        }
        // A bad byte in a text spoils that text, not the answer.
        let text = String::from_utf8_lossy(&body);
        read(&text)
    }

    /// Sends `request`, which asks for a stream, and reads the answer line by line. The limit is for
    /// everything up to the last line; at most `most` bytes are read.
    ///
    /// # Errors
    /// See [`OllamaError`].
    pub async fn stream(
        &self,
        path: &str,
        request: &impl Serialize,
        limit: Duration,
        most: usize,
    ) -> Result<Lines, OllamaError> {
        let response = self.sent(path, request, limit).await?;
        Ok(Lines { response, unread: Vec::new(), left: most, most, limit })
    }

    /// An answer of status 200, its body not read yet.
    async fn sent(
        &self,
        path: &str,
        request: &impl Serialize,
        limit: Duration,
    ) -> Result<Response, OllamaError> {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.split('/'));
        }
        let sent = self.client.post(url).timeout(limit).json(request).send().await;
        let mut response = sent.map_err(|error| failed(error, limit))?;
        let status = response.status();
        if status != StatusCode::OK {
            // A refusal says why in what came of it, if anything came.
            let mut body = Vec::new();
            let _ = object(&mut response, &mut body, MOST_OF_A_REFUSAL).await;
            return Err(refusal(status, &String::from_utf8_lossy(&body)));
        }
        Ok(response)
    }
}

/// An answer that comes line by line, each a JSON object.
#[derive(Debug)]
pub struct Lines {
    response: Response,
    unread: Vec<u8>,
    left: usize,
    most: usize,
    limit: Duration,
}

impl Lines {
    /// The next line; `None` where the answer ends. A character that is cut by the network is whole
    /// again here: a line is read when all of it is there.
    ///
    /// # Errors
    /// See [`OllamaError`]; a line that holds an error is a refusal.
    pub async fn next<Line: DeserializeOwned>(&mut self) -> Result<Option<Line>, OllamaError> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                return read(&String::from_utf8_lossy(&line)).map(Some);
            }
            let chunk = self.response.chunk().await.map_err(|cut| failed(cut, self.limit))?;
            let Some(chunk) = chunk else {
                let last = std::mem::take(&mut self.unread);
                let last = String::from_utf8_lossy(&last);
                return if last.trim().is_empty() { Ok(None) } else { read(&last).map(Some) };
            };
            self.left =
                self.left.checked_sub(chunk.len()).ok_or(OllamaError::TooLong(self.most))?;
            self.unread.extend_from_slice(&chunk);
        }
    }
}

/// What an answer of 200 says: what was asked for, or an error.
fn read<Answer: DeserializeOwned>(text: &str) -> Result<Answer, OllamaError> {
    serde_json::from_str(text).map_err(|unreadable| {
        if serde_json::from_str::<InternalOllamaError>(text).is_ok() {
            refusal(StatusCode::OK, text)
        } else {
            OllamaError::Unreadable(unreadable)
        }
    })
}

fn failed(error: reqwest::Error, limit: Duration) -> OllamaError {
    let error = error.without_url();
    if error.is_timeout() {
        OllamaError::Slow(limit)
    } else if error.is_connect() {
        OllamaError::Unreachable(error)
    } else {
        OllamaError::Broken(error)
    }
}

impl OllamaError {
    /// What happened in one line, and its cause.
    pub fn into_parts(self) -> (String, Option<Box<dyn Error + Send + Sync>>) {
        let reason = self.to_string();
        match self {
            Self::Unreachable(cause) | Self::Broken(cause) => (reason, Some(cause.into())),
            Self::Unreadable(cause) => (reason, Some(cause.into())),
            Self::Slow(_)
            | Self::ModelMissing
            | Self::Refused { .. }
            | Self::TooLong(_)
            | Self::Ended => (reason, None),
        }
    }
}

/// Reads up to the end of the first JSON object, or of the body; `false` where that is beyond
/// `most` bytes.
async fn object(
    response: &mut Response,
    body: &mut Vec<u8>,
    most: usize,
) -> Result<bool, reqwest::Error> {
    let mut end = ObjectEnd::default();
    while let Some(chunk) = response.chunk().await? {
        let found = end.find(&chunk);
        let wanted = &chunk[..found.unwrap_or(chunk.len())];
        let fits = wanted.len() <= most - body.len();
        body.extend_from_slice(&wanted[..wanted.len().min(most - body.len())]);
        if !fits || found.is_some() {
            return Ok(fits);
        }
    }
    Ok(true)
}

/// Finds the end of the first JSON object, however the text is cut into chunks.
#[derive(Debug, Default)]
struct ObjectEnd {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl ObjectEnd {
    /// Number of bytes of the chunk that belong to the object, where it ends in this chunk.
    fn find(&mut self, chunk: &[u8]) -> Option<usize> {
        for (at, byte) in chunk.iter().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

fn refusal(status: StatusCode, body: &str) -> OllamaError {
    let refusal = serde_json::from_str::<InternalOllamaError>(body).ok();
    let told = refusal.as_ref().map_or(body.trim(), |refusal| &refusal.message);
    let names_the_model = told.contains("model") && told.contains("not found");
    // A 404 with a text of its own comes from something that is no Ollama.
    let missing = status == StatusCode::NOT_FOUND && (refusal.is_some() || told.is_empty());
    if names_the_model || missing {
        return OllamaError::ModelMissing;
    }
    let said = match printable(told, MOST_QUOTED) {
        empty if empty.is_empty() => status.canonical_reason().unwrap_or("nothing said").to_owned(),
        said => said,
    };
    OllamaError::Refused { status: status.as_u16(), said }
}

/// The first `most` characters of a foreign text, with everything that could move a cursor, hide
/// or turn a text written as `\u{…}`.
pub fn printable(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for c in text.chars().take(most) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    shown
}

/// A text of at most `most` characters: from a longer one its first quarter and its end, where
/// those who tell a story first ask.
pub fn ends(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let (head, tail) = (most / 4, most - most / 4 - 3);
    let from: String = letters[..head].iter().collect();
    let to: String = letters[letters.len() - tail..].iter().collect();
    format!("{from} … {to}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_question_keeps_its_beginning_and_its_end() {
        assert_eq!(ends("Wozu das Ganze?", 20), "Wozu das Ganze?");
        let cut = ends("Es war einmal ein Anfang. Wozu?", 20);
        assert_eq!((cut.as_str(), cut.chars().count()), ("Es wa … nfang. Wozu?", 20));
    }

    #[test]
    fn an_object_ends_at_its_brace_however_it_is_cut() {
        let text = br#"  {"a": "}\"}", "b": [{"c": 1}]}   {"d"#;
        let end = 32;
        assert_eq!(ObjectEnd::default().find(text), Some(end));
        for cut in 0..end {
            let mut search = ObjectEnd::default();
            let found = search.find(&text[..cut]).or_else(|| search.find(&text[cut..]));
            assert_eq!(found, Some(end - cut), "cut at {cut}");
        }
    }

    #[test]
    fn a_refusal_names_a_missing_model_only_where_it_is_one() {
        let missing = |status, body| {
            let status = StatusCode::from_u16(status).expect("a status");
            matches!(refusal(status, body), OllamaError::ModelMissing)
        };
        assert!(missing(404, r#"{"error":"model 'llama3' not found, try pulling it first"}"#));
        assert!(missing(400, r#"{"error":"model 'llama3' not found"}"#));
        assert!(missing(404, ""));
        assert!(!missing(404, "404 page not found"));
        assert!(!missing(503, r#"{"error":"server busy"}"#));
    }

    #[test]
    fn foreign_text_has_no_control_characters() {
        assert_eq!(printable("ä\u{1b}[2J\n\u{202e}\"x\"", 99), "ä\\u{1b}[2J\\n\\u{202e}\"x\"");
        assert_eq!(printable("abc", 2), "ab");
    }

    #[test]
    fn an_address_is_shown_without_its_password_and_keeps_its_path() {
        let server = Server::new("http://ich:geheim@127.0.0.1:11434/neben/").expect("an address");
        assert_eq!(server.address(), "http://127.0.0.1:11434/neben");
        assert_eq!(format!("{server:?}"), r#"Server("http://127.0.0.1:11434/neben")"#);
        for wrong in ["", "localhost:11434", "https://localhost", "ftp://x", "/api"] {
            assert!(Server::new(wrong).is_none(), "{wrong}");
        }
    }
}
