//! The words of questions that name something, and how much they tell.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::links::{Links, Meaning};
use crate::analysis::{Analyzer, Word, is_function_word, ngrams, words};
use crate::domain::Section;

/// A word of a question; what hyphens hold together is one, and an expression that has several names.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    /// As it is written.
    pub(super) surface: String,
    /// Lower case, umlauts transcribed, without hyphens; the same for all names of one thing.
    pub(super) folded: String,
    /// What an abbreviation stands for, as the compendium spells it out.
    pub(super) spelled_out: Option<String>,
    /// Of its last word.
    pub(super) stem: String,
    /// Stems of itself and of its parts.
    pub(super) parts: BTreeSet<String>,
    /// How much it tells, 0 to 1: little where every question or every section has it.
    pub(super) weight: f64,
}

/// How many texts of a kind hold a stem.
struct Frequencies {
    counts: BTreeMap<String, usize>,
    texts: usize,
}

impl Frequencies {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let (mut counts, mut count) = (BTreeMap::new(), 0);
        for text in texts {
            count += 1;
            let stems: BTreeSet<String> = words(text).into_iter().map(|word| word.stem).collect();
            for stem in stems {
                *counts.entry(stem).or_default() += 1;
            }
        }
        Self { counts, texts: count }
    }

    /// Inverse document frequency on a scale from 0 (every text) to 1 (none).
    fn rarity(&self, stem: &str) -> f64 {
        let most = (1.0 + self.texts as f64).ln();
        let count = self.counts.get(stem).copied().unwrap_or(0);
        if most <= 0.0 { 1.0 } else { 1.0 - (1.0 + count as f64).ln() / most }
    }
}

/// Weighs the words of questions by three collections: questions about everything under the sun (the
/// labelled examples of the intents), which know the furniture of a question; the sections, which know
/// the words that this compendium uses everywhere; and the questions that were answered well, whose
/// words are not what is missing.
pub(super) struct Terms<'a> {
    analyzer: &'a Analyzer,
    links: Links,
    collections: [Frequencies; 3],
    /// Folded words of the sections, of [`SHORTEST`] letters at least.
    vocabulary: BTreeSet<String>,
    /// Folded words and stems that are no slips although no section has them.
    spelled: BTreeSet<String>,
}

/// Shorter words have too many neighbours to say which one was meant.
const SHORTEST: usize = 5;
/// From this length on two slips are forgiven, below only one.
const LONG: usize = 8;

