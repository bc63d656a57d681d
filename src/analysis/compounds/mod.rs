//! Splits compounds: `Steuererklärung` → `Steuer`, `Erklärung`.
//!
//! The dictionary is the compendium's own words, a list of frequent ones, and what editors write in
//! `rules/compounds.yaml`. A split covers every letter by a part or by a link between two parts; the
//! cheapest one wins, where each part costs, and short, inflected and rare parts cost more. Parts that
//! are compounds themselves are split again.

mod dictionary;
mod exceptions;

use std::collections::HashMap;

pub use dictionary::is_everyday_word;
pub use exceptions::Exceptions;

/// Shorter words are not split: what is found in them is an accident more often than not.
const SHORTEST_COMPOUND: usize = 7;
/// Parts from this length on are looked at again.
const SHORTEST_INNER: usize = 8;
const SHORTEST_PART: usize = 3;
/// From this length on a word of the compendium may be a part; shorter ones are listed.
const SHORTEST_OWN: usize = 5;
/// What German puts between the parts of a compound.
const LINKS: [&str; 8] = ["s", "n", "es", "en", "er", "e", "ns", "ens"];
/// What an inflected last part ends in.
const INFLECTIONS: [&str; 9] = ["s", "es", "n", "en", "e", "er", "ern", "in", "innen"];

/// A part of a compound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The part without its linking element, folded.
    pub text: String,
    /// `[start, end)` in characters of the folded compound.
    pub span: (usize, usize),
}

/// A compound taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Split {
    /// The smallest parts, first to last; the last one is the head.
    pub parts: Vec<Part>,
    /// Compounds inside the compound: `Standort` in `Hochschulstandort`.
    pub inner: Vec<Part>,
}

/// A vocabulary to split by. Words are folded.
#[derive(Debug, Clone, Default)]
pub struct Compounds {
    /// Folded word → how often it occurs. Only looked up, never iterated.
    vocabulary: HashMap<String, u32>,
    exceptions: Exceptions,
    /// Letters of the longest word.
    longest: usize,
}

