//! What a model writes, checked sentence by sentence while it comes.
//!
//! | what | becomes of it |
//! |---|---|
//! | a citation of a section that was offered and shares a word with the sentence | stays, as `[1]` |
//! | any other citation | is taken out |
//! | a sentence that shares no word with any offered section | is taken out: it can not come from them |
//! | everything up to the first sentence with a valid citation | is held back; without one nothing is released |
//! | links, images, HTML, addresses that no section has | can not be followed: an address could carry the question away |

use std::collections::BTreeSet;
use std::fmt::Write;

use super::prompt::is_invisible;
use super::source::{Source, stems};
use crate::analysis::Analyzer;

/// Characters between two brackets that can be a citation.
const LONGEST_CITATION: usize = 40;

/// Takes a text in pieces and releases what is safe of it.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    analyzer: &'a Analyzer,
    sources: &'a [Source],
    /// What came since the last whole sentence.
    unread: String,
    /// Whole, checked sentences that wait for the first valid citation.
    held: String,
    /// The first visible character of the line that was released in part.
    begun: Option<char>,
    cited: BTreeSet<usize>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(analyzer: &'a Analyzer, sources: &'a [Source]) -> Self {
        Self {
            analyzer,
            sources,
            unread: String::new(),
            held: String::new(),
            begun: None,
            cited: BTreeSet::new(),
        }
    }

    /// Takes the next piece; gives what may be shown now.
    pub(super) fn push(&mut self, piece: &str) -> String {
        self.unread
            .extend(piece.chars().filter(|c| !is_invisible(*c) && (!c.is_control() || *c == '\n')));
        while let Some(end) = sentence_end(&self.unread) {
            let sentence: String = self.unread.drain(..end).collect();
            self.check(&sentence);
        }
        self.release()
    }

    /// The rest. A sentence that was cut off is checked like a whole one.
    pub(super) fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.unread);
        self.check(&rest);
        self.release()
    }

    /// Numbers of the sections that were cited so far.
    pub(super) fn cited(&self) -> &BTreeSet<usize> {
        &self.cited
    }

    fn release(&mut self) -> String {
        if self.cited.is_empty() {
            return String::new();
        }
        self.begun = self.line_begins_with();
        std::mem::take(&mut self.held)
    }

    fn check(&mut self, sentence: &str) {
        let words = stems(self.analyzer, &without_brackets(sentence));
        let speaks_of = |source: &&Source| words.is_empty() || !words.is_disjoint(&source.stems);
        let supporting: BTreeSet<usize> =
            self.sources.iter().filter(speaks_of).map(|source| source.number).collect();
        if supporting.is_empty() {
            // The line break behind a sentence belongs to the text.
            let blanks = &sentence[sentence.trim_end().len()..];
            self.held.extend(blanks.chars().filter(|c| *c == '\n'));
            return;
        }
        let mut rest = sentence;
        while let Some(open) = rest.find(['[', '【']) {
            let (before, from) = rest.split_at(open);
            let Some((numbers, length)) = citation(from) else {
                let bracket = from.chars().next().map_or(0, char::len_utf8);
                self.text(&rest[..open + bracket]);
                rest = &from[bracket..];
                continue;
            };
            let valid: Vec<usize> =
                numbers.into_iter().filter(|number| supporting.contains(number)).collect();
            // A citation that goes takes the blank before it along.
            self.text(if valid.is_empty() { before.trim_end_matches(' ') } else { before });
            if !valid.is_empty() && self.held.ends_with('!') {
                self.held.push(' '); // no image
            }
            for number in valid {
                self.cited.insert(number);
                let _ = write!(self.held, "[{number}]"); // into a String: never fails
            }
            rest = &from[length..];
        }
        self.text(rest);
    }

    /// Text between citations, with everything that a page would follow or load made plain.
    fn text(&mut self, text: &str) {
        for piece in text.split_inclusive(char::is_whitespace) {
            let word = piece.trim_end();
            let blank = &piece[word.len()..];
            if is_address(word)
                && !self.sources.iter().any(|source| source.text.contains(core(word)))
            {
                self.held.push_str(" (Adresse entfernt)");
            } else {
                for c in word.chars() {
                    // Brackets become links by what stands behind them, and images by what stands before.
                    let links = match c {
                        '(' => self.held.ends_with(']'),
                        ':' => self.held.ends_with(']') && self.line_begins_with() == Some('['),
                        '[' => self.held.ends_with('!'),
                        _ => false,
                    };
                    if links {
                        self.held.push(' ');
                    }
                    self.held.push(if c == '<' { '‹' } else { c });
                }
            }
            self.held.push_str(blank);
        }
    }

    fn line_begins_with(&self) -> Option<char> {
        let visible = |line: &str| line.trim_start().chars().next();
        match self.held.rsplit_once('\n') {
            Some((_, line)) => visible(line),
            None => self.begun.or_else(|| visible(&self.held)),
        }
    }
}