impl<'a> Terms<'a> {
    pub(super) fn new<'b>(
        analyzer: &'a Analyzer,
        sections: &[Section],
        labelled: impl Iterator<Item = &'b str>,
        answered: impl Iterator<Item = &'b str>,
    ) -> Self {
        let texts: Vec<String> =
            sections.iter().map(|section| format!("{}\n{}", section.title, section.text)).collect();
        let folded = texts.iter().flat_map(|text| words(text)).map(|word| word.folded);
        Self {
            analyzer,
            links: Links::new(analyzer, sections),
            spelled: BTreeSet::new(),
            vocabulary: folded.filter(|word| word.chars().count() >= SHORTEST).collect(),
            collections: [
                Frequencies::of(texts.iter().map(String::as_str)),
                Frequencies::of(labelled),
                Frequencies::of(answered),
            ],
        }
    }

    /// The same, to whom the words of these texts are no slips: somebody wrote them with care.
    pub(super) fn spelling<'b>(mut self, texts: impl Iterator<Item = &'b str>) -> Self {
        for word in texts.flat_map(words) {
            self.spelled.extend([word.folded, word.stem]);
        }
        self
    }

    /// Whether a section holds the stem.
    pub(super) fn is_known(&self, stem: &str) -> bool {
        self.collections[0].counts.contains_key(stem)
    }

    /// The text with what are slips of the pen in words of the compendium put right; `None` where
    /// there is none. Slips are neighbouring letters that change places, and letters that are wrong,
    /// missing or too many (optimal string alignment); the first letter is taken to be right.
    pub(super) fn corrected(&self, text: &str) -> Option<String> {
        let letters: Vec<char> = text.chars().collect();
        let (mut corrected, mut from, mut changed) = (String::new(), 0, false);
        for word in words(text) {
            let known = self.is_known(&word.stem) || is_function_word(&word.folded);
            let meant = if known { None } else { self.meant(&word.folded, &word.stem) };
            let Some(meant) = meant else { continue };
            corrected.extend(&letters[from..word.span.0]);
            corrected.push_str(meant);
            (from, changed) = (word.span.1, true);
        }
        corrected.extend(&letters[from..]);
        changed.then_some(corrected)
    }

    /// Whether a folded word with this stem is a slip of one of the compendium.
    pub(super) fn is_misspelt(&self, folded: &str, stem: &str) -> bool {
        self.meant(folded, stem).is_some()
    }

    /// The word of the compendium that a folded word is a slip of; ties by the alphabet.
    fn meant(&self, folded: &str, stem: &str) -> Option<&str> {
        let length = folded.chars().count();
        if length < SHORTEST || self.spelled.contains(folded) || self.spelled.contains(stem) {
            return None;
        }
        let slips = slips(length);
        let first: String = folded.chars().take(1).collect();
        let near = self
            .vocabulary
            .range(first.clone()..)
            .take_while(|word| word.starts_with(&first))
            .filter(|word| word.len().abs_diff(folded.len()) <= slips)
            .map(|word| (strsim::osa_distance(folded, word), word.as_str()));
        near.filter(|(distance, _)| *distance <= slips).min().map(|(_, word)| word)
    }

    /// The words of a text that name something, in their order.
    pub(super) fn of(&self, text: &str) -> Vec<Term> {
        let mut terms = Vec::new();
        let found = words(text);
        let mut rest = found.as_slice();
        while !rest.is_empty() {
            let linked = self.links.at(rest);
            let count = linked.map_or_else(|| group(rest), |(count, _)| count);
            let (joined, behind) = rest.split_at(count);
            rest = behind;
            let last = &joined[count - 1];
            let says_nothing = is_function_word(&last.folded) || last.folded.len() < 2;
            if count > 1 || linked.is_some() || !says_nothing {
                terms.push(self.term(joined, linked.map(|(_, meaning)| meaning)));
            }
        }
        terms
    }

    fn term(&self, joined: &[Word], meaning: Option<&Meaning>) -> Term {
        let mut surface = String::new();
        let mut parts = BTreeSet::new();
        for (at, word) in joined.iter().enumerate() {
            surface.push_str(&word.surface);
            if at + 1 < joined.len() {
                surface.push(if word.hyphenated { '-' } else { ' ' });
            }
            parts.insert(word.stem.clone());
            let (heads, modifiers) = self.analyzer.heads_and_modifiers(&word.folded);
            parts.extend(heads.into_iter().chain(modifiers).filter(|part| part.len() > 3));
            // A name within a compound: `LRS-Test`.
            let named = self.links.at(std::slice::from_ref(word));
            parts.extend(named.map(|(_, meaning)| meaning.key.clone()));
        }
        parts.extend(meaning.map(|meaning| meaning.key.clone()));
        let rarity = |stem: &str| {
            self.collections.iter().map(|texts| texts.rarity(stem)).fold(1.0, f64::min)
        };
        let written = || joined.iter().map(|word| word.folded.as_str()).collect();
        Term {
            surface,
            folded: meaning.map_or_else(written, |meaning| meaning.key.clone()),
            spelled_out: meaning.and_then(|meaning| meaning.spelled_out.clone()),
            stem: joined.last().map(|word| word.stem.clone()).unwrap_or_default(),
            parts,
            weight: joined.iter().map(|word| rarity(&word.stem)).fold(0.0, f64::max),
        }
    }
}

/// Slips that are forgiven in a word of so many letters.
fn slips(letters: usize) -> usize {
    if letters >= LONG { 2 } else { 1 }
}

