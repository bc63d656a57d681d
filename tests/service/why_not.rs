//! "Why not section X?": the changes that are offered, applied to the files as an editor would.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use wegweiser::config::Config;
use wegweiser::domain::{Change, ChangeKind, Mode, Query, Section, SectionId, WhyNot};
use wegweiser::pipeline::assemble::Assembly;
use wegweiser::pipeline::{Pipeline, PipelineError, SearchRequest};

use crate::harness::{Silent, post, server, settings};

/// One trial runs at a time; a second one is told so.
const AGAIN: Duration = Duration::from_millis(100);

/// Sections that differ in little, so that little turns their order: two by their group only, two by
/// one word of their heading.
const ALIKE: &str = "---\ntitle: Häuser\n---\n
## Ausleihe {#ausleihe-alt group=Planung_und_Organisation}\n
Die Ausleihe dauert vier Wochen, danach wird gemahnt. Das Haus hat zwei Lesesäle.\n
## Ausleihe {#ausleihe-neu group=Wirkung_und_Entwicklung}\n
Die Ausleihe dauert vier Wochen, danach wird gemahnt. Das Haus hat zwei Lesesäle.\n
## Werkstatt im Altbau {#werkstatt-alt group=Planung_und_Organisation}\n
In der Werkstatt stehen drei Drehbänke und eine Presse.\n
## Werkstatt im Neubau {#werkstatt-neu group=Planung_und_Organisation}\n
In der Werkstatt stehen drei Drehbänke und eine Presse.\n";

/// Question, the sections that it is asked for, and the channels that search.
const CASES: [(&str, &str, Mode); 4] = [
    ("Wie lange darf ich den Toner behalten?", "technik#", Mode::Hybrid),
    ("Wie lange dauert die Ausleihe für Gäste?", "haeuser#ausleihe", Mode::Hybrid),
    ("Gilt die Ausleihe auch für Gäste?", "haeuser#ausleihe", Mode::Hybrid),
    ("Gäste in der Werkstatt", "haeuser#werkstatt", Mode::Lexical),
];

/// Settings over copies of the small compendium and the rules, which a test may edit.
fn editable(folder: &Path) -> Config {
    let mut config = settings(folder);
    let own = folder.join("klein");
    fs::create_dir_all(&own).expect("a folder");
    let shipped = config.compendium.take().expect("named");
    for file in fs::read_dir(shipped).expect("a folder") {
        let file = file.expect("an entry").path();
        fs::copy(&file, own.join(file.file_name().expect("a name"))).expect("copied");
    }
    fs::write(own.join("haeuser.md"), ALIKE).expect("written");
    config.compendium = Some(own);
    config
}

async fn pipeline(config: &Config) -> Arc<Pipeline> {
    let assembly = Assembly::prepare(config).await.expect("files without problems");
    let index = assembly.index(&mut Silent).expect("an index");
    Arc::new(assembly.pipeline(config, index))
}

async fn why(pipeline: &Arc<Pipeline>, question: &str, mode: Mode, section: &SectionId) -> WhyNot {
    let query = Query::new(question, 2_000).expect("a question");
    let request = SearchRequest { mode, ..SearchRequest::default() };
    loop {
        match pipeline.why_not(&query, &request, section, true).await {
            // The other test of this file is asking why.
            Err(PipelineError::Busy) => tokio::time::sleep(AGAIN).await,
            found => return found.expect("reasons"),
        }
    }
}

async fn first(pipeline: &Pipeline, question: &str, mode: Mode) -> String {
    let query = Query::new(question, 2_000).expect("a question");
    let request = SearchRequest { mode, ..SearchRequest::default() };
    let answer = pipeline.search(&query, &request).await.expect("an answer").answer;
    answer.hits.expect("a search has hits")[0].id.clone()
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("readable");
    assert!(text.contains(from), "{from} in {}", path.display());
    fs::write(path, text.replacen(from, to, 1)).expect("written");
}

