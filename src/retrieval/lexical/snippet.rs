//! The passage of a text that answers the words of a question.

use unicode_normalization::char::is_combining_mark;

use super::matching::Wanted;
use crate::analysis::Analyzer;

/// About two sentences; in characters.
const LENGTH: usize = 260;

/// An excerpt of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// The passage, with `…` where text was left out.
    pub text: String,
    /// What matched, as `[start, end)` in Unicode scalar values of `text`: words, or the parts of
    /// compounds. In order, without overlap.
    pub marks: Vec<(usize, usize)>,
    /// The passage with `<mark>` around matches and everything else HTML-escaped.
    pub html: String,
}

/// The words of one question, to be marked in any number of texts.
#[derive(Debug)]
pub struct Highlighter<'a> {
    analyzer: &'a Analyzer,
    wanted: Wanted,
}

impl<'a> Highlighter<'a> {
    pub(super) fn new(analyzer: &'a Analyzer, question: &str) -> Self {
        Self { analyzer, wanted: Wanted::of(analyzer, question) }
    }

    /// The passage of a text that speaks most of the question's words, with these marked.
    pub fn snippet(&self, text: &str) -> Snippet {
        excerpt(text, &self.wanted.spans(self.analyzer, text))
    }
}

fn excerpt(text: &str, matching: &[(usize, usize)]) -> Snippet {
    let letters: Vec<char> = text.chars().collect();
    let (start, end) = passage(&letters, matching);
    let mut shown = String::new();
    let mut marks = Vec::new();
    if start > 0 {
        shown.push_str("… ");
    }
    let shift = shown.chars().count();
    let inside = matching.iter().filter(|(from, to)| *from >= start && *to <= end);
    marks.extend(inside.map(|(from, to)| (from - start + shift, to - start + shift)));
    // Line breaks of the text are paragraphs; a snippet is one.
    shown.extend(letters[start..end].iter().map(|c| if c.is_control() { ' ' } else { *c }));
    if end < letters.len() {
        shown.push_str(" …");
    }
    let html = html(&shown, &marks);
    Snippet { text: shown, marks, html }
}

/// The window of about [`LENGTH`] characters with the most matches, moved to where words begin and,
/// if near, to where a sentence begins. The first of equals.
fn passage(letters: &[char], matching: &[(usize, usize)]) -> (usize, usize) {
    if letters.len() <= LENGTH {
        return (0, letters.len());
    }
    let mut best = (0, 0);
    for (at, (from, _)) in matching.iter().enumerate() {
        let inside = matching[at..].iter().take_while(|(_, to)| to - from <= LENGTH).count();
        if inside > best.0 {
            best = (inside, *from);
        }
    }
    let anchor = best.1;
    let earliest = anchor.saturating_sub(LENGTH / 3);
    let sentence = (earliest..anchor)
        .rev()
        .find(|at| *at == 0 || matches!(letters[at - 1], '\n') || ends_sentence(letters, at - 1));
    let word = (earliest..=anchor).find(|at| *at == 0 || letters[at - 1].is_whitespace());
    let mut start = sentence.or(word).unwrap_or(anchor);
    while start < letters.len() && letters[start].is_whitespace() {
        start += 1;
    }
    let furthest = (start + LENGTH).min(letters.len());
    let end = (start..=furthest)
        .rev()
        .find(|at| *at == letters.len() || letters[*at].is_whitespace())
        .filter(|end| *end > start)
        .unwrap_or_else(|| letter_start(letters, furthest));
    (letter_start(letters, start), end)
}

/// Not inside a letter: combining marks belong to the character before them.
fn letter_start(letters: &[char], mut at: usize) -> usize {
    while at > 0 && letters.get(at).is_some_and(|c| is_combining_mark(*c)) {
        at -= 1;
    }
    at
}

fn ends_sentence(letters: &[char], at: usize) -> bool {
    letters[at].is_whitespace() && at > 0 && matches!(letters[at - 1], '.' | '!' | '?')
}

fn html(text: &str, marks: &[(usize, usize)]) -> String {
    let mut html = String::with_capacity(text.len() + marks.len() * 13);
    let mut marks = marks.iter().peekable();
    for (at, c) in text.chars().enumerate() {
        if marks.peek().is_some_and(|(start, _)| *start == at) {
            html.push_str("<mark>");
        }
        match c {
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '&' => html.push_str("&amp;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
        if marks.peek().is_some_and(|(_, end)| *end == at + 1) {
            html.push_str("</mark>");
            marks.next();
        }
    }
    html
}
