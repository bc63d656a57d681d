use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the parser only")]
struct Rule {
    id: String,
    group: Option<String>,
    weight: Option<Finite>,
    on: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the parser only")]
struct File {
    rules: Vec<Rule>,
}

fn problems<T: DeserializeOwned>(text: &str) -> String {
    read::<T>("f.yaml", text, 1).err().map_or("none".to_owned(), |found| found.to_string())
}

type Texts = BTreeMap<String, String>;

#[test]
fn all_problems_of_a_file_are_told_at_once_with_their_places() {
    let text = "rules:\n  - id: a\n    gruppe: x\n  - id: b\n    weight: .nan\n  - group: c\n  - id: ~\n  - id: e\n    on: yes\n  - id: f\n    id: g\n  - id: ok\n";
    insta::assert_snapshot!(problems::<File>(text), @r"
    6 problems to mend:
    f.yaml:3:5: unknown key `gruppe` [yaml-unknown-key]
      mend: did you mean `group`?
    f.yaml:5:13: `NaN` is not a finite number [yaml-not-finite]
      mend: write a number such as `1.5`
    f.yaml:6:5: the key `id` is missing [yaml-missing-key]
      mend: add a line `id: …`
    f.yaml:7:9: a text is expected, but nothing is written [yaml-empty-value]
      mend: write the text, or leave the whole line out
    f.yaml:9:9: neither `true` nor `false` [yaml-wrong-type]
      mend: write `true` or `false`
    f.yaml:11:5: the key `id` is written twice [yaml-duplicate-key]
      mend: keep one of the two
    ");
}

#[test]
fn a_missing_key_is_told_at_the_start_of_its_entry() {
    let text = "rules:\n  - id: a\n  - group: c\n    weight: 1\n    on: true\n\n  - id: b\n";
    let told = problems::<File>(text);
    assert!(told.contains("f.yaml:3:5: the key `id` is missing"), "{told}");
    assert!(problems::<File>("rules:\n  - {on: true, weight: 1}").contains("f.yaml:2:"));
}

#[test]
fn the_usual_slips_have_a_place_and_a_mend() {
    let slips = [
        "rules:\n\t- id: a\n",
        "rules:\n  - id: Was kostet das: 5 Euro\n",
        "basis: &basis {id: a}\nrules:\n  - <<: *basis\n",
        "",
        "rules: 5",
        "rules:\n  - id: c #1\n",
    ];
    let told: Vec<String> = slips.iter().map(|text| problems::<File>(text)).collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    1 problem to mend:
    f.yaml:2:2: not valid YAML: tabs disallowed within this context (block indentation) [yaml-syntax]
      mend: indent with spaces, not with tabs
    1 problem to mend:
    f.yaml:2:23: not valid YAML: mapping values are not allowed in this context [yaml-syntax]
      mend: put the text in quotes: `id: 'Was kostet das: 5 Euro'`
    2 problems to mend:
    f.yaml:1:1: unknown key `basis` [yaml-unknown-key]
      mend: the keys here are `rules`
    f.yaml:3:5: `<<` is not understood here [yaml-merge-key]
      mend: write the keys out
    1 problem to mend:
    f.yaml:1:1: there is nothing in this file [yaml-empty-file]
      mend: write at least its first key
    1 problem to mend:
    f.yaml:1:8: expected a list [yaml-wrong-type]
      mend: write `- …` lines or `[…, …]`
    1 problem to mend:
    f.yaml:2:11: `#1` is a comment here and is not read [yaml-comment]
      mend: put the text in quotes; a comment has a space after the `#`
    ");
}

#[test]
fn a_key_that_is_written_twice_is_a_problem_also_in_a_map_with_free_keys() {
    insta::assert_snapshot!(problems::<Texts>("urlaub: a\nurlaub: b\n"), @r"
    1 problem to mend:
    f.yaml:2:1: the key `urlaub` is written twice [yaml-duplicate-key]
      mend: keep one of the two
    ");
}

#[test]
fn scalars_stay_as_written_behind_a_byte_order_mark_and_with_windows_line_ends() {
    let text = "\u{feff}a: 1.10\r\nb: 1e3\r\non: ja\r\nno: nein\r\nc: 'd #1'\r\n";
    let expected = [("a", "1.10"), ("b", "1e3"), ("c", "d #1"), ("no", "nein"), ("on", "ja")];
    let expected: Texts = expected.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    assert_eq!(read::<Texts>("f.yaml", text, 1), Ok(expected));
}

#[test]
fn a_comment_with_a_space_is_a_comment_and_a_hash_in_quotes_is_text() {
    let text = "a: b # Hinweis\n#ganze Zeile\nc: \"d #1\"\ne: |\n  f #2\n";
    assert_eq!(problems::<Texts>(text), "none");
}

#[test]
fn places_count_from_the_first_line_of_the_file_and_in_characters() {
    let read =
        read::<BTreeMap<String, Vec<Located<String>>>>("f.md", "öffnen: [ä, b]\nc:\n  - d\n", 5);
    let places: Vec<_> =
        read.unwrap().into_values().flatten().map(|v| (v.value, v.line, v.column)).collect();
    let expected = [("d", 7, 5), ("ä", 5, 10), ("b", 5, 13)];
    assert_eq!(places, expected.map(|(text, line, column)| (text.to_owned(), line, column)));
    let wrong = super::read::<Texts>("f.md", "a: [b]", 5).unwrap_err();
    assert_eq!(wrong.list()[0].place.to_string(), "f.md:5:4");
}

#[test]
fn one_text_and_a_list_of_one_text_are_the_same() {
    let read =
        read::<BTreeMap<String, OneOrMany>>("f.yaml", "a: x\nb: [x, 1.10]\nc: 007\nd: 2024", 1);
    let texts: Vec<_> = read.unwrap().into_values().map(|list| list.0).collect();
    assert_eq!(texts, [vec!["x"], vec!["x", "1.10"], vec!["007"], vec!["2024"]]);
}

#[test]
fn brackets_and_aliases_without_end_cost_nothing() {
    let brackets = problems::<Texts>(&"[".repeat(20_000));
    assert!(brackets.contains("[yaml-too-large]"), "{brackets}");
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        writeln!(bomb, "a{level}: &a{level} [{below}]").unwrap();
    }
    let bomb = problems::<BTreeMap<String, serde_json::Value>>(&bomb);
    assert!(bomb.contains("[yaml-too-large]"), "{bomb}");
}

#[test]
fn a_catalog_of_twenty_thousand_questions_fits() {
    let entry = "- id: a\n  question: b\n  expect: {section: c, intent: d, group: e}\n  origin: human\n  tier: title\n";
    let read = read::<Vec<serde_json::Value>>("catalog.yaml", &entry.repeat(20_000), 1);
    assert_eq!(read.map(|questions| questions.len()), Ok(20_000));
}
