//! What becomes of a model's words; the requests themselves are in tests/llm.

use crate::domain::{EnrichmentPlan, Section};
use crate::enrichment::tests::{ON, letter, patterns, section};
use crate::enrichment::{Enrichment, MODEL, Reading, Readings};

fn read(symbols: &[&str], sections: &[Section]) -> Enrichment {
    let symbols = symbols.iter().map(ToString::to_string).collect();
    let readings = Readings::from(vec![Reading { symbols, concepts: Vec::new() }]);
    Enrichment::of(ON, sections, patterns(sections).symbols(), &readings)
}

/// Surfaces and tokens of what only the model named.
fn of_model(enrichment: &Enrichment) -> Vec<(String, Vec<String>)> {
    let symbols = enrichment.symbols(0).into_iter().flat_map(|document| &document.symbols);
    let model = symbols.filter(|symbol| symbol.kind == MODEL);
    model.map(|symbol| (symbol.surface.clone(), symbol.tokens.clone())).collect()
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

#[test]
fn what_a_model_names_is_inherited_where_the_document_says_it() {
    let mut sections = letter();
    sections[0].text += " Lieferung an Backhaus Sonnenschein, Halle 4 Süd.";
    let named = ["Backhaus Sonnenschein", "Halle 4 Süd", "Backhaus Mondschein", "schein, Halle 4"];
    let enrichment = read(&named, &sections);
    let found = of_model(&enrichment);
    let names = owned(&["backhaus", "sonnenschein", "name:backhaus", "name:sonnenschein"]);
    let expected = [("Backhaus Sonnenschein", names), ("Halle 4 Süd", owned(&["halle4sued"]))];
    assert_eq!(found, expected.map(|(surface, tokens)| (surface.to_owned(), tokens)));
    let tokens = enrichment.tokens(ON, 1);
    assert!(tokens.iter().any(|token| token == "halle4sued"), "{tokens:?}");
    assert_eq!(enrichment.head(EnrichmentPlan::TYPED, 1), "", "nothing of it is embedded");
}

#[test]
fn what_our_patterns_know_is_not_taken_twice_and_no_sentence_is_a_name() {
    let mut sections = letter();
    let long = "Wir Liefern Alles Was Der Kunde Bei Uns Bestellt Hat";
    sections[0].text += long;
    let named = ["ART-4471-B", "Hoffmann", "4471", "", " ", "-", "netto", long, "\u{0}"];
    assert_eq!(of_model(&read(&named, &sections)), []);
}

#[test]
fn a_word_that_other_documents_use_is_no_name() {
    let mut sections = letter();
    sections[0].text += " Lieferschein.";
    sections.push(section("b#x", 1, "Ablage", "Jeder Lieferschein wird abgelegt."));
    let reading = Reading { symbols: owned(&["Lieferschein"]), concepts: Vec::new() };
    let readings = Readings::from(vec![reading, Reading::default()]);
    let enrichment = Enrichment::of(ON, &sections, patterns(&sections).symbols(), &readings);
    let found = of_model(&enrichment);
    assert_eq!(found, [("Lieferschein".to_owned(), owned(&["lieferschein"]))]);
}

#[test]
fn a_model_never_makes_a_letter_a_list() {
    let mut sections = letter();
    let codes: Vec<String> = (0..60).map(|at| format!("ART-{at:04}-X")).collect();
    let names: Vec<String> = (0..60).map(|at| format!("Halle {at}")).collect();
    sections[0].text.push_str(&[codes.join(", "), names.join(", ")].join(" "));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let enrichment = read(&names, &sections);
    assert_eq!(enrichment.symbols(1).expect("symbols").left_out, 0);
    assert_eq!(of_model(&enrichment).len(), 60);
}

#[test]
fn what_only_a_hidden_section_says_goes_to_nobody_else() {
    let mut sections = letter();
    sections.push(section("a#intern", 20, "Intern", "Rabatt für Backhaus Sonnenschein."));
    sections.push(section("a#wir", 30, "Wir", "Nur für uns."));
    for hidden in &mut sections[2..] {
        hidden.audience.insert("vertrieb".to_owned());
    }
    let enrichment = read(&["Backhaus Sonnenschein"], &sections);
    let has =
        |ordinal| enrichment.tokens(ON, ordinal).iter().any(|token| token == "name:sonnenschein");
    assert_eq!([0, 1, 2, 3].map(has), [false, false, true, true]);
}
