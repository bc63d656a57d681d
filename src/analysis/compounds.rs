//! Splits compounds into words of the compendium: `Steuererklärung` → `Steuer`, `Erklärung`.

use std::collections::BTreeMap;

/// Shorter words are not split: parts of three letters are accidents more often than not.
const SHORTEST_COMPOUND: usize = 8;
const SHORTEST_PART: usize = 4;
/// What German puts between the parts of a compound; longest first.
const LINKS: [&str; 6] = ["es", "en", "er", "s", "n", "e"];

/// A part of a compound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The part without its linking element, folded.
    pub text: String,
    /// `[start, end)` in characters of the folded compound.
    pub span: (usize, usize),
}

/// A vocabulary to split by. Words are folded.
#[derive(Debug, Clone, Default)]
pub struct Compounds {
    /// Folded word → how often it occurs.
    vocabulary: BTreeMap<String, u32>,
}

/// The best split of the rest of a word.
#[derive(Clone)]
struct Best {
    cost: f64,
    parts: Vec<(usize, usize)>,
}

impl Compounds {
    /// Takes the words of a collection, folded, in any order; each occurrence counts.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut vocabulary: BTreeMap<String, u32> = BTreeMap::new();
        for word in words {
            let letters = word.chars().all(char::is_alphabetic);
            if letters && word.chars().count() >= SHORTEST_PART {
                *vocabulary.entry(word.to_owned()).or_default() += 1;
            }
        }
        Self { vocabulary }
    }

    /// The parts of a folded word, at least two; empty where it is no compound of known words.
    ///
    /// Among several splits the one with the fewest parts wins, then the one of more frequent words.
    /// Every letter must belong to a part or to a link between two parts.
    pub fn split(&self, folded: &str) -> Vec<Part> {
        let letters: Vec<char> = folded.chars().collect();
        let length = letters.len();
        if length < SHORTEST_COMPOUND || !letters.iter().all(|c| c.is_alphabetic()) {
            return Vec::new();
        }
        // best[at]: the best split of letters[at..], found from the end.
        let mut best: Vec<Option<Best>> = vec![None; length + 1];
        best[length] = Some(Best { cost: 0.0, parts: Vec::new() });
        for start in (0..=length.saturating_sub(SHORTEST_PART)).rev() {
            for end in start + SHORTEST_PART..=length {
                if (start, end) == (0, length) {
                    continue;
                }
                let word: String = letters[start..end].iter().collect();
                let Some(count) = self.vocabulary.get(&word) else { continue };
                for next in after(&letters, end) {
                    let Some(rest) = &best[next] else { continue };
                    let cost = rest.cost + 1.0 + 1.0 / (1.0 + f64::from(*count));
                    if best[start].as_ref().is_none_or(|known| cost < known.cost) {
                        let mut parts = vec![(start, end)];
                        parts.extend(&rest.parts);
                        best[start] = Some(Best { cost, parts });
                    }
                }
            }
        }
        let Some(found) = best[0].take() else { return Vec::new() };
        found
            .parts
            .into_iter()
            .map(|span| Part { text: letters[span.0..span.1].iter().collect(), span })
            .collect()
    }
}

/// Where the next part may begin: right here, or behind a linking element.
fn after(letters: &[char], end: usize) -> Vec<usize> {
    let mut places = vec![end];
    if end < letters.len() {
        for link in LINKS {
            let length = link.len();
            let fits = letters[end..].iter().take(length).copied().eq(link.chars());
            if fits && end + length < letters.len() {
                places.push(end + length);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(word: &str) -> Vec<String> {
        let words = [
            "steuer",
            "erklaerung",
            "wand",
            "halterung",
            "alterung",
            "gedaechtnis",
            "spanne",
            "wiederholung",
            "abstand",
            "kranken",
            "versicherung",
            "arbeit",
            "zeit",
            "plan",
        ];
        Compounds::new(words).split(word).into_iter().map(|part| part.text).collect()
    }

    #[test]
    fn a_compound_falls_into_known_words() {
        assert_eq!(parts("steuererklaerung"), ["steuer", "erklaerung"]);
        assert_eq!(parts("gedaechtnisspanne"), ["gedaechtnis", "spanne"]);
        assert_eq!(parts("wiederholungsabstand"), ["wiederholung", "abstand"]);
        assert_eq!(parts("arbeitszeitplan"), ["arbeit", "zeit", "plan"]);
    }

    #[test]
    fn a_word_is_not_split_by_accident() {
        assert_eq!(parts("wandhalterung"), ["wand", "halterung"]);
        assert!(parts("alterung").is_empty());
        assert!(parts("zeitung").is_empty());
        assert!(parts("ghafur").is_empty());
    }
}
