//! A run for people, for CI servers and for the browser.

mod diff;
mod html;
mod junit;
mod preview;
mod text;

pub use diff::diff;
pub use html::html;
pub(crate) use html::{STYLE, meaning, select};
pub use junit::junit;
pub use preview::preview;
pub use text::{text, totals};

/// Escapes a text for XML and HTML, in elements and in quoted attributes. Control characters that
/// XML 1.0 can not hold become `U+FFFD`.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(character),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// For a terminal: a question may hold line breaks, which would look like a line of the report, and
/// control characters, which would paint it.
fn one_line(text: &str) -> String {
    let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}
