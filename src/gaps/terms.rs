//! Terms that questions use and no section explains.

use std::collections::BTreeMap;

use super::asked::Asked;
use super::finding::{Action, Code, Evidence, Finding, Mend, Severity, Subject};
use super::known::Known;
use super::vocabulary::content;
use crate::analysis::{Analyzer, Word, is_everyday_word, words};

/// One person's word is no term: so many questions must use it.
const FEWEST: usize = 2;

/// Hints only: a reader who uses a word that stands nowhere may still find what is meant.
pub(super) fn findings(known: &Known<'_>, analyzer: &Analyzer) -> Vec<Finding> {
    let mut used: BTreeMap<String, (String, Vec<&Asked>)> = BTreeMap::new();
    let catalog = known.asking.asked.iter().filter(|asked| asked.id.is_some());
    for asked in catalog {
        for (stem, surface) in terms(known, analyzer, &asked.text) {
            let entry = used.entry(stem).or_insert_with(|| (surface, Vec::new()));
            if entry.1.last().is_none_or(|last| last.id != asked.id) {
                entry.1.push(asked);
            }
        }
    }
    let often = used.into_values().filter(|(_, asked)| asked.len() >= FEWEST);
    often.map(|(surface, asked)| orphan(known, &surface, &asked)).collect()
}

/// The nouns of a question that no section uses, neither alone nor in a compound nor by another
/// name, and that are no everyday words.
fn terms(known: &Known<'_>, analyzer: &Analyzer, question: &str) -> Vec<(String, String)> {
    let first = words(question).first().map(|word| word.span);
    let nouns = content(question).into_iter().filter(|word| {
        word.capitalised && Some(word.span) != first && !is_everyday_word(&word.folded)
    });
    nouns
        .filter(|word| !is_known(known, analyzer, word))
        .map(|word| (word.stem, word.surface))
        .collect()
}

fn is_known(known: &Known<'_>, analyzer: &Analyzer, word: &Word) -> bool {
    let (heads, modifiers) = analyzer.heads_and_modifiers(&word.folded);
    let parts = heads.iter().chain(&modifiers);
    let others = analyzer.synonyms().of(std::slice::from_ref(word));
    known.vocabulary.knows(&word.stem)
        || others.iter().any(|stem| known.vocabulary.knows(stem))
        || (!heads.is_empty() && parts.into_iter().all(|stem| known.vocabulary.knows(stem)))
}

fn orphan(known: &Known<'_>, term: &str, asked: &[&Asked]) -> Finding {
    // Where most of its questions are meant to lead is where it belongs.
    let mut meant: BTreeMap<u32, usize> = BTreeMap::new();
    for ordinal in asked.iter().filter_map(|asked| asked.own()) {
        *meant.entry(ordinal).or_default() += 1;
    }
    let meant = meant.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    let section = meant.map(|(ordinal, _)| known.section(ordinal));
    let message =
        format!("„{term}“ steht in {} Fragen des Katalogs, aber in keinem Abschnitt.", asked.len());
    let mend = match section {
        Some(section) => Mend {
            section: Some(section.id.to_string()),
            ..Mend::new(
                Action::AddSynonym,
                format!(
                    "Erklären Sie „{term}“ in „{}“ in einem Satz, oder tragen Sie das Wort mit seiner \
                     Entsprechung in rules/synonyms.yaml ein.",
                    section.title
                ),
            )
        },
        None => Mend::new(Action::NewSection, format!("Erklären Sie „{term}“ in einem Abschnitt.")),
    };
    Finding::new(Code::OrphanTerm, Severity::Hint, Subject::term(term), message, mend)
        .reaching(asked.len() as f64)
        .because(asked.iter().map(|asked| known.question(asked)))
        .because(section.map(|section| Evidence::Section {
            section: section.into(),
            role: "soll diese Fragen beantworten".to_owned(),
        }))
}
