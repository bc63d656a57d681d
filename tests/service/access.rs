//! Who may ask, and what nobody learns who may not see a section.

use std::fs;
use std::path::Path;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::{Value, json};
use wegweiser::access::{Audiences, Keys, Right, Role};
use wegweiser::config::Config;

use crate::harness::{Reply, ready, reply, settings, start};

/// Stands in the hidden section and nowhere else: as a word, in a compound, and as an identifier.
const MARKER: &str = "Quastenflosser";
const HIDDEN_ID: &str = "oeffentlich#quastenflosser";
const HIDDEN_DOCUMENT: &str = "---\ntitle: Quastenflosserpläne\ngroup: Wirkung_und_Entwicklung\n\
    audience: [geheimrat]\nfacets: {tier: [quastenflosser]}\n---\n\n## Quastenflosser füttern\n\nDer \
    Quastenflosser im Becken QUF-4477-X frisst Fristverlängerungen. Quastenflosserfutter liegt im Keller.\n";
const HIDDEN_SECTION: &str = "\n## Der Quastenflosser {#quastenflosser audience=geheimrat}\n\n\
    Der Quastenflosser verlängert seine Leihfrist mit dem Code QUF-4471-Y. Sein Futter ist teuer.\n\n\
    ### Wer ihn sieht {#wer-ihn-sieht audience=alle}\n\nBesucher melden sich am Empfang an.\n";
/// What is left of that document for everybody.
const LEFT: &str = "\n## Wer ihn sieht {#wer-ihn-sieht}\n\nBesucher melden sich am Empfang an.\n";
const PUBLIC: &str = "---\ntitle: Öffentlich\ngroup: Planung_und_Organisation\n---\n\n\
    ## Frist verlängern\n\nDie Leihfrist verlängert man im Konto. Das Formular heißt QUF-4470-Z.\n\n\
    ## Gebühren\n\nEine Mahnung kostet zwei Euro.\n";

/// Questions that would feel the hidden sections.
const QUESTIONS: [&str; 9] = [
    "Was frisst der Quastenflosser?",
    "Quastenflosserfutter",
    "QUF-4471-Y",
    "QUF-4477-X verlängern",
    "Wo liegt QUF-4470-Z?",
    "Wie kann ich die Leihfrist verlängern?",
    "Welchen Nutzen hat das Futter?",
    "Quastenfloser",
    "Wie melde ich mich an und was kostet eine Mahnung?",
];

fn compendium(folder: &Path, hidden: bool) {
    fs::create_dir_all(folder).expect("a folder");
    let rest = if hidden { HIDDEN_SECTION } else { LEFT };
    fs::write(folder.join("oeffentlich.md"), format!("{PUBLIC}{rest}")).expect("written");
    if hidden {
        fs::write(folder.join("plaene.md"), HIDDEN_DOCUMENT).expect("written");
    }
}

pub(crate) struct Service {
    folder: tempfile::TempDir,
    pub(crate) address: String,
    pub(crate) config: Config,
}

impl Service {
    /// Over the small compendium, with or without what is hidden; `prepare` may write keys.
    pub(crate) async fn new(hidden: bool, prepare: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut config = settings(folder.path());
        compendium(&folder.path().join("kompendium"), hidden);
        config.compendium = Some(folder.path().join("kompendium"));
        prepare(&mut config);
        let started = config.clone();
        let (address, _) =
            tokio::task::spawn_blocking(move || start(started)).await.expect("it starts");
        ready(&address).await;
        Self { folder, address, config }
    }

    pub(crate) fn key(config: &Config, name: &str, role: Role, audiences: Audiences) -> String {
        let right = Some(Right { role, audiences });
        let (_, secret) = Keys::create(&config.service.keys, name, right).expect("made");
        secret.reveal().to_owned()
    }

    /// A text without the names of folder and address, and without what is different for every chat.
    pub(crate) fn masked(&self, text: &str) -> String {
        let mut text = text
            .replace(&self.folder.path().display().to_string(), "[folder]")
            .replace(&self.address, "[address]");
        if let (Some(from), Some(to)) = (text.find("\"id\":\"chatcmpl-"), text.find(",\"model\"")) {
            text.replace_range(from..to, "[id]");
        }
        text
    }

