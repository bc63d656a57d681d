//! Splits compounds into words of the compendium: `Steuererklärung` → `Steuer`, `Erklärung`.

use std::collections::HashMap;

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
    /// Folded word → how often it occurs. Only looked up, never iterated.
    vocabulary: HashMap<String, u32>,
    /// Letters of the longest word.
    longest: usize,
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
        let mut vocabulary: HashMap<String, u32> = HashMap::new();
        let mut longest = 0;
        for word in words {
            let length = word.chars().count();
            if length >= SHORTEST_PART && word.chars().all(char::is_alphabetic) {
                longest = longest.max(length);
                *vocabulary.entry(word.to_owned()).or_default() += 1;
            }
        }
        Self { vocabulary, longest }
    }

    /// The parts of a folded word, at least two; empty where it is no compound of known words.
    ///
    /// Among several splits the one with the fewest parts wins, then the one of more frequent words.
    /// Every letter must belong to a part or to a link between two parts.
    pub fn split(&self, folded: &str) -> Vec<Part> {
        let length = folded.chars().count();
        if length < SHORTEST_COMPOUND || !folded.chars().all(char::is_alphabetic) {
            return Vec::new();
        }
        // Byte offset of each letter, and of the end.
        let mut offsets: Vec<usize> = folded.char_indices().map(|(offset, _)| offset).collect();
        offsets.push(folded.len());
        // best[at]: the best split of the letters from `at` on, found from the end.
        let mut best: Vec<Option<Best>> = vec![None; length + 1];
        best[length] = Some(Best { cost: 0.0, parts: Vec::new() });
        for start in (0..=length - SHORTEST_PART).rev() {
            for end in start + SHORTEST_PART..=length.min(start + self.longest) {
                if (start, end) == (0, length) {
                    continue;
                }
                let Some(count) = self.vocabulary.get(&folded[offsets[start]..offsets[end]]) else {
                    continue;
                };
                let own = 1.0 + 1.0 / (1.0 + f64::from(*count));
                for next in after(&folded[offsets[end]..], end) {
                    let Some(rest) = &best[next] else { continue };
                    let cost = rest.cost + own;
                    if best[start].as_ref().is_none_or(|known| cost < known.cost) {
                        let mut parts = vec![(start, end)];
                        parts.extend(&rest.parts);
                        best[start] = Some(Best { cost, parts });
                    }
                }
            }
        }
        let Some(found) = best[0].take() else { return Vec::new() };
        let text = |(start, end): (usize, usize)| folded[offsets[start]..offsets[end]].to_owned();
        found.parts.into_iter().map(|span| Part { text: text(span), span }).collect()
    }
}

/// Where the next part may begin: right here, or behind a linking element. `rest` begins at letter
/// `end`; links are ASCII, so their bytes are letters.
fn after(rest: &str, end: usize) -> impl Iterator<Item = usize> + '_ {
    let links = LINKS.iter().filter(|link| rest.len() > link.len() && rest.starts_with(**link));
    std::iter::once(end).chain(links.map(move |link| end + link.len()))
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
