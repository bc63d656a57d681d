//! Two sections that state different numbers for the same thing. Cautious: the two sentences must be
//! nearly the same but for the number.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Action, Code, Evidence, Finding, Mend, Severity, Subject};
use super::known::Known;
use super::sentences::{Measured, numbers, sentences};
use super::vocabulary::content;
use crate::analysis::{fold, stem};

/// Content words that both sentences must share besides the unit.
const SHARED: usize = 3;
/// Share of the words of both, weighed by rarity, that they must have in common.
const ALIKE: f64 = 0.6;
/// A word that stands in so many sentences with the same unit singles out none.
const MOST_WITH_WORD: usize = 50;

/// A sentence that states one number with a unit.
struct Statement<'a> {
    ordinal: u32,
    sentence: &'a str,
    number: Measured,
    /// Stems besides number and unit.
    stems: BTreeSet<String>,
}

pub(super) fn findings(known: &Known<'_>) -> Vec<Finding> {
    let statements: Vec<Statement<'_>> = known
        .each()
        .flat_map(|(ordinal, section)| {
            sentences(&section.text).into_iter().filter_map(move |text| statement(ordinal, text))
        })
        .collect();
    // Sentences that share a unit and a word; the rest need not be compared.
    let mut by_word: BTreeMap<(String, &str), Vec<usize>> = BTreeMap::new();
    for (at, statement) in statements.iter().enumerate() {
        let unit = unit(statement);
        for stem in &statement.stems {
            by_word.entry((unit.clone(), stem.as_str())).or_default().push(at);
        }
    }
    let mut pairs = BTreeSet::new();
    for together in by_word.values().filter(|together| together.len() <= MOST_WITH_WORD) {
        for (at, first) in together.iter().enumerate() {
            pairs.extend(together[at + 1..].iter().map(|second| (*first, *second)));
        }
    }
    let pairs = pairs.into_iter().map(|(a, b)| (&statements[a], &statements[b]));
    let contradicting = pairs.filter(|(a, b)| contradict(known, a, b));
    let mut seen = BTreeSet::new();
    contradicting
        .filter(|(a, b)| seen.insert((a.ordinal, b.ordinal)))
        .map(|(a, b)| conflict(known, a, b))
        .collect()
}

fn statement(ordinal: u32, sentence: &str) -> Option<Statement<'_>> {
    let mut numbers = numbers(sentence);
    if numbers.len() != 1 {
        return None;
    }
    let number = numbers.pop()?;
    let unit = stem(&fold(&number.unit));
    let words = content(sentence).into_iter().map(|word| word.stem);
    let stems = words.filter(|word| *word != unit && *word != number.written).collect();
    Some(Statement { ordinal, sentence, number, stems })
}

fn unit(statement: &Statement<'_>) -> String {
    let unit = stem(&fold(&statement.number.unit));
    if unit == "prozent" { "%".to_owned() } else { unit }
}

fn contradict(known: &Known<'_>, a: &Statement<'_>, b: &Statement<'_>) -> bool {
    let differ = (a.number.value - b.number.value).abs() > f64::EPSILON;
    if a.ordinal == b.ordinal || !differ || unit(a) != unit(b) {
        return false;
    }
    let weight = |stems: &mut dyn Iterator<Item = &String>| -> f64 {
        stems.map(|stem| known.vocabulary.weight(stem).max(0.1)).sum()
    };
    let shared = weight(&mut a.stems.intersection(&b.stems));
    let all = weight(&mut a.stems.union(&b.stems));
    a.stems.intersection(&b.stems).count() >= SHARED && shared >= ALIKE * all
}

fn conflict(known: &Known<'_>, a: &Statement<'_>, b: &Statement<'_>) -> Finding {
    let (first, second) = (known.section(a.ordinal), known.section(b.ordinal));
    let message = format!(
        "„{}“ nennt {} {}, „{}“ nennt {} {}: für dasselbe.",
        first.title, a.number.written, a.number.unit, second.title, b.number.written, b.number.unit
    );
    let mend = Mend::new(
        Action::Reconcile,
        format!(
            "Prüfen Sie, welche Zahl stimmt, und berichtigen Sie {} oder {}; sind verschiedene Fälle \
             gemeint, sagen Sie es.",
            first.place, second.place
        ),
    );
    let quote = |statement: &Statement<'_>| Evidence::Quote {
        section: known.section(statement.ordinal).id.to_string(),
        text: statement.sentence.to_owned(),
    };
    Finding::new(
        Code::Conflict,
        Severity::Warning,
        Subject::sections([first, second]),
        message,
        mend,
    )
    .reaching(known.reach(a.ordinal) + known.reach(b.ordinal))
    .because([quote(a), quote(b)])
}
