//! Several processes, killed processes, damaged files.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use crate::harness::Folder;

const BUILT: &str = "built: 5 sections from 2 files, 3 groups\n";

#[test]
fn two_builders_do_not_disturb_each_other() {
    let folder = Folder::new();
    let start = || {
        folder
            .command(&["index"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs")
    };
    let runs: Vec<_> = [start(), start()]
        .into_iter()
        .map(|child| folder.masked(&child.wait_with_output().expect("it ends")))
        .collect();
    assert!(runs.iter().all(|run| run.code == Some(0)), "{runs:?}");
    assert!(runs.iter().any(|run| run.out == BUILT), "{runs:?}");
    assert_eq!(folder.run(&["index"]).out, BUILT.replace("built", "up to date"));
}

#[test]
fn a_build_that_was_killed_leaves_no_trace() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["index"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    while !fs::read_dir(folder.path("data/index")).is_ok_and(|entries| entries.count() > 1) {
        if child.try_wait().expect("known").is_some() {
            break; // it was faster than we are
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("gone");
    let run = folder.run(&["index"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.ends_with(": 5 sections from 2 files, 3 groups\n"), "{run:?}");
    let left = fs::read_dir(folder.path("data/index")).expect("a folder");
    let building = left.filter(|entry| {
        entry.as_ref().is_ok_and(|e| e.file_name().to_string_lossy().starts_with("building"))
    });
    assert_eq!(building.count(), 0);
}

#[test]
fn an_index_that_does_not_fit_is_built_again_with_the_reason() {
    let folder = Folder::new();
    folder.run(&["index"]);
    for (entry, value, reason) in [
        ("format", Value::from(0), "its format is `0`"),
        ("prefix_template", Value::from("G: {groups}"), "its prefix template is `G: {groups}`"),
        ("model_digest", Value::from("abc"), "its model digest is `abc`"),
        ("analyzer", Value::from("german-0"), "its analyzer is `german-0`"),
    ] {
        let manifest = current(&folder).join("manifest.json");
        let mut json: Value =
            serde_json::from_str(&fs::read_to_string(&manifest).expect("readable")).expect("JSON");
        json[entry] = value;
        fs::write(&manifest, json.to_string()).expect("written");
        let run = folder.run(&["index"]);
        assert!(run.err.contains(reason), "{entry}: {run:?}");
        assert_eq!(run.out, BUILT, "{entry}");
    }
}

#[test]
fn a_damaged_file_is_built_again() {
    let folder = Folder::new();
    folder.run(&["index"]);
    for name in [
        "plain.usearch",
        "prefixed.usearch",
        "sections.json",
        "classifier.json",
        "lexical/meta.json",
        "manifest.json",
    ] {
        let path = current(&folder).join(name);
        for damage in ["", "{\"foreign\": true}"] {
            fs::write(&path, damage).expect("written");
            let run = folder.run(&["search", "--format", "json", "-k", "1", "Drucker"]);
            assert_eq!(run.code, Some(0), "{name} {damage}: {run:?}");
            assert!(run.err.contains("building the index"), "{name} {damage}: {}", run.err);
        }
        fs::remove_file(&path).expect("removed");
        assert_eq!(folder.run(&["index"]).out, BUILT, "{name}");
    }
}

#[test]
fn a_server_says_where_it_listens_and_ends_when_asked_to() {
    let folder = Folder::new();
    folder.run(&["index"]);
    let Serving { mut child, address, .. } = Serving::start(&folder, &[]);
    let taken = folder.run(&["serve", "--listen", &address]);
    assert_eq!(taken.code, Some(2));
    assert!(
        taken.err.contains(&format!("can not listen on {address}; choose another --listen")),
        "{}",
        taken.err
    );
    terminate(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_server_that_can_not_start_says_why_and_fails() {
    let folder = Folder::new();
    folder.write("kaputt/a.md", "---\ntitle: Ohne Ende\n\n## A\n\nText.\n");
    let run = folder.run(&["--compendium", "kaputt", "serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("kaputt/a.md:1:1: the front matter"), "{}", run.err);
}

#[test]
fn a_server_ends_when_asked_to_while_it_builds() {
    let folder = Folder::new();
    let text = "Ein Absatz über Fristen, Gebühren und Öffnungszeiten der Verwaltung. ".repeat(40);
    let sections: Vec<String> =
        (0..400).map(|at| format!("## Abschnitt {at}\n\n{at}: {text}\n")).collect();
    folder.write("viel/a.md", &sections.join("\n"));
    let mut child = folder
        .command(&["--compendium", "viel", "serve", "--listen", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut log = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.contains("building the index") {
        line.clear();
        assert!(log.read_line(&mut line).expect("a line") > 0, "it ended early");
    }
    thread::spawn(move || log.lines().for_each(drop));
    terminate(&child);
    // Embedding 400 long sections takes minutes; the test would hang where the build holds on.
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_flipped_bit_in_a_file_without_a_checksum_is_noticed() {
    let folder = Folder::new();
    folder.run(&["index"]);
    let lexical = current(&folder).join("lexical");
    let segment =
        fs::read_dir(&lexical).expect("a folder").map(|entry| entry.expect("an entry").path());
    let terms = segment.into_iter().find(|path| path.extension().is_some_and(|e| e == "term"));
    let terms =
        terms.expect("a segment").strip_prefix(current(&folder)).expect("inside").to_owned();
    // A digit that becomes another one is sound JSON: only the digest tells.
    for file in [terms, "strangers.json".into(), "sections.json".into(), "classifier.json".into()] {
        let file = current(&folder).join(file);
        let mut bytes = fs::read(&file).expect("readable");
        let half = bytes.len() / 2;
        let digit = bytes.iter().skip(half).position(u8::is_ascii_digit).unwrap_or_default();
        bytes[half + digit] ^= 1;
        fs::write(&file, bytes).expect("written");
        let run = folder.run(&["index"]);
        assert_eq!(run.out, BUILT, "{} {run:?}", file.display());
        assert!(run.err.contains("its digest of files"), "{}", run.err);
    }
}

/// A server that is ready.
pub(crate) struct Serving {
    pub(crate) child: Child,
    /// Where it listens.
    pub(crate) address: String,
    /// Its log since then.
    pub(crate) log: JoinHandle<String>,
}

impl Serving {
    pub(crate) fn start(folder: &Folder, more: &[&str]) -> Self {
        Self::with(folder, more, &[])
    }

    /// With further arguments and variables.
    pub(crate) fn with(folder: &Folder, more: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = folder
            .command(&[&["serve", "--listen", "127.0.0.1:0"], more].concat())
            .envs(variables.iter().copied())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        let mut log = BufReader::new(child.stderr.take().expect("piped"));
        let mut address = None;
        let mut line = String::new();
        while address.is_none() || !line.contains("ready") {
            line.clear();
            assert!(log.read_line(&mut line).expect("a line") > 0, "it ended before it was ready");
            assert!(!line.contains('\u{1b}'), "no escape codes in a file or pipe: {line:?}");
            if let Some((_, found)) = line.split_once("listening on http://") {
                address = Some(found.trim().to_owned());
            }
        }
        // Read on, so that the log never blocks the server.
        let log = thread::spawn(move || {
            let mut rest = String::new();
            log.read_to_string(&mut rest).expect("a text");
            rest
        });
        Self { child, address: address.expect("found"), log }
    }
}

/// Asks a process to end, as service managers do.
pub(crate) fn terminate(child: &Child) {
    let pid = child.id().to_string();
    let signalled = std::process::Command::new("kill").args(["-TERM", &pid]).status();
    assert!(signalled.expect("kill runs").success());
}

fn current(folder: &Folder) -> std::path::PathBuf {
    let name = fs::read_to_string(folder.path("data/index/current")).expect("a pointer");
    folder.path("data/index").join(name.trim())
}
