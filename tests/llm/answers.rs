//! Everything a server may answer: the right label where it is unambiguous, else an error that
//! says why; always within the limit, never with much memory.

use std::time::{Duration, Instant};

use wegweiser::intent::LlmError;

use crate::harness::{LIMIT, Server, Step, ask, cold, open, ready, reply, response, says};

const QUESTION: &str = "Wie lege ich eine Kartei an?";

/// Label or kind of failure, with its message; the time limit is checked here.
async fn outcome(steps: Vec<Step>) -> (String, String) {
    let (server, llm) = ready(steps).await;
    let started = Instant::now();
    let answer = ask(&llm, QUESTION).await;
    let took = started.elapsed();
    assert!(took < LIMIT * 2, "{answer:?} after {took:?}");
    assert_eq!(server.questions(), 1);
    let kind = match &answer {
        Ok(label) => label,
        Err(LlmError::Slow { .. }) => "slow",
        Err(LlmError::NotPulled { .. }) => "not pulled",
        Err(LlmError::NoLabel { .. }) => "no label",
        Err(LlmError::Failed { .. }) => "failed",
        Err(other) => panic!("{other}"),
    };
    let message = answer.as_ref().err().map(|error| error.to_string().replace(&server.url, "URL"));
    let message = message.unwrap_or_default();
    assert!(!message.chars().any(char::is_control), "{message:?}");
    (kind.to_owned(), message)
}