/// Does what a change says.
fn apply(config: &Config, change: &Change, title: &str, section: &SectionId) {
    let rules = config.rules.as_ref().expect("named");
    match change.kind {
        ChangeKind::GroupWord => {
            let group = format!("\n  {}:\n", change.target);
            let path = rules.join("groups.yaml");
            let text = fs::read_to_string(&path).expect("readable");
            let at = text.find(&group).expect("the group");
            let words = at + text[at..].find("    words:\n").expect("its words") + 11;
            let (head, tail) = text.split_at(words);
            fs::write(&path, format!("{head}      - {}\n{tail}", change.words[0]))
                .expect("written");
        }
        ChangeKind::Synonym => {
            let entry = format!("finds:\n  {}: [{}]\n", change.words[0], change.target);
            edit(&rules.join("synonyms.yaml"), "finds:\n", &entry);
        }
        ChangeKind::TitleWord => {
            let (document, anchor) = section.as_str().split_once('#').expect("an id");
            let path = config.compendium.as_ref().expect("named").join(format!("{document}.md"));
            let text = fs::read_to_string(&path).expect("readable");
            let old = format!("## {title}");
            let own = format!("{{#{anchor}");
            let is_own = |line: &&str| line.contains(&own) || !line.contains("{#");
            let mut lines = text.lines().filter(|line| line.starts_with(&old));
            let line = lines.find(is_own).expect("the heading");
            let id = if line.contains("{#") { String::new() } else { format!(" {{#{anchor}}}") };
            let new = format!("{}{id}", line.replacen(title, &change.target, 1));
            edit(&path, line, &new);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_is_offered_turns_the_rank_when_an_editor_makes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = editable(folder.path());
    let before = pipeline(&config).await;
    let mut offered: Vec<(usize, SectionId, String, Change)> = Vec::new();
    for (at, (question, sections, mode)) in CASES.into_iter().enumerate() {
        let asked_for = |section: &&Section| section.id.as_str().starts_with(sections);
        for section in before.sections().iter().filter(asked_for) {
            let why = why(&before, question, mode, &section.id).await;
            assert_eq!(why.stages.len(), 7, "{why:?}");
            assert!(why.german.contains(&section.title), "{why:?}");
            if why.rank == Some(1) {
                assert!(why.changes.is_empty() && why.against.is_none(), "{why:?}");
                continue;
            }
            let sizes: Vec<usize> = why.changes.iter().map(|change| change.words.len()).collect();
            assert!(sizes.is_sorted(), "the smallest first: {why:?}");
            assert_eq!(why.changes.is_empty(), why.german.contains("Keine der"), "{why:?}");
            for change in why.changes {
                offered.push((at, section.id.clone(), section.title.clone(), change));
            }
        }
    }
    let mut kinds = Vec::new();
    for kind in [ChangeKind::GroupWord, ChangeKind::Synonym, ChangeKind::TitleWord] {
        // Each is a new index: two of a kind are enough.
        let of_kind = offered.iter().filter(|(.., change)| change.kind == kind).take(2);
        for (at, section, title, change) in of_kind {
            // The embeddings stay in the cache of this data folder; the files are fresh.
            let config = editable(folder.path());
            apply(&config, change, title, section);
            let after = pipeline(&config).await;
            let (question, _, mode) = CASES[*at];
            assert_eq!(
                first(&after, question, mode).await,
                section.as_str(),
                "{question} {change:?}"
            );
            kinds.push(kind);
        }
    }
    for kind in [ChangeKind::GroupWord, ChangeKind::Synonym, ChangeKind::TitleWord] {
        assert!(kinds.contains(&kind), "{kind:?} was never confirmed: {kinds:?}");
    }
}

#[tokio::test]
async fn an_explanation_over_http_says_why_not() {
    let address = server().await;
    let ask = |body: serde_json::Value| async move {
        loop {
            let url = format!("{address}/v1/explain");
            let reply = post(&url, "application/json", body.to_string()).await;
            // The other test of this file is asking why.
            if reply.status != 503 {
                return reply;
            }
            tokio::time::sleep(AGAIN).await;
        }
    };
    let question = "Welchen Nutzen hat die Fernleihe?";
    let section = "technik#der-drucker-druckt-nicht";
    let body =
        ask(json!({"question": question, "section": section, "changes": false})).await.json();
    let why = &body["why_not"];
    assert_eq!(why["section"], section);
    assert_eq!(why["first"], "bibliothek#fernleihe");
    let stages: Vec<&str> = why["stages"]
        .as_array()
        .expect("stages")
        .iter()
        .map(|verdict| verdict["stage"].as_str().expect("a name"))
        .collect();
    assert_eq!(stages, ["filter", "rule", "intent", "group", "vector", "lexical", "fusion"]);
    assert!(!why["against"].is_null() && why["changes"] == json!([]), "{why}");
    let filtered = json!({"question": question, "section": section, "changes": false,
        "filters": {"document": "bibliothek"}});
    let filtered = ask(filtered).await.json();
    assert_eq!(filtered["why_not"]["against"], "filter");
    assert_eq!(filtered["why_not"]["stages"][0]["code"], "filter_excludes");
    let unknown = ask(json!({"question": question, "section": "nicht#da"})).await;
    assert_eq!(unknown.problem(), (404, "section_unknown".to_owned()));
    let without = ask(json!({"question": question})).await.json();
    assert!(without["why_not"].is_null() && without["hits"][0]["explanation"].is_object());
}
