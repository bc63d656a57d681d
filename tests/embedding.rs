//! Embedders through their public door: the built-in model, and Ollama as a scripted server.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, dev::ServerHandle, web};
use wegweiser::domain::{NormalisedQuery, PrefixedQuery, Query, Vector};
use wegweiser::embedding::cache::EmbeddingCache;
use wegweiser::embedding::{
    EmbedError, Embedder, InProcess, Limits, Ollama, OllamaOptions, Passage,
};
use wegweiser::normalise::normalise;

fn question(text: &str) -> PrefixedQuery {
    let normalised: NormalisedQuery = normalise(&Query::new(text, 10_000).unwrap());
    PrefixedQuery::plain(&normalised)
}

/// What the scripted Ollama does with the text of a request.
type Script = fn(&str) -> Reply;

enum Reply {
    Vectors(&'static str),
    Refusal(u16, &'static str),
    Silence,
}

struct Server {
    url: String,
    requests: Arc<AtomicUsize>,
    handle: ServerHandle,
}

impl Server {
    fn start(script: Script) -> Self {
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = web::Data::from(Arc::clone(&requests));
        let server = HttpServer::new(move || {
            App::new().app_data(counter.clone()).route(
                    "/api/embed",
                    web::post().to(
                        move |body: web::Json<serde_json::Value>,
                              counter: web::Data<AtomicUsize>| async move {
                            counter.fetch_add(1, Ordering::SeqCst);
                            assert_eq!(body["truncate"], false);
                            match script(body["input"].as_str().unwrap()) {
                                Reply::Vectors(json) => HttpResponse::Ok()
                                    .content_type("application/json")
                                    .body(format!("{{\"embeddings\":{json}}}")),
                                Reply::Refusal(status, body) => {
                                    HttpResponse::build(status.try_into().unwrap()).body(body)
                                }
                                Reply::Silence => {
                                    tokio::time::sleep(Duration::from_secs(20)).await;
                                    HttpResponse::Ok().finish()
                                }
                            }
                        },
                    ),
                )
        })
        .workers(1)
        .disable_signals()
        .bind(("127.0.0.1", 0))
        .unwrap();
        let url = format!("http://{}", server.addrs()[0]);
        let server = server.run();
        let handle = server.handle();
        std::thread::spawn(move || actix_web::rt::System::new().block_on(server));
        Self { url, requests, handle }
    }

    fn options(&self) -> OllamaOptions {
        OllamaOptions {
            url: self.url.clone(),
            model: "e5".to_owned(),
            time_limit: Duration::from_millis(500),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The future only waits for the end; the request to stop is sent by the call.
        drop(self.handle.stop(false));
    }
}

/// Message and cause of what a server with this script leads to.
async fn failure(script: Script) -> (String, String, EmbedError) {
    let server = Server::start(script);
    let ollama = Ollama::with_dimension(server.options(), 3).unwrap();
    let error = ollama.embed_query(&question("Was kostet das?")).await.unwrap_err();
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    (error.to_string().replace(&server.url, "URL"), cause, error)
}

#[tokio::test]
async fn ollama_embeds_with_the_models_own_prefixes() {
    let server = Server::start(|text| {
        Reply::Vectors(match text {
            "query: Was kostet das?" => "[[3.0, 4.0, 0.0]]",
            "passage: SG: Kosten\n\nGebühren\n\nFünf Euro." => "[[0.0, 3.0, 4.0]]",
            _ => "[[1.0, 0.0, 0.0]]",
        })
    });
    let ollama = Ollama::connect(server.options()).await.unwrap();
    assert_eq!(ollama.model().dimension, 3);
    let vector = ollama.embed_query(&question("Was kostet das?")).await.unwrap();
    assert_eq!(vector, Vector::new(vec![0.6, 0.8, 0.0]).unwrap());
    let windows = ollama.windows("SG: Kosten\n\n", "Gebühren", "Fünf Euro.");
    assert_eq!(windows.len(), 1);
    let vector = ollama.embed_passage(&windows[0]).await.unwrap();
    assert_eq!(vector, Vector::new(vec![0.0, 0.6, 0.8]).unwrap());
}

#[tokio::test]
async fn a_model_that_was_not_pulled_is_named_with_the_command() {
    let (message, _, error) = failure(|_| {
        Reply::Refusal(404, r#"{"error":"model \"e5\" not found, try pulling it first"}"#)
    })
    .await;
    assert_eq!(message, "Ollama at URL has no model `e5`; run: ollama pull e5");
    assert!(matches!(error, EmbedError::ModelMissing { .. }));
}

#[tokio::test]
async fn answers_that_are_no_vectors_are_refused_with_url_and_model() {
    let rows: [(Script, &str, &str); 8] = [
        (
            |_| Reply::Vectors("[[NaN, 1.0, 2.0]]"),
            "Ollama at URL could not embed with `e5`: the answer is not what Ollama writes",
            "expected value",
        ),
        (
            |_| Reply::Vectors("[[null, 1.0, 2.0]]"),
            "Ollama at URL could not embed with `e5`: the answer is not what Ollama writes",
            "invalid type: null",
        ),
        (|_| Reply::Vectors("[[0.0, 0.0, 0.0]]"), "model `e5` gave an unusable vector", "zero"),
        (
            |_| Reply::Vectors("[[1.0, 2.0]]"),
            "model `e5` gave 2 numbers instead of 3; rebuild the index if the model was changed",
            "",
        ),
        (
            |_| Reply::Vectors("[]"),
            "Ollama at URL could not embed with `e5`: one vector was asked for, 0 came",
            "",
        ),
        (
            |_| Reply::Refusal(500, r#"{"error":"json: unsupported value: NaN"}"#),
            "Ollama at URL could not embed with `e5`: status 500: json: unsupported value: NaN",
            "",
        ),
        (
            |_| Reply::Refusal(502, "<html>Bad gateway</html>"),
            "Ollama at URL could not embed with `e5`: status 502: <html>Bad gateway</html>",
            "",
        ),
        (|_| Reply::Silence, "Ollama at URL did not embed with `e5` within 500 ms", ""),
    ];
    for (script, expected, expected_cause) in rows {
        let (message, cause, _) = failure(script).await;
        assert_eq!(message, expected);
        assert!(cause.contains(expected_cause), "{message}: {cause}");
    }
}

#[tokio::test]
async fn an_answer_longer_than_any_vector_is_not_read_to_its_end() {
    static LONG: LazyLock<String> =
        LazyLock::new(|| format!("{{\"embeddings\":[[{}1.0]]}}", "1.0,".repeat(1 << 20)));
    let (message, _, _) = failure(|_| Reply::Refusal(200, LONG.as_str())).await;
    assert_eq!(
        message,
        "Ollama at URL could not embed with `e5`: the answer is longer than 1048576 bytes"
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let options = |url: &str| OllamaOptions {
        url: url.to_owned(),
        model: "e5".to_owned(),
        time_limit: Duration::from_secs(2),
    };
    // Port 1 is reserved and closed.
    let error = Ollama::connect(options("http://127.0.0.1:1")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Ollama at http://127.0.0.1:1 could not embed with `e5`: \
         the server can not be reached; is `ollama serve` running?"
    );
    for wrong in ["localhost:11434", "", "ftp://localhost", "https://localhost:11434"] {
        let error = Ollama::with_dimension(options(wrong), 3).unwrap_err();
        assert!(matches!(error, EmbedError::Address { .. }), "{wrong}");
    }
}

#[tokio::test]
async fn a_text_that_the_server_finds_too_long_is_embedded_in_parts() {
    let server = Server::start(|text| {
        if text.chars().count() > 300 {
            Reply::Refusal(400, r#"{"error":"the input length exceeds the context length"}"#)
        } else {
            Reply::Vectors("[[1.0, 2.0, 2.0]]")
        }
    });
    let ollama = Ollama::with_dimension(server.options(), 3).unwrap();
    let text = "Ein Satz mit mehreren Wörtern. ".repeat(30);
    let vector = ollama.embed_query(&question(&text)).await.unwrap();
    assert!((vector.cosine(&Vector::new(vec![1.0, 2.0, 2.0]).unwrap()) - 1.0).abs() < 1e-6);
    assert!(server.requests.load(Ordering::SeqCst) > 4);
}

#[test]
fn bulk_embedding_through_ollama_works_from_any_thread_and_is_cached() {
    let server = Server::start(|_| Reply::Vectors("[[1.0, 2.0, 2.0]]"));
    let ollama = Ollama::with_dimension(server.options(), 3).unwrap();
    let text = "Ein Satz mit mehreren Wörtern. ".repeat(100);
    let mut passages = ollama.windows("", "Titel", &text);
    assert!(passages.len() > 3);
    let distinct =
        passages.iter().map(Passage::text).collect::<std::collections::BTreeSet<_>>().len();
    passages.push(passages[0].clone());

    let folder = tempfile::tempdir().unwrap();
    let mut cache = EmbeddingCache::open(folder.path(), ollama.model()).unwrap();
    let mut heard = Vec::new();
    let vectors =
        cache.embed_all(&ollama, &passages, &mut |done, total| heard.push((done, total))).unwrap();
    assert_eq!(vectors.len(), passages.len());
    assert_eq!(heard.last(), Some(&(distinct, distinct)));
    assert_eq!(server.requests.load(Ordering::SeqCst), distinct);

    let runtime = tokio::runtime::Runtime::new().unwrap();
    let again =
        runtime.block_on(async { cache.embed_all(&ollama, &passages, &mut |_, _| ()).unwrap() });
    assert_eq!(again, vectors);
    assert_eq!(server.requests.load(Ordering::SeqCst), distinct, "nothing is asked twice");
    let direct = runtime.block_on(async { ollama.embed_all(&passages, &mut |_, _| ()).unwrap() });
    assert_eq!(direct, vectors);
}

#[test]
fn bulk_embedding_gives_the_same_bits_for_any_number_of_threads() {
    let limits = |at_once| Limits { at_once, ..Limits::default() };
    let one = InProcess::load(limits(1)).unwrap();
    let three = InProcess::load(limits(3)).unwrap();
    assert_eq!(one.model(), three.model());
    let passages: Vec<_> = (1..12)
        .flat_map(|n| one.windows("", "Karteikasten", &"Wiederholen hilft beim Lernen. ".repeat(n)))
        .collect();
    let mut heard = 0;
    let vectors = one.embed_all(&passages, &mut |done, _| heard = done).unwrap();
    assert_eq!(heard, passages.len());
    assert_eq!(vectors, three.embed_all(&passages, &mut |_, _| ()).unwrap());

    let runtime = tokio::runtime::Runtime::new().unwrap();
    assert_eq!(runtime.block_on(one.embed_passage(&passages[3])).unwrap(), vectors[3]);

    let mut delivered = 0;
    three
        .embed_each(&passages, &mut |_, _| {
            delivered += 1;
            if delivered == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
    assert_eq!(delivered, 2, "a caller that has enough is obeyed");
}

#[tokio::test]
async fn a_full_queue_refuses_at_once_and_recovers() {
    let limits = Limits { at_once: 1, waiting: 1, wait: Duration::from_secs(30) };
    let embedder = Arc::new(InProcess::load(limits).unwrap());
    let tasks: Vec<_> = (0..12)
        .map(|_| {
            let embedder = Arc::clone(&embedder);
            tokio::spawn(async move { embedder.embed_query(&question("Was ist das?")).await })
        })
        .collect();
    let (mut answered, mut refused) = (0, 0);
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => answered += 1,
            Err(EmbedError::Busy) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(answered >= 2 && refused >= 1, "{answered} answered, {refused} refused");
    embedder.embed_query(&question("Was ist das?")).await.unwrap();

    let impatient = Limits { at_once: 1, waiting: 9, wait: Duration::ZERO };
    let embedder = Arc::new(InProcess::load(impatient).unwrap());
    let (a, b) = (question("Was ist das?"), question("Wer ist das?"));
    let (a, b) = tokio::join!(embedder.embed_query(&a), embedder.embed_query(&b));
    assert!(a.is_ok());
    assert!(matches!(b, Err(EmbedError::Busy)), "{b:?}");
    // A caller who went away gives his place back.
    for _ in 0..20 {
        let long = question(&"Wie lange dauert das? ".repeat(20));
        let gone = tokio::time::timeout(Duration::from_millis(1), embedder.embed_query(&long));
        assert!(matches!(gone.await, Err(_) | Ok(Ok(_) | Err(EmbedError::Busy))));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    embedder.embed_query(&question("Was ist das?")).await.unwrap();
}
