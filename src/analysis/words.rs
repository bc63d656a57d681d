//! Words of a text with their places.

use std::cell::RefCell;
use std::collections::BTreeSet;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::char::is_combining_mark;

use super::fold;

/// Longer runs of letters are no German words (the longest in use have about 80) but noise.
const LONGEST_WORD: usize = 120;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As it is written, NFC or not.
    pub surface: String,
    /// See [`fold`].
    pub folded: String,
    /// See [`stem`].
    pub stem: String,
    /// `[start, end)` in Unicode scalar values of the text.
    pub span: (usize, usize),
    /// Whether it begins with a capital letter.
    pub capitalised: bool,
    /// Whether a hyphen and then the next word follow without a blank.
    pub hyphenated: bool,
}

/// A run of letters, digits and combining marks, as it stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// As it is written, NFC or not.
    pub surface: &'a str,
    /// `[start, end)` in Unicode scalar values of the text.
    pub span: (usize, usize),
    /// The character behind it.
    pub next: Option<char>,
}

/// The tokens of a text in their order; what is too long to be a word is left out.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut letters = text.char_indices().enumerate().peekable();
    std::iter::from_fn(move || {
        loop {
            let (start, (from, _)) = letters.find(|(_, (_, c))| c.is_alphanumeric())?;
            let (mut end, mut to) = (start + 1, text.len());
            let mut next = None;
            loop {
                match letters.peek() {
                    Some((_, (_, c))) if c.is_alphanumeric() || is_combining_mark(*c) => {
                        end += 1;
                        letters.next();
                    }
                    Some((_, (offset, c))) => {
                        (to, next) = (*offset, Some(*c));
                        break;
                    }
                    None => break,
                }
            }
            if end - start <= LONGEST_WORD {
                return Some(Token { surface: &text[from..to], span: (start, end), next });
            }
        }
    })
}

/// The words of a text in their order.
pub fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut hyphen_at = None;
    for Token { surface, span, next } in tokens(text) {
        let folded = fold(surface);
        if folded.is_empty() {
            continue;
        }
        if let Some(last) = words.last_mut() {
            last.hyphenated = hyphen_at == Some(span.0);
        }
        hyphen_at = next.filter(|c| is_hyphen(*c)).map(|_| span.1 + 1);
        let stem = stem(&folded);
        let capitalised = surface.chars().next().is_some_and(char::is_uppercase);
        let surface = surface.to_owned();
        words.push(Word { surface, folded, stem, span, capitalised, hyphenated: false });
    }
    words
}

/// Hyphen-minus, hyphen, non-breaking hyphen.
fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// What hyphens hold together, written as one word and folded: `E-Mail-Adresse` gives `email`,
/// `emailadresse` and `mailadresse`.
pub fn joined(words: &[Word]) -> Vec<String> {
    /// More words at once are enumerations.
    const MOST: usize = 4;
    let mut joined = Vec::new();
    for start in 0..words.len() {
        let mut text = words[start].folded.clone();
        for pair in words[start..].windows(2).take(MOST - 1) {
            if !pair[0].hyphenated {
                break;
            }
            text.push_str(&pair[1].folded);
            joined.push(text.clone());
        }
    }
    joined
}

thread_local! {
    static STEMMER: RefCell<Stemmer> = RefCell::new(Stemmer::new(Algorithm::German));
}

/// Stem of a folded word (Snowball German). Words with a digit are names of things and stay whole.
pub fn stem(folded: &str) -> String {
    if folded.chars().any(|c| c.is_ascii_digit()) {
        return folded.to_owned();
    }
    STEMMER.with_borrow_mut(|stemmer| stemmer.stem(folded).into_owned())
}

/// The distinct runs of `n` characters of a folded word with its ends marked: `_` before and after.
///
/// A word shorter than `n − 1` characters gives itself with its marks.
pub fn ngrams(folded: &str, n: usize) -> BTreeSet<String> {
    let marked: Vec<char> =
        std::iter::once('_').chain(folded.chars()).chain(std::iter::once('_')).collect();
    if marked.len() <= n {
        return BTreeSet::from([marked.into_iter().collect()]);
    }
    marked.windows(n).map(|window| window.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_places_in_characters() {
        let found = words("Größe: E-Mail, 5 Äpfel");
        let seen: Vec<(&str, (usize, usize))> =
            found.iter().map(|word| (word.folded.as_str(), word.span)).collect();
        assert_eq!(
            seen,
            [
                ("groesse", (0, 5)),
                ("e", (7, 8)),
                ("mail", (9, 13)),
                ("5", (15, 16)),
                ("aepfel", (17, 22))
            ]
        );
    }

    #[test]
    fn inflected_forms_share_a_stem() {
        for (a, b) in [("wirkung", "wirkungen"), ("methode", "methoden"), ("muehle", "muehlen")] {
            assert_eq!(stem(a), stem(b), "{a} {b}");
        }
        assert_eq!(stem("sq3r"), "sq3r");
    }

    #[test]
    fn a_long_compound_is_kept_and_endless_noise_is_not() {
        let compound = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz";
        assert_eq!(words(compound).len(), 1);
        assert!(words(&"x".repeat(5_000)).is_empty());
    }

    #[test]
    fn ngrams_mark_the_ends_of_a_word() {
        let grams: Vec<String> = ngrams("lern", 4).into_iter().collect();
        assert_eq!(grams, ["_ler", "ern_", "lern"]);
        assert_eq!(ngrams("ja", 4).into_iter().collect::<Vec<_>>(), ["_ja_"]);
    }
}