impl Compounds {
    /// Takes the words of a collection, folded, in any order; each occurrence counts.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>, exceptions: Exceptions) -> Self {
        let mut vocabulary: HashMap<String, u32> = HashMap::new();
        let mut longest = dictionary::LONGEST;
        for word in words {
            let letters = word.bytes().all(|c| c.is_ascii_lowercase());
            if letters && word.len() >= SHORTEST_OWN && !dictionary::is_function(word) {
                longest = longest.max(word.len());
                *vocabulary.entry(word.to_owned()).or_default() += 1;
            }
        }
        Self { vocabulary, exceptions, longest }
    }

    /// The smallest parts of a folded word, at least two; empty where it is no compound of known
    /// words.
    pub fn split(&self, folded: &str) -> Vec<Part> {
        self.take_apart(folded).parts
    }

    /// The smallest parts of a folded word and the compounds among them.
    pub fn take_apart(&self, folded: &str) -> Split {
        let mut split = Split::default();
        if folded.bytes().all(|c| c.is_ascii_lowercase()) {
            self.divide(folded, 0, SHORTEST_COMPOUND, &mut split);
        }
        split
    }

    /// Adds the parts of `word`, which begins at letter `offset` of the compound; false where it
    /// has none.
    fn divide(&self, word: &str, offset: usize, shortest: usize, split: &mut Split) -> bool {
        let spans = match self.exceptions.parts(word) {
            Some(spans) => spans,
            None if word.len() < shortest => return false,
            None => self.cheapest(word),
        };
        if spans.len() < 2 {
            return false;
        }
        for (start, end) in spans {
            let text = &word[start..end];
            let part = Part { text: text.to_owned(), span: (offset + start, offset + end) };
            if self.divide(text, offset + start, SHORTEST_INNER, split) {
                split.inner.push(part);
            } else {
                split.parts.push(part);
            }
        }
        true
    }

    /// The cheapest cover of a word by at least two parts, found from its end; empty without one.
    fn cheapest(&self, word: &str) -> Vec<(usize, usize)> {
        let length = word.len();
        // best[at]: cost of the letters from `at` on, and the part that begins there with the next
        // one's beginning.
        let mut best: Vec<Option<(f64, usize, usize)>> = vec![None; length + 1];
        best[length] = Some((0.0, length, length));
        for start in (0..=length - SHORTEST_PART).rev() {
            for end in start + SHORTEST_PART..=length.min(start + self.longest) {
                if (start, end) == (0, length) {
                    continue;
                }
                let Some((rest, next)) = cheapest_rest(word, end, &best) else { continue };
                let Some(own) = self.cost(&word[start..end], start == 0, end == length) else {
                    continue;
                };
                let cost = own + rest;
                if best[start].is_none_or(|(known, ..)| cost < known) {
                    best[start] = Some((cost, end, next));
                }
            }
        }
        let mut spans = Vec::new();
        let mut at = 0;
        while let Some((_, end, next)) = best[at]
            && at < length
        {
            spans.push((at, end));
            at = next;
        }
        spans
    }

    /// What a part costs at its place; `None` where it can be none.
    fn cost(&self, part: &str, first: bool, last: bool) -> Option<f64> {
        const PART: f64 = 7.0;
        const INFLECTED: f64 = 2.0;
        const RARE: f64 = 1.0;
        if (first && dictionary::is_beginning(part)) || (!first && dictionary::is_ending(part)) {
            return None;
        }
        let short = match part.len() {
            3 => 3.0,
            4 => 1.5,
            _ => 0.0,
        };
        // `Arbeits|zeit` is `Arbeit(s)|zeit`: a link is cheaper than a part that ends in it.
        let known = |word: &str| dictionary::holds(word) || self.vocabulary.contains_key(word);
        let linked = if !last && part.strip_suffix('s').is_some_and(known) { 1.5 } else { 0.0 };
        let own = if dictionary::holds(part) || self.exceptions.is_part(part) {
            0.0
        } else if let Some(count) = self.vocabulary.get(part) {
            if *count > 1 { 0.0 } else { RARE }
        } else if self.is_form(part, last) {
            INFLECTED
        } else {
            return None;
        };
        Some(PART + short + linked + own)
    }

    /// Whether a known word stands behind a form: a verb or noun without its ending in front
    /// (`Brems-`, `Schul-`), an inflected word at the end.
    fn is_form(&self, part: &str, last: bool) -> bool {
        let known = |word: &str| dictionary::holds(word) || self.vocabulary.contains_key(word);
        let with = |ending: &str| known(&format!("{part}{ending}"));
        if !last {
            return part.len() >= 5
                && (with("en") || with("e") || part.ends_with("el") && with("n"));
        }
        let without = |ending: &&str| {
            part.strip_suffix(*ending).is_some_and(|base| base.len() >= 5 && known(base))
        };
        part.len() >= 6 && (INFLECTIONS.iter().any(without) || with("n") || with("en") || with("s"))
    }
}

/// The cheapest way on from letter `end`: the next part begins right there, or behind a link.
fn cheapest_rest(
    word: &str,
    end: usize,
    best: &[Option<(f64, usize, usize)>],
) -> Option<(f64, usize)> {
    const USUAL_LINK: f64 = 1.0;
    const OTHER_LINK: f64 = 2.0;
    let mut found = best[end].map(|(cost, ..)| (cost, end));
    for link in LINKS {
        let next = end + link.len();
        if next >= word.len() || !word[end..].starts_with(link) {
            continue;
        }
        let price = if matches!(link, "s" | "n") { USUAL_LINK } else { OTHER_LINK };
        if let Some((cost, ..)) = best[next]
            && found.is_none_or(|(known, _)| cost + price < known)
        {
            found = Some((cost + price, next));
        }
    }
    found
}

#[cfg(test)]
mod tests;
