//! A backup is a copy of the data folder, taken whenever one likes.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use wegweiser::access::{Audiences, Role};
use wegweiser::config::Config;

use crate::access::Service;

/// Copies a folder as `cp -r` does: what vanishes meanwhile is left out.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    let Ok(entries) = fs::read_dir(from) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            let _ = fs::copy(&path, &to);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_starts_from_a_copy_of_the_data_folder_that_was_taken_while_it_served_and_built()
{
    let mut key = String::new();
    let first = Arc::new(
        Service::new(true, |config| {
            key = Service::key(config, "alles", Role::Admin, Audiences::All);
        })
        .await,
    );
    let question = json!({"question": "Was kostet eine Mahnung?"});
    let ask = async |service: &Service| {
        let reply = service.ask("POST", "/v1/search", Some(&question), Some(&key)).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()["hits"][0].clone()
    };
    let page = first.config.compendium.as_ref().expect("named").join("mehr.md");
    fs::write(&page, "# Mehr\n").expect("written");
    assert_eq!(first.ask("POST", "/v1/reload", None, Some(&key)).await.status, 200);
    let expected = ask(&first).await;

    let ended = Arc::new(AtomicBool::new(false));
    let building = {
        let (first, key, page, ended) =
            (Arc::clone(&first), key.clone(), page.clone(), Arc::clone(&ended));
        tokio::spawn(async move {
            for at in 0.. {
                let more = format!("# Mehr\n\n## Nummer {at}\n\nEin Text mit der Nummer {at}.\n");
                fs::write(&page, if at % 2 == 0 { &more } else { "# Mehr\n" }).expect("written");
                let reply = first.ask("POST", "/v1/reload", None, Some(&key)).await;
                assert_eq!(reply.status, 200, "{}", reply.text);
                // At least one whole build while copies are taken, and the page as it was.
                if at % 2 == 1 && ended.load(Ordering::Relaxed) {
                    return;
                }
            }
        })
    };
    let copies = tempfile::tempdir().expect("a folder");
    let folders: Vec<_> = (0..4).map(|at| copies.path().join(at.to_string())).collect();
    for folder in &folders {
        let (from, to) = (first.config.data_dir.clone(), folder.clone());
        tokio::task::spawn_blocking(move || copy(&from, &to)).await.expect("copied");
        tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    }
    ended.store(true, Ordering::Relaxed);
    building.await.expect("no panic");
    for folder in folders {
        let restored = Service::new(true, |config: &mut Config| {
            config.compendium.clone_from(&first.config.compendium);
            config.rules.clone_from(&first.config.rules);
            config.service.keys = folder.join("keys.json");
            config.data_dir = folder;
        })
        .await;
        assert_eq!(ask(&restored).await, expected, "answers and keys are those of before");
    }
}