#[tokio::test]
async fn what_the_model_writes_is_read_where_it_is_unambiguous() {
    let blanks = " \n\t".repeat(2_000);
    for (content, expected) in [
        (r#"{"intent": "how"}"#.to_owned(), "how"),
        (r#"{"intent": "HOW"}"#.to_owned(), "how"),
        (r#"{"intent": "Anleitung"}"#.to_owned(), "how"),
        (r#"{"intent": "Begründung"}"#.to_owned(), "why"),
        (r#"{"intent": "begruendung"}"#.to_owned(), "why"),
        (r#"{"intent": "Which-List"}"#.to_owned(), "which_list"),
        (r#"{"intent": ["how"]}"#.to_owned(), "how"),
        ("```json\n{\"intent\": \"how\"}\n```".to_owned(), "how"),
        (r#"Gern! {"intent": "how"} Ich hoffe, das hilft."#.to_owned(), "how"),
        (format!(r#"{{"intent": "how"}}{blanks}"#), "how"),
        (r#"{"intent": "how""#.to_owned(), "how"),
        ("Anleitung.".to_owned(), "how"),
        (r#"{"intent": "unknown"}"#.to_owned(), "unknown"),
        (r#"{"intent": "ho"#.to_owned(), "no label"),
        (r#"{"intent": "banane"}"#.to_owned(), "no label"),
        (r#"{"intent": null}"#.to_owned(), "no label"),
        (r#"{"intent": ["how", "why"]}"#.to_owned(), "no label"),
        (r#"{"intent": "how"} oder {"intent": "why"}"#.to_owned(), "no label"),
        ("Zuerst legt man Karten an.".to_owned(), "no label"),
        (String::new(), "no label"),
        (blanks, "no label"),
    ] {
        let (label, message) = outcome(says(&content)).await;
        assert_eq!(label, expected, "{content}: {message}");
    }
}

#[tokio::test]
async fn answers_that_are_none_are_told_apart() {
    let long = "x".repeat(100_000);
    let cut = reply(r#"{"intent": "how"}"#).split_at(70).0.to_owned();
    let table: Vec<(&str, Vec<Step>, &str, &str)> = vec![
        (
            "not pulled",
            response("404 Not Found", r#"{"error":"model 'llama3' not found"}"#),
            "not pulled",
            "URL does not have model `llama3`; run: ollama pull llama3",
        ),
        (
            "busy",
            response("503 Service Unavailable", r#"{"error":"server busy, please try again"}"#),
            "failed",
            "model `llama3` at URL failed: status 503: server busy, please try again",
        ),
        (
            "busy without a word",
            response("503 Service Unavailable", ""),
            "failed",
            "model `llama3` at URL failed: status 503: Service Unavailable",
        ),
        ("locked", response("401 Unauthorized", "nein"), "failed", "status 401: nein"),
        ("elsewhere", response("302 Found\r\nlocation: /x", ""), "failed", "status 302"),
        ("no content", response("204 No Content", ""), "failed", "status 204"),
        (
            "not Ollama",
            response("404 Not Found", "404 page not found"),
            "failed",
            "status 404: 404 page not found",
        ),
        (
            "an error with status 200",
            response("200 OK", r#"{"error":"llama runner process has terminated"}"#),
            "failed",
            "status 200: llama runner process has terminated",
        ),
        (
            "not pulled with status 200",
            response("200 OK", r#"{"error":"model \"llama3\" not found, try pulling it first"}"#),
            "not pulled",
            "ollama pull llama3",
        ),
        (
            "control characters in an error",
            response("500 Oops", "{\"error\":\"\\u001b[2J\\u0007weg\\r\\n\\u202e\"}"),
            "failed",
            "status 500: \\u{1b}[2J\\u{7}weg\\r\\n\\u{202e}",
        ),
        (
            "control characters in an answer",
            says("\u{1b}[31mrot\r\n"),
            "no label",
            "answered without a known intent: `\\u{1b}[31mrot\\r\\n`",
        ),
        ("a long refusal", response("500 Oops", &long), "failed", "status 500: xxx"),
        ("an empty body", response("200 OK", ""), "failed", "not what Ollama writes"),
        ("a page", response("200 OK", "<html>"), "failed", "not what Ollama writes"),
        ("no message", response("200 OK", r#"{"done":true}"#), "failed", "not what Ollama writes"),
        (
            "content of null",
            response("200 OK", r#"{"message":{"role":"assistant","content":null}}"#),
            "no label",
            "",
        ),
        ("UTF-16", response("200 OK", b"\xff\xfe{\0}\0"), "failed", "not what Ollama writes"),
        (
            "a raw control character",
            response("200 OK", reply("how X").replace('X', "\u{1}")),
            "failed",
            "not what Ollama writes",
        ),
        (
            "cut by its length",
            vec![Step::Send(
                [b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n", cut.as_bytes()].concat(),
            )],
            "failed",
            "the connection broke",
        ),
        ("cut by its end", vec![open(&cut)], "failed", "not what Ollama writes"),
        ("cut at once", vec![], "failed", "the connection broke"),
        ("cut in the head", vec![Step::Send(b"HTTP/1.1 20".to_vec())], "failed", "broke"),
        ("not HTTP", vec![Step::Send(b"220 mail ready\r\n\r\n".to_vec())], "failed", "broke"),
        ("too long", response("200 OK", reply(&long)), "failed", "longer than 65536 bytes"),
    ];
    for (name, steps, kind, told) in table {
        let (found, message) = outcome(steps).await;
        assert_eq!(found, kind, "{name}: {message}");
        assert!(message.contains(told), "{name}: {message}");
    }
}

#[tokio::test]
async fn a_bad_byte_beside_the_label_does_not_spoil_it() {
    let text = reply(r#"{"intent": "how"}"#).into_bytes();
    let at = text.windows(4).position(|four| four == b"stop").expect("a reason");
    let spoilt = [&text[..at], b"\xff\xfe", &text[at..]].concat();
    assert_eq!(outcome(response("200 OK", spoilt)).await.0, "how");
}

#[tokio::test]
async fn an_answer_counts_when_it_is_complete_whatever_follows() {
    let answer = reply(r#"{"intent": "how"}"#);
    let blanks = " ".repeat(4_096);
    let halves = answer.split_at(40);
    for steps in [
        vec![open(&answer), Step::Flood(blanks.clone(), Duration::ZERO)],
        vec![open(&answer), Step::Flood(" ".to_owned(), Duration::from_millis(20))],
        vec![open(&answer), Step::Pause(Duration::from_secs(20))],
        vec![open(format!("{blanks}{answer}")), Step::Flood("\n".to_owned(), Duration::ZERO)],
        vec![
            open(halves.0),
            Step::Pause(Duration::from_millis(50)),
            Step::Send(halves.1.as_bytes().to_vec()),
        ],
    ] {
        let (server, llm) = ready(steps).await;
        let started = Instant::now();
        assert_eq!(ask(&llm, QUESTION).await.expect("a label"), "how");
        assert!(started.elapsed() < LIMIT / 2, "nothing is waited for: {:?}", started.elapsed());
        drop(server);
    }
}

#[tokio::test]
async fn an_endless_answer_fills_no_memory() {
    let blanks = " ".repeat(64 * 1024);
    let letters = "a".repeat(64 * 1024);
    for (name, start) in [
        ("white space before an answer", open("")),
        ("an endless text", open(r#"{"message":{"content":""#)),
        ("an endless list", open(r#"{"a":[""#)),
        ("an endless head", Step::Send(b"HTTP/1.1 200 OK\r\nx: ".to_vec())),
        ("an endless refusal", Step::Send(b"HTTP/1.1 500 Oops\r\n\r\n".to_vec())),
    ] {
        let filler = if name.starts_with("white") { &blanks } else { &letters };
        let (server, llm) = ready(vec![start, Step::Flood(filler.clone(), Duration::ZERO)]).await;
        let error = ask(&llm, QUESTION).await.expect_err("no answer");
        assert!(matches!(error, LlmError::Failed { .. }), "{name}: {error}");
        tokio::time::sleep(Duration::from_millis(100)).await;
        // What the system holds between two sockets counts, too.
        assert!(server.sent() < 12 << 20, "{name}: the client took {} bytes", server.sent());
    }
}

#[tokio::test]
async fn a_slow_answer_ends_at_the_limit() {
    let answer = reply(r#"{"intent": "how"}"#);
    let drip = |text: &str| text.bytes().map(|byte| Step::Send(vec![byte])).collect::<Vec<_>>();
    let slowly = |text: &str| {
        let pause = Step::Pause(Duration::from_millis(30));
        drip(text).into_iter().flat_map(|step| [step, pause.clone()]).collect::<Vec<_>>()
    };
    for (name, steps) in [
        ("after 45 s", vec![Step::Pause(Duration::from_secs(45)), open(&answer)]),
        ("a dripping head", slowly("HTTP/1.1 200 OK\r\nconnection: close\r\nx: y\r\n\r\n")),
        ("a dripping body", [vec![open("")], slowly(&answer)].concat()),
        ("a body that stops", vec![open(&answer[..30]), Step::Pause(Duration::from_secs(45))]),
    ] {
        let (kind, message) = outcome(steps).await;
        assert_eq!(kind, "slow", "{name}: {message}");
        assert!(message.ends_with("did not answer within 600 ms"), "{message}");
    }
}

#[tokio::test]
async fn a_server_that_accepts_nobody_is_not_waited_for() {
    // The queue of this socket is never emptied; what does not fit into it is not even connected.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    let llm = cold(&url, LIMIT);
    let started = Instant::now();
    assert!(!llm.until_ready(Duration::from_millis(100)).await);
    let error = ask(&llm, QUESTION).await.expect_err("nobody answers");
    assert!(matches!(error, LlmError::NotReady { .. }), "{error}");
    assert!(started.elapsed() < LIMIT);
}

#[tokio::test]
async fn the_request_is_the_contract_with_ollama() {
    let (server, llm) = ready(says(r#"{"intent": "how"}"#)).await;
    ask(&llm, QUESTION).await.expect("a label");
    let request = server.asked().last().expect("asked").request.clone();
    assert_eq!((request["model"].as_str(), &request["stream"]), (Some("llama3"), &false.into()));
    let options = &request["options"];
    assert_eq!((options["temperature"].as_f64(), options["seed"].as_i64()), (Some(0.0), Some(1)));
    assert!(options["num_predict"].as_i64().expect("a limit") <= 32);
    assert_eq!(request["keep_alive"], "30m");
    let labels = request["format"]["properties"]["intent"]["enum"].as_array().expect("a list");
    assert_eq!(labels.len(), 15, "14 intents and unknown: {labels:?}");
    let messages = request["messages"].as_array().expect("a list");
    assert_eq!(messages[1]["content"], "Frage: Wie lege ich eine Kartei an?");
    let prompt = messages[0]["content"].as_str().expect("a text");
    assert!(prompt.contains("- how: Gefragt ist, wie man etwas macht"), "{prompt}");
    assert!(!prompt.contains("{intents}"));
}

#[tokio::test]
async fn errors_show_no_password() {
    let llm = cold("http://ich:geheim@127.0.0.1:9", LIMIT);
    assert_eq!(llm.describe(), "llama3 at http://127.0.0.1:9");
    let error = ask(&llm, QUESTION).await.expect_err("nobody listens");
    assert!(!format!("{error} {error:?}").contains("geheim"), "{error:?}");
}

#[tokio::test]
async fn a_path_in_the_address_is_kept() {
    let server = Server::start(|_| says(r#"{"intent": "how"}"#)).await;
    let llm = cold(&format!("{}/", server.url), LIMIT);
    assert!(
        llm.until_ready(Duration::from_secs(5)).await,
        "one slash at the end is as good as none"
    );
}