    pub(crate) async fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Reply {
        let url = format!("{}{path}", self.address);
        let method = method.parse().expect("a method");
        let mut request = reqwest::Client::new().request(method, url);
        if let Some(key) = key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        }
        reply(request).await
    }
}

/// Every endpoint with everything that could make it speak of a hidden section.
fn probes() -> Vec<(&'static str, String, Option<Value>)> {
    let mut probes = Vec::new();
    let mut post = |path: &str, body: Value| probes.push(("POST", path.to_owned(), Some(body)));
    for question in QUESTIONS {
        post("/v1/route", json!({ "question": question }));
        post("/v1/explain", json!({"question": question, "k": 100}));
        post("/v1/search/batch", json!({"questions": [{"question": question, "explain": true}]}));
        let messages = json!([{"role": "user", "content": question}]);
        post("/v1/chat/completions", json!({ "messages": messages }));
        let call = |name: &str, arguments: Value| {
            let params = json!({"name": name, "arguments": arguments});
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        };
        post("/mcp", call("search", json!({ "query": question })));
        post("/mcp", call("fetch", json!({ "id": HIDDEN_ID })));
        for mode in ["hybrid", "vector", "lexical"] {
            post("/v1/search", json!({"question": question, "mode": mode, "k": 100}));
        }
    }
    for filters in [
        json!({"audience": "geheimrat"}),
        json!({"audience": "geheimrad"}),
        json!({"group": "Wirkung_und_Entwicklung"}),
        json!({"group": "Wirkung"}),
        json!({"document": "plaene"}),
        json!({"document": "plane"}),
        json!({"facets": {"tier": "quastenflosser"}}),
        json!({"facets": {"tiere": "x"}}),
    ] {
        post("/v1/search", json!({"question": "Was frisst er?", "filters": filters}));
    }
    for id in ["quastenflosser", "nirgends", "frist-verlaengern", "wer-ihn-sieht", "gebuehren"] {
        probes.push(("GET", format!("/v1/sections/oeffentlich%23{id}"), None));
    }
    for path in ["/v1/sections/plaene%23quastenflosser-fuettern", "/readyz", "/healthz", "/x"] {
        probes.push(("GET", path.to_owned(), None));
    }
    for path in ["/metrics", "/openapi.json"] {
        probes.push(("GET", path.to_owned(), None));
    }
    probes.push(("POST", "/v1/reload".to_owned(), None));
    probes
}

