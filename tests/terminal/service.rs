//! `serve` and `keys` as an operator meets them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::Value;

use crate::harness::Folder;
use crate::processes::terminate;

#[test]
fn an_open_address_without_keys_is_refused_with_the_mend() {
    let folder = Folder::new();
    let run = folder.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    for told in ["refusing to listen on 0.0.0.0:0", "wegweiser keys create", "--allow-anonymous"] {
        assert!(run.err.contains(told), "{told}: {}", run.err);
    }
    let told =
        folder.run(&["serve", "--listen", "0.0.0.0:0", "--allow-anonymous", "--check-config"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    folder.run(&["keys", "create", "chat", "--role", "reader"]);
    let keyed = folder.run(&["serve", "--listen", "0.0.0.0:0", "--check-config"]);
    assert_eq!(keyed.code, Some(0), "{keyed:?}");
}

#[test]
fn a_key_is_shown_once_and_can_be_listed_and_revoked() {
    let folder = Folder::new();
    let made = folder.run(&[
        "keys",
        "create",
        "chat",
        "--role",
        "reader",
        "--audience",
        "personal",
        "--format",
        "json",
    ]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let made: Value = serde_json::from_str(&made.out).expect("JSON");
    let secret = made["key"].as_str().expect("a key");
    let id = made["id"].as_str().expect("an id");
    assert!(secret.starts_with(&format!("wgw_{id}_")), "{made}");
    let list = folder.run(&["keys", "list"]);
    assert!(list.out.contains(&format!("{id}  ")) && list.out.contains("reader  chat  personal"));
    assert!(!list.out.contains(secret), "never again");
    let second = folder.run(&["keys", "create", "chat"]);
    assert_eq!((second.code, second.out.lines().count()), (Some(0), 1), "the key and nothing else");
    assert_eq!(folder.run(&["keys", "create", "chat"]).code, Some(2));
    assert_eq!(folder.run(&["keys", "create", "neu"]).code, Some(2), "without a role");
    let gone = folder.run(&["keys", "revoke", id]);
    assert_eq!(gone.out, format!("revoked {id}  chat\n"));
    assert_eq!(folder.run(&["keys", "revoke", id]).code, Some(2));
    let audit = fs::read_to_string(folder.path("data/audit.jsonl")).expect("a log");
    let actions: Vec<String> = audit
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["action"].to_string())
        .collect();
    assert_eq!(actions, ["\"key_created\"", "\"key_created\"", "\"key_revoked\""]);
    assert!(!audit.contains(secret));
}

#[test]
fn a_check_tells_what_would_keep_it_from_starting() {
    let folder = Folder::new();
    let sound = folder.run(&["serve", "--check-config"]);
    assert_eq!(sound.code, Some(0), "{sound:?}");
    assert!(sound.out.starts_with("sound: 5 sections from 2 files"), "{}", sound.out);
    folder.write("kaputt/a.md", "---\ntitle: Ohne Ende\n\n## A\n\nText.\n");
    let broken = folder.run(&["--compendium", "kaputt", "serve", "--check-config"]);
    assert_eq!(broken.code, Some(2));
    assert!(broken.err.contains("kaputt/a.md:1:1"), "{}", broken.err);
    folder.write("data/keys.json", "{\"keys\": 7}");
    let keys = folder.run(&["serve", "--check-config"]);
    assert_eq!(keys.code, Some(2));
    assert!(keys.err.contains("data/keys.json:1:"), "{}", keys.err);
}

#[test]
fn a_data_folder_that_can_not_be_written_is_told_with_its_path() {
    let folder = Folder::new();
    // A file where the folder should be: read-only for everybody, root included.
    folder.write("voll", "");
    for arguments in [
        &["--data-dir", "voll", "serve", "--listen", "127.0.0.1:0"][..],
        &["--data-dir", "voll", "serve", "--check-config"],
        &["--data-dir", "voll", "keys", "create", "a", "--role", "reader"],
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains("voll"), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn the_log_is_json_and_holds_no_question() {
    let folder = Folder::new();
    folder.run(&["index"]);
    let mut child = folder
        .command(&["--log-format", "json", "serve", "--listen", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut log = BufReader::new(child.stderr.take().expect("piped"));
    let (mut lines, mut address) = (String::new(), None);
    while address.is_none() || !lines.contains("\"ready\"") {
        let mut line = String::new();
        assert!(log.read_line(&mut line).expect("a line") > 0, "it ended early: {lines}");
        if let Some((_, rest)) = line.split_once("http://") {
            address = Some(rest.split('"').next().expect("an address").to_owned());
        }
        lines.push_str(&line);
    }
    let address = address.expect("found");
    for (body, status) in [
        (r#"{"question":"Wo ist der Geheimgang?"}"#, "200"),
        (r#"{"question":"Wo ist der Geheimgang?","k":0}"#, "422"),
        (r#"{"question":"Geheimgang","filters":{"group":"Geheimgang"}}"#, "422"),
    ] {
        let mut stream = TcpStream::connect(&address).expect("connected");
        write!(
            stream,
            "POST /v1/search HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("sent");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("an answer");
        assert!(reply.starts_with(&format!("HTTP/1.1 {status}")), "{reply}");
    }
    terminate(&child);
    log.read_to_string(&mut lines).expect("the rest");
    child.wait().expect("it ends");
    for line in lines.lines() {
        serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    }
    assert!(lines.matches("answered").count() >= 3, "{lines}");
    assert!(!lines.contains("Geheimgang"), "{lines}");
}
