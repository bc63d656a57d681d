use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

const EXCEPTIONS: &str = include_str!("../../../rules/compounds.yaml");

fn compounds(own: &[&str]) -> Compounds {
    let exceptions = Exceptions::load("rules/compounds.yaml", EXCEPTIONS).expect("shipped");
    Compounds::new(own.iter().copied(), exceptions)
}

fn parts(word: &str) -> Vec<String> {
    SHIPPED.split(word).into_iter().map(|part| part.text).collect()
}

#[test]
fn a_compound_falls_into_its_parts() {
    for (word, expected) in [
        ("steuererklaerung", &["steuer", "erklaerung"][..]),
        ("wandhalterung", &["wand", "halterung"]),
        ("wiederholungsabstand", &["wiederholung", "abstand"]),
        ("arbeitszeitplan", &["arbeit", "zeit", "plan"]),
        ("kindergarten", &["kinder", "garten"]),
        ("bremskraft", &["brems", "kraft"]),
        ("schulheft", &["schul", "heft"]),
        ("haustuer", &["haus", "tuer"]),
        ("wachstube", &["wachs", "tube"]),
    ] {
        assert_eq!(parts(word), expected, "{word}");
    }
}

#[test]
fn names_and_simple_words_stay_whole() {
    for word in [
        "bottich",
        "ghafur",
        "alterung",
        "zeitung",
        "handlung",
        "verbraucher",
        "freiheit",
        "wissenschaft",
        "freundlich",
        "wieczorek",
        "uebersetzen",
        "heizung",
        "gesundheitlich",
    ] {
        assert!(parts(word).is_empty(), "{word}: {:?}", parts(word));
    }
}

#[test]
fn a_compound_inside_a_compound_is_kept_beside_its_parts() {
    let split = compounds(&[]).take_apart("fahrradwerkstatt");
    let texts =
        |parts: &[Part]| -> Vec<String> { parts.iter().map(|part| part.text.clone()).collect() };
    assert_eq!(texts(&split.parts).last().map(String::as_str), Some("werkstatt"));
    let split = compounds(&["gedaechtnisspanne"]).take_apart("gedaechtnisspannentest");
    assert_eq!(texts(&split.inner), ["gedaechtnisspanne"]);
    assert_eq!(texts(&split.parts), ["gedaechtnis", "spanne", "test"]);
}

#[test]
fn words_of_the_compendium_are_parts_too() {
    assert!(parts("zettelkastenmethodik").len() >= 2);
    let split = compounds(&["kybernuss"]).split("kybernussernte");
    assert_eq!(split.len(), 2);
}

#[test]
fn an_exception_that_can_not_be_read_is_told_with_its_place() {
    let text = "whole: [Ab teil, Haus, Haus]\nsplit: [Wachstube]\n";
    let problems = Exceptions::load("rules/compounds.yaml", text).expect_err("three problems");
    let codes: Vec<&str> = problems.list().iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["compound-no-word", "compound-twice", "compound-split-form"]);
}

static SHIPPED: LazyLock<Compounds> = LazyLock::new(|| compounds(&[]));

proptest! {
    #[test]
    fn parts_stand_in_the_word_in_order(word in "[a-z]{1,40}") {
        let mut at = 0;
        for part in SHIPPED.split(&word) {
            prop_assert!(part.span.0 >= at);
            prop_assert_eq!(&word[part.span.0..part.span.1], part.text.as_str());
            at = part.span.1;
        }
    }
}
