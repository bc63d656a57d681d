//! Cuts a section into windows that a model takes whole.

use std::ops::Range;

/// A window that follows another one begins with its last sentence where that takes at most this
/// share of the window: a reference (`Dieser Effekt …`) keeps what it refers to.
const LARGEST_OVERLAP: usize = 4;

/// How long a window may be, in what `count` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// As long as windows are where head and text allow it.
    pub(super) target: usize,
    /// What the model reads at most.
    pub(super) most: usize,
}

/// Cuts `text` where sentences end, else where words end, else between characters, so that
/// `prefix`, `title` and the window together keep to `size` by `count`.
///
/// Every window begins with `prefix` and, in a line of its own, `title`; a long head makes windows
/// longer than the target, so that it never takes more than half of one. Where the model does not
/// read that much, the title goes to the first window, where it is text like any other. One window
/// at least, also for an empty text.
pub(super) fn cut(
    prefix: &str,
    title: &str,
    text: &str,
    size: Size,
    count: &dyn Fn(&str) -> usize,
) -> Vec<String> {
    let titled = if title.is_empty() { String::new() } else { format!("{title}\n\n") };
    let whole = format!("{prefix}{titled}{text}");
    let heads = [format!("{prefix}{titled}"), prefix.to_owned(), String::new()];
    let head = heads.iter().find(|head| count(head) <= size.most / 2).map_or("", String::as_str);
    let limit = size.target.max(2 * count(head)).min(size.most);
    if count(&whole) <= limit {
        return vec![whole];
    }
    let body = whole.strip_prefix(head).unwrap_or(&whole);
    ranges(head, body, limit, count)
        .into_iter()
        .map(|range| format!("{head}{}", body[range].trim()))
        .collect()
}

/// The parts of `body`: together they cover it, each fits behind `head`.
fn ranges(
    head: &str,
    body: &str,
    limit: usize,
    count: &dyn Fn(&str) -> usize,
) -> Vec<Range<usize>> {
    let fits =
        |range: &Range<usize>| count(&format!("{head}{}", body[range.clone()].trim())) <= limit;
    let pieces = pieces(body, &fits);
    let mut windows = Vec::new();
    let mut first = 0; // first piece of the window, which may be the last of the one before
    let mut next = 0; // first piece that is in no window yet
    while next < pieces.len() {
        let fit = |end: usize| fits(&(pieces[first].start..pieces[end - 1].end));
        if !fit(next + 1) {
            first = next; // the overlap leaves no room; a piece alone always fits
        }
        let good = furthest(next + 1, pieces.len(), |end| {
            fits(&(pieces[first].start..pieces[end - 1].end))
        });
        windows.push(pieces[first].start..pieces[good - 1].end);
        next = good;
        let last = &pieces[good - 1];
        first = if count(&body[last.clone()]) <= limit / LARGEST_OVERLAP { good - 1 } else { good };
    }
    windows
}

