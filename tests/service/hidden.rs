//! Nothing that a key may not see shows anywhere: over every operation of the API's own document, with
//! generated questions, filters, ids, roles and audiences.
//!
//! Two services answer: one with sections that no key of these tests may see, one in which they were
//! never written. Answers must be equal. And no answer may hold a word that stands only in sections
//! hidden from the key, except those words that the request itself said.

use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wegweiser::access::Role;

use crate::harness::Reply;
use crate::hidden_world::{Caller, OF_NOBODY, OF_STAFF, World};

/// Pages and addresses that the document does not list.
const UNLISTED: [&str; 7] =
    ["/", "/katalog", "/luecken", "/regeln", "/zustand", "/seiten/suche.js", "/tiefenplan"];
/// Operations that are slow and take nothing from the caller: asked once with each key.
const FIXED: [&str; 2] = ["post /v1/catalog/runs", "post /v1/reload"];

/// What requests are made of.
#[derive(Debug, Clone)]
struct Said {
    question: String,
    id: &'static str,
    filters: Value,
    mode: &'static str,
    pattern: &'static str,
    thorough: bool,
}

#[derive(Debug, Clone)]
struct Probe {
    method: &'static str,
    path: String,
    body: Option<Value>,
}

impl Probe {
    fn text(&self) -> String {
        let body = self.body.as_ref().map_or_else(String::new, Value::to_string);
        format!("{} {} {body}", self.method, self.path.replace("%23", "#")).to_lowercase()
    }

    /// The same with another section id.
    fn about(&self, id: &str, other: &str) -> Self {
        let replaced = |text: &str| text.replace(id, other);
        let path = self.path.replace(&id.replace('#', "%23"), &other.replace('#', "%23"));
        let body = self
            .body
            .as_ref()
            .map(|body| serde_json::from_str(&replaced(&body.to_string())).expect("still JSON"));
        Self { path, body, ..self.clone() }
    }
}

fn get(path: impl Into<String>) -> Probe {
    Probe { method: "GET", path: path.into(), body: None }
}

fn post(path: &str, body: Value) -> Probe {
    Probe { method: "POST", path: path.to_owned(), body: Some(body) }
}

/// The requests to one operation of the document. An operation without any is a hole in this fence.
fn probes(operation: &str, said: &Said) -> Vec<Probe> {
    let Said { question, id, filters, mode, pattern, thorough } = said;
    let path = operation.split(' ').nth(1).expect("a path");
    let address = path.replace("{id}", &id.replace('#', "%23"));
    let search = json!({
        "question": question, "mode": mode, "k": 100, "filters": filters, "explain": thorough,
    });
    match operation {
        "get /healthz"
        | "get /readyz"
        | "get /metrics"
        | "get /openapi.json"
        | "get /v1/models"
        | "get /v1/status"
        | "get /v1/rules"
        | "get /v1/gaps"
        | "get /v1/catalog/runs" => {
            vec![get(path)]
        }
        "get /v1/catalog/runs/{id}" => {
            vec![get(path.replace("{id}", "{newest}")), get(address)]
        }
        "post /v1/gaps/promote" => {
            let findings = [format!("G-UNANSWERED:{question}"), format!("G-THIN:{id}")];
            findings.iter().map(|finding| post(path, json!({ "finding": finding }))).collect()
        }
        "get /v1/models/{id}" | "get /v1/sections/{id}" | "get /v1/sections/{id}/sheet" => {
            vec![get(address)]
        }
        "post /v1/catalog/runs" | "post /v1/reload" => {
            vec![Probe { method: "POST", path: path.to_owned(), body: None }]
        }
        "post /v1/route" => vec![post(path, json!({ "question": question }))],
        "post /v1/search" => vec![post(path, search)],
        "post /v1/search/batch" => {
            vec![post(path, json!({"questions": [search, {"question": id}]}))]
        }
        "post /v1/explain" => {
            let about = json!({"question": question, "section": id, "changes": thorough});
            vec![
                post(path, json!({"question": question, "mode": mode, "k": 100})),
                post(path, about),
            ]
        }
        "post /v1/feedback" => {
            vec![post(path, json!({"request_id": "1", "section": id, "rating": "helpful"}))]
        }
        "post /v1/rules/try" => vec![post(path, json!({"pattern": pattern, "scope": "full"}))],
        "post /v1/chat/completions" => {
            let messages = json!([{"role": "user", "content": question}]);
            let model = json!({"model": id, "messages": messages});
            vec![post(path, json!({"messages": messages, "stream": thorough})), post(path, model)]
        }
        "post /mcp" => {
            let call = |name: &str, arguments: Value| {
                let params = json!({"name": name, "arguments": arguments});
                let call =
                    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
                post(path, call)
            };
            vec![
                call("search", json!({ "query": question })),
                call("fetch", json!({ "id": id })),
                call(id, json!({})),
                post(path, json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})),
            ]
        }
        _ => panic!(
            "no probe asks `{operation}`: add one that could make it tell of hidden sections"
        ),
    }
}

