//! Sentences of a text, numbers in them, and how hard they are to read.

use serde::Serialize;

use crate::analysis::tokens;

/// Abbreviations that end with a full stop and no sentence; folded to lower case.
const ABBREVIATIONS: [&str; 24] = [
    "z", "b", "u", "a", "d", "h", "s", "o", "ca", "bzw", "vgl", "usw", "etc", "evtl", "ggf",
    "inkl", "max", "min", "nr", "dr", "prof", "st", "abs", "art",
];

/// The sentences of a text. A full stop behind a number or an abbreviation ends none; a line break
/// between paragraphs always does.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for paragraph in text.split('\n') {
        let mut start = 0;
        let letters: Vec<(usize, char)> = paragraph.char_indices().collect();
        for (at, (offset, c)) in letters.iter().enumerate() {
            let end = offset + c.len_utf8();
            let blank_follows = letters.get(at + 1).is_none_or(|(_, next)| {
                next.is_whitespace() || matches!(next, '“' | '”' | '"' | '«' | ')')
            });
            let ends = match c {
                '!' | '?' | '…' => true,
                '.' => !ends_in_abbreviation(&paragraph[start..*offset]),
                _ => false,
            };
            if ends && blank_follows {
                found.push(paragraph[start..end].trim());
                start = end;
            }
        }
        found.push(paragraph[start..].trim());
    }
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// Whether a full stop here belongs to the word before it: an abbreviation, an initial or an ordinal
/// (`am 3. Mai`).
fn ends_in_abbreviation(before: &str) -> bool {
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if last.is_empty() {
        return true;
    }
    // A year ends a sentence more often than it is an ordinal.
    let ordinal = last.chars().all(|c| c.is_ascii_digit()) && last.len() < 3;
    ordinal || ABBREVIATIONS.contains(&last.to_lowercase().as_str())
}

/// How hard a German text is to read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Readability {
    /// Flesch's reading ease in Amstad's version for German (1978): 180 − words a sentence
    /// − 58.5 × syllables a word. Above 60 is easy, below 30 is hard; beyond 0 to 100 for odd texts.
    pub flesch_amstad: f64,
    /// Words a sentence.
    pub words_per_sentence: f64,
    /// Syllables a word.
    pub syllables_per_word: f64,
}

impl Readability {
    /// Of a text; nothing without a word.
    pub fn of(text: &str) -> Option<Self> {
        let words = tokens(text).count();
        let sentences = sentences(text).len();
        if words == 0 || sentences == 0 {
            return None;
        }
        let syllables: usize = tokens(text).map(|token| syllables(token.surface)).sum();
        let words_per_sentence = words as f64 / sentences as f64;
        let syllables_per_word = syllables as f64 / words as f64;
        Some(Self {
            flesch_amstad: 180.0 - words_per_sentence - 58.5 * syllables_per_word,
            words_per_sentence,
            syllables_per_word,
        })
    }

    /// Amstad's classes.
    pub fn german(&self) -> &'static str {
        match self.flesch_amstad {
            ease if ease >= 70.0 => "leicht",
            ease if ease >= 60.0 => "mittelleicht",
            ease if ease >= 50.0 => "mittel",
            ease if ease >= 30.0 => "schwer",
            _ => "sehr schwer",
        }
    }
}

/// Syllables of a German word: its runs of vowels, where `ai ei au äu eu ie oi ui` and doubled vowels
/// are one, and other neighbours (`Chaos`, `Theater`, `Museum`) are two; at least one.
pub(super) fn syllables(word: &str) -> usize {
    const TOGETHER: [&str; 15] =
        ["ai", "ei", "au", "äu", "eu", "ie", "oi", "ui", "aa", "ee", "oo", "ay", "ey", "oy", "ou"];
    let letters: Vec<char> = word.to_lowercase().chars().collect();
    let is_vowel = |at: usize| {
        let vowel = |c: &char| "aeiouäöüyàáâèéêëïîôùûåœæ".contains(*c);
        // The u of `qu` is a consonant, and so is a y before a vowel (`Yoga`).
        letters.get(at).is_some_and(vowel)
            && !(letters[at] == 'u' && at > 0 && letters[at - 1] == 'q')
            && !(letters[at] == 'y' && letters.get(at + 1).is_some_and(vowel))
    };
    let (mut count, mut at) = (0, 0);
    while at < letters.len() {
        if is_vowel(at) {
            count += 1;
            let pair: String = letters[at..].iter().take(2).collect();
            // `-eum`, `-eus`: two syllables; `-ium` never pairs.
            let end: String = letters[at..].iter().collect();
            let latin = matches!(end.as_str(), "eum" | "eums" | "eus");
            if TOGETHER.contains(&pair.as_str()) && is_vowel(at + 1) && !latin {
                at += 1;
            }
        }
        at += 1;
    }
    count.max(1)
}

