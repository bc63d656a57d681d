//! Which terms a document is about, against all others.

use std::collections::{BTreeMap, BTreeSet};

use super::Proposer;
use crate::analysis::{Analyzer, fold, is_function_word, stem, tokens};
use crate::domain::Section;
use crate::enrichment::Documents;

/// Terms of a document that are looked at further.
const MOST: usize = 12;
/// Shorter words are rarely terms.
const SHORTEST: usize = 4;
/// A term that comes once is an accident.
const FEWEST: usize = 2;
/// A term of one section is a subject of that section, not of the document.
const FEWEST_SECTIONS: usize = 2;
/// Of the sections of a document, at least one in so many speaks of its subject.
const LEAST_SHARE: usize = 4;

/// A key term of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// As it is written most often.
    pub text: String,
    /// Stems of its words.
    pub stems: Vec<String>,
    /// C-value times inverse document frequency, above 0.
    pub weight: f64,
    /// Who says that it is one.
    pub proposed_by: Proposer,
}

/// The constants of this method.
pub(super) fn method() -> String {
    format!("{MOST}/{SHORTEST}/{FEWEST}/{FEWEST_SECTIONS}/{LEAST_SHARE}")
}

/// A run of words that may be a term.
struct Seen {
    surfaces: BTreeMap<String, usize>,
    count: usize,
    /// Sections that have it.
    sections: BTreeSet<u32>,
    /// Parts of its words: a compound of two nouns has two.
    length: usize,
}

/// The key terms of each document, best first, in the order of `documents`. None where there is no
/// other document to tell one from.
pub fn candidates(
    sections: &[Section],
    documents: &Documents,
    analyzer: &Analyzer,
) -> Vec<Vec<Candidate>> {
    let nouns = nouns(sections);
    let names = names(sections, analyzer);
    let read: Vec<BTreeMap<Vec<String>, Seen>> = documents
        .iter()
        .map(|ordinals| {
            let mut seen = BTreeMap::new();
            for ordinal in ordinals {
                let section = &sections[*ordinal as usize];
                for text in [&section.title, &section.text] {
                    phrases(text, *ordinal, (&nouns, analyzer), &mut seen);
                }
            }
            seen
        })
        .collect();
    let mut frequency: BTreeMap<&Vec<String>, usize> = BTreeMap::new();
    for key in read.iter().flat_map(BTreeMap::keys) {
        *frequency.entry(key).or_default() += 1;
    }
    let all = read.len() as f64;
    read.iter()
        .zip(documents.iter())
        .map(|(seen, ordinals)| {
            let holders = holders(seen);
            let spread = FEWEST_SECTIONS.max(ordinals.len().div_ceil(LEAST_SHARE));
            let mut ranked: Vec<Candidate> = seen
                .iter()
                .filter(|(key, term)| {
                    term.count >= FEWEST
                        && term.sections.len() >= spread
                        && !key.iter().any(|stem| names.contains(stem))
                })
                .map(|(key, term)| {
                    let rarity = (all / frequency[key] as f64).ln();
                    let weight = c_value(key, term, &holders) * rarity;
                    Candidate {
                        text: term.usual(),
                        stems: key.clone(),
                        weight,
                        proposed_by: Proposer::Frequency,
                    }
                })
                .filter(|candidate| candidate.weight > 0.0)
                .collect();
            ranked
                .sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.stems.cmp(&b.stems)));
            ranked.truncate(MOST);
            ranked
        })
        .collect()
}

/// `log2(1 + length) · (frequency − mean frequency of the longer terms that hold it)`.
fn c_value(key: &[String], term: &Seen, holders: &BTreeMap<&str, (usize, usize)>) -> f64 {
    let nested = match key {
        [noun] => holders.get(noun.as_str()).map_or(0.0, |(of, count)| *count as f64 / *of as f64),
        _ => 0.0,
    };
    (1.0 + term.length as f64).log2() * (term.count as f64 - nested)
}

/// Noun → how many phrases end in it, and how often they come together.
fn holders(seen: &BTreeMap<Vec<String>, Seen>) -> BTreeMap<&str, (usize, usize)> {
    let mut holders: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (key, term) in seen {
        if let [_, noun] = key.as_slice() {
            let holder = holders.entry(noun).or_default();
            *holder = (holder.0 + 1, holder.1 + term.count);
        }
    }
    holders
}

impl Seen {
    fn usual(&self) -> String {
        let most = self.surfaces.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        most.map(|(surface, _)| surface.clone()).unwrap_or_default()
    }
}

/// Folded words that stand capitalised inside a sentence: nouns, and names.
fn nouns(sections: &[Section]) -> BTreeSet<String> {
    let mut nouns = BTreeSet::new();
    for section in sections {
        let mut inside = false;
        for token in tokens(&section.text) {
            if inside && begins_upper(token.surface) {
                nouns.insert(fold(token.surface));
            }
            inside = token.next.is_some_and(|next| next == ' ' || next == ',');
        }
    }
    nouns
}

/// Stems of the words of companies and persons: `Hoffmann` alone is no concept either.
pub(super) fn names<'a>(
    sections: impl IntoIterator<Item = &'a Section>,
    analyzer: &Analyzer,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for section in sections {
        for text in section.path.iter().chain([&section.title, &section.text]) {
            let symbols = analyzer.symbols().find_all(text).into_iter();
            let opaque = symbols.filter(|symbol| !symbol.target.embedding());
            names.extend(opaque.flat_map(|symbol| symbol.words).map(|word| stem(&word)));
        }
    }
    names
}

