//! Headings of many kinds, and what a reader would ask.

use std::collections::{BTreeMap, BTreeSet};

mod update;
mod written;

use super::{Purpose, questions};
use crate::domain::{GroupId, Place, Section, SectionId};

pub(super) fn section(at: usize, title: &str, group: &str, text: &str) -> Section {
    Section {
        id: SectionId::try_from(format!("a#{at}")).expect("an id"),
        title: title.to_owned(),
        path: vec!["Lernen".to_owned()],
        text: text.to_owned(),
        group: Some(GroupId::try_from(group).expect("an id")),
        facets: BTreeMap::new(),
        audience: BTreeSet::new(),
        updated: None,
        place: Place { file: "a.md".to_owned(), line: at + 1, column: 1 },
    }
}

fn purposes() -> BTreeMap<GroupId, Purpose> {
    [
        ("terms", Purpose::Terms),
        ("methods", Purpose::Methods),
        ("effects", Purpose::Effects),
        ("problems", Purpose::Problems),
        ("persons", Purpose::Persons),
    ]
    .into_iter()
    .map(|(id, purpose)| (GroupId::try_from(id).expect("an id"), purpose))
    .collect()
}

fn asked(titles: &[(&str, &str, &str)]) -> Vec<String> {
    let sections: Vec<Section> = titles
        .iter()
        .enumerate()
        .map(|(at, (group, title, text))| section(at, title, group, text))
        .collect();
    let taken = BTreeSet::new();
    questions(&sections, &purposes(), &taken).into_iter().map(|made| made.question).collect()
}

#[test]
fn each_kind_of_heading_gets_the_question_that_people_ask() {
    let cases = [
        ("methods", "Gute Karteikarten schreiben", "Wie kann man gute Karteikarten schreiben?"),
        ("methods", "Die Feynman-Methode", "Wie funktioniert die Feynman-Methode?"),
        ("methods", "Lernen durch Lehren", "Wie funktioniert das Lernen durch Lehren?"),
        ("effects", "Nutzen des verteilten Lernens", "Welchen Nutzen hat verteiltes Lernen?"),
        ("effects", "Warum Schlaf das Gedächtnis stützt", "Warum stützt Schlaf das Gedächtnis?"),
        ("effects", "Vom Anfänger zum Könner", "Wie verläuft der Weg vom Anfänger zum Könner?"),
        (
            "effects",
            "Selbstwirksamkeit und Ausdauer",
            "Wie hängen Selbstwirksamkeit und Ausdauer zusammen?",
        ),
        (
            "terms",
            "Proaktive und retroaktive Interferenz",
            "Wie unterscheiden sich proaktive und retroaktive Interferenz?",
        ),
        ("terms", "Kognitive Belastung", "Was ist kognitive Belastung?"),
        ("terms", "Wünschenswerte Erschwernisse", "Was sind wünschenswerte Erschwernisse?"),
        ("terms", "Metadaten oder Normdaten", "Wie unterscheiden sich Metadaten und Normdaten?"),
        ("terms", "Was sind Tags?", "Was sind Tags?"),
        (
            "problems",
            "Alles nach kurzer Zeit vergessen",
            "Was hilft, wenn man alles nach kurzer Zeit vergisst?",
        ),
        (
            "problems",
            "Formeln nicht anwenden können",
            "Was hilft, wenn man Formeln nicht anwenden kann?",
        ),
        (
            "problems",
            "Die Konzentration lässt nach",
            "Was hilft, wenn die Konzentration nachlässt?",
        ),
        ("problems", "Langweiliger Stoff", "Was hilft bei langweiligem Stoff?"),
        (
            "problems",
            "Zu viel Stoff, zu wenig Zeit",
            "Was hilft bei zu viel Stoff und zu wenig Zeit?",
        ),
        ("problems", "Mythos Lerntypen", "Was ist am Mythos Lerntypen dran?"),
        ("problems", "Der Prüfungstag", "Wie plant man den Prüfungstag?"),
        ("persons", "Die Londoner Taxifahrerstudie", "Was zeigt die Londoner Taxifahrerstudie?"),
    ];
    let text = "Man kann verteilt lernen und viel lehren; das Lernen fällt dann leicht.";
    let titles: Vec<_> = cases.iter().map(|(group, title, _)| (*group, *title, text)).collect();
    for (question, (_, title, expected)) in asked(&titles).iter().zip(cases) {
        assert_eq!(question, expected, "{title}");
    }
}

#[test]
fn persons_are_asked_for_in_the_tense_of_their_lives() {
    let made = asked(&[
        ("persons", "Hermann Ebbinghaus", "Hermann Ebbinghaus wurde 1850 in Barmen geboren."),
        ("persons", "John Hattie", "Der Neuseeländer John Hattie, 1950 geboren, sammelt Studien."),
        ("persons", "Alan Baddeley und Graham Hitch", "Alan Baddeley und Graham Hitch forschen."),
        ("terms", "Change Management", "Change Management begleitet Veränderungen."),
    ]);
    assert_eq!(
        made,
        [
            "Wer war Hermann Ebbinghaus?",
            "Wer ist John Hattie?",
            "Wer sind Alan Baddeley und Graham Hitch?",
            "Was ist Change Management?"
        ]
    );
}

#[test]
fn a_heading_that_stands_twice_is_asked_with_its_chapter() {
    let mut sections = vec![
        section(0, "Schnittstellen", "terms", "x"),
        section(1, "Schnittstellen", "terms", "x"),
    ];
    sections[1].path = vec!["Betrieb".to_owned()];
    let made = questions(&sections, &purposes(), &BTreeSet::new());
    assert!(made[0].question.starts_with("Im Kapitel „Lernen“: Was"), "{}", made[0].question);
    assert!(made[1].question.starts_with("Im Kapitel „Betrieb“: Was"), "{}", made[1].question);
}

#[test]
fn a_question_that_somebody_wrote_is_not_generated_again() {
    let sections = [section(0, "Chunking", "terms", "x")];
    let taken = BTreeSet::from(["Was ist Chunking?".to_owned()]);
    let made = questions(&sections, &purposes(), &taken);
    assert_eq!(made[0].question, "Was bedeutet Chunking?");
}

#[test]
fn any_heading_gets_a_question() {
    let odd =
        ["", "–", "???", "C++ / C#", "»Zitat« und „mehr“", "und", "a\u{301}", "1.", "Der", "ß"];
    let titles: Vec<_> = odd.iter().map(|title| ("problems", *title, "")).collect();
    let made = asked(&titles);
    assert!(made.iter().all(|question| question.ends_with('?')), "{made:?}");
    assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), odd.len(), "{made:?}");
}
