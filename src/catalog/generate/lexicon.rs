//! What the compendium's own text tells about a word: capital letter, number, article.
//!
//! Headings hide all of that: `Gute Karteikarten`, `Gedächtnis`, `Pausen`. The text shows it.

use std::collections::HashMap;

use crate::domain::Section;

/// Determiners of which a noun in the singular follows.
const SINGULAR: [&str; 18] = [
    "das", "dem", "des", "ein", "eine", "einem", "einen", "einer", "eines", "im", "am", "zum",
    "vom", "beim", "zur", "dieses", "jedes", "jede",
];
/// Determiners of which a noun in the plural follows.
const PLURAL: [&str; 16] = [
    "alle", "beide", "drei", "einige", "fünf", "mehrere", "sechs", "sieben", "solche", "vier",
    "viele", "wenige", "zahlreiche", "zehn", "zwei", "mancherlei",
];
/// Definite articles, also inside a preposition.
const DEFINITE: [&str; 14] = [
    "der", "die", "das", "den", "dem", "des", "im", "am", "zum", "zur", "vom", "beim", "ins", "ans",
];
/// Nouns in -en of which only the plural is in use, though a verb looks the same.
const ONLY_PLURAL: [&str; 6] = ["Daten", "Folgen", "Grenzen", "Kosten", "Quellen", "Ursachen"];
/// Endings of nouns that are feminine and in the singular.
const FEMININE: [&str; 18] = [
    "ung", "heit", "keit", "schaft", "ion", "tät", "enz", "anz", "ik", "ie", "ei", "tur", "kurve",
    "methode", "sicht", "woche", "kette", "kartei",
];
/// Endings of nouns in the plural.
const PLURAL_ENDINGS: [&str; 16] = [
    "ungen", "heiten", "keiten", "schaften", "ionen", "täten", "enzen", "anzen", "iken", "ien",
    "eien", "turen", "nisse", "ismen", "oren", "typen",
];
/// Endings of other nouns in the singular.
const SINGULAR_ENDINGS: [&str; 8] = ["ing", "ment", "tum", "ismus", "effekt", "gesetz", "wissen", "system"];

/// How many of something a noun names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Singular,
    Plural,
    /// The text does not tell.
    Unknown,
}

/// Counts of one word, as it is written.
#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    /// All, except at the beginning of a sentence.
    inside: u32,
    singular: u32,
    plural: u32,
    definite: u32,
    das: u32,
    der: u32,
}

/// Words of the texts. Only looked up, never iterated.
#[derive(Debug, Clone, Default)]
pub(super) struct Lexicon(HashMap<String, Uses>);

impl Lexicon {
    pub(super) fn new(sections: &[Section]) -> Self {
        let mut words: HashMap<String, Uses> = HashMap::new();
        for section in sections {
            let mut before = String::new();
            let mut starts = true;
            for token in section.text.split_whitespace() {
                let word = token.trim_matches(|c: char| !c.is_alphanumeric());
                if !word.is_empty() {
                    let uses = words.entry(word.to_owned()).or_default();
                    let count = |list: &[&str]| u32::from(list.contains(&before.as_str()));
                    let quoted = token.starts_with(['„', '“', '"', '»']);
                    uses.inside += u32::from(!starts && !quoted);
                    uses.singular += count(&SINGULAR);
                    uses.plural += count(&PLURAL);
                    uses.definite += count(&DEFINITE);
                    uses.das += count(&["das"]);
                    uses.der += count(&["der"]);
                }
                starts = token.ends_with(['.', '!', '?', ':', '“', '…']);
                before = if starts || token.ends_with(',') { String::new() } else { word.to_lowercase() };
            }
        }
        Self(words)
    }

    fn uses(&self, word: &str) -> Uses {
        self.0.get(word).copied().unwrap_or_default()
    }

    /// Whether a capitalised word is written in lower case where no sentence begins with it.
    pub(super) fn prefers_lower_case(&self, word: &str) -> bool {
        self.uses(&word.to_lowercase()).inside > self.uses(word).inside
    }

