//! Every lever of a retrieval profile does something: each test also turns the lever off, and then the
//! answer is another one.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use wegweiser::config::Config;
use wegweiser::domain::{Answer, Mode, Query};
use wegweiser::pipeline::assemble::Assembly;
use wegweiser::pipeline::{Pipeline, SearchRequest};

use crate::harness::{Silent, settings};

/// Twins for diversity, neighbours for steps, a title against a text, and many sections of one thing
/// beside one of another.
const COMPENDIUM: &str = "\
## Bestellung abgeben
Die Bestellung wird am Schalter abgegeben und dort geprüft.

## Gerät abholen
Das Gerät holt man mit dem Ausweis an der Ausgabe ab.

## Gerät zurückgeben
Die Rückgabe ist an jedem Werktag möglich.

## Mahnkosten
Sie werden nach vier Wochen fällig.

## Kasse im Foyer
Mahnkosten, Mahnkosten und wieder Mahnkosten: Alle Mahnkosten zahlt man hier.

## Lernort Lesesaal
Ein ruhiger Lernort mit vierzig Plätzen im ersten Stock.

## Lernort Leseraum
Ein ruhiger Lernort mit vierzig Plätzen im zweiten Stock.

## Lernort Garten
Bei Sonne lernt es sich draußen unter Bäumen, mit Tischen und Strom.

## Werkstatt
Hier stehen Drucker für Kunststoff, Lötkolben und Nähmaschinen.

## Fernleihe bestellen
Eine Fernleihe bestellt man im Katalog.

## Dauer der Fernleihe
Eine Fernleihe dauert zehn Tage.

## Preis der Fernleihe
Eine Fernleihe kostet einen Euro fünfzig.

## Grenzen der Fernleihe
Was die Fernleihe nicht beschafft: Bücher aus dem eigenen Bestand.
";

fn folder() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("haus")).expect("made");
        fs::write(folder.path().join("haus/haus.md"), COMPENDIUM).expect("written");
        folder
    });
    folder.path()
}

/// The pipeline with profiles that were edited: `(what stands there, what stands there instead)`.
async fn pipeline(edits: &[(&str, &str)]) -> Pipeline {
    let own = tempfile::tempdir().expect("a folder");
    let config = Config {
        compendium: Some(folder().join("haus")),
        data_dir: folder().join("data"),
        ..settings(own.path())
    };
    let file = config.rules.as_ref().expect("rules").join("intents.yaml");
    let mut text = fs::read_to_string(&file).expect("readable");
    for (from, to) in edits {
        assert_eq!(text.matches(from).count(), 1, "`{from}` is one place");
        text = text.replace(from, to);
    }
    fs::write(&file, text).expect("written");
    let assembly = Assembly::prepare(&config).await.expect("files without problems");
    let index = assembly.index(&mut Silent).expect("an index");
    assembly.pipeline(&config, index)
}

async fn asked(edits: &[(&str, &str)], question: &str, request: &SearchRequest) -> Answer {
    let query = Query::new(question, 2_000).expect("a question");
    pipeline(edits).await.search(&query, request).await.expect("an answer").answer
}

async fn ids(edits: &[(&str, &str)], question: &str, request: &SearchRequest) -> Vec<String> {
    let hits = asked(edits, question, request).await.hits.expect("hits");
    hits.into_iter().map(|hit| hit.id.trim_start_matches("haus#").to_owned()).collect()
}

fn of_mode(mode: Mode) -> SearchRequest {
    SearchRequest { mode, ..SearchRequest::default() }
}

#[tokio::test]
async fn k_is_the_number_of_hits() {
    let (question, usual) = ("Was ist eine Fernleihe?", SearchRequest::default());
    assert_eq!(ids(&[], question, &usual).await.len(), 4);
    let edit = [("definition: {k: 4,", "definition: {k: 7,")];
    assert_eq!(ids(&edit, question, &usual).await.len(), 7);
}

#[tokio::test]
async fn boosts_of_the_fields_decide_between_title_and_text() {
    let question = "Was sind Mahnkosten?";
    let words = of_mode(Mode::Lexical);
    let edit = [("'title^2 path^1 text'", "'title^20 path^1 text'")];
    assert_eq!(ids(&edit, question, &words).await[0], "mahnkosten");
    let edit = [("'title^2 path^1 text'", "'title^0 path^0 text^9'")];
    assert_eq!(ids(&edit, question, &words).await[0], "kasse-im-foyer");
}

