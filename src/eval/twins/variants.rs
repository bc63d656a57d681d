//! The same question as other people type it.

use serde::Serialize;

use crate::analysis::{Analyzer, fold, tokens};

/// Letters that a word needs to be mistyped or taken apart.
const SHORTEST: usize = 6;

/// In what a twin differs from its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `ss` for `ß`, as in Switzerland.
    SharpS,
    /// `ae`, `oe`, `ue`, `ss` for `ä`, `ö`, `ü`, `ß`.
    Transcribed,
    /// No capital letter.
    LowerCase,
    /// The longest compound in two words.
    SplitByBlank,
    /// The longest compound with a hyphen.
    SplitByHyphen,
    /// Two letters in the middle of the longest word change places.
    Typo,
    /// `Sie` for `du`, `du` for `Sie`.
    Address,
}

impl Kind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::SharpS,
        Self::Transcribed,
        Self::LowerCase,
        Self::SplitByBlank,
        Self::SplitByHyphen,
        Self::Typo,
        Self::Address,
    ];

    /// The question in this form; nothing where that changes nothing.
    pub fn twin(self, question: &str, analyzer: &Analyzer) -> Option<String> {
        let twin = match self {
            Self::SharpS => question.replace('ß', "ss").replace('ẞ', "SS"),
            Self::Transcribed => transcribed(question),
            Self::LowerCase => question.to_lowercase(),
            Self::SplitByBlank => split(question, " ", analyzer)?,
            Self::SplitByHyphen => split(question, "-", analyzer)?,
            Self::Typo => typo(question)?,
            Self::Address => super::address::exchanged(question)?,
        };
        (twin != question).then_some(twin)
    }
}

fn transcribed(question: &str) -> String {
    let mut text = String::with_capacity(question.len() + 8);
    for letter in question.chars() {
        match letter {
            'ä' => text.push_str("ae"),
            'ö' => text.push_str("oe"),
            'ü' => text.push_str("ue"),
            'ß' => text.push_str("ss"),
            'Ä' => text.push_str("Ae"),
            'Ö' => text.push_str("Oe"),
            'Ü' => text.push_str("Ue"),
            other => text.push(other),
        }
    }
    text
}

/// The longest compound, split before its head.
fn split(question: &str, between: &str, analyzer: &Analyzer) -> Option<String> {
    let mut best: Option<(usize, (usize, usize), usize)> = None;
    for token in tokens(question) {
        let length = token.span.1 - token.span.0;
        if length < SHORTEST || best.is_some_and(|(longest, ..)| longest >= length) {
            continue;
        }
        let Some(head) = analyzer.take_apart(&fold(token.surface)).parts.pop() else { continue };
        if let Some(at) = unfolded(token.surface, head.span.0) {
            best = Some((length, token.span, token.span.0 + at));
        }
    }
    let (_, (start, end), at) = best?;
    let letters: Vec<char> = question.chars().collect();
    let text = |from: usize, to: usize| letters[from..to].iter().collect::<String>();
    let mut head = text(at, end);
    if letters[start].is_uppercase() {
        let mut rest = head.chars();
        head = rest.next()?.to_uppercase().chain(rest).collect();
    }
    Some(format!("{}{between}{head}{}", text(0, at), text(end, letters.len())))
}

/// The letter of a word where its folded form reaches `at`; nothing inside a folded umlaut.
fn unfolded(word: &str, at: usize) -> Option<usize> {
    let mut folded = 0;
    for (index, letter) in word.chars().enumerate() {
        if folded >= at {
            return (folded == at && index > 0).then_some(index);
        }
        folded += fold(&letter.to_string()).chars().count();
    }
    None
}

/// Swaps the letters in the middle of the longest word; the next pair to the left where they are
/// equal. The first letter stays: people get that one right.
fn typo(question: &str) -> Option<String> {
    let longest = tokens(question)
        .filter(|token| token.surface.chars().all(char::is_alphabetic))
        .map(|token| token.span)
        .fold((0, 0), |best, span| if span.1 - span.0 > best.1 - best.0 { span } else { best });
    let (start, end) = longest;
    if end - start < SHORTEST {
        return None;
    }
    let mut letters: Vec<char> = question.chars().collect();
    let middle = usize::midpoint(start, end);
    let at = (start + 1..middle).rev().find(|at| letters[*at] != letters[at + 1])?;
    letters.swap(at, at + 1);
    Some(letters.into_iter().collect())
}
