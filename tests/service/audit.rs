//! The audit of questions: who asked what.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use wegweiser::access::{Audiences, Role};
use wegweiser::config::QueryLog;

use crate::access::Service;

/// The lines of the audit once there are so many; they are written shortly after the answer.
async fn lines(folder: &std::path::Path, count: usize) -> Vec<Value> {
    let mut text = String::new();
    for _ in 0..400 {
        text.clear();
        for entry in fs::read_dir(folder).expect("a folder") {
            text += &fs::read_to_string(entry.expect("an entry").path()).expect("readable");
        }
        if text.lines().count() >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), count, "{text}");
    lines
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_way_to_ask_is_audited_masked_with_who_asked_and_what_was_shown() {
    let (mut key, mut folder) = (String::new(), std::path::PathBuf::new());
    let service = Service::new(false, |config| {
        folder = config.data_dir.join("audit");
        config.question_audit = Some(QueryLog { folder: folder.clone(), days: 2 });
        config.service.allow_anonymous = true;
        key = Service::key(config, "auskunft", Role::Qa, Audiences::public());
    })
    .await;
    let question = "Was kostet eine Mahnung? Bitte an eva@example.org";
    let asked = json!({ "question": question });
    let section =
        json!({"question": question, "section": "oeffentlich#gebuehren", "changes": false});
    let chat = json!({"messages": [{"role": "user", "content": question}]});
    let mcp = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": question}}});
    let key = Some(key.as_str());
    for (path, body, who) in [
        ("/v1/route", &asked, key),
        ("/v1/search", &asked, key),
        ("/v1/search/batch", &json!({"questions": [asked, asked]}), key),
        ("/v1/explain", &asked, key),
        ("/v1/explain", &section, key),
        ("/v1/chat/completions", &chat, key),
        ("/mcp", &mcp, key),
        ("/v1/search", &asked, None),
    ] {
        let reply = service.ask("POST", path, Some(body), who).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    }
    let lines = lines(&folder, 9).await;
    let actions: Vec<&str> =
        lines.iter().map(|line| line["action"].as_str().expect("a text")).collect();
    let expected =
        ["route", "search", "batch", "batch", "explain", "explain", "chat", "mcp", "search"];
    assert_eq!(actions, expected);
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(line["question"], "Was kostet eine Mahnung? Bitte an [E-Mail]");
        let by = line["by"].as_str().expect("a text");
        if at == 8 {
            assert_eq!(by, "anonymous", "no address");
        } else {
            assert!(by.starts_with("auskunft (") && by.ends_with(')'), "{by}");
        }
        let hits = line["hits"].as_array().expect("a list");
        assert_eq!(hits.is_empty(), line["action"] == "route", "{line}");
        assert!(line["time"].is_string() && line["request_id"].is_string(), "{line}");
    }
    assert_eq!(lines[1]["hits"][0], "oeffentlich#gebuehren");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_audited_where_nobody_switched_it_on() {
    let service = Service::new(false, |_| ()).await;
    let asked = json!({"question": "Was kostet eine Wanderdüne?"});
    assert_eq!(service.ask("POST", "/v1/search", Some(&asked), None).await.status, 200);
    for entry in fs::read_dir(&service.config.data_dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        assert!(
            path.is_dir() || !fs::read_to_string(&path).unwrap_or_default().contains("Wanderdüne")
        );
        assert!(!path.ends_with("question-audit"));
    }
}