/// The largest end in `from..=to` that is good, where `from` is and goodness ends once.
///
/// Strides double before they are halved, so that a book costs no more per window than a page.
fn furthest(from: usize, to: usize, is_good: impl Fn(usize) -> bool) -> usize {
    let (mut good, mut bad, mut stride) = (from, to + 1, 1);
    while good + stride < bad {
        if is_good(good + stride) {
            good += stride;
            stride *= 2;
        } else {
            bad = good + stride;
        }
    }
    while bad - good > 1 {
        let middle = usize::midpoint(good, bad);
        if is_good(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// Sentences, and parts of those that do not fit alone.
fn pieces(body: &str, fits: &dyn Fn(&Range<usize>) -> bool) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    for sentence in split(body, 0..body.len(), ends_sentence) {
        if fits(&sentence) {
            pieces.push(sentence);
            continue;
        }
        for word in split(body, sentence, |c, after| c.is_whitespace() && !after.is_whitespace()) {
            halve(body, word, fits, &mut pieces);
        }
    }
    pieces
}

fn ends_sentence(c: char, after: char) -> bool {
    (matches!(c, '.' | '!' | '?' | '…' | ':' | ';') && after.is_whitespace()) || c == '\n'
}

/// Parts of `range` that end behind each `c` for which `ends(c, character after it)` holds.
fn split(body: &str, range: Range<usize>, ends: impl Fn(char, char) -> bool) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    let mut characters = body[range.clone()].char_indices().peekable();
    while let Some((_, c)) = characters.next() {
        if let Some(&(at, after)) = characters.peek()
            && ends(c, after)
        {
            parts.push(start..range.start + at);
            start = range.start + at;
        }
    }
    if start < range.end {
        parts.push(start..range.end);
    }
    parts
}

/// A word without blanks that does not fit is halved until its parts do.
fn halve(
    body: &str,
    range: Range<usize>,
    fits: &dyn Fn(&Range<usize>) -> bool,
    pieces: &mut Vec<Range<usize>>,
) {
    let middle = body.ceil_char_boundary(usize::midpoint(range.start, range.end));
    if middle >= range.end || fits(&range) {
        pieces.push(range);
        return;
    }
    halve(body, range.start..middle, fits, pieces);
    halve(body, middle..range.end, fits, pieces);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn characters(text: &str) -> usize {
        text.chars().count()
    }

    fn size(target: usize, most: usize) -> Size {
        Size { target, most }
    }

    #[test]
    fn a_text_that_fits_is_one_window() {
        let windows = cut("SG: A\n\n", "Titel", "Ein Satz.", size(160, 512), &characters);
        assert_eq!(windows, ["SG: A\n\nTitel\n\nEin Satz."]);
        assert_eq!(cut("", "", "", size(160, 512), &characters), [""]);
    }

    #[test]
    fn windows_end_with_sentences_and_share_one() {
        let text = "Eins ist da. Zwei ist da. Drei ist da. Vier ist da. Fünf ist da.";
        let windows = cut("", "T", text, size(56, 512), &characters);
        assert_eq!(
            windows,
            [
                "T\n\nEins ist da. Zwei ist da. Drei ist da. Vier ist da.",
                "T\n\nVier ist da. Fünf ist da.",
            ]
        );
    }

    #[test]
    fn a_head_longer_than_the_target_makes_longer_windows() {
        let (title, text) = ("t".repeat(40), "Ein Satz. ".repeat(20));
        let windows = cut("", &title, &text, size(50, 100), &characters);
        assert!(windows.iter().all(|window| window.starts_with(&title)));
        assert!(windows.iter().any(|window| characters(window) > 60));
    }

    #[test]
    fn a_title_longer_than_the_model_reads_is_cut_like_text() {
        let title = "Wort ".repeat(100);
        let windows = cut("SG: A\n\n", &title, "Ende.", size(50, 100), &characters);
        assert!(windows.iter().all(|w| w.starts_with("SG: A\n\n") && characters(w) <= 100));
        assert!(windows.last().unwrap().ends_with("Ende."));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn every_window_fits_and_no_character_is_lost(
            prefix in "(SG: [A-Za-z_]{1,30}\n\n)?",
            title in "\\PC{0,60}",
            text in r"([a-zäöüß😀]{1,80}[ .!?\n]{1,3}){0,30}",
            target in 20_usize..80,
            most in 40_usize..120,
        ) {
            let size = size(target.min(most), most);
            let windows = cut(&prefix, &title, &text, size, &characters);
            prop_assert!(!windows.is_empty());
            let head = format!("{prefix}{title}\n\n");
            for window in &windows {
                prop_assert!(characters(window) <= most, "{} > {most}", characters(window));
                if characters(&head) <= most / 2 && !title.is_empty() {
                    prop_assert!(window.starts_with(&head));
                }
            }
            // Each character of the text in its order: windows are taken up where the last one ends.
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>();
            let bare: Vec<Vec<char>> = windows
                .iter()
                .map(|window| {
                    let rest = window.strip_prefix(&head).or_else(|| window.strip_prefix(&prefix));
                    letters(rest.unwrap_or(window))
                })
                .collect();
            let all = letters(&text);
            let mut covered = 0;
            if characters(&head) <= most / 2 {
                for window in bare {
                    let at = (0..=covered.min(all.len()))
                        .rev()
                        .find(|at| all[*at..].starts_with(&window))
                        .expect("a window is a part of the text that begins where nothing is left out");
                    covered = covered.max(at + window.len());
                }
                prop_assert_eq!(covered, all.len());
            }
        }
    }
}
