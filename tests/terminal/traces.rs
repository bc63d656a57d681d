//! Traces, as a collector gets them.

use std::io::Write as _;
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::harness::Folder;
use crate::http::{ask, reply, request};
use crate::processes::{Serving, terminate};

/// A collector that hands over what it gets.
fn collector() -> (String, Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    let (tell, heard) = channel();
    thread::spawn(move || {
        for mut socket in listener.incoming().map_while(Result::ok) {
            let tell = tell.clone();
            thread::spawn(move || {
                while let Some(sent) = request(&mut socket) {
                    let _ = tell.send(sent);
                    let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                }
            });
        }
    });
    (url, heard)
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_collector_gets_request_and_stages_without_the_question_before_the_process_ends() {
    let folder = Folder::new();
    let (url, heard) = collector();
    folder.write(
        "wegweiser.yaml",
        &format!("telemetry: {{endpoint: '{url}/', service_name: auskunft}}\n"),
    );
    folder.run(&["index"]);
    let mut serving = Serving::start(&folder, &[]);
    let caller = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n\
                  x-request-id: Geheimgang\r\n";
    let asked = ask(&serving.address, caller, "Wie komme ich in den Geheimgang?");
    assert_eq!(reply(asked).0, "HTTP/1.1 200 OK");
    assert_eq!(reply(ask(&serving.address, "", "")).0, "HTTP/1.1 400 Bad Request");
    terminate(&serving.child);
    assert_eq!(serving.child.wait().expect("it ends").code(), Some(0));
    let sent: Vec<(String, Vec<u8>)> = heard.try_iter().collect();
    assert!(!sent.is_empty(), "flushed at the end");
    assert!(sent.iter().all(|(first, _)| first == "post /v1/traces http/1.1"), "{sent:?}");
    let all: Vec<u8> = sent.into_iter().flat_map(|(_, body)| body).collect();
    for name in
        ["auskunft", "POST /v1/search", "http.route", "normalise", "embed", "lexical", "fuse"]
    {
        assert!(holds(&all, name.as_bytes()), "{name}");
    }
    let trace = [10, 247, 101, 25, 22, 205, 67, 221, 132, 72, 235, 33, 28, 128, 49, 156];
    assert!(holds(&all, &trace), "the trace of the caller goes on");
    assert!(!holds(&all, b"Geheimgang"));
    let log = serving.log.join().expect("no panic");
    assert!(log.contains("0af7651916cd43dd8448eb211c80319c"), "a line of the log finds it: {log}");
}

#[test]
fn a_collector_that_is_not_there_or_never_answers_fails_no_request_and_keeps_nothing_alive() {
    let listener = || TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = |of: &TcpListener| format!("http://{}", of.local_addr().expect("bound"));
    // Nobody listens where a listener has just been closed; the other one takes connections only.
    let closed = url(&listener());
    let hanging = listener();
    let folder = Folder::new();
    folder.run(&["index"]);
    for (url, told) in [(closed, 1..=1), (url(&hanging), 0..=1)] {
        // Many batches, so that each could be told.
        let mut serving = Serving::with(
            &folder,
            &["--otlp-endpoint", &url],
            &[("OTEL_BSP_SCHEDULE_DELAY", "10")],
        );
        for at in 0..20 {
            let asked = ask(&serving.address, "", &format!("Frage {at}?"));
            assert_eq!(reply(asked).0, "HTTP/1.1 200 OK");
        }
        terminate(&serving.child);
        assert_eq!(serving.child.wait().expect("it ends").code(), Some(0));
        let log = serving.log.join().expect("no panic");
        let times = log.matches("traces are not taken").count();
        assert!(told.contains(&times), "{times}: {log}");
        assert!(!log.contains("panicked"), "{log}");
    }
}