/// A number in a sentence, with the word that follows it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured {
    /// As it is written.
    pub(super) written: String,
    /// Its value.
    pub(super) value: f64,
    /// The word behind it as it is written: its unit, most of the time.
    pub(super) unit: String,
}

/// Numbers in digits with their units: `66 Tage`, `1,5 Prozent`, `40 %`. Numbers in words (`eine`,
/// `zwei`) are left out, since they are articles and ways of speaking as often.
pub(super) fn numbers(sentence: &str) -> Vec<Measured> {
    let letters: Vec<char> = sentence.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let inside_word =
            at > 0 && (letters[at - 1].is_alphanumeric() || "_-–/.,".contains(letters[at - 1]));
        if !letters[at].is_ascii_digit() || inside_word {
            at += 1;
            continue;
        }
        let mut end = at;
        while letters.get(end).is_some_and(char::is_ascii_digit)
            || (letters.get(end).is_some_and(|c| ".,".contains(*c))
                && letters.get(end + 1).is_some_and(char::is_ascii_digit))
        {
            end += 1;
        }
        let written: String = letters[at..end].iter().collect();
        let value = written.replace('.', "").replace(',', ".").parse();
        let rest: String = letters[end..].iter().collect();
        let unit = unit(&rest);
        if let (Ok(value), Some(unit)) = (value, unit) {
            found.push(Measured { written, value, unit });
        }
        at = end.max(at + 1);
    }
    found
}

/// The word or sign right behind a number.
fn unit(rest: &str) -> Option<String> {
    let behind = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    if let Some(sign) = behind.chars().next().filter(|c| "%€$°".contains(*c)) {
        return Some(sign.to_string());
    }
    let word: String = behind.chars().take_while(|c| c.is_alphabetic()).collect();
    let noun = word.chars().next().is_some_and(char::is_uppercase);
    (rest.len() != behind.len() && noun).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_where_readers_end_it() {
        let text = "Am 3. Mai war z. B. Dr. Ebbinghaus da. Und dann? „So!“ Er kam 1885. Das war\n\nÜberschrift\n1. Punkt";
        assert_eq!(
            sentences(text),
            [
                "Am 3. Mai war z. B. Dr. Ebbinghaus da.",
                "Und dann?",
                "„So!",
                "“ Er kam 1885.",
                "Das war",
                "Überschrift",
                "1. Punkt"
            ]
        );
        assert!(sentences(" \n … \u{0}").is_empty());
    }

    #[test]
    fn syllables_are_those_of_the_dictionary() {
        for (word, count) in [
            ("Lernen", 2),
            ("Haus", 1),
            ("Häuser", 2),
            ("Theater", 3),
            ("Museum", 3),
            ("Chaos", 2),
            ("Qualität", 3),
            ("Yoga", 2),
            ("See", 1),
            ("Gedächtnis", 3),
            ("Bibliothek", 4),
            ("Karteikarte", 4),
            ("Psychologie", 4),
            ("DSGVO", 1),
            ("Feuer", 2),
            ("Bauer", 2),
            ("IT", 1),
            ("Mitarbeiterinnen", 6),
            ("beobachten", 4),
            ("Studium", 3),
        ] {
            assert_eq!(syllables(word), count, "{word}");
        }
    }

    #[test]
    fn readability_is_amstads_formula() {
        // 2 sentences, 9 words, 11 syllables.
        let text = "Der Hund bellt laut. Die Katze schläft heute nicht.";
        let found = Readability::of(text).expect("words");
        let (per_sentence, per_word) = (9.0 / 2.0, 11.0 / 9.0);
        assert!((found.words_per_sentence - per_sentence).abs() < 1e-9, "{found:?}");
        assert!((found.syllables_per_word - per_word).abs() < 1e-9, "{found:?}");
        assert!((found.flesch_amstad - (180.0 - per_sentence - 58.5 * per_word)).abs() < 1e-9);
        assert_eq!(Readability::of(" … "), None);
    }

    #[test]
    fn numbers_have_a_value_and_a_unit() {
        let found = numbers(
            "Nach 66 Tagen, 1.500 Euro, 2,5 Prozent und 40 % am 30. Juni um 7 Uhr, Seite 12-14, A4",
        );
        let found: Vec<(f64, &str)> = found.iter().map(|n| (n.value, n.unit.as_str())).collect();
        assert_eq!(
            found,
            [(66.0, "Tagen"), (1500.0, "Euro"), (2.5, "Prozent"), (40.0, "%"), (7.0, "Uhr")]
        );
        assert!(numbers(&"9".repeat(10_000)).is_empty());
    }
}
