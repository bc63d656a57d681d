//! Files change while questions are answered.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::access::Service;
use crate::harness::Reply;

const EURO: &str = "## Gebühren\n\nEine Mahnung kostet vier Euro.\n";
const FRANKEN: &str = "## Gebühren\n\nEine Mahnung kostet drei Franken.\n\n## Neu\n\nMehr dazu.\n";
const QUESTION: &str = "Was kostet eine Mahnung?";

impl Service {
    fn page(&self) -> PathBuf {
        self.config.compendium.as_ref().expect("named").join("preise.md")
    }

    /// Replaced as a whole, as editors do.
    fn write(&self, text: &str) {
        let aside = self.page().with_extension("neu~");
        fs::write(&aside, text).expect("written");
        fs::rename(aside, self.page()).expect("renamed");
    }

    async fn search(&self) -> Reply {
        self.ask("POST", "/v1/search", Some(&json!({ "question": QUESTION })), None).await
    }

    async fn reload(&self) -> Reply {
        self.ask("POST", "/v1/reload", None, None).await
    }

    async fn until(&self, what: &str, holds: impl Fn(&Value, &Value) -> bool) {
        for _ in 0..300 {
            let ready = self.ask("GET", "/readyz", None, None).await.json();
            let found = self.search().await;
            assert_eq!(found.status, 200, "{what}: {}", found.text);
            if holds(&ready, &found.json()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("never: {what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_question_fails_and_no_answer_is_mixed_while_files_are_swapped() {
    let service = Arc::new(Service::new(false, |config| config.service.watch = false).await);
    let mut states = BTreeSet::new();
    for text in [EURO, FRANKEN] {
        service.write(text);
        assert_eq!(service.reload().await.status, 200);
        states.insert(service.search().await.text);
    }
    assert_eq!(states.len(), 2, "the two states answer differently");
    let (states, stop) = (Arc::new(states), Arc::new(AtomicBool::new(false)));
    let mut asking = Vec::new();
    for _ in 0..4 {
        let (service, states, stop) =
            (Arc::clone(&service), Arc::clone(&states), Arc::clone(&stop));
        asking.push(tokio::spawn(async move {
            let mut seen = BTreeSet::new();
            while !stop.load(Ordering::Relaxed) {
                let reply = service.search().await;
                assert_eq!(reply.status, 200, "{}", reply.text);
                assert!(states.contains(&reply.text), "a mixed answer: {}", reply.text);
                seen.insert(reply.text);
            }
            seen.len()
        }));
    }
    for at in 0..6 {
        service.write([EURO, FRANKEN][at % 2]);
        let reply = service.reload().await;
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    stop.store(true, Ordering::Relaxed);
    let mut most = 0;
    for asker in asking {
        most = most.max(asker.await.expect("no failed request"));
    }
    assert_eq!(most, 2, "questions were asked across a swap");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_file_serves_by_itself_and_a_broken_one_leaves_the_old_state_serving() {
    let service = Service::new(false, |_| ()).await;
    service.write(EURO);
    service.until("euro", |_, found| found.to_string().contains("vier Euro")).await;

    service.write("---\ntitle: Ohne Ende\n\n## Gebühren\n\nGanz anders.\n");
    service
        .until("the problem is shown", |ready, found| {
            let told = ready["problems"].to_string();
            ready["status"] == "ready"
                && ready["reload"] == "failed"
                && told.contains("preise.md:1:1")
                && found.to_string().contains("vier Euro")
        })
        .await;
    let refused = service.reload().await;
    assert_eq!(refused.problem(), (409, "files_invalid".to_owned()));
    let place = refused.json()["problems"].to_string();
    assert!(place.contains("preise.md:1:1"), "{place}");
    let german = refused.json()["detail_de"].as_str().expect("a text").to_owned();
    assert!(german.contains("preise.md:1:1 (front-matter-unclosed)"), "{german}");
    assert!(!german.contains("front matter"), "no English in German: {german}");

    let rules = service.config.rules.as_ref().expect("named").join("groups.yaml");
    let groups = fs::read_to_string(&rules).expect("readable");
    service.write(FRANKEN);
    fs::write(&rules, "groups: [").expect("written");
    let refused = service.reload().await;
    assert_eq!(refused.problem(), (409, "files_invalid".to_owned()));
    assert!(refused.json()["problems"].to_string().contains("groups.yaml:1:"), "{}", refused.text);
    fs::write(&rules, groups).expect("written");
    service
        .until("mended", |ready, found| {
            ready["reload"].is_null() && found.to_string().contains("drei Franken")
        })
        .await;
    let audit = fs::read_to_string(service.config.data_dir.join("audit.jsonl")).expect("a log");
    assert!(audit.contains(r#""by":"watch","action":"reload_failed""#), "{audit}");
    assert!(audit.contains(r#""by":"local","action":"reload_failed""#), "{audit}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_of_an_older_format_is_built_again_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let data_dir = folder.path().join("data");
    let with = |config: &mut wegweiser::config::Config| {
        config.data_dir.clone_from(&data_dir);
        config.service.keys = data_dir.join("keys.json");
    };
    let first = Service::new(false, with).await;
    let before = first.masked(&first.search().await.text);
    let index = data_dir.join("index");
    let current = fs::read_to_string(index.join("current")).expect("a pointer");
    let manifest = index.join(current.trim()).join("manifest.json");
    let mut json: Value =
        serde_json::from_str(&fs::read_to_string(&manifest).expect("readable")).expect("JSON");
    json["format"] = json!(1);
    fs::write(&manifest, json.to_string()).expect("written");
    let second = Service::new(false, with).await;
    assert_eq!(second.masked(&second.search().await.text), before);
    let manifest = fs::read_to_string(&manifest).expect("readable");
    let json: Value = serde_json::from_str(&manifest).expect("JSON");
    assert!(json["format"].as_u64().is_some_and(|format| format > 1), "{json}");
}