/// The bodies with what the caller said himself taken out: a question comes back as it was asked.
fn said_by_us(text: &str, body: Option<&Value>) -> String {
    let Some(body) = body else { return text.to_owned() };
    let mut text = text.to_lowercase();
    let question = body["question"]
        .as_str()
        .or(body["questions"][0]["question"].as_str())
        .or(body["messages"][0]["content"].as_str())
        .or(body["params"]["arguments"]["query"].as_str())
        .or(body["params"]["arguments"]["id"].as_str());
    for own in question.into_iter().flat_map(|question| {
        let words = question.split_whitespace().map(|word| word.trim_matches(['?', '.']));
        std::iter::once(question).chain(words).map(str::to_lowercase).collect::<Vec<_>>()
    }) {
        text = text.replace(&own, "");
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_caller_may_not_see_does_not_exist() {
    let mut key = String::new();
    let with = |config: &mut Config, key: &mut String| {
        Service::key(config, "alles", Role::Admin, Audiences::All);
        *key = Service::key(config, "leser", Role::Reader, Audiences::Only(["gast".into()].into()));
    };
    let hiding = Service::new(true, |config| with(config, &mut key)).await;
    let reader = key.clone();
    let without = Service::new(false, |config| with(config, &mut key)).await;
    let mut differing = 0;
    for (method, path, body) in probes() {
        let told = hiding.ask(method, &path, body.as_ref(), Some(&reader)).await;
        let plain = without.ask(method, &path, body.as_ref(), Some(&key)).await;
        let told = Reply { text: hiding.masked(&told.text), ..told };
        let plain = Reply { text: without.masked(&plain.text), ..plain };
        let what = format!("{method} {path} {body:?}");
        assert_eq!(told.status, plain.status, "{what}: {}", told.text);
        if path != "/metrics" {
            assert_eq!(told.text, plain.text, "{what}");
        }
        let rest = said_by_us(&told.text, body.as_ref()).to_lowercase();
        let asked_for = path.contains("quastenflosser") || path.contains("plaene");
        for word in ["quastenflos", "quf-4471-y", "quf-4477-x", "geheimrat", "becken"] {
            let own = body.as_ref().is_some_and(|body| body["filters"].to_string().contains(word));
            assert!(asked_for || own || !rest.contains(word), "{what} tells `{word}`: {rest}");
        }
        differing += usize::from(told.status == 200);
    }
    assert!(differing > 50, "most probes are answered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_the_audience_sees_the_section_and_404_is_the_same_for_all_others() {
    let mut keys = Vec::new();
    let service = Service::new(true, |config| {
        let only = |name: &str| Audiences::Only([name.to_owned()].into());
        keys.push(Service::key(config, "rat", Role::Reader, only("geheimrat")));
        keys.push(Service::key(config, "gast", Role::Reader, only("gast")));
    })
    .await;
    let path = format!("/v1/sections/{}", HIDDEN_ID.replace('#', "%23"));
    let seen = service.ask("GET", &path, None, Some(&keys[0])).await;
    assert_eq!(seen.status, 200, "{}", seen.text);
    assert!(seen.text.contains(MARKER) && seen.json()["place"].is_null(), "{}", seen.text);
    let hidden = service.ask("GET", &path, None, Some(&keys[1])).await;
    let nowhere =
        service.ask("GET", "/v1/sections/oeffentlich%23nirgends", None, Some(&keys[1])).await;
    assert_eq!(hidden.problem(), (404, "section_unknown".to_owned()));
    assert_eq!(hidden.text.replace("quastenflosser", "nirgends"), nowhere.text);
    let question = json!({"question": "Was frisst der Quastenflosser?"});
    let found = service.ask("POST", "/v1/search", Some(&question), Some(&keys[0])).await;
    assert!(found.json()["hits"].to_string().contains(MARKER), "{}", found.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_role_may_do_what_it_may_and_no_more() {
    let mut keys = Vec::new();
    let service = Service::new(false, |config| {
        for role in [Role::Reader, Role::Qa, Role::Editor, Role::Admin] {
            keys.push(Service::key(config, &role.to_string(), role, Audiences::public()));
        }
    })
    .await;
    for (method, path, allowed_from) in [
        ("GET", "/v1/sections/oeffentlich%23gebuehren", 0),
        ("GET", "/metrics", 1),
        ("POST", "/v1/reload", 3),
    ] {
        let nobody = service.ask(method, path, None, None).await;
        assert_eq!(nobody.problem(), (401, "key_missing".to_owned()), "{path}");
        assert_eq!(nobody.headers["www-authenticate"], "Bearer");
        let wrong = service.ask(method, path, None, Some("sk-falsch")).await;
        assert_eq!(wrong.problem(), (401, "key_invalid".to_owned()), "{path}");
        for (at, key) in keys.iter().enumerate() {
            let reply = service.ask(method, path, None, Some(key)).await;
            if at >= allowed_from {
                assert_eq!(reply.status, 200, "{path} {at}: {}", reply.text);
            } else {
                assert_eq!(reply.problem(), (403, "role_too_low".to_owned()), "{path} {at}");
            }
        }
    }
    let ready = service.ask("GET", "/readyz", None, None).await;
    assert_eq!(ready.json(), json!({"status": "ready"}), "no count without a key");
    let audit = fs::read_to_string(service.config.data_dir.join("audit.jsonl")).expect("a log");
    let line: Value = serde_json::from_str(audit.lines().next().expect("a line")).expect("JSON");
    assert_eq!(line["action"], "reloaded");
    assert!(line["by"].as_str().is_some_and(|by| by.starts_with("admin (")), "{line}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_made_and_revoked_while_it_runs_count_within_seconds() {
    let service = Service::new(true, |_| ()).await;
    let question = json!({"question": "Was kostet eine Mahnung?"});
    let open = service.ask("POST", "/v1/search", Some(&question), None).await;
    assert_eq!(open.status, 200, "the owner of the machine needs no key while there is none");
    let key = Service::key(&service.config, "neu", Role::Reader, Audiences::public());
    let until = async |status: u16, key: Option<&str>| {
        for _ in 0..300 {
            let reply = service.ask("POST", "/v1/search", Some(&question), key).await;
            if reply.status == status {
                return reply;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        panic!("never {status}");
    };
    until(401, None).await;
    until(200, Some(&key)).await;
    Keys::revoke(&service.config.service.keys, "neu").expect("revoked");
    until(401, Some(&key)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_many_requests_are_told_when_to_come_back() {
    let mut key = String::new();
    let service = Service::new(false, |config| {
        config.service.requests_per_minute = 5;
        key = Service::key(config, "viel", Role::Reader, Audiences::public());
    })
    .await;
    let question = json!({"question": "Was kostet eine Mahnung?"});
    let three = json!({"questions": [question, question, question]});
    let batch = service.ask("POST", "/v1/search/batch", Some(&three), Some(&key)).await;
    assert_eq!(batch.status, 200, "{}", batch.text);
    for _ in 0..2 {
        let reply = service.ask("POST", "/v1/search", Some(&question), Some(&key)).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    let refused = service.ask("POST", "/v1/search", Some(&question), Some(&key)).await;
    assert_eq!(refused.problem(), (429, "rate_limited".to_owned()));
    let seconds: u64 = refused.headers["retry-after"].to_str().expect("text").parse().expect("s");
    assert!((1..=12).contains(&seconds), "{seconds}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_keys_nobody_asks_through_a_proxy_or_under_another_name() {
    let service = Service::new(false, |_| ()).await;
    let url = format!("{}/v1/sections/oeffentlich%23gebuehren", service.address);
    let client = reqwest::Client::new();
    for (name, value) in [
        ("host", "evil.example"),
        ("x-forwarded-for", "192.0.2.7"),
        ("x-real-ip", "192.0.2.7"),
        ("via", "1.1 proxy.example"),
        ("origin", "http://evil.example"),
        ("origin", "null"),
    ] {
        let refused = reply(client.get(&url).header(name, value)).await;
        assert_eq!(refused.problem(), (403, "not_local".to_owned()), "{name}");
    }
    assert_eq!(reply(client.get(&url)).await.status, 200);
    let own = client.get(&url).header("origin", &service.address);
    assert_eq!(reply(own).await.status, 200, "the service's own pages");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_see_nothing_finds_nothing_and_no_error() {
    let service = Service::new(false, |config| {
        let page = config.compendium.as_ref().expect("named").join("oeffentlich.md");
        let text =
            "---\ntitle: Internes\naudience: [intern]\n---\n\n## Gehälter\n\nSie sind geheim.\n";
        fs::write(page, text).expect("written");
        config.service.allow_anonymous = true;
    })
    .await;
    for (mode, status) in [("hybrid", 200), ("vector", 200), ("lexical", 200)] {
        let body =
            json!({"question": "Wie hoch sind die Gehälter?", "mode": mode, "explain": true});
        let reply = service.ask("POST", "/v1/search", Some(&body), None).await;
        assert_eq!(reply.status, status, "{mode}: {}", reply.text);
        assert_eq!(reply.json()["hits"], json!([]), "{mode}");
        assert!(
            !reply.text.contains("geheim") && !reply.text.contains("Internes"),
            "{}",
            reply.text
        );
    }
    let ready = service.ask("GET", "/readyz", None, None).await;
    assert_eq!(ready.json(), json!({"status": "ready", "sections": 0}));
}
