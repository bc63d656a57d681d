//! What a regular expression can not say of a symbol.

use serde::Deserialize;

/// A test that a passage must pass beyond its pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Check {
    /// Check digits after ISO 7064, mod 97-10, as in an IBAN.
    Mod97,
    /// Group 1 ends with the long form of group 2.
    Abbreviation,
}

/// Whether the check digits of an IBAN are right: ISO 13616, the first four characters moved to the
/// end, letters as 10 to 35, remainder 1 by 97.
pub(super) fn mod97(iban: &str) -> bool {
    let letters: Vec<char> = iban.chars().filter(char::is_ascii_alphanumeric).collect();
    if letters.len() < 5 {
        return false;
    }
    let mut remainder = 0;
    for letter in letters[4..].iter().chain(&letters[..4]) {
        let value = letter.to_digit(36).unwrap_or(0);
        remainder = if value < 10 { remainder * 10 } else { remainder * 100 } + value;
        remainder %= 97;
    }
    remainder == 1
}

/// The end of `text` that spells out an abbreviation: its letters in their order, the first one at
/// the beginning of a word (Schwartz and Hearst 2003). The shortest such end, of no more words than
/// the abbreviation has letters and two more.
pub(super) fn spelled_out<'a>(text: &'a str, abbreviation: &str) -> Option<&'a str> {
    let letters: Vec<char> =
        abbreviation.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let first = *letters.first()?;
    let mut rest = letters.as_slice();
    let mut start = None;
    let mut at = text.char_indices().rev().peekable();
    while let Some((offset, c)) = at.next() {
        let Some(wanted) = rest.last() else { break };
        let begins = at.peek().is_none_or(|(_, before)| !before.is_alphanumeric());
        if !c.to_lowercase().eq([*wanted]) || (rest.len() == 1 && !begins) {
            continue;
        }
        rest = &rest[..rest.len() - 1];
        if rest.is_empty() {
            start = Some(offset);
            break;
        }
    }
    let long = text[start?..].trim();
    let words = long.split_whitespace().count();
    let longer = long.chars().count() > abbreviation.chars().count();
    let starts = long.chars().next()?.to_lowercase().eq([first]);
    (longer && starts && words <= letters.len() + 2).then_some(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iban_with_a_wrong_digit_is_none() {
        assert!(mod97("DE89 3704 0044 0532 0130 00"));
        assert!(mod97("GB82WEST12345698765432"));
        assert!(!mod97("DE89 3704 0044 0532 0130 01"));
        assert!(!mod97("DE8"));
    }

    #[test]
    fn an_abbreviation_is_spelled_out_by_the_words_before_it() {
        let found = |text: &'static str, short| spelled_out(text, short);
        assert_eq!(
            found("Es gelten unsere Allgemeinen Geschäftsbedingungen", "AGB"),
            Some("Allgemeinen Geschäftsbedingungen")
        );
        assert_eq!(
            found("die Datenschutz-Grundverordnung", "DSGVO"),
            Some("Datenschutz-Grundverordnung")
        );
        assert_eq!(found("das Wetter", "AGB"), None);
        assert_eq!(found("", "AGB"), None);
        assert_eq!(found("AGB", "AGB"), None);
    }
}