fn begins_upper(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Adds the nouns and adjective-noun phrases of a text; passages with symbols are left out.
fn phrases(
    text: &str,
    ordinal: u32,
    (nouns, analyzer): (&BTreeSet<String>, &Analyzer),
    seen: &mut BTreeMap<Vec<String>, Seen>,
) {
    let taken: Vec<(usize, usize)> =
        analyzer.symbols().find_all(text).into_iter().map(|symbol| symbol.span).collect();
    let opaque = |span: (usize, usize)| taken.iter().any(|at| span.0 < at.1 && at.0 < span.1);
    // The adjective right before, and where the next word must begin to follow it.
    let mut before: Option<(&str, usize)> = None;
    for token in tokens(text) {
        let folded = fold(token.surface);
        let letters = folded.chars().count();
        let adjective = before.take().filter(|(_, at)| *at == token.span.0);
        let plain = folded.chars().all(char::is_alphabetic) && !opaque(token.span);
        if !plain || letters < SHORTEST || is_function_word(&folded) {
            continue;
        }
        if begins_upper(token.surface) {
            if !nouns.contains(&folded) {
                continue;
            }
            let noun = stem(&folded);
            let length = analyzer.take_apart(&folded).parts.len().max(1);
            add(seen, ordinal, (vec![noun.clone()], token.surface.to_owned()), length);
            if let Some((adjective, _)) = adjective {
                let key = vec![stem(&fold(adjective)), noun];
                add(seen, ordinal, (key, format!("{adjective} {}", token.surface)), length + 1);
            }
        } else if token.next == Some(' ') && inflected(&folded) {
            before = Some((token.surface, token.span.1 + 1));
        }
    }
}

/// Whether a word ends as adjectives before a noun do.
fn inflected(folded: &str) -> bool {
    ["e", "en", "er", "es", "em"].iter().any(|end| folded.ends_with(end))
}

fn add(
    seen: &mut BTreeMap<Vec<String>, Seen>,
    ordinal: u32,
    (key, surface): (Vec<String>, String),
    length: usize,
) {
    let (surfaces, sections) = (BTreeMap::new(), BTreeSet::new());
    let term = seen.entry(key).or_insert_with(|| Seen { surfaces, count: 0, sections, length });
    term.count += 1;
    term.sections.insert(ordinal);
    *term.surfaces.entry(surface).or_default() += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Place, SectionId};

    fn section(id: &str, text: &str) -> Section {
        Section {
            id: SectionId::try_from(id).expect("an id"),
            title: String::new(),
            path: Vec::new(),
            text: text.to_owned(),
            group: None,
            facets: BTreeMap::new(),
            audience: BTreeSet::new(),
            updated: None,
            place: Place::start_of("a.md"),
        }
    }

    fn terms(texts: &[(&str, &str)]) -> Vec<Vec<String>> {
        let sections: Vec<Section> = texts.iter().map(|(id, text)| section(id, text)).collect();
        let analyzer = Analyzer::new(&sections);
        let found = candidates(&sections, &Documents::of(&sections), &analyzer);
        let texts = |terms: Vec<Candidate>| terms.into_iter().map(|term| term.text).collect();
        found.into_iter().map(texts).collect()
    }

    #[test]
    fn terms_are_nouns_of_one_document_and_phrases_before_their_noun() {
        let found = terms(&[
            ("a#1", "Wir sehen die verteilte Wiederholung."),
            ("a#2", "Jede verteilte Wiederholung hilft der Sache."),
            ("b#1", "Nach dem Urlaub kommt die Sache."),
            ("b#2", "Der Urlaub ist kurz, die Sache nicht."),
        ]);
        assert_eq!(found[0], ["verteilte Wiederholung"]);
        assert_eq!(found[1], ["Urlaub"], "what both speak of tells nothing apart");
    }

    #[test]
    fn what_one_section_speaks_of_is_no_term_of_the_document() {
        let urlaub = "Nach dem Urlaub kommt der Urlaub, und die Reise.";
        let mut texts = vec![("a#1", urlaub), ("a#2", "Vor der Reise."), ("b#1", "Ganz anders.")];
        assert_eq!(terms(&texts)[0], ["Reise"]);
        texts.extend(["a#3", "a#4", "a#5", "a#6", "a#7", "a#8", "a#9"].map(|id| (id, "Nichts.")));
        assert_eq!(terms(&texts)[0], [""; 0], "two of nine are few");
    }

    #[test]
    fn names_and_identifiers_are_no_terms() {
        let found = terms(&[
            ("a#1", "Es zahlt die Hoffmann GmbH. Auch sonst zahlt Hoffmann den Preis ART-4471-B."),
            ("a#2", "Denn der Preis ART-4471-B und Hoffmann gelten, und der Preis auch."),
            ("b#1", "Nach dem Urlaub kommt der Urlaub."),
        ]);
        assert_eq!(found[0], ["Preis"]);
    }

    #[test]
    fn one_document_alone_has_no_terms() {
        assert_eq!(terms(&[("a#1", "der Urlaub und der Urlaub")]), [[""; 0]]);
    }
}
