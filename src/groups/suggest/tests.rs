//! Planted words in a small compendium.

use super::*;
use crate::domain::{Place, Query};
use crate::normalise::normalise;

const GROUPS: &str = "
word_weight: 1.0
phrase_weight: 2.5
intent_bias: {}
groups:
  Garten:
    description: Beete
    words: [Beet, Spaten]
    phrases: []
  Küche:
    description: Kochen
    words: [Topf, Wasser]
    phrases: []
";

fn model() -> GroupModel {
    GroupModel::load("groups.yaml", GROUPS, &BTreeSet::new()).expect("sound")
}

fn sections() -> Vec<Section> {
    let garten = [
        "Im Beet wächst der Salbei neben dem Thymian, und Salbei mag Sonne.",
        "Salbei schneidet man im Frühjahr, den Spaten braucht es dazu nicht.",
        "Wer Salbei teilt, gräbt ihn aus und setzt ihn wieder ein.",
    ];
    let kueche = [
        "Im Topf kocht das Nudelgericht, danach kommt der Schaumlöffel.",
        "Der Schaumlöffel hebt die Klöße aus dem Topf.",
        "Mit dem Schaumlöffel wird das Eigelb getrennt.",
    ];
    let groups = [("garten", "Garten", garten), ("kueche", "Küche", kueche)];
    let sections = groups.iter().flat_map(|(document, group, texts)| {
        texts.iter().cycle().take(18).enumerate().map(move |(at, text)| Section {
            id: format!("{document}#{at}").try_into().expect("an id"),
            title: format!("Abschnitt {at}"),
            path: Vec::new(),
            text: (*text).to_owned(),
            group: Some((*group).try_into().expect("an id")),
            facets: BTreeMap::new(),
            audience: BTreeSet::new(),
            updated: None,
            place: Place::start_of("a.md"),
        })
    });
    sections.collect()
}

fn asked(question: &str, group: &str) -> Asked {
    Asked {
        query: normalise(&Query::new(question, 1_000).expect("a question")),
        intent: None,
        group: group.try_into().expect("an id"),
    }
}

fn questions() -> Vec<Asked> {
    vec![
        asked("Wann schneide ich Salbei?", "Garten"),
        asked("Wie viel Wasser braucht das Beet?", "Garten"),
        asked("Wohin mit dem Schaumlöffel?", "Küche"),
        asked("Welcher Topf ist groß genug?", "Küche"),
        asked("Brauchen Rosen viel Wasser neben dem Beet oder ist Wasser schlecht?", "Garten"),
        asked("Wieviel Wasser für Rosen am Spaten?", "Garten"),
    ]
}

#[test]
fn planted_words_are_found_with_their_evidence() {
    let sections = sections();
    let found = model().suggest(&sections, &questions(), &Analyzer::new(&sections));
    let words: Vec<(&str, &str, usize)> =
        found.additions.iter().map(|a| (a.group.as_str(), a.word.as_str(), a.helps)).collect();
    assert!(words.contains(&("Garten", "Salbei", 1)), "{words:?}");
    assert!(words.contains(&("Küche", "Schaumlöffel", 1)), "{words:?}");
    assert!(words.iter().all(|(_, word, _)| !["Beet", "Topf", "der"].contains(word)), "{words:?}");
    let salbei = found.additions.iter().find(|a| a.word == "Salbei").expect("found");
    assert_eq!((salbei.count, salbei.elsewhere, salbei.hurts), (24, 0, 0));
    assert_eq!(salbei.examples, ["garten#0", "garten#1", "garten#2"]);
    assert!(salbei.z >= LEAST_Z, "{}", salbei.z);
    assert!(found.accuracy_by_sections > found.accuracy_now, "{found:?}");
}

#[test]
fn a_listed_word_is_worth_what_changes_without_it() {
    let sections = sections();
    let found = model().suggest(&sections, &questions(), &Analyzer::new(&sections));
    let worth = |written: &str| {
        let worth = found.listed.iter().find(|worth| worth.written == written).expect("listed");
        (worth.paid, worth.helped, worth.hurt, worth.sections)
    };
    // Level scores go to the first group by name: Garten, so `Wasser` only levels and never wins.
    assert_eq!(worth("Beet"), (2, 2, 0, Some(6)));
    assert_eq!(worth("Topf"), (1, 1, 0, Some(12)));
    assert_eq!(worth("Wasser"), (3, 0, 0, Some(0)));
    assert_eq!(worth("Spaten"), (1, 1, 0, Some(6)));
}

#[test]
fn a_word_that_misleads_is_told() {
    let questions = [asked("Wie viel Wasser brauchen Rosen und Salbei?", "Küche")];
    let misled = [asked("Topf oder Beet, und Wasser?", "Garten")];
    let sections = sections();
    let analyzer = Analyzer::new(&sections);
    let found = model().suggest(&sections, &misled, &analyzer);
    let hurt: Vec<&str> =
        found.listed.iter().filter(|w| w.hurt > 0).map(|w| w.written.as_str()).collect();
    assert_eq!(hurt, ["Topf", "Wasser"]);
    let spoilt = model().suggest(&sections, &questions, &analyzer);
    let salbei = spoilt.additions.iter().find(|a| a.word == "Salbei");
    assert!(salbei.is_none(), "it would send the only question away: {salbei:?}");
}

#[test]
fn without_questions_there_are_still_suggestions() {
    let sections = sections();
    let found = model().suggest(&sections, &[], &Analyzer::new(&sections));
    assert!(found.additions.iter().any(|addition| addition.word == "Salbei"));
    assert_eq!(found.evidence, Evidence::Sections);
}
