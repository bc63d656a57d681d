//! Findings over compendia made by hand: no model, no index.

use std::path::Path;

use super::asked::{Asked, Asking, gone};
use super::known::Known;
use super::vocabulary::Vocabulary;
use super::{Code, Finding, Severity, conflict, group_fit, rivals, terms, twins, unfound, weak};
use crate::analysis::Analyzer;
use crate::catalog;
use crate::domain::{GroupId, Place, Section, SectionId};
use crate::eval::sections::Landscape;

fn section(at: usize, group: Option<&str>, text: &str) -> Section {
    Section {
        id: SectionId::try_from(format!("d#{at:04}")).expect("an id"),
        title: format!("Abschnitt {at}"),
        path: Vec::new(),
        text: text.to_owned(),
        group: group.map(|group| GroupId::try_from(group).expect("an id")),
        facets: std::collections::BTreeMap::new(),
        audience: std::collections::BTreeSet::new(),
        updated: None,
        place: Place { file: "d.md".to_owned(), line: at + 1, column: 1 },
    }
}

/// Looks for findings among sections that lie at these angles.
fn with<T>(
    sections: &[Section],
    angle: impl Fn(usize) -> f32,
    asking: &Asking,
    look: impl FnOnce(&Known<'_>, &[Option<Vec<f32>>]) -> T,
) -> T {
    let mean = |at: usize| Some(vec![angle(at).cos(), angle(at).sin()]);
    let means: Vec<_> = (0..sections.len()).map(mean).collect();
    let landscape = Landscape::measure(sections, &means);
    let vocabulary = Vocabulary::new(sections, &Analyzer::new(sections));
    look(&Known::new(sections, &landscape, &vocabulary, asking), &means)
}

/// All kinds that need no date.
fn all(known: &Known<'_>, means: &[Option<Vec<f32>>]) -> Vec<Finding> {
    let mut found = unfound::findings(known);
    found.extend(rivals::findings(known));
    found.extend(conflict::findings(known));
    found.extend(twins::findings(known));
    found.extend(weak::findings(known));
    found.extend(group_fit::findings(known, &group_fit::measure(known, means)));
    found.extend(terms::findings(known, &Analyzer::new(known.sections)));
    found
}

fn asked(own: u32, text: &str, hits: &[u32], refused: bool) -> Asked {
    let hits = hits.iter().enumerate().map(|(at, hit)| (*hit, 0.9 - 0.1 * at as f64)).collect();
    let id = Some(format!("{own}-{text}"));
    Asked { id, text: text.to_owned(), right: vec![own], in_parts: false, hits, refused }
}

fn codes(findings: &[Finding]) -> Vec<(Code, Severity, String)> {
    findings.iter().map(|f| (f.code, f.severity, f.subject.key())).collect()
}

#[test]
fn deleting_any_section_of_the_shipped_compendium_makes_its_topic_a_gap() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let questions = catalog::load(&root.join("catalog")).expect("a sound catalog");
    let rules = root.join("rules");
    let sources =
        crate::pipeline::sources::Sources::read(Some(&rules), Some(&root.join("compendium")))
            .expect("sound files");
    let all = &sources.compendium.sections;
    assert_eq!(all.len(), 120);
    let vocabulary = Vocabulary::new(all, &sources.analyzer);
    for deleted in all {
        let rest: Vec<Section> = all.iter().filter(|s| s.id != deleted.id).cloned().collect();
        let exists = |id: &SectionId| rest.iter().any(|section| section.id == *id);
        let gone = gone(&questions, exists).expect("this compendium's catalog");
        let asking = Asking { asked: Vec::new(), gone };
        let landscape = Landscape::measure(&rest, &vec![None; rest.len()]);
        let known = Known::new(&rest, &landscape, &vocabulary, &asking);
        let found = unfound::findings(&known);
        let [finding] = found.as_slice() else { panic!("{}: {found:?}", deleted.id) };
        assert_eq!((finding.code, finding.severity), (Code::Missing, Severity::Error));
        assert!(finding.reach >= 3.0 && finding.message.starts_with("fehlt: "), "{finding:?}");
        let topic = finding.subject.term.as_deref().expect("a topic");
        let key = |text: &str| crate::analysis::squeezed(text);
        assert_eq!(key(topic), key(&deleted.title), "topic of {}", deleted.id);
        assert_eq!(finding.mend.group.as_deref(), deleted.group.as_ref().map(GroupId::as_str));
    }
}

#[test]
fn a_catalog_of_another_compendium_says_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let questions = catalog::load(&root.join("catalog")).expect("a sound catalog");
    assert!(gone(&questions, |_| false).is_err());
    assert_eq!(gone(&[], |_| false), Ok(Vec::new()));
}

#[test]
fn one_two_and_five_sections_are_looked_at_without_nonsense() {
    for count in [0, 1, 2, 5, 9] {
        let text = |at: usize| format!("Thema {at} handelt von Sache {}.", at * 7);
        let sections: Vec<Section> =
            (0..count).map(|at| section(at, Some(["A", "B"][at % 2]), &text(at))).collect();
        let found = with(&sections, |at| at as f32, &Asking::default(), all);
        assert_eq!(codes(&found), [], "{count} sections");
    }
}

#[test]
fn copies_are_twins_even_in_a_compendium_of_two() {
    let text = "Wer lange am Stück lernt, ermüdet. Kurze Pausen frischen die Konzentration wieder auf, \
                lockern Schultern und Rücken, beruhigen die Augen und schaffen Abstand.";
    let sections =
        [section(0, None, text), section(1, None, &format!("{text} Auch Wasser hilft."))];
    let found = with(&sections, |_| 0.0, &Asking::default(), all);
    assert_eq!(codes(&found), [(Code::Twins, Severity::Warning, "d#0000+d#0001".to_owned())]);
    assert_eq!(found[0].mend.section.as_deref(), Some("d#0001"), "it says more");
}