/// Whether one folded word is the other one, mistyped.
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    strsim::osa_distance(one, other) <= slips(one.chars().count().min(other.chars().count()))
}

/// How many words at the beginning hyphens hold together.
fn group(found: &[Word]) -> usize {
    let held = found.iter().take_while(|word| word.hyphenated).count();
    (held + 1).min(found.len())
}

/// A text as features: stems, parts of compounds, and 4-grams, which forgive typing errors. Of unit
/// length, so that two are compared by [`Features::cosine`].
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Features(Vec<(u64, f32)>);

/// Share of the parts and of the 4-grams beside the word itself.
const PARTS: f64 = 0.6;
const GRAMS: f64 = 0.8;
/// As in the keyword search.
const GRAM: usize = 4;

impl Features {
    pub(super) fn of(terms: &[Term]) -> Self {
        let mut values: BTreeMap<u64, f64> = BTreeMap::new();
        for term in terms {
            *values.entry(key('w', &term.folded)).or_default() += term.weight;
            for part in &term.parts {
                *values.entry(key('p', part)).or_default() += term.weight * PARTS;
            }
            let grams = ngrams(&term.folded, GRAM);
            let each = term.weight * GRAMS / (grams.len().max(1) as f64).sqrt();
            for gram in grams {
                *values.entry(key('g', &gram)).or_default() += each;
            }
        }
        let length = values.values().map(|value| value * value).sum::<f64>().sqrt();
        if length <= 0.0 {
            return Self::default();
        }
        Self(values.into_iter().map(|(key, value)| (key, (value / length) as f32)).collect())
    }

    /// How much two texts share, 0 to 1.
    pub(super) fn cosine(&self, other: &Self) -> f64 {
        let (mut a, mut b) = (0, 0);
        let mut sum = 0.0;
        while let (Some((left, x)), Some((right, y))) = (self.0.get(a), other.0.get(b)) {
            match left.cmp(right) {
                Ordering::Less => a += 1,
                Ordering::Greater => b += 1,
                Ordering::Equal => {
                    sum += f64::from(*x) * f64::from(*y);
                    a += 1;
                    b += 1;
                }
            }
        }
        sum
    }
}

