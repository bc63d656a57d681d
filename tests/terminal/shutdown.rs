//! What SIGTERM does to a request that is under way.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::Folder;
use crate::http::{ask, reply, request};
use crate::processes::{Serving, terminate};

/// Part of the question that the model answers only when it is told to.
const HELD: &str = "Pflaumenkuchen";

/// A model that says when it was asked the held question, and answers it when it is let go.
fn model() -> (String, Receiver<()>, Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    let ((tell, asked), (let_go, gate)) = (channel(), channel());
    let gate = Arc::new(Mutex::new(gate));
    thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            let (tell, gate) = (tell.clone(), Arc::clone(&gate));
            thread::spawn(move || answer(socket, &tell, &gate));
        }
    });
    (url, asked, let_go)
}

fn answer(mut socket: TcpStream, tell: &Sender<()>, gate: &Mutex<Receiver<()>>) {
    let Some((_, body)) = request(&mut socket) else { return };
    let asked: Value = serde_json::from_slice(&body).expect("JSON");
    if asked["messages"][1]["content"].as_str().is_some_and(|text| text.contains(HELD)) {
        let _ = tell.send(());
        let _ = gate.lock().expect("no panic").recv();
    }
    let message = json!({"role": "assistant", "content": r#"{"intent": "how"}"#});
    let body = json!({"model": "llama3", "message": message, "done": true}).to_string();
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
    let _ = write!(socket, "{head}\r\n{body}");
}

#[test]
fn a_running_request_is_finished_new_ones_are_refused_and_the_process_ends_well() {
    let folder = Folder::new();
    let (url, asked, let_go) = model();
    folder.write("wegweiser.yaml", "ollama: {time_limit_ms: 60000}\n");
    folder.run(&["index"]);
    let mut serving = Serving::start(&folder, &["--ollama-url", &url]);
    // The model is probed in the background first.
    for attempt in 0.. {
        let (_, answer) =
            reply(ask(&serving.address, "", &format!("Regenwetter im Herbst, Teil {attempt}")));
        if answer["intent"]["source"] == "llm" {
            break;
        }
        assert!(attempt < 300, "{answer}");
        thread::sleep(Duration::from_millis(100));
    }
    let running = ask(&serving.address, "", &format!("{HELD} und Regenwetter im Herbst"));
    asked.recv().expect("the model is asked");
    terminate(&serving.child);
    for attempt in 0.. {
        if TcpStream::connect(&serving.address).is_err() {
            break;
        }
        assert!(attempt < 300, "connections are still taken");
        thread::sleep(Duration::from_millis(100));
    }
    assert!(serving.child.try_wait().expect("known").is_none(), "it waits for the running request");
    let_go.send(()).expect("the model waits");
    let (status, answer) = reply(running);
    assert_eq!(status, "HTTP/1.1 200 OK", "{answer}");
    assert_eq!(answer["intent"]["source"], "llm", "{answer}");
    assert!(answer["hits"].as_array().is_some_and(|hits| !hits.is_empty()), "{answer}");
    assert_eq!(serving.child.wait().expect("it ends").code(), Some(0));
}
