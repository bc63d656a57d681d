//! The Model Context Protocol as a client meets it; official clients are in `examples/clients`.

use serde_json::{Value, json};
use wegweiser::access::{Audiences, Role};

use crate::access::Service;
use crate::harness::{Reply, get, reply, server};

async fn send(body: &str, headers: &[(&str, &str)]) -> Reply {
    let address = server().await;
    let mut request = reqwest::Client::new()
        .post(format!("{address}/mcp"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    reply(request.body(body.to_owned())).await
}

async fn call(method: &str, params: Value) -> Value {
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let reply = send(&body.to_string(), &[]).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.headers["content-type"], "application/json");
    let answer = reply.json();
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)), "{answer}");
    answer
}

/// The result of a tool.
async fn tool(name: &str, arguments: Value) -> Value {
    call("tools/call", json!({"name": name, "arguments": arguments})).await["result"].take()
}

/// The structured result, which the text must repeat.
fn structured(result: &Value) -> &Value {
    assert_ne!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    let text: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(text, result["structuredContent"]);
    &result["structuredContent"]
}

#[tokio::test]
async fn a_client_and_the_server_agree_on_a_version() {
    for (asked, agreed) in
        [("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25")]
    {
        let params = json!({
            "protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        });
        let answer = call("initialize", params).await;
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], agreed, "{answer}");
        assert_eq!(result["serverInfo"]["name"], "wegweiser");
        assert!(result["capabilities"]["tools"].is_object(), "{answer}");
        assert!(result["instructions"].as_str().is_some_and(|text| text.contains("answerable")));
    }
}

#[tokio::test]
async fn search_and_fetch_have_the_shape_that_chat_products_expect() {
    let listed = call("tools/list", json!({})).await;
    let names: Vec<&Value> = listed["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names, ["search", "fetch"]);
    for tool in listed["result"]["tools"].as_array().expect("tools") {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(
            (&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]),
            (&json!("object"), &json!("object"))
        );
    }
    let found = tool("search", json!({"query": "Wie kann ich ein Buch verlängern?"})).await;
    let found = structured(&found);
    assert_eq!(found["answerable"], true, "{found}");
    let address = server().await;
    let url = format!("{address}/v1/sections/bibliothek%23buecher-verlaengern");
    let first =
        json!({"id": "bibliothek#buecher-verlaengern", "title": "Bücher verlängern", "url": url});
    assert_eq!(found["results"][0], first);
    let section = tool("fetch", json!({"id": "bibliothek#buecher-verlaengern"})).await;
    let text = get(&url).await.json()["text"].clone();
    assert_eq!(
        structured(&section),
        &json!({
            "id": "bibliothek#buecher-verlaengern", "title": "Bücher verlängern", "url": url, "text": text,
            "metadata": {
                "document": "bibliothek", "path": "Bibliothek", "group": "Planung_und_Organisation",
                "updated": "2026-05-04", "facet:ort": "Haus A",
            },
        })
    );
    let nothing = tool("search", json!({"query": "Wie hoch ist der Mount Everest?"})).await;
    assert_eq!(structured(&nothing)["answerable"], false);
}

#[tokio::test]
async fn what_a_tool_can_not_do_is_told_to_the_model() {
    for (name, arguments, told) in [
        ("search", json!({}), "`query` must be a text"),
        ("search", json!({"query": 7}), "`query` must be a text"),
        ("search", json!({"query": " \u{202e}"}), "the question is empty"),
        ("search", json!({"query": "x".repeat(2_001)}), "at most 2000 are allowed"),
        ("fetch", json!({}), "`id` must be a text"),
        (
            "fetch",
            json!({"id": "nirgends"}),
            "there is no section `nirgends`\nEs gibt keinen Abschnitt „nirgends“.",
        ),
        ("fetch", json!({"id": "\u{1b}[2J"}), "there is no section `\\u{1b}[2J`"),
    ] {
        let result = tool(name, arguments.clone()).await;
        assert_eq!(result["isError"], true, "{name} {arguments}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains(told), "{text}");
    }
    let unknown = call("tools/call", json!({"name": "löschen", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_eq!(call("tools/forget", json!({})).await["error"]["code"], -32601);
    for (method, params) in [
        ("tools/call", json!({})),
        ("tools/call", json!(null)),
        ("tools/call", json!({"name": 7})),
        ("tools/call", json!({"name": "search", "arguments": ["Was ist das?"]})),
        ("tools/call", json!({"name": "search", "arguments": "Was ist das?"})),
        ("initialize", json!({"protocolVersion": 7})),
    ] {
        let error = call(method, params.clone()).await["error"].take();
        assert_eq!(error["code"], -32602, "{method} {params}: {error}");
        let message = error["message"].as_str().expect("a text");
        assert!(message.starts_with(&format!("`params` of {method} must be")), "{message}");
    }
    assert!(call("ping", json!({})).await["result"].is_object());
}

#[tokio::test]
async fn messages_that_are_none_are_refused_and_notifications_taken() {
    let taken = send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, &[]).await;
    assert_eq!((taken.status, taken.text.as_str()), (202, ""));
    for (bad, code) in [
        ("", -32700),
        ("{", -32700),
        (&*"[".repeat(100_000), -32700),
        ("[]", -32600),
        ("{}", -32600),
        ("7", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    ] {
        let refused = send(bad, &[]).await;
        let shown: String = bad.chars().take(60).collect();
        assert_eq!(
            (refused.status, &refused.json()["error"]["code"]),
            (400, &json!(code)),
            "{shown}"
        );
        assert!(refused.json()["id"].is_null());
    }
    let version = send(
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        &[("mcp-protocol-version", "1999-01-01")],
    )
    .await;
    assert_eq!(version.status, 400, "{}", version.text);
    let address = server().await;
    let client = reqwest::Client::new();
    for method in [reqwest::Method::GET, reqwest::Method::DELETE] {
        let refused = reply(
            client.request(method, format!("{address}/mcp")).header("accept", "text/event-stream"),
        )
        .await;
        assert_eq!(
            (refused.status, &refused.headers["allow"]),
            (405, &"POST".parse().expect("fine"))
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_other_origins_and_callers_without_a_key_are_refused() {
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let mut key = String::new();
    let service = Service::new(true, |config| {
        config.service.cors_origins = vec!["https://chat.example.org".to_owned()];
        key = Service::key(config, "chat", Role::Reader, Audiences::public());
    })
    .await;
    assert_eq!(
        service.ask("POST", "/mcp", Some(&ping), None).await.problem(),
        (401, "key_missing".to_owned())
    );
    let from = async |origin: &str| {
        let request = reqwest::Client::new()
            .post(format!("{}/mcp", service.address))
            .header("authorization", format!("Bearer {key}"))
            .header("content-type", "application/json")
            .header("origin", origin);
        reply(request.body(ping.to_string())).await
    };
    assert_eq!(from("https://chat.example.org").await.status, 200);
    for origin in
        ["https://evil.example", "null", "http://chat.example.org", "http://localhost:3000"]
    {
        assert_eq!(from(origin).await.problem(), (403, "origin_foreign".to_owned()), "{origin}");
    }
}