/// The numbers of a citation at the start of a text, and its length in bytes: `[1]`, `[1, 2]`, `[^1]`,
/// `[Abschnitt 1]`, `【1】`, and ranges. `None` for other brackets.
fn citation(text: &str) -> Option<(BTreeSet<usize>, usize)> {
    let open = text.chars().next()?;
    let end = text.char_indices().take(LONGEST_CITATION).find(|(_, c)| matches!(c, ']' | '】'))?;
    let inside = text[open.len_utf8()..end.0].trim().trim_start_matches('^');
    let inside = ["Abschnitte", "Abschnitt", "Quellen", "Quelle", "Nummer", "Nr."]
        .iter()
        .find_map(|word| inside.strip_prefix(word))
        .unwrap_or(inside);
    let is_part = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",;-–—und".contains(c);
    if !inside.contains(|c: char| c.is_ascii_digit()) || !inside.chars().all(is_part) {
        return None;
    }
    let mut numbers = BTreeSet::new();
    for part in inside.split([',', ';']).flat_map(|part| part.split("und")) {
        let mut ends =
            part.split(['-', '–', '—']).map(|number| number.trim().parse::<usize>().ok());
        match (ends.next().flatten(), ends.next()) {
            (Some(number), None) => {
                numbers.insert(number);
            }
            // A range of more than a few sections cites nothing.
            (Some(from), Some(Some(to))) if (from..from + 10).contains(&to) => {
                numbers.extend(from..=to);
            }
            _ => {}
        }
    }
    Some((numbers, end.0 + end.1.len_utf8()))
}

/// End of the first sentence in bytes, with the citations and blanks behind it; `None` while it may go
/// on. Where a sentence ends is known only when the next one has begun: `… vier Wochen. [1] Im …`.
fn sentence_end(text: &str) -> Option<usize> {
    // Whether what came last, citations, quotes and emphasis aside, closes a sentence.
    let mut is_closed = false;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        at += c.len_utf8();
        match c {
            '[' | '【' => match citation(rest) {
                Some((_, length)) => at += length - c.len_utf8(),
                // It may become one.
                None if !rest.contains([']', '】', '\n'])
                    && rest.chars().count() < LONGEST_CITATION =>
                {
                    return None;
                }
                None => is_closed = false,
            },
            '"' | '“' | '”' | '«' | '»' | ')' | '*' | '_' => {}
            c if c.is_whitespace() => {
                let next = text[at..].find(|c: char| !c.is_whitespace())?;
                let is_cited = text[at + next..].starts_with(['[', '【']);
                is_closed |= text[at - c.len_utf8()..at + next].contains('\n');
                at += next;
                if is_closed && !is_cited {
                    return Some(at);
                }
            }
            c => is_closed = matches!(c, '.' | '!' | '?' | '…'),
        }
    }
    None
}

fn without_brackets(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some(open) = rest.find(['[', '【']) {
        plain.push_str(&rest[..open]);
        let from = &rest[open..];
        let length =
            citation(from).map_or_else(|| from.chars().next().map_or(0, char::len_utf8), |of| of.1);
        plain.push(' ');
        rest = &from[length..];
    }
    plain.push_str(rest);
    plain
}

/// Whether a page could make a link of a word by itself.
fn is_address(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.contains("//") || word.contains("www.") || word.contains("mailto:")
}

/// An address without the marks around it.
fn core(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/')
}

#[cfg(test)]
mod tests;
