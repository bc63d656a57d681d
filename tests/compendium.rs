//! The compendium through its public functions, on files named after what is wrong with them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use wegweiser::compendium::{Compendium, load, load_embedded};
use wegweiser::domain::{GroupId, Problems};

fn groups(names: &[&str]) -> BTreeSet<GroupId> {
    names.iter().map(|name| GroupId::try_from(*name).unwrap()).collect()
}

fn fixture(name: &str, known: &[&str]) -> Result<Compendium, Problems> {
    load(&Path::new("tests/fixtures/compendium").join(name), &groups(known))
}

fn told(result: Result<Compendium, Problems>) -> String {
    result.map_or_else(|problems| problems.to_string(), |_| "no problem".to_owned())
}

/// Everything a reader or an index sees of a compendium.
fn shown(compendium: &Compendium) -> String {
    let mut out = String::new();
    for notice in &compendium.notices {
        writeln!(out, "! {notice}").unwrap();
    }
    for s in &compendium.sections {
        let group = s.group.as_ref().map_or("", GroupId::as_str);
        writeln!(out, "== {} | {} | {:?} | {group} | line {}", s.id, s.title, s.path, s.place.line)
            .unwrap();
        if !s.facets.is_empty() || !s.audience.is_empty() {
            writeln!(out, "{:?} {:?} {:?}", s.facets, s.audience, s.updated).unwrap();
        }
        writeln!(out, "{}", s.text).unwrap();
    }
    out
}

fn one(text: &str) -> Compendium {
    load_embedded(&[("datei.md", text)], &groups(&[])).unwrap()
}

fn ids(compendium: &Compendium) -> Vec<&str> {
    compendium.sections.iter().map(|section| section.id.as_str()).collect()
}

