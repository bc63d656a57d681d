//! Entries at the end of a file of the catalog; what stands there stays byte for byte.

use std::ops::Range;

const HEADER: &str = "# Lücken, die Lesende gefunden haben: wegweiser gaps promote\n\
    # Ein Lauf des Katalogs meldet eine Frage als geschlossen, sobald sie besteht; dann kann\n\
    # `status: open` fort.\n\
    questions:\n";

/// Where a file ends, and how far its list of questions has come.
#[derive(Debug)]
pub(super) struct End {
    /// Line and column of the last line with content; of the start where there is none.
    pub(super) last: (usize, usize),
    /// Whether `questions:` is there.
    is_begun: bool,
    /// The bytes of a value that says that there is no question: the `[]` of `questions: []`.
    nothing: Option<Range<usize>>,
}

impl End {
    /// Or line and column, each from 1, of what can not be added to: a list in braces, the end of a
    /// document.
    pub(super) fn of(text: &str) -> Result<Self, (usize, usize)> {
        let mut end = Self { last: (1, 1), is_begun: false, nothing: None };
        let mut at = 0;
        let (mut is_first, mut awaits_list) = (true, false);
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let start = at;
            at += line.len();
            let mark =
                if start == 0 && line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            let (start, line) = (start + mark, line[mark..].trim_end());
            let content = line.trim_start();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let place = |byte: usize| (number + 1, line[..byte].chars().count() + 1);
            let is_marker = |marker: &str| {
                line.strip_prefix(marker)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            if is_marker("...") || (is_marker("---") && !is_first) || line.starts_with(['{', '[']) {
                return Err(place(0));
            }
            if let Some(value) = line.strip_prefix("questions:") {
                end.is_begun = true;
                let written = value.trim_start();
                let from = line.len() - written.len();
                let written = written.split(" #").next().unwrap_or("").trim_end();
                if matches!(written, "[]" | "~" | "null") {
                    end.nothing = Some(start + from..start + from + written.len());
                } else if !written.is_empty() && !written.starts_with('#') {
                    return Err(place(from));
                }
                awaits_list = true;
            } else if std::mem::take(&mut awaits_list) && content.starts_with(['[', '{']) {
                return Err(place(line.len() - content.len()));
            }
            end.last = place(line.len() - content.len());
            is_first = false;
        }
        Ok(end)
    }
}

/// The text with entries at its end, in the line ends that it has.
pub(super) fn extended(text: &str, end: &End, blocks: &str) -> String {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut new = text.to_owned();
    if let Some(nothing) = end.nothing.clone() {
        new.replace_range(nothing, "");
    }
    if !new.is_empty() && !new.ends_with('\n') && new != "\u{feff}" {
        new.push_str(line_end);
    }
    let header = if end.is_begun { "" } else { HEADER };
    new.push_str(&format!("{header}{blocks}").replace('\n', line_end));
    new
}
