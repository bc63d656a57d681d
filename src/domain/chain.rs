//! Errors for people.

use std::error::Error;

/// Characters of a text that an error names it by.
const SHORT: usize = 200;

/// The beginning of a text in one line, for an error that must name it: 200 characters at most.
pub fn shortened(text: &str) -> String {
    let mut visible = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = visible.by_ref().take(SHORT).collect();
    if visible.next().is_some() {
        short.pop();
        short.push('…');
    }
    short
}

/// An error with its causes in one line.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_a_long_text_by_its_beginning() {
        assert_eq!(shortened("Was\nist das?"), "Was ist das?");
        assert_eq!(shortened(&"ä".repeat(SHORT)), "ä".repeat(SHORT));
        let long = shortened(&"ä".repeat(240_000));
        assert_eq!(long.chars().count(), SHORT);
        assert!(long.ends_with("ä…"));
    }
}
