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
    "alle",
    "beide",
    "drei",
    "einige",
    "fünf",
    "mehrere",
    "sechs",
    "sieben",
    "solche",
    "vier",
    "viele",
    "wenige",
    "zahlreiche",
    "zehn",
    "zwei",
    "mancherlei",
];
/// Definite articles, also inside a preposition.
const DEFINITE: [&str; 14] = [
    "der", "die", "das", "den", "dem", "des", "im", "am", "zum", "zur", "vom", "beim", "ins", "ans",
];
/// Nouns in -en of which only the plural is in use, though a verb looks the same.
const ONLY_PLURAL: [&str; 6] = ["Daten", "Folgen", "Grenzen", "Kosten", "Quellen", "Ursachen"];
/// Endings of nouns that are feminine and in the singular.
const FEMININE: [&str; 26] = [
    "ung", "heit", "keit", "schaft", "ion", "tät", "enz", "anz", "ik", "ie", "ei", "tur", "kurve",
    "methode", "sicht", "woche", "kette", "kartei", "analyse", "software", "arbeit", "liste",
    "frage", "sprache", "pflege", "it",
];
/// Endings of nouns that are masculine and in the singular.
const MASCULINE: [&str; 20] = [
    "bedarf", "stau", "plan", "stoff", "satz", "effekt", "ort", "tag", "schritt", "prozess",
    "zugang", "vorfall", "schutz", "index", "katalog", "betrieb", "zyklus", "erwerb", "ismus",
    "test",
];
/// Endings of nouns that name nothing to be counted: `Was ist Datenschutz?`, not `ein Datenschutz`.
const ABSTRACT: [&str; 19] = [
    "ung",
    "heit",
    "keit",
    "schaft",
    "ion",
    "tät",
    "enz",
    "anz",
    "ik",
    "ie",
    "ing",
    "management",
    "ismus",
    "schutz",
    "wissen",
    "erwerb",
    "arbeit",
    "learning",
    "intelligenz",
];
/// Endings of nouns in the plural.
const PLURAL_ENDINGS: [&str; 16] = [
    "ungen", "heiten", "keiten", "schaften", "ionen", "täten", "enzen", "anzen", "iken", "ien",
    "eien", "turen", "nisse", "ismen", "oren", "typen",
];
/// Endings of other nouns in the singular.
const SINGULAR_ENDINGS: [&str; 6] = ["ing", "ment", "tum", "gesetz", "wissen", "system"];

/// Verbs that make compounds as nouns: `Nachtlernen`, `Vorlesen`.
const ACTIVITIES: [&str; 9] =
    ["schieben", "lernen", "lesen", "üben", "schreiben", "denken", "arbeiten", "hören", "sprechen"];

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
    /// Neither after a determiner nor after an adjective.
    bare: u32,
    das: u32,
    /// After `einen`, `den`, `ein`.
    masculine: u32,
    /// After `eine`, `einer`, `zur`, `die`.
    feminine: u32,
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
                    let inflected =
                        ["e", "en", "em", "er", "es"].iter().any(|e| before.ends_with(e));
                    let determined = count(&SINGULAR) + count(&PLURAL) + count(&DEFINITE) > 0;
                    uses.bare += u32::from(!starts && !determined && !inflected);
                    uses.das += count(&["das"]);
                    uses.masculine += count(&["einen", "den", "ein"]);
                    uses.feminine += count(&["eine", "einer", "zur", "die"]);
                }
                starts = token.ends_with(['.', '!', '?', ':', '“', '…']);
                before = if starts || token.ends_with(',') {
                    String::new()
                } else {
                    word.to_lowercase()
                };
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
        super::verbs::is_infinitive(&verb)
            && !ONLY_PLURAL.contains(&noun)
            && (self.is_verb(&verb) || ACTIVITIES.iter().any(|activity| verb.ends_with(activity)))
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
        } else if [&FEMININE[..], &MASCULINE, &SINGULAR_ENDINGS].into_iter().any(ends)
            || is_abbreviation(noun)
            || self.is_nominalised(noun)
        {
            Number::Singular
        } else if noun.ends_with("en") && self.has_singular(noun) {
            Number::Plural
        } else if uses.singular > uses.plural {
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
        ["e", "en", "n", "er", "s"].iter().filter_map(|ending| noun.strip_suffix(ending)).any(
            |stem| {
                let plain = stem.replace('ä', "a").replace('ö', "o").replace('ü', "u");
                [stem, &plain].iter().any(|stem| {
                    let starts = stem.char_indices().skip(1).map(|(at, _)| capital(&stem[at..]));
                    std::iter::once((*stem).to_owned())
                        .chain(starts.filter(|head| head.chars().count() >= 4))
                        .any(|head| self.uses(&head).inside > 0)
                })
            },
        )
    }

    /// The definite article, where the texts use the noun with it more often than without.
    pub(super) fn usual_article(&self, noun: &str) -> Option<&'static str> {
        let uses = self.uses(noun);
        (uses.definite >= 2 && uses.definite * 2 > uses.inside && !self.is_nominalised(noun))
            .then(|| self.article(noun))
            .flatten()
    }

    /// The definite article of a singular noun, where ending or texts tell it; for a compound that
    /// the texts do not use, that of its last part.
    pub(super) fn article(&self, noun: &str) -> Option<&'static str> {
        if FEMININE.iter().any(|ending| noun.to_lowercase().ends_with(ending)) {
            return Some("die");
        }
        if self.is_nominalised(noun) {
            return Some("das");
        }
        if MASCULINE.iter().any(|ending| noun.to_lowercase().ends_with(ending)) {
            return Some("der");
        }
        let heads = noun.char_indices().map(|(at, _)| capital(&noun[at..]));
        let known = heads.filter(|head| head.chars().count() >= 4).find(|head| self.told(head));
        let uses = self.uses(&known?);
        if uses.das > uses.masculine && uses.das > uses.feminine {
            Some("das")
        } else if uses.masculine > 0 && uses.das == 0 && uses.feminine == 0 {
            Some("der")
        } else if uses.feminine > 0 && uses.das == 0 && uses.masculine == 0 {
            Some("die")
        } else {
            None
        }
    }

    /// Whether a noun stands without an article: by its ending, or by its use in the texts.
    pub(super) fn is_uncounted(&self, noun: &str) -> bool {
        let abstract_ending = ABSTRACT.iter().any(|ending| noun.to_lowercase().ends_with(ending));
        let uses = self.uses(noun);
        abstract_ending
            || is_abbreviation(noun)
            || self.is_nominalised(noun)
            || (uses.bare >= 2 && uses.bare > uses.definite)
    }

    fn told(&self, noun: &str) -> bool {
        let uses = self.uses(noun);
        uses.das + uses.masculine + uses.feminine > 0
    }

    /// The article of a singular noun as an object.
    pub(super) fn object_article(&self, noun: &str) -> Option<&'static str> {
        let article = self.article(noun).filter(|_| self.number(noun) == Number::Singular)?;
        Some(if article == "der" { "den" } else { article })
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
    if word.chars().nth(1).is_some_and(char::is_uppercase) {
        // XML-basierte
        return word.to_owned();
    }
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