/// All operations of the API's document, as `method path`.
fn operations() -> Vec<String> {
    let document = serde_json::to_value(wegweiser::http::openapi_document()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let of_path = |(path, methods): (&String, &Value)| -> Vec<String> {
        methods
            .as_object()
            .expect("methods")
            .keys()
            .map(|method| format!("{method} {path}"))
            .collect()
    };
    paths.iter().flat_map(of_path).collect()
}

struct Fence {
    runtime: Runtime,
    hiding: World,
    without: World,
}

/// One test at a time: both ask for runs of the catalog and for what is being worked on.
static FENCE: LazyLock<Mutex<Fence>> = LazyLock::new(|| {
    let runtime = Runtime::new().expect("a runtime");
    let (hiding, without) =
        runtime.block_on(async { (World::new(true, false).await, World::new(false, false).await) });
    Mutex::new(Fence { runtime, hiding, without })
});

impl Fence {
    /// Asks both services, compares, and looks for words of hidden sections; the status.
    async fn ask(&self, probe: &Probe, caller: Caller) -> u16 {
        let told = answer(&self.hiding, probe, self.hiding.key(caller)).await;
        let plain = answer(&self.without, probe, self.without.key(caller)).await;
        let what = format!("{caller:?}: {}", probe.text());
        assert_eq!(told.status, plain.status, "{what}: {} {}", told.text, plain.text);
        if probe.path != "/metrics" {
            assert_eq!(
                masked(&self.hiding, &told.text),
                masked(&self.without, &plain.text),
                "{what}"
            );
        }
        let mut heads = String::new();
        for (name, value) in &told.headers {
            heads.push_str(&String::from_utf8_lossy(value.as_bytes()));
            heads.push_str(name.as_str());
        }
        let told_all = format!("{heads}{}", told.text).to_lowercase();
        let asked = probe.text();
        let staff = if caller.is_staff { &[][..] } else { &OF_STAFF };
        for word in OF_NOBODY.iter().chain(staff).filter(|word| !asked.contains(**word)) {
            assert!(!told_all.contains(word), "{what} tells `{word}`: {told_all}");
        }
        told.status
    }

    /// A section that is hidden is one that does not exist, whatever is asked about it.
    async fn hidden_is_absent(&self, probe: &Probe, id: &str, caller: Caller) {
        let absent = turned(id);
        let hidden = answer(&self.hiding, probe, self.hiding.key(caller)).await;
        let other = answer(&self.hiding, &probe.about(id, &absent), self.hiding.key(caller)).await;
        let back = masked(&self.hiding, &other.text).replace(&absent, id);
        let what = format!("{caller:?}: {}", probe.text());
        assert_eq!(
            (hidden.status, masked(&self.hiding, &hidden.text)),
            (other.status, back),
            "{what}"
        );
    }

    async fn all(&self, operations: &[String], said: &Said, caller: Caller) -> BTreeSet<u16> {
        let mut statuses = BTreeSet::new();
        for operation in operations {
            for probe in probes(operation, said) {
                statuses.insert(self.ask(&probe, caller).await);
                // Questions hold words of sections and no ids: there is nothing to exchange.
                let is_about = probe.text().contains(said.id) && !said.question.contains(said.id);
                let hidden = caller.hidden_ids().any(|id| id == said.id);
                // A batch also asks the id as a question.
                if hidden && is_about && operation != "post /v1/search/batch" {
                    self.hidden_is_absent(&probe, said.id, caller).await;
                }
            }
        }
        statuses
    }
}

/// Letters exchanged for others: an id of the same form that no section has.
fn turned(id: &str) -> String {
    let turn = |c: char| match c {
        'a'..='m' => char::from(c as u8 + 13),
        'n'..='z' => char::from(c as u8 - 13),
        _ => c,
    };
    id.chars().map(turn).collect()
}

/// The answer once background work is done and nobody else tries changes.
async fn answer(world: &World, probe: &Probe, key: Option<&str>) -> Reply {
    let mut path = probe.path.clone();
    if path.contains("{newest}") {
        let list = world.service.ask("GET", "/v1/catalog/runs", None, key).await;
        let list: Value = serde_json::from_str(&list.text).expect("JSON");
        path = path.replace("{newest}", list["runs"][0]["id"].as_str().unwrap_or("none"));
    }
    for _ in 0..2_400 {
        let reply = world.service.ask(probe.method, &path, probe.body.as_ref(), key).await;
        let is_going_on = reply.status == 202 && probe.method == "GET"
            || path == "/v1/catalog/runs"
                && probe.method == "GET"
                && reply.status == 200
                && !reply.json()["running"].is_null();
        if !is_going_on && reply.status != 503 {
            if probe.method == "POST" && path == "/v1/catalog/runs" && reply.status == 202 {
                // Who asks next must find it ended.
                Box::pin(answer(world, &get("/v1/catalog/runs"), key)).await;
            }
            return reply;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never done: {}", probe.text());
}

/// An answer without what differs from service to service and from time to time.
fn masked(world: &World, text: &str) -> String {
    let text = world.masked(text);
    let events: Vec<String> = text
        .split('\n')
        .map(|line| match (serde_json::from_str(line), line.strip_prefix("data: ")) {
            (Ok(json), _) => timeless(json).to_string(),
            (_, Some(event)) => serde_json::from_str(event)
                .map_or(event.to_owned(), |json| timeless(json).to_string()),
            _ => line.to_owned(),
        })
        .collect();
    events.join("\n")
}

fn timeless(json: Value) -> Value {
    let passing = ["finished", "compared_with", "created", "uptime_seconds"];
    match json {
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| {
                // When a log was read; what a pattern read is called the same and must be equal.
                let is_moment = name == "read"
                    && value.as_str().is_some_and(|text| text.len() == 20 && text.ends_with('Z'));
                let is_run = name == "id"
                    && value
                        .as_str()
                        .is_some_and(|id| id.starts_with("20") || id.starts_with("chatcmpl-"));
                let value = if passing.contains(&&*name) || is_run || is_moment {
                    json!("[masked]")
                } else {
                    timeless(value)
                };
                (name, value)
            })
            .collect(),
        Value::Array(list) => list.into_iter().map(timeless).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => json,
    }
}

fn said() -> impl Strategy<Value = Said> {
    let words = prop::sample::select(World::WORDS.as_slice());
    let question = prop::collection::vec(words, 1..6).prop_map(|words| words.join(" "));
    let id = prop::sample::select(World::IDS.as_slice());
    let filters = prop::sample::subsequence(World::FILTERS.as_slice(), 0..3).prop_map(|chosen| {
        let mut filters = json!({});
        for (name, value) in chosen {
            let (filter, facet) = name.split_once('.').unwrap_or((name, ""));
            if facet.is_empty() {
                filters[filter] = json!(value);
            } else {
                filters[filter] = json!({ facet: value });
            }
        }
        filters
    });
    let mode = prop::sample::select(["hybrid", "vector", "lexical"].as_slice());
    let pattern = prop::sample::select(World::PATTERNS.as_slice());
    (question, id, filters, mode, pattern, any::<bool>()).prop_map(
        |(question, id, filters, mode, pattern, thorough)| Said {
            question,
            id,
            filters,
            mode,
            pattern,
            thorough,
        },
    )
}

#[test]
fn every_operation_tells_every_key_only_what_it_may_see() {
    let fence = FENCE.lock().unwrap_or_else(PoisonError::into_inner);
    let operations = operations();
    assert!(operations.len() >= 22, "{operations:?}");
    for caller in Caller::all() {
        for (id, question) in World::IDS.iter().zip(World::QUESTIONS) {
            let filters = json!({"audience": "geheimrat"});
            let question = question.to_owned();
            let said = Said { question, id, filters, mode: "hybrid", pattern: ".", thorough: true };
            let is_first = *id == World::IDS[0];
            let asked: Vec<String> = operations
                .iter()
                // In the order of what they make: a run before the list of runs.
                .filter(|operation| is_first || !FIXED.contains(&operation.as_str()))
                .cloned()
                .collect();
            let statuses = fence.runtime.block_on(async {
                for path in UNLISTED {
                    fence.ask(&get(path), caller).await;
                }
                fence.all(&asked, &said, caller).await
            });
            assert!(statuses.contains(&200) || caller.role.is_none(), "{caller:?}: {statuses:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 60, ..ProptestConfig::default() })]
    #[test]
    fn whatever_is_asked_hidden_sections_do_not_exist(said in said(), at in 0..Caller::all().len()) {
        let fence = FENCE.lock().unwrap_or_else(PoisonError::into_inner);
        let asked: Vec<String> =
            operations().into_iter().filter(|operation| !FIXED.contains(&operation.as_str())).collect();
        fence.runtime.block_on(fence.all(&asked, &said, Caller::all()[at]));
    }
}

/// The same probes with a key of all audiences: what is held back above is there to be told.
#[test]
fn who_may_see_everything_is_told_by_the_same_requests() {
    let fence = FENCE.lock().unwrap_or_else(PoisonError::into_inner);
    let (id, question) = (World::IDS[0], "Was kostet es in der Bucht?".to_owned());
    let filters = json!({});
    let said = Said { question, id, filters, mode: "hybrid", pattern: ".", thorough: true };
    let mut telling = Vec::new();
    for operation in operations() {
        for probe in probes(&operation, &said) {
            let key = Some(fence.hiding.whole.as_str());
            let told = fence.runtime.block_on(answer(&fence.hiding, &probe, key));
            let (asked, told) = (probe.text(), told.text.to_lowercase());
            if OF_NOBODY.iter().any(|word| told.contains(word) && !asked.contains(word)) {
                telling.push(operation.clone());
            }
        }
    }
    telling.dedup();
    assert_eq!(
        telling,
        [
            "post /mcp",
            "get /v1/catalog/runs/{id}",
            "post /v1/chat/completions",
            "post /v1/explain",
            "get /v1/gaps",
            "post /v1/rules/try",
            "post /v1/search",
            "post /v1/search/batch",
            "get /v1/sections/{id}",
            "get /v1/sections/{id}/sheet",
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rating_of_a_hidden_section_is_one_of_none() {
    let world = World::new(true, true).await;
    let rated = async |id: &str, key| {
        let body = json!({"request_id": "1", "section": id, "rating": "helpful"});
        world.service.ask("POST", "/v1/feedback", Some(&body), key).await
    };
    for caller in Caller::all() {
        let key = world.key(caller);
        for id in caller.hidden_ids() {
            let (hidden, absent) = (rated(id, key).await, rated(&turned(id), key).await);
            assert_eq!(hidden.problem(), (404, "section_unknown".to_owned()), "{caller:?} {id}");
            assert_eq!(hidden.text, absent.text.replace(&turned(id), id), "{caller:?}");
        }
        assert_eq!(rated("besuch#gebuehren", key).await.status, 204, "{caller:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn problems_of_files_are_told_to_keys_of_all_audiences_only() {
    let world = World::new(true, false).await;
    let page = world.service.config.compendium.as_ref().expect("named").join("tiefenplan.md");
    std::fs::write(page, "---\ntitle: Quastenflosser\n\n## Ohne Ende\n").expect("written");
    let reload = async |key| world.service.ask("POST", "/v1/reload", None, key).await;
    let admin = Caller { role: Some(Role::Admin), is_staff: true };
    let refused = reload(world.key(admin)).await;
    assert_eq!(refused.problem(), (409, "files_invalid".to_owned()));
    assert!(refused.json()["problems"].is_null(), "{}", refused.text);
    let said = |reply: &Reply, words: &str| assert!(reply.text.contains(words), "{}", reply.text);
    said(&refused, "the log names the problems");
    said(&refused, "Das Protokoll nennt die Probleme, und ein Schlüssel für alle Zielgruppen");
    let mut told = vec![(admin, refused)];
    for caller in Caller::all() {
        for path in ["/readyz", "/v1/status", "/metrics"] {
            let reply = world.service.ask("GET", path, None, world.key(caller)).await;
            if reply.status == 200 && path != "/metrics" {
                assert_eq!(reply.json()["reload"], "failed", "{caller:?} {path}");
            }
            told.push((caller, reply));
        }
    }
    for (caller, reply) in told {
        let text = reply.text.to_lowercase();
        for word in OF_NOBODY {
            assert!(!text.contains(word), "{caller:?} reads `{word}`: {text}");
        }
    }
    let whole = Some(world.whole.as_str());
    said(&reload(whole).await, "tiefenplan.md:1:1");
    for path in ["/readyz", "/v1/status"] {
        said(&world.service.ask("GET", path, None, whole).await, "tiefenplan.md:1:1");
    }
}
