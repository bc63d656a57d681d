//! The part of a section that speaks most of a question, in whole sentences.

use std::collections::BTreeSet;

use super::source::stems;
use crate::analysis::Analyzer;

/// At most about `most` characters of a text: all of a short one; of a longer one the neighbouring
/// sentences with the most different words of the question, the first of equals. What was left out is
/// marked with `…`. A single sentence that is longer is cut at a blank.
pub(super) fn excerpt(
    analyzer: &Analyzer,
    text: &str,
    asked: &BTreeSet<String>,
    most: usize,
) -> String {
    let text = text.trim();
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let sentences = sentences(text);
    let lengths: Vec<usize> = sentences.iter().map(|part| part.chars().count()).collect();
    let told: Vec<BTreeSet<String>> = sentences
        .iter()
        .map(|part| stems(analyzer, part).intersection(asked).cloned().collect())
        .collect();
    let mut best = (0, 0..0);
    for start in 0..sentences.len() {
        let mut length = 0;
        let fits = lengths[start..].iter().take_while(|more| {
            length += **more;
            length <= most
        });
        // One sentence in any case.
        let end = start + fits.count().max(1);
        let words: BTreeSet<&String> = told[start..end].iter().flatten().collect();
        if words.len() > best.0 || best.1.is_empty() {
            best = (words.len(), start..end);
        }
    }
    let window = best.1;
    let (is_first, is_last) = (window.start == 0, window.end == sentences.len());
    let passage = sentences[window].concat();
    let (passage, is_cut) = cut(passage.trim(), most);
    let before = if is_first { "" } else { "… " };
    let after = if is_last && !is_cut { "" } else { " …" };
    format!("{before}{passage}{after}")
}

/// A text without what is beyond `most` characters, cut at a blank where there is one.
fn cut(text: &str, most: usize) -> (&str, bool) {
    let Some((end, _)) = text.char_indices().nth(most) else { return (text, false) };
    let end =
        text[..end].rfind(char::is_whitespace).filter(|blank| *blank > end / 2).unwrap_or(end);
    (text[..end].trim_end(), true)
}

/// A text in pieces that end with a sentence or a paragraph and the blanks behind it.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((_, c)) = letters.next() {
        let ends = c == '\n' || (c.is_whitespace() && matches!(before, '.' | '!' | '?' | '…'));
        before = c;
        let next = letters.peek().copied();
        if let Some((at, next)) = next
            && ends
            && !next.is_whitespace()
        {
            sentences.push(&text[start..at]);
            start = at;
        }
    }
    sentences.push(&text[start..]);
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, question: &str, most: usize) -> String {
        let analyzer = Analyzer::new(&[]);
        excerpt(&analyzer, text, &stems(&analyzer, question), most)
    }

    const TEXT: &str = "Die Bibliothek hat bis neun Uhr auf.\n\nDie Leihfrist dauert vier Wochen. Im \
        Konto lässt sie sich verlängern! Wer mahnt, zahlt.";

    #[test]
    fn a_short_text_is_whole_and_a_long_one_gives_the_sentences_that_were_asked_for() {
        assert_eq!(of(TEXT, "Leihfrist", 1_000), TEXT);
        assert_eq!(
            of(TEXT, "Wie kann ich die Leihfrist im Konto verlängern?", 80),
            "… Die Leihfrist dauert vier Wochen. Im Konto lässt sie sich verlängern! …"
        );
        assert_eq!(of(TEXT, "Wer mahnt?", 40), "… Wer mahnt, zahlt.");
        assert_eq!(of(TEXT, "etwas anderes", 40), "Die Bibliothek hat bis neun Uhr auf. …");
    }

    #[test]
    fn a_sentence_without_end_is_cut_at_a_blank_and_a_word_without_end_anywhere() {
        assert_eq!(of(&"Wort ".repeat(50), "Wort", 12), "Wort Wort …");
        let long = of(&"ü".repeat(5_000), "ü", 10);
        assert_eq!(long, format!("{} …", "ü".repeat(10)));
    }

    #[test]
    fn sentences_are_the_text() {
        for text in [TEXT, "", "\n\n", "a. b. c", "…", "Ü!\u{a0}Ö?\r\n"] {
            assert_eq!(sentences(text).concat(), text);
        }
    }
}
