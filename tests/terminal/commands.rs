//! index, route, search.

use serde_json::Value;

use crate::harness::Folder;

#[test]
fn an_index_is_built_once_and_then_up_to_date() {
    let folder = Folder::new();
    let first = folder.run(&["index"]);
    assert_eq!(
        (first.code, first.out.as_str()),
        (Some(0), "built: 5 sections from 2 files, 3 groups\n")
    );
    assert_eq!(
        first.err,
        "building the index: there is no index yet\nembedded 47 of 47 texts[time]\n"
    );
    let second = folder.run(&["index"]);
    assert_eq!(
        (second.code, second.out.as_str(), second.err.as_str()),
        (Some(0), "up to date: 5 sections from 2 files, 3 groups\n", "")
    );
    let json: Value =
        serde_json::from_str(&folder.run(&["index", "--format", "json"]).out).expect("JSON");
    assert_eq!((&json["sections"], &json["built"]), (&Value::from(5), &Value::from(false)));
}

#[test]
fn a_compendium_that_was_named_once_need_not_be_named_again() {
    let folder = Folder::new();
    let run = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        folder.masked(&command.env_remove("WEGWEISER_COMPENDIUM").output().expect("runs"))
    };
    assert_eq!(run(&["index", "--compendium", "klein"]).code, Some(0));
    let found = run(&["search", "--format", "json", "-k", "1", "Drucker"]);
    assert_eq!(found.err, "", "the same index, not that of the demo");
    let json: Value = serde_json::from_str(&found.out).expect("JSON");
    assert_eq!(json["hits"][0]["id"], "technik#der-drucker-druckt-nicht");
}

#[test]
fn only_what_changed_is_embedded_again() {
    let folder = Folder::new();
    folder.run(&["index"]);
    let text = std::fs::read_to_string(folder.path("klein/technik.md")).expect("readable");
    folder.write("klein/technik.md", &text.replace("Netzstecker", "Stecker"));
    let again = folder.run(&["index"]);
    assert!(
        again.err.starts_with("building the index: the index does not fit: its compendium digest"),
        "{again:?}"
    );
    assert!(
        again.err.ends_with("embedded 3 of 3 texts[time]\n"),
        "plain, prefixed, whole: {again:?}"
    );
}

#[test]
fn a_route_says_how_and_where_and_why() {
    let folder = Folder::new();
    folder.run(&["index"]);
    let run = folder.run(&["route", "Welchen Nutzen hat die Fernleihe?"]);
    let place =
        run.out.split_once("rules/shortcuts.yaml:").and_then(|(_, rest)| rest.split_once(')'));
    let place = place.expect("a place").0;
    assert_eq!(
        run.out,
        format!(
            "Intent   benefit  rule benefit_nutzen_nomen (rules/shortcuts.yaml:{place}) matched “welchen nutzen”\n\
             Groups   Wirkung_und_Entwicklung 5.5  phrase “welchen nutzen” +2.5, intent benefit +3.0\n\
             \n[time]\n"
        )
    );
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

#[test]
fn a_search_shows_sections_with_the_words_that_matched() {
    let folder = Folder::new();
    folder.run(&["index"]);
    let run = folder.run(&["search", "-k", "1", "Wie kann ich ein Buch verlängern?"]);
    let numbers = regex::Regex::new(r"\d+\.\d+").expect("a pattern");
    let hit = run.out.split_once("\n\n").expect("hits").1;
    assert_eq!(
        numbers.replace_all(hit, "#"),
        "1. Bücher verlängern  Planung_und_Organisation  #\n   \
         Eine Leihfrist dauert vier Wochen. Im Konto lässt sie sich zweimal um je vier Wochen verlängern, solange niemand das Buch vorgemerkt hat.\n   \
         in Bibliothek · bibliothek#buecher-verlaengern · vector #1 # · lexical #1 #\n   beside it: Öffnungszeiten · Wozu die Fernleihe dient\n\n[time]\n"
    );
    let json =
        folder.run(&["search", "--format", "json", "-k", "1", "Wie kann ich ein Buch verlängern?"]);
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["hits"][0]["id"], "bibliothek#buecher-verlaengern");
    let filtered = folder.run(&["search", "--facet", "ort=Haus B", "--format", "json", "Buch"]);
    let filtered: Value = serde_json::from_str(&filtered.out).expect("JSON");
    let hits = filtered["hits"].as_array().expect("hits");
    assert!(hits.iter().all(|hit| hit["id"].as_str().is_some_and(|id| id.starts_with("technik#"))));
}

#[test]
fn a_pipe_gets_no_colours_and_may_close_early() {
    let folder = Folder::new();
    folder.run(&["index"]);
    let run = folder.run(&["search", "Drucker"]);
    assert!(!run.out.contains('\u{1b}'), "{}", run.out);
    let binary = env!("CARGO_BIN_EXE_wegweiser");
    let script = format!("set -o pipefail; '{binary}' --compendium klein search Drucker | head -1");
    let output = std::process::Command::new("bash")
        .current_dir(folder.path(""))
        .args(["-c", &script])
        .output()
        .expect("bash runs");
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (Some(0), "")
    );
}

#[test]
fn a_binary_alone_brings_its_own_rules_and_compendium() {
    let empty = tempfile::tempdir().expect("a folder");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_wegweiser"))
        .current_dir(empty.path())
        .args(["eval", "retrieval", "--data", "nirgends"])
        .output()
        .expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("nirgends/questions.jsonl can not be read"), "{told}");
}

#[test]
fn a_section_is_shown_as_it_goes_into_each_index() {
    let folder = Folder::new();
    let run = folder.run(&["index", "--show", "technik#e-mail-adresse-aendern"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let expected = "technik#e-mail-adresse-aendern (technik.md:13:1, Probleme_und_Lösungen)
enrichment: symbols on, concepts off

embedded plain, window 1 of 1:
  | E-Mail-Adresse ändern
  | 
  | Die Adresse ändert man im Profil unter „Kontakt“. Die Bestätigung kommt an die alte Adresse <zurück>.

embedded prefixed, window 1 of 1:
  | SG: Probleme_und_Lösungen
  | 
  | E-Mail-Adresse ändern
";
    assert!(run.out.replace("klein/", "").starts_with(expected), "{}", run.out);
    let inherited = "  inherited art4471b b haus  (symbols of the document)\n";
    assert!(run.out.contains(inherited), "{}", run.out);
    let origin = "  ART-4471-B  code → lexical, from text of technik#der-drucker-druckt-nicht\n";
    assert!(run.out.contains(origin), "{}", run.out);

    let run =
        folder.run(&["index", "--show", "technik#e-mail-adresse-aendern", "--format", "json"]);
    let shown: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(shown["added"][0]["from"], "facet `ort`", "{shown}");
    assert_eq!(shown["lexical"].as_array().map(Vec::len), Some(10));
    let run = folder.run(&["index", "--show", "technik#e-mail-adresse"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("did you mean `technik#e-mail-adresse-aendern`?"), "{}", run.err);
}

#[test]
fn another_enrichment_builds_the_index_again_by_itself() {
    let folder = Folder::new();
    folder.run(&["index"]);
    folder.write("wegweiser.yaml", "enrichment: {symbols: off}\n");
    let run = folder.run(&["index"]);
    let why = "its enrichment is `symbols on, concepts off`, now it is `symbols off, concepts off`";
    assert!(run.err.contains(why) && run.out.starts_with("built"), "{run:?}");
    let shown = folder.run(&["index", "--show", "technik#e-mail-adresse-aendern"]);
    assert!(shown.out.contains("  inherited   (symbols of the document)"), "{}", shown.out);
}