#[test]
fn the_same_sentence_with_another_number_is_a_conflict_and_history_is_none() {
    let told = |text: &str| {
        [
            section(
                0,
                None,
                "Die Ausleihe kostet nichts. Die Leihfrist für Bücher der Fernleihe beträgt 28 Tage.",
            ),
            section(1, None, text),
        ]
    };
    let found = |text: &str| {
        with(&told(text), |at| at as f32, &Asking::default(), |known, _| conflict::findings(known))
    };
    let clash = found("Bücher der Fernleihe: Die Leihfrist beträgt 14 Tage.");
    assert_eq!(codes(&clash), [(Code::Conflict, Severity::Warning, "d#0000+d#0001".to_owned())]);
    assert!(clash[0].message.contains("28 Tage") && clash[0].message.contains("14 Tage"));
    for no_conflict in [
        "Bücher der Fernleihe: Die Leihfrist beträgt 28 Tage.",
        "Die Leihfrist für DVDs beträgt 14 Tage.",
        "Bücher der Fernleihe: Die Leihfrist beträgt 4 Wochen.",
        "Die Leihfrist für Bücher der Fernleihe beträgt 28 Tage, seit 14 Tagen auch online.",
        "Nach 14 Tagen kommt eine Mahnung.",
    ] {
        assert_eq!(codes(&found(no_conflict)), [], "{no_conflict}");
    }
}

#[test]
fn a_section_between_those_of_another_group_has_the_wrong_group() {
    let words = ["Kochen Topf Herd Suppe Löffel", "Segeln Boot Wind Hafen Mast"];
    let sections: Vec<Section> = (0..24)
        .map(|at| {
            section(
                at,
                Some(["Küche", "Meer"][usize::from(at >= 13)]),
                words[usize::from(at >= 12)],
            )
        })
        .collect();
    let angle = |at: usize| if at >= 12 { 1.5 } else { 0.0 } + (at % 5) as f32 * 0.02;
    let found = with(&sections, angle, &Asking::default(), |known, means| {
        group_fit::findings(known, &group_fit::measure(known, means))
    });
    assert_eq!(codes(&found), [(Code::WrongGroup, Severity::Warning, "d#0012".to_owned())]);
    assert_eq!(found[0].mend.group.as_deref(), Some("Meer"));
}

#[test]
fn a_rival_that_takes_half_of_the_questions_is_named() {
    let sections: Vec<Section> = (0..3).map(|at| section(at, None, "Text dazu.")).collect();
    let questions = |hits: [&[u32]; 3]| {
        let asked =
            hits.iter().enumerate().map(|(at, hits)| asked(0, &format!("Was {at}?"), hits, false));
        Asking { asked: asked.collect(), gone: Vec::new() }
    };
    let found = |hits| {
        with(&sections, |at| at as f32, &questions(hits), |known, _| rivals::findings(known))
    };
    let taken = found([&[1, 0], &[1, 0], &[0, 2]]);
    assert_eq!(codes(&taken), [(Code::Cannibalised, Severity::Warning, "d#0000".to_owned())]);
    assert_eq!(taken[0].mend.section.as_deref(), Some("d#0001"));
    assert_eq!(codes(&found([&[1, 0], &[2, 0], &[0, 2]])), [], "two rivals are chance");
}

#[test]
fn what_is_never_found_and_what_is_refused_are_different_gaps() {
    let sections: Vec<Section> = (0..3).map(|at| section(at, None, "Text dazu.")).collect();
    let asking = Asking {
        asked: vec![
            asked(0, "Wo ist das Büffet?", &[1], false),
            asked(0, "Gibt es ein Büffet?", &[2], false),
            asked(1, "Wer kommt?", &[1], true),
            asked(2, "Was ist das?", &[2], false),
        ],
        gone: Vec::new(),
    };
    let found = with(&sections, |at| at as f32, &asking, |known, _| unfound::findings(known));
    assert_eq!(
        codes(&found),
        [
            (Code::NeverFound, Severity::Error, "d#0000".to_owned()),
            (Code::Missing, Severity::Hint, "d#0001".to_owned())
        ]
    );
    assert!(found[0].mend.text.contains("Büffet"), "{}", found[0].mend.text);
    let orphans = with(
        &sections,
        |at| at as f32,
        &asking,
        |known, _| terms::findings(known, &Analyzer::new(&sections)),
    );
    assert_eq!(codes(&orphans), [(Code::OrphanTerm, Severity::Hint, "Büffet".to_owned())]);
}

#[test]
fn short_texts_that_say_the_same_are_placeholders_and_no_twins() {
    let long = |at: usize| -> String {
        let words: Vec<String> = (0..60).map(|word| format!("wort{at}x{word}")).collect();
        words.join(" ")
    };
    let mut texts: Vec<String> = (0..20).map(long).collect();
    texts.extend([
        "Dieses Kapitel wird derzeit erarbeitet.".to_owned(),
        "Dieses Kapitel wird derzeit erarbeitet.".to_owned(),
    ]);
    let sections: Vec<Section> =
        texts.iter().enumerate().map(|(at, text)| section(at, None, text)).collect();
    let found = with(&sections, |at| at.min(20) as f32 * 0.05, &Asking::default(), all);
    assert_eq!(
        codes(&found),
        [
            (Code::Thin, Severity::Warning, "d#0020".to_owned()),
            (Code::Thin, Severity::Warning, "d#0021".to_owned())
        ]
    );
    assert!(found[0].message.contains("Platzhalter"), "{}", found[0].message);
}