/// FNV-1a over kind and text: the same on every machine.
fn key(kind: char, text: &str) -> u64 {
    let mut buffer = [0; 4];
    let kind = kind.encode_utf8(&mut buffer).as_bytes();
    kind.iter().chain(text.as_bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::gaps::live) fn section(title: &str, text: &str) -> Section {
        Section {
            id: crate::domain::SectionId::try_from("a#b").expect("an id"),
            title: title.to_owned(),
            path: Vec::new(),
            text: text.to_owned(),
            group: None,
            facets: BTreeMap::new(),
            audience: BTreeSet::new(),
            updated: None,
            place: crate::domain::Place::start_of("a.md"),
        }
    }

    fn alike(a: &str, b: &str) -> f64 {
        let analyzer = Analyzer::new(&[]);
        let labelled = ["Wie lerne ich schneller?", "Wie koche ich Reis?", "Was hilft schneller?"];
        let terms = Terms::new(&analyzer, &[], labelled.into_iter(), std::iter::empty());
        let features = |text: &str| Features::of(&terms.of(text));
        features(a).cosine(&features(b))
    }

    #[test]
    fn a_typing_error_a_compound_and_another_ending_are_nearly_the_same_word() {
        assert!((alike("Legasthenie", "was ist Legasthenie?") - 1.0).abs() < 1e-6);
        assert!(alike("Legasthenie", "Legastenie") > 0.15);
        assert!(alike("Rechtschreibschwäche", "Rechtschreibung") > 0.1);
        assert!(alike("Legasthenie", "Musik") < 0.01);
        assert!(alike("", "Musik").abs() < 1e-9);
    }

    #[test]
    fn the_furniture_of_a_question_tells_little() {
        assert!(alike("schneller Musik", "schneller Ernährung") < 0.35);
    }

    #[test]
    fn what_hyphens_hold_together_is_one_term_in_its_own_spelling() {
        let analyzer = Analyzer::new(&[]);
        let terms = Terms::new(&analyzer, &[], std::iter::empty(), std::iter::empty());
        let found = terms.of("Was tun bei einer Lese-Rechtschreib-Schwäche?");
        let surfaces: Vec<&str> = found.iter().map(|term| term.surface.as_str()).collect();
        assert_eq!(surfaces, ["tun", "Lese-Rechtschreib-Schwäche"]);
        assert_eq!(found[1].folded, "leserechtschreibschwaeche");
    }

    #[test]
    fn a_slip_in_a_word_of_the_compendium_is_put_right_and_another_word_is_not() {
        let section = section("Metakognition", "Über das eigene Lernen nachdenken.");
        let analyzer = Analyzer::new(std::slice::from_ref(&section));
        let terms = Terms::new(&analyzer, &[section], std::iter::empty(), std::iter::empty());
        let corrected = |text: &str| terms.corrected(text);
        assert_eq!(
            corrected("Was ist „Metakgonition“?").as_deref(),
            Some("Was ist „metakognition“?")
        );
        assert_eq!(corrected("Was ist Metakognition?"), None);
        assert_eq!(corrected("Was ist Legasthenie?"), None);
        assert_eq!(corrected("ÜBER DAS LERENN"), Some("ÜBER DAS lernen".to_owned()));
        let is_misspelt = |word: &str| terms.is_misspelt(word, word);
        assert!(is_misspelt("metakgonition") && !is_misspelt("legasthenie"));
    }

    #[test]
    fn a_word_that_stands_elsewhere_is_no_slip_of_one_of_the_compendium() {
        let section = section("Pausen", "Nach der Pause geht das Lernen weiter.");
        let analyzer = Analyzer::new(std::slice::from_ref(&section));
        let terms = Terms::new(&analyzer, &[section], std::iter::empty(), std::iter::empty());
        let question = "Wie wird das Wetter morgen?";
        assert_eq!(terms.corrected(question).as_deref(), Some("Wie wird das weiter morgen?"));
        let terms = terms.spelling(["Bei welchen Wettern lernt man?", "regnet es"].into_iter());
        assert_eq!(terms.corrected(question), None);
        assert!(!terms.is_misspelt("wetter", "wett"));
        assert_eq!(terms.corrected("weitre").as_deref(), Some("weiter"));
    }

    #[test]
    fn a_mistyped_word_is_no_other_word_for_the_same() {
        assert!(is_slip("klausurangst", "klausuranst") && is_slip("karte", "akrte"));
        assert!(!is_slip("karte", "kosten") && !is_slip("examen", "pruefung"));
    }

    #[test]
    fn all_names_of_a_thing_are_one_term() {
        let text = "Eine Lese-Rechtschreib-Schwäche (LRS) hat mit Klugheit nichts zu tun.";
        let analyzer = Analyzer::new(&[]);
        let sections = [section("Schreiben", text)];
        let terms = Terms::new(&analyzer, &sections, std::iter::empty(), std::iter::empty());
        let of = |text: &str| terms.of(text).remove(0);
        let (short, long) = (of("LRS"), of("Lese-Rechtschreib-Schwäche"));
        assert_eq!(short.folded, long.folded);
        assert_eq!(short.spelled_out.as_deref(), Some("Lese-Rechtschreib-Schwäche"));
        assert_eq!((short.surface.as_str(), of("lrs").folded), ("LRS", short.folded.clone()));
        let test = of("LRS-Test");
        assert!(test.folded != short.folded && test.parts.contains(&short.folded), "{test:?}");
        assert_eq!(of("mobiles Arbeiten").surface, "mobiles Arbeiten");
        assert_eq!(of("mobiles Arbeiten").folded, of("Homeoffice").folded);
    }
}
