use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::analysis::{Analyzer, Target};
use crate::domain::{Place, SectionId};

pub(super) fn section(id: &str, line: usize, title: &str, text: &str) -> Section {
    Section {
        id: SectionId::try_from(id).expect("an id"),
        title: title.to_owned(),
        path: vec!["Angebot A-2024-0117".to_owned()],
        text: text.to_owned(),
        group: None,
        facets: BTreeMap::from([("art".to_owned(), BTreeSet::from(["Angebot".to_owned()]))]),
        audience: BTreeSet::new(),
        updated: None,
        place: Place { file: "a.md".to_owned(), line, column: 1 },
    }
}

pub(super) fn letter() -> Vec<Section> {
    vec![
        section("a#briefkopf", 1, "Briefkopf", "Hoffmann & Söhne GmbH, ART-4471-B, nach ISO 9001."),
        section("a#zahlung", 9, "Zahlungsbedingungen", "Dreißig Tage netto."),
    ]
}

pub(super) fn patterns(sections: &[Section]) -> Analyzer {
    Analyzer::new(sections)
}

fn of(plan: EnrichmentPlan, sections: &[Section]) -> Enrichment {
    Enrichment::of(plan, sections, patterns(sections).symbols(), &Readings::default())
}

pub(super) const ON: EnrichmentPlan = EnrichmentPlan { symbols: Use::On, concepts: Use::Off };

#[test]
fn every_section_has_what_its_document_names() {
    let sections = letter();
    let enrichment = of(ON, &sections);
    let tokens = enrichment.tokens(ON, 1);
    for token in ["hoffmann", "sohn", "art4471b", "a20240117", "iso9001", "angebot"] {
        assert!(tokens.iter().any(|found| found == token), "{token}: {tokens:?}");
    }
    assert_eq!(enrichment.tokens(ON, 0), tokens, "the letterhead has the same");
    assert_eq!(enrichment.head(ON, 1), "", "symbols stay out of the embedding");
}

#[test]
fn each_symbol_says_where_it_comes_from() {
    let sections = letter();
    let enrichment = of(ON, &sections);
    let origin = |surface: &str| {
        let document = enrichment.symbols(1).expect("symbols");
        let found = document.symbols.iter().find(|symbol| symbol.surface == surface);
        found.unwrap_or_else(|| panic!("{surface}: {document:?}")).origin.clone()
    };
    assert_eq!(origin("Angebot"), Origin::Facet("art".to_owned()));
    assert_eq!(origin("A-2024-0117"), Origin::Path);
    assert_eq!(origin("ART-4471-B"), Origin::Text(sections[0].id.clone()));
}

#[test]
fn mixed_enrichment_puts_everything_into_both() {
    let sections = letter();
    let head = of(EnrichmentPlan::MIXED, &sections).head(EnrichmentPlan::MIXED, 1);
    assert!(head.contains("ART-4471-B") && head.ends_with("\n\n"), "{head}");
    assert_eq!(of(EnrichmentPlan::NONE, &sections).tokens(EnrichmentPlan::NONE, 1), [""; 0]);
}

#[test]
fn a_handbook_and_a_price_list_pass_on_only_what_stands_above() {
    let many = |count: usize, codes: usize| -> Vec<Section> {
        (0..count)
            .map(|at| {
                let codes: Vec<String> =
                    (0..codes).map(|code| format!("ART-{at:02}{code:03}-X")).collect();
                section(&format!("a#{at:03}"), at + 1, "Preis", &codes.join(", "))
            })
            .collect()
    };
    let surfaces = |sections: &[Section]| -> Vec<String> {
        let enrichment = of(ON, sections);
        let document = enrichment.symbols(1).expect("symbols").clone();
        assert!(document.left_out > 0);
        document.symbols.into_iter().map(|symbol| symbol.surface).collect()
    };
    let handbook = surfaces(&many(30, 1));
    assert_eq!(handbook, ["Angebot", "A-2024-0117"]);
    let list = surfaces(&many(10, 20));
    assert_eq!(list.len(), 2 + 20, "and what the first section names: {list:?}");
}