#[test]
fn a_folder_becomes_sections_with_ids_groups_facets_and_plain_text() {
    insta::assert_snapshot!(shown(&fixture("good", &["Wirkung_und_Entwicklung", "Methoden"]).unwrap()), @r#"
    ! tests/fixtures/compendium/good/leer.md:1:1: this file is empty [compendium-empty-file]
      mend: write a heading and a text, or delete the file
    ! tests/fixtures/compendium/good/lernen.md:36:1: section `lernen#nur-ein-bild` has nothing that can be read; it is left out [section-invisible]
      mend: write a text; an image needs a description: `![description](file)`
    ! tests/fixtures/compendium/good/lernen.md:40:1: section `lernen#ohne-text` has no text; it is left out [section-empty]
      mend: write a text; an image needs a description: `![description](file)`
    == lernen#beispiel | Beispiel | ["Lernen", "Verteiltes Üben"] | Methoden | line 27
    {"stufe": {"Schule", "Studium"}, "thema": {"Üben"}} {"lehrkraft", "leitung"} Some("2025-03-31")
    Ein fettes Beispiel.
    == lernen#beispiel-2 | Beispiel | ["Lernen"] | Wirkung_und_Entwicklung | line 32
    {"stufe": {"Schule", "Studium"}, "thema": {"Lernen"}} {} Some("2025-03-31")
    Ein Zitat.
    == lernen#lernen | Lernen | [] | Wirkung_und_Entwicklung | line 13
    {"stufe": {"Schule", "Studium"}, "thema": {"Lernen"}} {} Some("2025-03-31")
    Vorab gesagt.

    Der Einstieg mit Verweis und code.

    Eine Fußnote.
    == lernen#ueben | Verteiltes Üben | ["Lernen"] | Methoden | line 17
    {"stufe": {"Schule", "Studium"}, "thema": {"Üben"}} {"lehrkraft", "leitung"} Some("2025-03-31")
    - erstens
    - zweitens
    - darunter

    Was | Wie
    Üben | oft
    == ordner/lernen#zweites | Zweites | [] |  | line 1
    Text.
    "#);
}

#[test]
fn files_of_another_tool_read_as_if_they_were_written_for_us() {
    insta::assert_snapshot!(shown(&fixture("quarto", &[]).unwrap()), @r#"
    == kapitel#sec-eins | Kapitel eins | [] |  | line 9
    Gekürzt!

    Zusammenfassung

    Kernideen und Begriff (siehe Kapitel „Zwei“).

    Ein Schaubild

    plot(x)
    == kapitel#sec-zwei | Zwei | ["Kapitel eins"] |  | line 24
    Tipp

    Bitte lesen.

    Art | Zahl
    a | eins zwei

    Die Arten

    Siehe Tabelle „Die Arten“.
    "#);
}

#[test]
fn every_problem_of_every_file_is_told_at_once() {
    insta::assert_snapshot!(told(fixture("bad", &["Wirkung_und_Entwicklung"])), @r#"
    12 problems to mend:
    tests/fixtures/compendium/bad:1:1: nothing was loaded: 8 files need a correction; good files: 1 [compendium-not-loaded]
      mend: correct what is listed below; good: tests/fixtures/compendium/bad/good.md
    tests/fixtures/compendium/bad/duplicate-id.md:9:1: the id `duplicate-id#gleich` is taken by tests/fixtures/compendium/bad/duplicate-id.md:5:1 [section-duplicate-id]
      mend: give one of the two another id
    tests/fixtures/compendium/bad/front-matter-colon.md:2:22: not valid YAML: mapping values are not allowed in this context [yaml-syntax]
      mend: put the text in quotes: `title: 'Was kostet das: 5 Euro'`
    tests/fixtures/compendium/bad/front-matter-slips.md:2:1: unknown key `gruppe` [front-matter-unknown-key]
      mend: did you mean `group`?
    tests/fixtures/compendium/bad/front-matter-slips.md:3:10: `2025-02-30` is not a day [front-matter-date]
      mend: write year, month and day, for example `2025-03-31`
    tests/fixtures/compendium/bad/front-matter-unclosed.md:1:1: the front matter that begins here has no end [front-matter-unclosed]
      mend: write a line `---` after the last key
    tests/fixtures/compendium/bad/group-misspelt.md:2:8: the group `Wirkung_und_Entwiklung` is not in rules/groups.yaml [group-misspelt]
      mend: did you mean `Wirkung_und_Entwicklung`?
    tests/fixtures/compendium/bad/heading-attributes.md:5:15: unknown attribute `grup` [heading-attribute]
      mend: did you mean `group`?
    tests/fixtures/compendium/bad/heading-attributes.md:5:22: `foo` is not an attribute [heading-attribute]
      mend: write `#id`, `.class` or `key=value`; a value with spaces needs quotes
    tests/fixtures/compendium/bad/heading-attributes.md:9:7: `group="x` has no value that can be read [heading-attribute]
      mend: write `key=value` or `key="two words"`
    tests/fixtures/compendium/bad/latin1.md:1:5: byte 4 (0xfc) is not UTF-8 [compendium-not-utf8]
      mend: save the file as UTF-8
    tests/fixtures/compendium/bad/nul.md:3:6: there is a NUL character here; this is not a text file [compendium-nul]
      mend: remove the character, or save the file as UTF-8
    "#);
}

#[test]
fn json_lines_are_sections_too() {
    insta::assert_snapshot!(shown(&fixture("jsonl-good", &[]).unwrap()), @r#"
    == a | A | [] | G | line 1
    Text A.
    == b | B | [] |  | line 3
    Üben
    "#);
}

#[test]
fn every_problem_of_json_lines_is_told_at_once() {
    insta::assert_snapshot!(told(fixture("jsonl-bad", &[])), @r#"
    4 problems to mend:
    tests/fixtures/compendium/jsonl-bad:1:1: nothing was loaded: 1 file needs a correction; good files: 0 [compendium-not-loaded]
      mend: correct what is listed below; no file is good
    tests/fixtures/compendium/jsonl-bad/sections.jsonl:2:20: key must be a string [jsonl-syntax]
      mend: write one JSON object a line: {"section_id": …, "title": …, "text": …}
    tests/fixtures/compendium/jsonl-bad/sections.jsonl:3:30: missing key `text` [jsonl-missing-key]
      mend: every line needs `section_id`, `title` and `text`
    tests/fixtures/compendium/jsonl-bad/sections.jsonl:4:1: the id `a` is taken by tests/fixtures/compendium/jsonl-bad/sections.jsonl:1:1 [section-duplicate-id]
      mend: give one of the two another id
    "#);
}

#[test]
fn a_folder_without_sections_and_a_missing_folder_are_told_apart() {
    insta::assert_snapshot!(told(fixture("empty", &[])) + "\n" + &told(fixture("missing", &[])), @r#"
    1 problem to mend:
    tests/fixtures/compendium/empty:1:1: there is no Markdown file and no `sections.jsonl` here [compendium-no-sections]
      mend: write at least one heading with a text below it into a `.md` file
    1 problem to mend:
    tests/fixtures/compendium/missing:1:1: the compendium can not be read: No such file or directory (os error 2) [compendium-missing]
      mend: name a folder of Markdown files, a folder with `sections.jsonl`, or a Markdown file
    "#);
}

#[test]
fn a_group_that_nobody_knows_is_a_notice_and_not_a_problem() {
    let compendium = load_embedded(
        &[("a.md", "---\ngroup: Fremdes\n---\n# A\n\nText.\n")],
        &groups(&["Wirkung"]),
    )
    .unwrap();
    assert_eq!(compendium.notices[0].code, "group-unknown");
    assert_eq!(compendium.notices[0].place.to_string(), "compendium/a.md:2:8");
}

#[test]
fn spelling_of_a_file_changes_neither_sections_nor_digest() {
    let text = "---\ntitle: Prüfen\n---\n# Prüfen\n\nGrüße.\n\n## Über Äpfel\n\nÖl.\n";
    let expected = load_embedded(&[("prüfen.md", text)], &groups(&[])).unwrap();
    assert_eq!(ids(&expected), ["prüfen#pruefen", "prüfen#ueber-aepfel"]);
    let decomposed = |text: &str| {
        text.replace('ü', "u\u{308}")
            .replace('Ü', "U\u{308}")
            .replace('Ä', "A\u{308}")
            .replace('Ö', "O\u{308}")
    };
    for spelling in [text.replace('\n', "\r\n"), format!("\u{feff}{text}"), decomposed(text)] {
        let same = load_embedded(&[("pru\u{308}fen.md", &spelling)], &groups(&[])).unwrap();
        assert_eq!(same, expected);
    }
}

#[test]
fn umlauts_that_are_decomposed_by_an_entity_are_composed() {
    let compendium = one("# U&#x308;ben\n\nO&#x308;l.\n");
    assert_eq!(shown(&compendium), "== datei#ueben | Üben | [] |  | line 1\nÖl.\n");
}

#[test]
fn the_order_of_files_changes_nothing() {
    let (a, b) = (("a.md", "# A\n\nText.\n"), ("b/a.md", "# A\n\nText.\n"));
    let there = load_embedded(&[a, b], &groups(&[])).unwrap();
    assert_eq!(there, load_embedded(&[b, a], &groups(&[])).unwrap());
    assert_eq!(ids(&there), ["a#a", "b/a#a"]);
}

#[test]
fn ids_are_numbered_in_document_order_and_written_ids_go_first() {
    let compendium = one(
        "# T\n\nx\n\n## A\n\n## A\n\nzwei\n\n## A\n\ndrei\n\n## B\n\nvier\n\n## C {#b}\n\nfünf\n",
    );
    assert_eq!(ids(&compendium), ["datei#a-2", "datei#a-3", "datei#b", "datei#b-2", "datei#t"]);
    assert_eq!(compendium.sections[2].title, "C");
}

#[test]
fn an_audience_goes_down_to_the_headings_below_and_not_beside() {
    let compendium = one(
        "# T\n\nx\n\n## Intern {audience=leitung}\n\nx\n\n### Darunter\n\nx\n\n## Offen\n\nx\n",
    );
    let closed: Vec<_> = compendium
        .sections
        .iter()
        .filter(|s| !s.audience.is_empty())
        .map(|s| s.id.as_str())
        .collect();
    assert_eq!(closed, ["datei#darunter", "datei#intern"]);
}

/// The codes of what is wrong with one document, without the summary.
fn codes(text: &str) -> Vec<&'static str> {
    let told = load_embedded(&[("datei.md", text)], &groups(&[]));
    let told = told.err().map_or_else(Vec::new, Problems::into_list);
    told.iter().map(|one| one.code).filter(|code| *code != "compendium-not-loaded").collect()
}

#[test]
fn an_audience_is_never_overlooked() {
    let rest = "title: T\naudience: [leitung]\n---\n\n# T\n\nGeheim.\n";
    for before in ["---\n", "\u{feff}---\n", "---  \n", "---\n\n"] {
        let text = format!("{before}{rest}");
        for text in [text.replace('\n', "\r\n"), text] {
            let all = one(&text).sections;
            assert!(all.iter().all(|s| s.audience.contains("leitung")), "{text:?}");
        }
    }
    for before in [
        "\n---\n",
        "\r\n \r\n---\r\n",
        " ---\n",
        "\t---\n",
        "\u{feff}\u{feff}---\n",
        "\u{200b}---\n",
        "----\n",
        "—\n",
        "<!-- Stand: heute -->\n---\n",
        "Ein Satz.\n\n---\n",
        "---\n---\n",
        "---\nupdated: 2025-01-01\n---\n\n---\n",
        "---\n\n# Bemerkung\n",
        "",
    ] {
        let text = format!("{before}{rest}");
        assert!(codes(&text).contains(&"front-matter-not-first"), "{text:?}");
    }
    assert_eq!(
        codes("+++\naudience = [\"leitung\"]\n+++\n\n# T\n\nx\n"),
        ["front-matter-not-first"]
    );
    assert_eq!(codes("---\n\n\"audience\" : leitung\n---\n# T\n\nx\n"), ["front-matter-not-first"]);
    for key in ["Audience", "AUDIENCE", "Zielgruppe", "audiences"] {
        let text = format!("---\ndescription: x\n{key}: [leitung]\n---\n# T\n\nx\n");
        assert_eq!(codes(&text), ["front-matter-unknown-key"], "{key}");
    }
    for value in ["[]", "''", "[' ', '']"] {
        let text = format!("---\naudience: {value}\n---\n# T\n\nx\n");
        assert_eq!(codes(&text), ["front-matter-audience"], "{value}");
    }
    for value in ["", "~", "{leitung: ja}"] {
        let text = format!("---\ntitle: T\naudience: {value}\n---\n# T\n\nx\n");
        assert!(load_embedded(&[("datei.md", &text)], &groups(&[])).is_err(), "{value}");
    }
    let text = "---\nfacets:\n  thema: a\n  audience: leitung\n---\n# T\n\nx\n";
    assert_eq!(codes(text), ["front-matter-audience"]);
}

#[test]
fn own_keys_in_another_case_are_told_and_keys_of_other_tools_are_not() {
    let told = load_embedded(
        &[("datei.md", "---\nGroup: A\nTITLE: T\nAuthor: x\ndraft: no\n---\n# T\n\nx\n")],
        &groups(&[]),
    );
    let told = told.unwrap_err().to_string();
    assert!(told.contains("2:1: unknown key `Group`") && told.contains("mean `group`?"), "{told}");
    assert!(told.contains("3:1: unknown key `TITLE`") && !told.contains("Author"), "{told}");
    assert_eq!(codes("\n---\nGroup: A\n---\n# T\n\nx\n"), ["front-matter-not-first"]);
    for text in [
        "\n---\nauthor: x\n---\n\n# T\n\nx\n",
        "---\n\nEin Satz.\n\nTitel: Der Zauberberg\n\n---\n\n# T\n\nx\n",
        "Titel: Der Zauberberg\n\n# T\n\naudience: so schreibt man es\n",
        "So:\n\n```yaml\n---\naudience: [leitung]\n---\n```\n\n# T\n\nx\n",
    ] {
        assert_eq!(codes(text), [""; 0], "{text}");
    }
}

#[test]
fn an_audience_behind_a_heading_is_never_overlooked() {
    for heading in [
        "Intern {#x Audience=leitung}",
        "Intern {AUDIENCE=leitung}",
        "Intern {audience: leitung}",
        "Intern {audience = leitung}",
        "Intern {zielgruppe=leitung}",
    ] {
        let found = codes(&format!("# T\n\nx\n\n## {heading}\n\nx\n"));
        assert!(found.contains(&"heading-attribute"), "{heading}: {found:?}");
    }
    for heading in ["Intern {audience=leitung} {#x}", "{audience=leitung} Intern"] {
        assert_eq!(codes(&format!("## {heading}\n\nx\n")), ["heading-brace"], "{heading}");
    }
}

#[test]
fn braces_that_are_part_of_a_title_stay() {
    let compendium = one(
        "## Mengen {a, b}\n\nx\n\n## `{#id}` schreiben\n\nx\n\n```\n## kein Titel {#x y}\n::: auch nicht\n```\n",
    );
    let titles: Vec<_> = compendium.sections.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles, ["{#id} schreiben", "Mengen {a, b}"]);
    assert!(compendium.sections[0].text.ends_with("## kein Titel {#x y}\n::: auch nicht"));
}

#[test]
fn invisible_characters_leave_no_trace_in_ids_titles_and_text() {
    let compendium = one("# A\u{202E}b\u{AD}c\n\nEin\u{200B}s \u{2066}zwei\u{2069}\u{7}.\n");
    assert_eq!(shown(&compendium), "== datei#abc | Abc | [] |  | line 1\nEins zwei.\n");
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end_and_hidden_folders_are_skipped() {
    let root = tempfile::tempdir().unwrap();
    let sub = root.path().join("z");
    std::fs::create_dir_all(&sub).unwrap();
    std::fs::create_dir_all(root.path().join(".git")).unwrap();
    std::fs::write(root.path().join(".git/a.md"), "# A\n\nx\n").unwrap();
    std::fs::write(sub.join("a.md"), "# A\n\nx\n").unwrap();
    std::os::unix::fs::symlink(root.path(), sub.join("circle")).unwrap();
    std::os::unix::fs::symlink(&sub, root.path().join("again")).unwrap();
    let compendium = load(root.path(), &groups(&[])).unwrap();
    assert_eq!(ids(&compendium), ["z/a#a"]);
    let single = load(&sub.join("a.md"), &groups(&[])).unwrap();
    assert_eq!(ids(&single), ["a#a"]);
}

#[test]
fn hostile_files_take_linear_time_and_no_stack() {
    let nested = |n: usize| {
        (0..n).fold(String::new(), |text, at| text + &"  ".repeat(at.min(300)) + "- a\n")
    };
    let headings = (0..100_000).fold(String::new(), |text, _| text + "# A\n\nx\n\n");
    let hostile = [
        ("one line of 5 MB", "wort ".repeat(1_000_000)),
        ("quotes in quotes", ">".repeat(10_000) + " x"),
        ("lists in lists on one line", "- ".repeat(10_000) + "x"),
        ("lists in lists", nested(2_000)),
        ("headings", headings),
        ("endless emphasis", "*a_".repeat(100_000)),
        ("open brackets", "[".repeat(200_000)),
        ("open citations", "[@a ".repeat(100_000)),
        ("open attributes", "[a]{#b ".repeat(100_000)),
        ("open shortcodes", "{{< ".repeat(100_000)),
        ("open comments", "<!-- ".repeat(100_000)),
        (
            "footnotes",
            (0..20_000)
                .fold(String::new(), |text, at| text + &format!("a[^{at}]\n\n[^{at}]: b\n\n")),
        ),
        ("grid rules", "+-+\n|\n".repeat(50_000)),
        ("table rules", "---- ----\n".repeat(50_000)),
        ("dashes", "a\n----------\n".repeat(20_000)),
        ("fences", "::: {.callout}\n".repeat(50_000)),
        ("spaces", " ".repeat(1_000_000) + "x"),
        ("empty front matter", "---\na: ".to_owned() + &"[".repeat(100_000)),
    ];
    for (name, text) in hostile {
        let start = Instant::now();
        let _ = load_embedded(&[("h.md", &format!("{text}\n\nEnde\n"))], &groups(&[]));
        println!("{name}: {:?}", start.elapsed());
        assert!(start.elapsed() < Duration::from_secs(20), "{name} took {:?}", start.elapsed());
    }
}
