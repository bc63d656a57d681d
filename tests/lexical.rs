//! The lexical channel through its own door, with the German that people type.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tempfile::TempDir;
use unicode_normalization::UnicodeNormalization;
use wegweiser::analysis::{Analyzer, fold, words};
use wegweiser::domain::{Allowed, EnrichmentPlan, Place, Section, SectionId};
use wegweiser::enrichment::{Enrichment, Readings};
use wegweiser::retrieval::lexical::{
    FieldBoosts, LexicalError, LexicalHits, LexicalIndex, LexicalRequest,
};

fn section(id: &str, title: &str, text: &str) -> Section {
    Section {
        id: SectionId::try_from(id).expect("an id"),
        title: title.to_owned(),
        path: Vec::new(),
        text: text.to_owned(),
        group: None,
        facets: BTreeMap::new(),
        audience: BTreeSet::new(),
        updated: None,
        place: Place::start_of("test.md"),
    }
}

struct Book {
    sections: Vec<Section>,
    index: LexicalIndex,
    _dir: TempDir,
}

impl Book {
    fn new(texts: &[(&str, &str)]) -> Self {
        let sections: Vec<Section> = texts
            .iter()
            .enumerate()
            .map(|(at, (title, text))| section(&format!("buch#{at:04}"), title, text))
            .collect();
        let dir = tempfile::tempdir().expect("a folder");
        let analyzer = Analyzer::new(&sections);
        LexicalIndex::build(dir.path(), &sections, &[], &analyzer).expect("built");
        let index = LexicalIndex::open(dir.path(), analyzer).expect("opened");
        Self { sections, index, _dir: dir }
    }

    fn ask(&self, question: &str) -> LexicalHits {
        self.ask_among(question, None, 10)
    }

    fn ask_among(&self, question: &str, allowed: Option<&Allowed>, limit: usize) -> LexicalHits {
        let fields = fields();
        let request = LexicalRequest { question, fields: &fields, allowed, limit };
        self.index.search(&request).expect("searched")
    }

    /// Titles, best first.
    fn titles(&self, question: &str) -> Vec<&str> {
        let hits = self.ask(question).hits;
        hits.iter().map(|(at, _)| self.sections[*at as usize].title.as_str()).collect()
    }

    fn first(&self, question: &str) -> &str {
        self.titles(question).first().copied().unwrap_or("nothing")
    }
}

fn fields() -> FieldBoosts {
    "title^2 path text".parse().expect("fields")
}

#[test]
fn spellings_of_umlauts_meet_and_stems_do_not_confuse_them() {
    let book = Book::new(&[
        ("Mutzen (Gebäck)", "Mutzen werden in Fett gebacken."),
        ("Mützen bestellen", "Mützen gibt es im Laden."),
        ("Schöne Aussicht", "Vom Turm aus ist die Aussicht schön."),
        ("Schonzeiten", "In der Schonzeit darf nicht gefischt werden."),
    ]);
    for question in ["Muetzen bestellen", "MÜTZEN", "Mu\u{308}tzen", "muetzen"] {
        assert_eq!(book.first(question), "Mützen bestellen", "{question}");
    }
    assert_eq!(book.first("Mutzen"), "Mutzen (Gebäck)");
    assert_eq!(book.first("Schonzeit"), "Schonzeiten");
    assert_eq!(book.first("schöne Aussicht"), "Schöne Aussicht");
}

#[test]
fn compounds_are_found_by_their_parts_and_the_head_counts_most() {
    let book = Book::new(&[
        ("Wandhalterung montieren", "Die Wandhalterung wird angeschraubt."),
        ("Alterung von Akkus", "Die Alterung eines Akkus hängt von der Wärme ab."),
        ("Steuererklärung abgeben", "Die Steuererklärung ist bis Juli abzugeben."),
        ("Halterungswand montieren", "Die Halterungswand wird angeschraubt."),
    ]);
    assert_eq!(book.first("Erklärung für die Steuer"), "Steuererklärung abgeben");
    assert_eq!(book.first("Alterung"), "Alterung von Akkus");
    assert_eq!(book.first("Halterung"), "Wandhalterung montieren");
    assert_eq!(book.first("Abgabefrist der Steuererklärungen"), "Steuererklärung abgeben");
}

#[test]
fn hyphens_and_blanks_do_not_part_what_belongs_together() {
    let book = Book::new(&[
        ("Postadresse melden", "Eine neue Adresse melden Sie dem Amt, am besten per E-Mail."),
        ("E-Mail-Adresse ändern", "Die E-Mail-Adresse steht im Profil."),
        ("Datenbank sichern", "Die Datenbank wird nachts gesichert."),
    ]);
    for question in [
        "E-Mail-Adresse",
        "Emailadresse",
        "Emailadresse ändern",
        "E Mail Adresse",
        "e-mail-adresse",
        "Mailadresse",
        "E-Mailadresse",
    ] {
        assert_eq!(book.first(question), "E-Mail-Adresse ändern", "{question}");
    }
    assert_eq!(book.first("Daten Bank"), "Datenbank sichern");
}