#[test]
fn a_document_of_one_section_has_nothing_to_pass_on() {
    let sections = vec![letter().remove(0)];
    assert_eq!(of(ON, &sections).symbols(0), None);
}

#[test]
fn nobody_inherits_from_a_section_that_fewer_people_may_see() {
    let mut sections = letter();
    let audience = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    sections.push(section("a#intern", 20, "Kalkulation", "Rabatt nach ART-9999-Z."));
    sections.push(section("a#leitung", 30, "Leitung", "Streng nach ART-8888-Y."));
    sections[2].audience = audience(&["leitung", "vertrieb"]);
    sections[3].audience = audience(&["leitung"]);
    let enrichment = of(ON, &sections);
    let has = |ordinal: u32, token: &str| {
        enrichment.tokens(ON, ordinal).iter().any(|found| found == token)
    };
    for (ordinal, intern, leitung) in
        [(0, false, false), (1, false, false), (2, true, false), (3, true, true)]
    {
        let found = (has(ordinal, "art9999z"), has(ordinal, "art8888y"));
        assert_eq!(found, (intern, leitung), "{}", sections[ordinal as usize].id);
        assert!(has(ordinal, "art4471b"), "what is for everybody reaches all");
    }
}

#[test]
fn the_method_says_all_limits() {
    let method = method();
    for limit in [MOST_SYMBOLS, MOST_SECTIONS] {
        assert!(method.contains(&limit.to_string()), "{method}");
    }
}

#[test]
fn what_is_known_by_usage_may_help_the_embedding_and_an_article_number_never() {
    let sections = letter();
    let borderline: Vec<String> =
        of(ON, &sections).borderline(0).map(|candidate| candidate.text).collect();
    assert_eq!(borderline, ["ISO 9001"]);
    let enrichment = of(ON, &sections);
    let symbols = &enrichment.symbols(0).expect("symbols").symbols;
    assert!(symbols.iter().any(|symbol| symbol.target == Target::Lexical));
}

#[test]
fn typed_enrichment_has_no_leak_and_mixed_has() {
    let sections = letter();
    let analyzer = patterns(&sections);
    let typed = leaks(EnrichmentPlan::TYPED, &sections, &analyzer);
    assert!(typed.problems.is_empty(), "{:?}", typed.problems);
    assert!(typed.shares[1].lexical > 0.5 && typed.shares[0].lexical < typed.shares[1].lexical);
    let mixed = leaks(EnrichmentPlan::MIXED, &sections, &analyzer);
    let codes: BTreeSet<&str> = mixed.problems.iter().map(|problem| problem.code).collect();
    assert!(codes.contains("enrichment-symbol-embedded"), "{codes:?}");
}

#[test]
fn a_concept_in_the_field_of_symbols_is_a_leak() {
    let sections = letter();
    let plan = EnrichmentPlan { symbols: Use::On, concepts: Use::Both };
    let mut enrichment = of(plan, &sections);
    let concept = Concept {
        text: "Zahlungsverzug".to_owned(),
        weight: 1.0,
        gain: 0.1,
        proposed_by: Proposer::Frequency,
    };
    enrichment.set_concepts(vec![vec![concept], Vec::new()]);
    let found = check(plan, &sections, &enrichment, patterns(&sections).symbols());
    let codes: Vec<&str> = found.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["enrichment-concept-in-symbols"]);
}

#[test]
fn hostile_text_is_read_in_time() {
    let text = "A\u{0}B\u{202e}C-1-".repeat(20_000) + &"(".repeat(50_000) + &"Ä ".repeat(50_000);
    let sections = vec![section("a#x", 1, "X", &text), section("a#y", 2, "Y", "GmbH & Co. KG")];
    let started = std::time::Instant::now();
    of(ON, &sections);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
