//! Which terms a document is about, against all others.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{Analyzer, fold, is_function_word, stem, tokens};
use crate::domain::Section;
use crate::enrichment::Documents;

/// Terms of a document that are looked at further.
const MOST: usize = 12;
/// Shorter words are rarely terms.
const SHORTEST: usize = 4;
/// A term that comes once is an accident.
const FEWEST: usize = 2;

/// A key term of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// As it is written most often.
    pub text: String,
    /// Stems of its words.
    pub stems: Vec<String>,
    /// C-value times inverse document frequency, above 0.
    pub weight: f64,
}

/// A run of words that may be a term.
struct Seen {
    surfaces: BTreeMap<String, usize>,
    count: usize,
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
                    phrases(text, &nouns, analyzer, &mut seen);
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
        .map(|seen| {
            let holders = holders(seen);
            let mut ranked: Vec<Candidate> = seen
                .iter()
                .filter(|(key, term)| {
                    term.count >= FEWEST && !key.iter().any(|stem| names.contains(stem))
                })
                .map(|(key, term)| {
                    let rarity = (all / frequency[key] as f64).ln();
                    let weight = c_value(key, term, &holders) * rarity;
                    Candidate { text: term.usual(), stems: key.clone(), weight }
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
fn names(sections: &[Section], analyzer: &Analyzer) -> BTreeSet<String> {
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
    nouns: &BTreeSet<String>,
    analyzer: &Analyzer,
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
            add(seen, vec![noun.clone()], token.surface.to_owned(), length);
            if let Some((adjective, _)) = adjective {
                let key = vec![stem(&fold(adjective)), noun];
                add(seen, key, format!("{adjective} {}", token.surface), length + 1);
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

fn add(seen: &mut BTreeMap<Vec<String>, Seen>, key: Vec<String>, surface: String, length: usize) {
    let term =
        seen.entry(key).or_insert_with(|| Seen { surfaces: BTreeMap::new(), count: 0, length });
    term.count += 1;
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
            (
                "a#1",
                "Wir sehen die verteilte Wiederholung. Jede verteilte Wiederholung hilft der Sache.",
            ),
            ("b#1", "Nach dem Urlaub kommt die Sache. Der Urlaub ist kurz, die Sache nicht."),
        ]);
        assert_eq!(found[0], ["verteilte Wiederholung"]);
        assert_eq!(found[1], ["Urlaub"], "what both speak of tells nothing apart");
    }

    #[test]
    fn names_and_identifiers_are_no_terms() {
        let found = terms(&[
            (
                "a#1",
                "Es zahlt die Hoffmann GmbH. Auch sonst zahlt Hoffmann den Preis ART-4471-B, denn der Preis ART-4471-B und Hoffmann gelten.",
            ),
            ("b#1", "Nach dem Urlaub kommt der Urlaub."),
        ]);
        assert_eq!(found[0], ["Preis"]);
    }

    #[test]
    fn one_document_alone_has_no_terms() {
        assert_eq!(terms(&[("a#1", "der Urlaub und der Urlaub")]), [[""; 0]]);
    }
}
