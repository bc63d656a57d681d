//! The business compendium is what its README says: identifiers once, in the head; questions with
//! one right section.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;
use serde::Deserialize;
use wegweiser::compendium::{Compendium, load};
use wegweiser::domain::{GroupId, IntentId, Section};
use wegweiser::eval::dataset;
use wegweiser::groups::GroupModel;

const KINDS: [&str; 6] = ["concept", "customer", "identifier", "mixed", "norm", "similar"];

#[derive(Deserialize)]
struct Question {
    id: String,
    #[serde(rename = "question")]
    text: String,
    section_id: String,
    group: String,
    kind: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/angebote")
}

fn groups() -> BTreeSet<GroupId> {
    let intents: BTreeSet<IntentId> = [
        "definition",
        "why",
        "benefit",
        "how",
        "when",
        "who",
        "where",
        "which_list",
        "compare",
        "condition",
        "yes_no",
        "troubleshoot",
        "quantity",
        "example",
    ]
    .iter()
    .map(|intent| IntentId::try_from(*intent).unwrap())
    .collect();
    let text = std::fs::read_to_string(folder().join("rules/groups.yaml")).unwrap();
    let model = GroupModel::load("groups.yaml", &text, &intents).unwrap();
    model.ids().cloned().collect()
}

fn compendium() -> Compendium {
    load(&folder().join("compendium"), &groups()).unwrap()
}

fn questions() -> Vec<Question> {
    let lines = dataset::lines(&folder().join("questions.jsonl"), "").unwrap();
    lines.into_iter().map(|(_, question)| question).collect()
}

/// Sections by document, in the order of the file: the first one is the head.
fn documents(compendium: &Compendium) -> BTreeMap<&str, Vec<&Section>> {
    let mut documents: BTreeMap<&str, Vec<&Section>> = BTreeMap::new();
    for section in &compendium.sections {
        documents.entry(section.document()).or_default().push(section);
    }
    for sections in documents.values_mut() {
        sections.sort_by_key(|section| section.place.line);
    }
    documents
}

/// Numbers, norms, IBANs, § with a law, mail addresses.
fn identifiers() -> Regex {
    Regex::new(concat!(
        r"\b[A-Z0-9]{1,4}-(?:[A-Z]{2,4}-)?\d[\w-]*",
        r"|\b(?:DIN|ISO|EN)(?:[ /](?:DIN|EN|ISO|IEC|VDE))* \d[\d-]*",
        r"|\bDE\d{2}(?: \d{2,4})+",
        r"|§ \d+\w* (?:Nr\. \d+ )?[A-Z]\w*",
        r"|[\w.]+@[\w.-]+",
    ))
    .unwrap()
}

#[test]
fn there_are_enough_documents_and_all_of_them_load_without_a_notice() {
    let compendium = compendium();
    assert!(compendium.files >= 40, "{} documents", compendium.files);
    assert_eq!(compendium.notices, []);
    assert!(compendium.sections.iter().all(|section| section.group.is_some()));
}

#[test]
fn identifiers_stand_once_in_a_document_and_only_in_its_head() {
    let compendium = compendium();
    let identifiers = identifiers();
    for (document, sections) in documents(&compendium) {
        let mut seen = BTreeSet::new();
        for found in identifiers.find_iter(&sections[0].text) {
            assert!(seen.insert(found.as_str()), "{document}: {} twice", found.as_str());
        }
        assert!(seen.len() >= 4, "{document} has only {seen:?}");
        for section in &sections[1..] {
            let text = format!("{}\n{}", section.title, section.text);
            // `§ 4 Vergütung` numbers a clause of the contract itself.
            let text = text.strip_prefix("§ ").unwrap_or(&text);
            let found: Vec<&str> =
                identifiers.find_iter(text).map(|found| found.as_str()).collect();
            assert!(found.is_empty(), "{}: {found:?}", section.id);
        }
    }
}

#[test]
fn every_iban_has_right_check_digits_and_a_bank_that_does_not_exist() {
    let pattern = Regex::new(r"\bDE\d{2}(?: \d{4}){4} \d{2}\b").unwrap();
    let compendium = compendium();
    let mut count = 0;
    for section in &compendium.sections {
        for found in pattern.find_iter(&section.text) {
            let iban = found.as_str().replace(' ', "");
            assert_eq!(&iban[4..12], "99999999", "{iban}");
            // ISO 13616: account, then country (D = 13, E = 14) and check digits; the rest of 97 is 1.
            let moved = format!("{}1314{}", &iban[4..], &iban[2..4]);
            let rest =
                moved.bytes().fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
            assert_eq!(rest, 1, "{iban}");
            count += 1;
        }
    }
    assert!(count >= 8, "{count} IBANs");
}

#[test]
fn questions_have_ids_of_their_own_and_a_section_that_is_no_head() {
    let compendium = compendium();
    let documents = documents(&compendium);
    let questions = questions();
    assert!(questions.len() >= 120, "{} questions", questions.len());
    let ids: BTreeSet<&str> = questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids.len(), questions.len(), "an id twice");
    let texts: BTreeSet<String> = questions.iter().map(|q| q.text.to_lowercase()).collect();
    assert_eq!(texts.len(), questions.len(), "a question twice");
    for question in &questions {
        let section = compendium
            .sections
            .iter()
            .find(|section| section.id.as_str() == question.section_id)
            .unwrap_or_else(|| panic!("{}: no section {}", question.id, question.section_id));
        assert_eq!(section.group.as_ref().map(GroupId::as_str), Some(question.group.as_str()));
        assert_ne!(documents[section.document()][0].id, section.id, "{}", question.id);
    }
}

#[test]
fn every_kind_has_its_number_of_questions() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for question in questions() {
        *kinds.entry(question.kind).or_default() += 1;
    }
    assert_eq!(kinds.keys().collect::<Vec<_>>(), KINDS);
    for (kind, least) in [
        ("identifier", 40),
        ("customer", 30),
        ("concept", 25),
        ("mixed", 20),
        ("norm", 10),
        ("similar", 10),
    ] {
        assert!(kinds[kind] >= least, "{kind}: {}", kinds[kind]);
    }
}

#[test]
fn the_identifier_of_a_question_leads_to_one_document_that_names_it_in_its_head() {
    let compendium = compendium();
    let documents = documents(&compendium);
    let code = Regex::new(r"[\w-]*\d[\w-]*").unwrap();
    let words = |text: &str| -> BTreeSet<String> {
        code.find_iter(&text.to_lowercase()).map(|found| found.as_str().to_owned()).collect()
    };
    let heads: BTreeMap<&str, BTreeSet<String>> = documents
        .iter()
        .map(|(document, sections)| (*document, words(&sections[0].text)))
        .collect();
    for question in questions().iter().filter(|q| q.kind == "identifier" || q.kind == "similar") {
        let asked = words(&question.text);
        assert!(!asked.is_empty(), "{}: no identifier", question.id);
        let named: Vec<&str> = heads
            .iter()
            .filter(|(_, head)| asked.iter().all(|word| head.contains(word)))
            .map(|(document, _)| *document)
            .collect();
        let right = question.section_id.split('#').next().unwrap();
        assert_eq!(named, [right], "{}: {}", question.id, question.text);
    }
}