fn catalogue() -> Book {
    Book::new(&[
        (
            "Gewährleistung",
            "Nach § 437 BGB kann der Käufer Nacherfüllung verlangen, mindern oder \
          zurücktreten. Der Käufer hat viele Rechte.",
        ),
        ("Rechte des Käufers", "Der Käufer, der Käufer und der Käufer: Paragraphen über Rechte."),
        ("Ersatzteil", "Das Ersatzteil ART-4471-B passt zu allen Geräten."),
        ("Zubehör", "Das Zubehör ART-4472-B passt nicht zu allen Ersatzteilen und Geräten."),
        ("Qualität", "Wir sind nach DIN EN ISO 9001 zertifiziert."),
        ("Konto", "Überweisen Sie auf DE89 3704 0044 0532 0130 00."),
        ("Antrag", "Der Antrag P-2024-118 wurde bewilligt."),
        ("Teilnehmende", "Die Befragte H. M. nannte drei Gründe."),
    ])
}

#[test]
fn an_identifier_brings_its_section_to_the_top_however_it_is_typed() {
    let book = catalogue();
    for (question, title) in [
        ("Welche Rechte hat der Käufer nach § 437 BGB?", "Gewährleistung"),
        ("Paragraph 437 Rechte des Käufers", "Gewährleistung"),
        ("§437 bgb", "Gewährleistung"),
        ("437 BGB Rechte des Käufers", "Gewährleistung"),
        ("Passt das Zubehör zu ART-4471-B?", "Ersatzteil"),
        ("zubehör art 4471 b", "Ersatzteil"),
        ("Zubehör art4471b", "Ersatzteil"),
        ("ISO 9001", "Qualität"),
        ("din en iso 9001", "Qualität"),
        ("DE89370400440532013000", "Konto"),
        ("de89 3704 0044 0532 0130 00", "Konto"),
        ("p 2024 118", "Antrag"),
        ("Was sagte H.M.?", "Teilnehmende"),
        ("Was sagte HM?", "Teilnehmende"),
    ] {
        assert_eq!(book.first(question), title, "{question}");
    }
}

#[test]
fn abbreviations_and_short_names_are_no_identifiers() {
    let book = Book::new(&[
        ("Beispiele", "Z. B. hilft eine Pause. Papier in A4 oder A5."),
        ("Papier", "Papier in A4 und A3, Papier für Pläne, Papierformate."),
        ("Pausen", "Pausen helfen, z. B. nach dem Essen."),
    ]);
    assert_eq!(book.first("Wann helfen z. B. Pausen?"), "Pausen");
    assert_eq!(book.first("Papierformate wie A5 für Pläne"), "Papier");
}

#[test]
fn similar_identifiers_are_offered_apart_from_the_ranking() {
    let book = catalogue();
    assert_eq!(book.ask("Ersatzteil ART-4473-B").similar_identifiers, ["ART-4471-B", "ART-4472-B"]);
    assert_eq!(book.ask("art 4471 b").similar_identifiers, ["ART-4472-B"]);
    assert!(book.ask("Ersatzteile für Geräte").similar_identifiers.is_empty());
}

#[test]
fn similar_identifiers_keep_to_the_filter() {
    let book = catalogue();
    let none_of_them = Allowed::among(book.sections.len(), |ordinal| ordinal > 3);
    let found = book.ask_among("Ersatzteil ART-4473-B", Some(&none_of_them), 10);
    assert!(found.similar_identifiers.is_empty(), "{:?}", found.similar_identifiers);
    assert_eq!(found.unknown_identifiers, ["ART-4473-B"]);
}

#[test]
fn typos_and_unseen_compounds_are_found_by_their_letters() {
    let book = Book::new(&[
        ("Wiederholung", "Verteilte Wiederholung festigt das Gedächtnis."),
        ("Konzentration", "Pausen helfen der Konzentration."),
        ("Motivation", "Ziele halten die Motivation hoch."),
    ]);
    assert_eq!(book.first("Wiederhohlung"), "Wiederholung");
    assert_eq!(book.first("Konzentrazion"), "Konzentration");
    assert_eq!(book.first("Motivationslosigkeit"), "Motivation");
}