#[tokio::test]
async fn weights_decide_between_meaning_and_words() {
    let question = "Was ist eine Fernleihe?";
    let meaning = [(
        "definition: {k: 4, vector: 0.8, lexical: 0.2,",
        "definition: {k: 4, vector: 1.0, lexical: 0.0,",
    )];
    let words = [(
        "definition: {k: 4, vector: 0.8, lexical: 0.2,",
        "definition: {k: 4, vector: 0.0, lexical: 1.0,",
    )];
    let usual = SearchRequest::default();
    for (edit, mode) in [(meaning, Mode::Vector), (words, Mode::Lexical)] {
        assert_eq!(ids(&edit, question, &usual).await, ids(&[], question, &of_mode(mode)).await);
    }
}

#[tokio::test]
async fn steps_come_with_the_sections_beside_them() {
    let question = "Wie hole ich ein Gerät ab?";
    let beside = async |edits| {
        let hits = asked(edits, question, &SearchRequest::default()).await.hits.expect("hits");
        let names = hits[0].neighbours.iter().map(|near| near.title.clone());
        (hits[0].title.clone(), names.collect::<Vec<_>>())
    };
    let (title, names) = beside(&[]).await;
    assert_eq!(
        (title.as_str(), names.join(", ")),
        ("Gerät abholen", "Bestellung abgeben, Gerät zurückgeben".to_owned())
    );
    let edit = [("neighbours: 1}", "neighbours: 0}")];
    assert_eq!(beside(&edit).await, (title, Vec::new()));
}

#[tokio::test]
async fn a_list_does_not_say_one_thing_twice() {
    let question = "Welche Lernorte gibt es?";
    let request = SearchRequest { k: Some(3), ..SearchRequest::default() };
    let mut twins = ids(&[("diversity: 0.3", "diversity: 0.0")], question, &request).await;
    let mut diverse = ids(&[("diversity: 0.3", "diversity: 0.5")], question, &request).await;
    assert_eq!(twins[0], diverse[0], "the first hit stays");
    for two in [&mut twins, &mut diverse] {
        two.truncate(2);
        two.sort();
    }
    assert_eq!(twins, ["lernort-leseraum", "lernort-lesesaal"]);
    assert_ne!(diverse, twins);
}

#[tokio::test]
async fn each_thing_that_is_compared_has_its_best_section_in_front() {
    let question = "Was ist der Unterschied zwischen einer Fernleihe und einer Werkstatt?";
    let request = SearchRequest { k: Some(2), ..SearchRequest::default() };
    let answer = asked(&[], question, &request).await;
    assert_eq!(answer.intent.id, "compare");
    let items: Vec<&str> = answer.trace.items.iter().map(|item| item.question.as_str()).collect();
    assert_eq!(items, ["Fernleihe", "Werkstatt"]);
    let hits = answer.hits.expect("hits");
    let found = |id: &str| hits.iter().find(|hit| hit.id.contains(id));
    assert!(found("fernleihe").is_some() && found("werkstatt").is_some(), "{hits:?}");
    let off = asked(&[(", per_item: true", "")], question, &request).await;
    assert!(off.trace.items.is_empty());
    let whole = off.hits.expect("hits");
    assert!(whole.iter().all(|hit| hit.found_for.is_none()));
    assert_eq!(whole[0].id, hits[0].id, "the best section of the whole question stays first");
    let both = |kind: &str| whole.iter().any(|hit| hit.id.contains(kind));
    assert!(
        !(both("fernleihe") && both("werkstatt")),
        "the whole alone finds one of them: {whole:?}"
    );
}

#[tokio::test]
async fn things_that_are_compared_are_found_in_every_mode_and_keep_to_the_least_score() {
    let question = "Was ist der Unterschied zwischen einer Fernleihe und einer Werkstatt?";
    for mode in [Mode::Hybrid, Mode::Vector, Mode::Lexical] {
        let request = SearchRequest { k: Some(4), ..of_mode(mode) };
        let hits = asked(&[], question, &request).await.hits.expect("hits");
        assert_eq!(hits.len(), 4, "{mode:?}");
        assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score), "{mode:?}");
        assert!(hits.iter().any(|hit| hit.id == "haus#werkstatt"), "{mode:?}");
        let mut ids: Vec<&str> = hits.iter().map(|hit| hit.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 4, "{mode:?}: each section once");
    }
    let request = SearchRequest { min_score: Some(1.0), ..SearchRequest::default() };
    let answer = asked(&[], question, &request).await;
    assert_eq!((answer.hits, answer.answerable), (Some(Vec::new()), Some(false)));
}
