//! Which expressions name the same thing: what the rules list as the same, and abbreviations that the
//! compendium spells out (`Lese-Rechtschreib-Schwäche (LRS)`).

use std::collections::BTreeMap;

use crate::analysis::{Analyzer, Word, squeezed, words};
use crate::domain::Section;

/// An expression as stems.
type Phrase = Vec<String>;

/// What an expression means, whichever of its names it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The same for all names: its longest one, as stems without blanks.
    pub(super) key: String,
    /// The name that says what is meant, where an abbreviation is spelled out.
    pub(super) spelled_out: Option<String>,
}

/// Expressions with what they mean.
#[derive(Debug, Clone, Default)]
pub(super) struct Links {
    meanings: Vec<Meaning>,
    of: BTreeMap<Phrase, usize>,
    /// Words of the longest expression.
    longest: usize,
}

impl Links {
    pub(super) fn new(analyzer: &Analyzer, sections: &[Section]) -> Self {
        let mut families = Families::default();
        for (one, other) in analyzer.synonyms().mutual() {
            families.join(one.to_vec(), other.to_vec());
        }
        let mut spelled: BTreeMap<Phrase, String> = BTreeMap::new();
        let texts = sections.iter().flat_map(|section| [&section.title, &section.text]);
        // Most texts have no bracket, and reading all kinds of symbols is slow.
        for text in texts.filter(|text| text.contains('(')) {
            for symbol in analyzer.symbols().find_all(text) {
                let Some((long, short)) = parts(&symbol.surface) else { continue };
                // Only the kind that was checked to be an abbreviation has its short form alone.
                if symbol.forms != [squeezed(short)] {
                    continue;
                }
                let (long_phrase, short) = (phrase(long), phrase(short));
                spelled.entry(long_phrase.clone()).or_insert_with(|| long.to_owned());
                families.join(long_phrase, short);
            }
        }
        families.links(&spelled)
    }

    /// How many words at the beginning name something with several names, and what; the longest such
    /// expression. It does not end within what hyphens hold together.
    pub(super) fn at(&self, found: &[Word]) -> Option<(usize, &Meaning)> {
        (1..=self.longest.min(found.len())).rev().find_map(|count| {
            if found[count - 1].hyphenated && count < found.len() {
                return None;
            }
            let phrase: Phrase = found[..count].iter().map(|word| word.stem.clone()).collect();
            self.of.get(&phrase).map(|at| (count, &self.meanings[*at]))
        })
    }
}

/// `Langform (KF)` → both.
fn parts(surface: &str) -> Option<(&str, &str)> {
    let (long, short) = surface.strip_suffix(')')?.rsplit_once('(')?;
    Some((long.trim(), short.trim())).filter(|(long, short)| !long.is_empty() && !short.is_empty())
}

fn phrase(text: &str) -> Phrase {
    words(text).into_iter().map(|word| word.stem).collect()
}

/// Expressions that mean the same, growing together.
#[derive(Debug, Default)]
struct Families {
    of: BTreeMap<Phrase, usize>,
    members: Vec<Vec<Phrase>>,
}

impl Families {
    fn join(&mut self, one: Phrase, other: Phrase) {
        if one.is_empty() || other.is_empty() {
            return;
        }
        let (kept, gone) = (self.family(one), self.family(other));
        if kept == gone {
            return;
        }
        let moved = std::mem::take(&mut self.members[gone]);
        for phrase in &moved {
            self.of.insert(phrase.clone(), kept);
        }
        self.members[kept].extend(moved);
    }

    fn family(&mut self, phrase: Phrase) -> usize {
        let new = self.members.len();
        let at = *self.of.entry(phrase.clone()).or_insert(new);
        if at == new {
            self.members.push(vec![phrase]);
        }
        at
    }

    fn links(self, spelled: &BTreeMap<Phrase, String>) -> Links {
        let mut links = Links::default();
        for family in self.members.into_iter().filter(|family| !family.is_empty()) {
            let key = family.iter().map(|phrase| phrase.concat());
            let key = key.max_by(|a, b| a.len().cmp(&b.len()).then_with(|| b.cmp(a)));
            let mut names: Vec<&String> =
                family.iter().filter_map(|phrase| spelled.get(phrase)).collect();
            names.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            let meaning = Meaning {
                key: key.unwrap_or_default(),
                spelled_out: names.first().map(ToString::to_string),
            };
            for phrase in &family {
                links.longest = links.longest.max(phrase.len());
                links.of.insert(phrase.clone(), links.meanings.len());
            }
            links.meanings.push(meaning);
        }
        links
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(links: &Links, text: &str) -> Option<(usize, String)> {
        links.at(&words(text)).map(|(count, meaning)| (count, meaning.key.clone()))
    }

    #[test]
    fn an_abbreviation_means_what_the_compendium_spells_out_and_nothing_else_does() {
        let told = |text: &str| {
            let section = crate::gaps::live::terms::tests::section("Schreiben", text);
            Links::new(&Analyzer::new(&[]), &[section])
        };
        let links = told("Eine Lese-Rechtschreib-Schwäche (LRS) ist häufig (siehe ABC).");
        let long = meaning(&links, "Lese-Rechtschreib-Schwäche bei Kindern").expect("known");
        assert_eq!(long.0, 3);
        let short = meaning(&links, "LRS bei Kindern").expect("known");
        assert_eq!((short.0, &short.1), (1, &long.1));
        assert_eq!(
            links.at(&words("lrs")).and_then(|(_, found)| found.spelled_out.as_deref()),
            Some("Lese-Rechtschreib-Schwäche")
        );
        for other in ["ABC", "Schwäche", "Lese", "", "bei LRS"] {
            assert_eq!(meaning(&links, other), None, "{other}");
        }
        assert_eq!(meaning(&told("LRS ist häufig."), "LRS"), None, "nothing links it");
    }

    #[test]
    fn what_the_rules_call_the_same_means_the_same() {
        let links = Links::new(&Analyzer::new(&[]), &[]);
        let of = |text: &str| meaning(&links, text).map(|(_, key)| key);
        assert!(of("Klausur").is_some());
        assert_eq!(of("Klausur"), of("Examen"));
        assert_eq!(of("mobiles Arbeiten"), of("Homeoffice"));
        assert_ne!(of("Klausur"), of("Handy"));
        assert_eq!(of("Fahrzeug"), None, "it only finds cars");
    }
}