#[test]
fn synonyms_find_what_is_called_otherwise() {
    let book = Book::new(&[
        ("Arbeit zu Hause", "Homeoffice ist an zwei Tagen der Woche möglich."),
        ("Büro", "Im Büro gibt es freie Plätze."),
    ]);
    assert_eq!(book.first("Telearbeit"), "Arbeit zu Hause");
    assert_eq!(book.first("Ich möchte mobil arbeiten"), "Arbeit zu Hause");
    let fields: FieldBoosts = "title^2 text synonyms^0".parse().expect("fields");
    let request =
        LexicalRequest { question: "Telearbeit", fields: &fields, allowed: None, limit: 10 };
    let without = book.index.explain(&request, 0).expect("explained");
    assert!(without.iter().all(|part| part.field != "synonyms"));
}

#[test]
fn a_filter_returns_as_many_hits_as_exist() {
    let texts: Vec<(String, String)> = (0..60)
        .map(|at| (format!("Lernen {at}"), "Lernen braucht Zeit.".repeat(1 + at % 7)))
        .collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let book = Book::new(&texts);
    let allowed = Allowed::among(60, |ordinal| ordinal % 10 == 3);
    let hits = book.ask_among("Lernen", Some(&allowed), 5).hits;
    assert_eq!(hits.len(), 5);
    assert!(hits.iter().all(|(ordinal, _)| ordinal % 10 == 3));
    assert_eq!(book.ask_among("Lernen", Some(&allowed), 50).hits.len(), 6);
    let none = Allowed::among(60, |_| false);
    assert!(book.ask_among("Lernen", Some(&none), 5).hits.is_empty());
}

#[test]
fn a_question_that_names_nothing_says_so() {
    let book = Book::new(&[
        ("Wie geht Lernen?", "Das ist eine Frage, die wir hier beantworten."),
        ("Pausen", "Pausen sind wichtig."),
    ]);
    for question in ["Wie geht das?", "Was ist das hier?", "Wer darf was?", "*", "?!", ""] {
        let found = book.ask(question);
        assert_eq!(found.terms, 0, "{question}");
        assert!(found.hits.len() < 2 || question.contains("ist"), "{question}: not everything");
    }
    assert!(book.ask("Wie geht Lernen?").terms > 0);
}

#[test]
fn operators_of_query_languages_are_plain_text() {
    let book = Book::new(&[
        ("Lagerung", "Lagerung bei 18 Grad."),
        ("Rechnung", "Die Rechnung kommt per Mail."),
        ("Impressum", "Angaben zum Impressum."),
    ]);
    assert_eq!(book.first("-18 Grad Lagerung"), "Lagerung");
    assert_eq!(book.first("titel:Impressum"), "Impressum");
    assert_eq!(book.first("Mail^50 Rechnung"), "Rechnung");
    assert_eq!(book.first("Was heißt das: \"Rechnung AND (NOT Mail"), "Rechnung");
}

#[test]
fn a_snippet_marks_words_parts_and_other_spellings() {
    let book = Book::new(&[(
        "Steuer",
        "Die Steuererklärung der Strasse <b> & Größe: E-Mail an ART-4471-B. Mu\u{308}tzen helfen.",
    )]);
    let html =
        |question: &str| book.index.highlighter(question).snippet(&book.sections[0].text).html;
    assert!(html("Erklärung").contains("Steuer<mark>erklärung</mark>"), "{}", html("Erklärung"));
    assert!(html("Straße").contains("<mark>Strasse</mark>"));
    assert!(html("Groesse").contains("&lt;b&gt; &amp; <mark>Größe</mark>"));
    assert!(html("Email").contains("<mark>E-Mail</mark>"));
    assert!(html("art 4471 b").contains("<mark>ART-4471-B</mark>"));
    assert!(html("Mützen").contains("<mark>Mu\u{308}tzen</mark>"));
    let snippet = book.index.highlighter("Größe").snippet(&book.sections[0].text);
    let letters: Vec<char> = snippet.text.chars().collect();
    let (start, end) = snippet.marks[0];
    assert_eq!(letters[start..end].iter().collect::<String>(), "Größe");
}

#[test]
fn the_parts_of_an_explanation_add_up_to_the_score() {
    let book = catalogue();
    let fields = fields();
    for question in ["Rechte des Käufers nach § 437 BGB", "Ersatzteil für Geräte", "Telefon"] {
        let request = LexicalRequest { question, fields: &fields, allowed: None, limit: 3 };
        for (ordinal, score) in book.index.search(&request).expect("searched").hits {
            let parts = book.index.explain(&request, ordinal).expect("explained");
            let sum: f32 = parts.iter().map(|part| part.score).sum();
            assert!((sum - score).abs() < score * 1e-4, "{question}: {sum} {score} {parts:?}");
        }
    }
}

#[test]
fn a_very_long_question_is_answered() {
    let book = catalogue();
    let question = "Ersatzteile, Zubehör und Qualität der Geräte? ".repeat(60);
    assert!(!book.ask(&question).hits.is_empty());
}

