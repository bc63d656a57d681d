//! Bodies that are too slow or too large.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use wegweiser::http::Limits;

use crate::harness::{Reply, post, ready, server, settings, start_within};

/// Sends bytes as they are and reads until the server has answered, or closed the connection.
async fn sent(address: &str, bytes: &[u8]) -> String {
    let address = address.strip_prefix("http://").expect("an address");
    let mut socket = TcpStream::connect(address).await.expect("connected");
    // The server may answer and close before everything is sent.
    let _ = socket.write_all(bytes).await;
    let (mut reply, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let count = socket.read(&mut buffer).await.unwrap_or(0);
        reply.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&reply);
        if count == 0 || text.split_once("\r\n\r\n").is_some_and(|(_, body)| body.ends_with('}')) {
            return text.into_owned();
        }
    }
}

/// Status and problem of a raw answer.
fn problem(raw: &str) -> (u16, String) {
    let (head, body) = raw.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {raw:?}"));
    assert!(head.contains("application/problem+json"), "{head}");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Reply { status, headers: reqwest::header::HeaderMap::new(), text: body.to_owned() }.problem()
}

const POSTED: [&str; 3] = ["/v1/search", "/v1/chat/completions", "/mcp"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_does_not_arrive_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = settings(folder.path());
    let limits = Limits { body: Duration::from_millis(200), ..Limits::default() };
    let started = tokio::task::spawn_blocking(move || start_within(config, limits));
    let (address, _) = started.await.expect("it starts");
    ready(&address).await;
    for path in POSTED {
        let half = format!(
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
             content-length: 400\r\n\r\n{{\"question\":"
        );
        let reply = sent(&address, half.as_bytes()).await;
        assert_eq!(problem(&reply), (408, "body_too_slow".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn a_body_is_refused_where_it_grows_too_large_whatever_its_head_says() {
    let address = server().await;
    for path in POSTED {
        // In chunks, so that no length tells before; without an end.
        let mut endless = format!(
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
             transfer-encoding: chunked\r\n\r\n"
        )
        .into_bytes();
        let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x1_0000));
        let chunks = if path == "/v1/chat/completions" { 65 } else { 5 };
        endless.extend_from_slice(chunk.repeat(chunks).as_bytes());
        let reply = sent(address, &endless).await;
        assert_eq!(problem(&reply), (413, "body_too_large".to_owned()), "{path}");
    }
    let long = format!(r#"{{"messages":[],"x":"{}"}}"#, "x".repeat(4 * 1024 * 1024));
    let refused = post(&format!("{address}/v1/chat/completions"), "application/json", long).await;
    assert_eq!(refused.problem(), (413, "body_too_large".to_owned()));
    assert_eq!(refused.json()["error"]["code"], "body_too_large", "as chat clients read it");
}
