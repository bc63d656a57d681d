//! Cuts a section into windows that a model takes whole.

use std::ops::Range;

/// A window that follows another one begins with its last sentence where that takes at most this
/// share of the window: a reference (`Dieser Effekt …`) keeps what it refers to.
const LARGEST_OVERLAP: usize = 4;

/// Cuts `text` where sentences end, else where words end, else between characters, so that
/// `prefix`, `title` and the window together count at most `limit` by `count`.
///
/// Every window begins with `prefix` and, in a line of its own, `title`. A head that would take more
/// than half of each window loses the title to the first window, where it is text like any other.
/// One window at least, also for an empty text.
pub(super) fn cut(
    prefix: &str,
    title: &str,
    text: &str,
    limit: usize,
    count: &dyn Fn(&str) -> usize,
) -> Vec<String> {
    let titled = if title.is_empty() { String::new() } else { format!("{title}\n\n") };
    let whole = format!("{prefix}{titled}{text}");
    if count(&whole) <= limit {
        return vec![whole];
    }
    let heads = [format!("{prefix}{titled}"), prefix.to_owned(), String::new()];
    let head = heads.iter().find(|head| count(head) <= limit / 2).map_or("", String::as_str);
    let body = whole.strip_prefix(head).unwrap_or(&whole);
    ranges(head, body, limit, count)
        .into_iter()
        .map(|range| format!("{head}{}", body[range].trim()))
        .collect()
}

/// The parts of `body`: together they cover it, each fits behind `head`.
fn ranges(head: &str, body: &str, limit: usize, count: &dyn Fn(&str) -> usize) -> Vec<Range<usize>> {
    let fits = |range: &Range<usize>| count(&format!("{head}{}", body[range.clone()].trim())) <= limit;
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