#[test]
fn an_index_with_another_schema_is_refused_with_the_field() {
    use tantivy::schema::{STORED, Schema};
    let dir = tempfile::tempdir().expect("a folder");
    let mut builder = Schema::builder();
    builder.add_u64_field("ordinal", STORED);
    tantivy::Index::create_in_dir(dir.path(), builder.build()).expect("created");
    let error = LexicalIndex::open(dir.path(), Analyzer::new(&[])).expect_err("unfit");
    assert!(matches!(error, LexicalError::Schema { field: "title", .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn analysis_is_blind_to_composition_and_idempotent(text in "[a-zA-ZäöüßÄÖÜéè \\-.§0-9]{0,60}") {
        let decomposed: String = text.nfd().collect();
        let folded = |text: &str| -> Vec<(String, String)> {
            words(text).into_iter().map(|word| (word.folded, word.stem)).collect()
        };
        prop_assert_eq!(folded(&text), folded(&decomposed));
        let again: Vec<(String, String)> =
            folded(&text).iter().flat_map(|(word, _)| folded(word)).collect();
        prop_assert_eq!(folded(&text), again);
        prop_assert_eq!(fold(&fold(&text)), fold(&text));
    }

    #[test]
    fn a_section_is_found_by_any_of_its_words(word in "[A-Za-zäöüß]{4,30}", digits in "[0-9]{1,4}") {
        let text = format!("Hier steht {word} und {digits}-{word}.");
        let book = Book::new(&[("Anderes", "Ganz etwas anderes, ohne das Wort."), ("Titel", &text)]);
        let found = book.ask(&word);
        prop_assert_eq!(found.hits.first().map(|hit| hit.0), Some(1));
    }
}

/// Sections that inherit the symbols of their documents, as a build does it.
fn letters(texts: &[(&str, &str, &str)]) -> Book {
    let sections: Vec<Section> =
        texts.iter().map(|(id, title, text)| section(id, title, text)).collect();
    let dir = tempfile::tempdir().expect("a folder");
    let analyzer = Analyzer::new(&sections);
    let plan = EnrichmentPlan::default();
    let enrichment = Enrichment::of(plan, &sections, analyzer.symbols(), &Readings::default());
    let inherited: Vec<Vec<String>> =
        (0..sections.len() as u32).map(|ordinal| enrichment.tokens(plan, ordinal)).collect();
    LexicalIndex::build(dir.path(), &sections, &inherited, &analyzer).expect("built");
    let index = LexicalIndex::open(dir.path(), analyzer).expect("opened");
    Book { sections, index, _dir: dir }
}

const LETTERS: [(&str, &str, &str); 6] = [
    ("a#1", "Briefkopf A", "Hoffmann & Söhne GmbH, Artikel ART-4471-B, gemäß Anfrage."),
    ("a#2", "Zahlungsbedingungen", "Dreißig Tage netto."),
    ("a#3", "Lieferfrist A", "Elf Wochen ab Freigabe."),
    ("b#1", "Briefkopf B", "Kessler Antriebstechnik SE, Artikel ART-4490-T, gemäß Anfrage."),
    ("b#2", "Zahlungsbedingungen", "Vierzehn Tage netto."),
    ("b#3", "Lieferfrist B", "Lieferfrist nach Lieferfrist: neun Wochen, Frist der Lieferung."),
];

#[test]
fn an_identifier_of_the_letterhead_leads_to_the_section_that_is_asked_for() {
    let book = letters(&LETTERS);
    let id = |question: &str| {
        let hits = book.ask(question).hits;
        book.sections[hits[0].0 as usize].id.as_str().to_owned()
    };
    assert_eq!(id("ART-4471-B Lieferfrist"), "a#3");
    assert_eq!(id("Lieferfrist art 4490 t"), "b#3");
    assert_eq!(id("Zahlungsbedingungen Hoffmann"), "a#2");
    assert_eq!(id("Zahlungsbedingungen von Kessler"), "b#2");
    assert_eq!(id("ART-4471-B"), "a#1", "alone, it is the section that names it");
}

#[test]
fn what_a_section_inherits_adds_up_in_its_explanation() {
    let book = letters(&LETTERS);
    let fields = fields();
    let question = "ART-4471-B Lieferfrist Hoffmann";
    let request = LexicalRequest { question, fields: &fields, allowed: None, limit: 10 };
    for (ordinal, score) in book.index.search(&request).expect("searched").hits {
        let terms = book.index.explain(&request, ordinal).expect("explained");
        let sum: f32 = terms.iter().map(|term| term.score).sum();
        assert!((sum - score).abs() < score * 1e-4, "{sum} {score} {terms:?}");
        let inherits = terms.iter().any(|term| term.field == "inherited");
        assert_eq!(inherits, ordinal < 3, "{terms:?}");
    }
}