    /// Whether the texts use a word in lower case at all.
    pub(super) fn has(&self, word: &str) -> bool {
        self.uses(word).inside > 0
    }

    /// Whether a noun is a verb used as a noun: `Lernen`, `Abrufen`.
    pub(super) fn is_nominalised(&self, noun: &str) -> bool {
        let verb = noun.to_lowercase();
        super::verbs::is_infinitive(&verb) && !ONLY_PLURAL.contains(&noun) && self.is_verb(&verb)
    }

    /// -ieren is always a verb; other words are when the texts use them as one.
    fn is_verb(&self, verb: &str) -> bool {
        verb.ends_with("ieren") || self.has(verb) || self.uses(&capital(verb)).das > 0
    }

    /// Singular or plural, by ending, then by the determiners around it, then by a singular of it.
    pub(super) fn number(&self, noun: &str) -> Number {
        let ends = |list: &[&str]| list.iter().any(|ending| noun.to_lowercase().ends_with(ending));
        let uses = self.uses(noun);
        if ONLY_PLURAL.iter().any(|plural| noun.ends_with(plural)) || ends(&PLURAL_ENDINGS) {
            Number::Plural
        } else if ends(&FEMININE) || ends(&SINGULAR_ENDINGS) || is_abbreviation(noun) {
            Number::Singular
        } else if uses.singular > uses.plural || self.is_nominalised(noun) {
            Number::Singular
        } else if uses.plural > 0 || self.has_singular(noun) {
            Number::Plural
        } else if noun.ends_with(['e', 'n', 'r', 's', 'l', 'a', 'i', 'o', 'u']) {
            Number::Unknown
        } else {
            // German plurals end in -e, -n, -r, -s or, unchanged, in -l.
            Number::Singular
        }
    }

    /// Whether the texts use the noun without its plural ending, alone or as the head of a compound.
    fn has_singular(&self, noun: &str) -> bool {
        ["e", "en", "n", "er", "s"].iter().filter_map(|ending| noun.strip_suffix(ending)).any(|stem| {
            let plain = stem.replace('ä', "a").replace('ö', "o").replace('ü', "u");
            [stem, &plain].iter().any(|stem| {
                let starts = stem.char_indices().skip(1).map(|(at, _)| capital(&stem[at..]));
                std::iter::once((*stem).to_owned())
                    .chain(starts.filter(|head| head.chars().count() >= 4))
                    .any(|head| self.uses(&head).inside > 0)
            })
        })
    }

    /// The definite article, where the texts use the noun with it more often than without.
    pub(super) fn usual_article(&self, noun: &str) -> Option<&'static str> {
        let uses = self.uses(noun);
        (uses.definite >= 2 && uses.definite * 2 > uses.inside && !self.is_nominalised(noun))
            .then(|| self.article(noun))
            .flatten()
    }

    /// The definite article of a singular noun, where ending or texts tell it.
    pub(super) fn article(&self, noun: &str) -> Option<&'static str> {
        let uses = self.uses(noun);
        if FEMININE.iter().any(|ending| noun.to_lowercase().ends_with(ending)) {
            Some("die")
        } else if uses.das > uses.der || self.is_nominalised(noun) {
            Some("das")
        } else {
            None
        }
    }

    /// Whether the texts speak of `einen` of it: masculine, and something to be counted.
    pub(super) fn is_counted_masculine(&self, noun: &str, texts: &str) -> bool {
        self.uses(noun).inside > 0 && texts.contains(&format!("einen {noun}"))
    }
}

fn is_abbreviation(noun: &str) -> bool {
    let letters: Vec<char> = noun.chars().filter(|c| c.is_alphabetic()).collect();
    letters.len() >= 2 && letters.iter().all(|c| c.is_uppercase())
}

/// A word with a capital letter.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A word with its first letter in lower case.
pub(super) fn lower(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
