//! Which places of a text a question matched.

use std::collections::BTreeSet;

use unicode_normalization::char::is_combining_mark;

use super::schema::GRAM;
use crate::analysis::{
    Analyzer, Token, fold, is_function_word, joined, ngrams, squeezed, stem, tokens, words,
};

/// Words of which this share of 4-grams is common (Dice) were meant alike: typos.
const ALIKE: f64 = 0.55;
/// An identifier has at most so many words.
const MOST_SYMBOL_WORDS: usize = 8;

/// What of a question is worth a mark. Words that name nothing are not marked: marking every `der`
/// hides what matched.
#[derive(Debug)]
pub(super) struct Wanted {
    stems: BTreeSet<String>,
    /// Folded words of the question.
    words: Vec<String>,
    /// Forms of its identifiers.
    symbols: BTreeSet<String>,
}

impl Wanted {
    pub(super) fn of(analyzer: &Analyzer, question: &str) -> Self {
        let all = words(question);
        let mut stems: BTreeSet<String> = joined(&all).iter().map(|word| stem(word)).collect();
        let mut folded = Vec::new();
        for analysed in all.iter().map(|word| analyzer.analysed(word.clone())) {
            let word = &analysed.word;
            if is_function_word(&word.folded) || word.folded.len() < 2 {
                continue;
            }
            stems.extend(analyzer.synonyms().telling(&word.stem));
            stems.insert(word.stem.clone());
            stems.extend(analysed.parts);
            stems.extend(analysed.heads);
            stems.extend(analysed.modifiers);
            folded.push(word.folded.clone());
        }
        let mut symbols: BTreeSet<String> =
            analyzer.symbols().find(question).into_iter().flat_map(|symbol| symbol.forms).collect();
        for start in 0..all.len() {
            let mut form = String::new();
            for word in all[start..].iter().take(MOST_SYMBOL_WORDS) {
                form.push_str(&word.folded);
                if form.contains(|c: char| c.is_ascii_digit()) {
                    symbols.insert(form.clone());
                }
            }
        }
        Self { stems, words: folded, symbols }
    }

    /// The matching places of a text, `[start, end)` in Unicode scalar values, in order, without
    /// overlap: identifiers and words as a whole, of compounds the parts that were asked for.
    pub(super) fn spans(&self, analyzer: &Analyzer, text: &str) -> Vec<(usize, usize)> {
        let tokens: Vec<Token<'_>> = tokens(text).collect();
        let mut spans = self.identifiers(analyzer, text);
        for token in &tokens {
            self.token(analyzer, token, &mut spans);
        }
        self.hyphenated(&tokens, &mut spans);
        if spans.is_empty() {
            self.typos(&tokens, &mut spans);
        }
        spans.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
        let mut last = 0;
        spans.retain(|(start, end)| {
            let keep = *start >= last;
            last = if keep { *end } else { last };
            keep
        });
        spans
    }

    fn identifiers(&self, analyzer: &Analyzer, text: &str) -> Vec<(usize, usize)> {
        if self.symbols.is_empty() {
            return Vec::new();
        }
        let found = analyzer.symbols().find(text).into_iter();
        found
            .filter(|symbol| {
                self.symbols.contains(&squeezed(&symbol.surface))
                    || symbol.forms.iter().any(|form| self.symbols.contains(form))
                    || symbol.short.iter().any(|form| self.symbols.contains(form))
            })
            .map(|symbol| symbol.span)
            .collect()
    }

    /// Stemming and splitting are the slow steps, so only words in which a wanted stem stands as
    /// text are looked at closely.
    fn token(&self, analyzer: &Analyzer, token: &Token<'_>, spans: &mut Vec<(usize, usize)>) {
        let folded = fold(token.surface);
        // The stemmer takes umlauts back to their vowel: `muehlen` has the stem `muhl`.
        let vowels = folded.replace("ae", "a").replace("oe", "o").replace("ue", "u");
        let inside =
            |stem: &String| folded.contains(stem.as_str()) || vowels.contains(stem.as_str());
        if !self.stems.iter().any(inside) {
            return;
        }
        if self.stems.contains(&stem(&folded)) {
            spans.push(token.span);
            return;
        }
        let split = analyzer.take_apart(&folded);
        for part in split.parts.iter().chain(&split.inner) {
            if self.stems.contains(&stem(&part.text)) {
                let (start, end) = unfolded(token.surface, part.span);
                spans.push((token.span.0 + start, token.span.0 + end));
            }
        }
    }

    /// `E-Mail` where `Email` was asked for.
    fn hyphenated(&self, tokens: &[Token<'_>], spans: &mut Vec<(usize, usize)>) {
        for (at, token) in tokens.iter().enumerate() {
            if token.next != Some('-') {
                continue;
            }
            let mut text = fold(token.surface);
            for pair in tokens[at..].windows(2).take(3) {
                if pair[0].next != Some('-') || pair[1].span.0 != pair[0].span.1 + 1 {
                    break;
                }
                text.push_str(&fold(pair[1].surface));
                if self.stems.contains(&stem(&text)) {
                    spans.push((token.span.0, pair[1].span.1));
                }
            }
        }
    }

    /// Words that look like those of the question, where none is the same.
    fn typos(&self, tokens: &[Token<'_>], spans: &mut Vec<(usize, usize)>) {
        let wanted: Vec<BTreeSet<String>> =
            self.words.iter().map(|word| ngrams(word, GRAM)).collect();
        for token in tokens {
            let own = ngrams(&fold(token.surface), GRAM);
            let alike = |grams: &BTreeSet<String>| {
                let common = grams.intersection(&own).count() as f64;
                2.0 * common / (grams.len() + own.len()) as f64 >= ALIKE
            };
            if wanted.iter().any(alike) {
                spans.push(token.span);
            }
        }
    }
}

/// A span of the folded word as a span of the written one, in characters; widened to whole letters
/// where folding made two of one (`ä` → `ae`) or a letter has combining marks.
fn unfolded(surface: &str, span: (usize, usize)) -> (usize, usize) {
    let letters: Vec<char> = surface.chars().collect();
    let (mut start, mut end) = (None, letters.len());
    let (mut at, mut length) = (0, 0);
    while at < letters.len() {
        let mut next = at + 1;
        while next < letters.len() && is_combining_mark(letters[next]) {
            next += 1;
        }
        let letter: String = letters[at..next].iter().collect();
        length += fold(&letter).chars().count();
        if start.is_none() && length > span.0 {
            start = Some(at);
        }
        if length >= span.1 {
            end = next;
            break;
        }
        at = next;
    }
    (start.unwrap_or(0), end)
}
