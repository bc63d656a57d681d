//! Headings as the second half of section ids.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longest slug in characters; longer headings are cut at a word.
const LONGEST: usize = 100;

/// `Über das Große & Ganze` → `ueber-das-grosse-ganze`.
///
/// NFC, lower case, ä→ae ö→oe ü→ue ß→ss, other diacritics dropped, everything that is neither a
/// letter nor a digit becomes one hyphen. Never empty: a heading of signs alone is `abschnitt`.
pub(super) fn slug(heading: &str) -> String {
    let mut slug = String::with_capacity(heading.len());
    for c in heading.nfc().flat_map(char::to_lowercase) {
        match c {
            'ä' => slug.push_str("ae"),
            'ö' => slug.push_str("oe"),
            'ü' => slug.push_str("ue"),
            'ß' => slug.push_str("ss"),
            other => {
                for part in other.nfkd().filter(|part| !is_combining_mark(*part)) {
                    if part.is_alphanumeric() {
                        slug.push(part);
                    } else if !slug.is_empty() && !slug.ends_with('-') {
                        slug.push('-');
                    }
                }
            }
        }
    }
    let slug = cut(slug.trim_end_matches('-'));
    if slug.is_empty() { "abschnitt".to_owned() } else { slug.to_owned() }
}

fn cut(slug: &str) -> &str {
    match slug.char_indices().nth(LONGEST) {
        None => slug,
        Some((end, _)) => slug[..end].rsplit_once('-').map_or(&slug[..end], |(words, _)| words),
    }
}

/// `lernen_und-gedächtnis` → `Lernen und gedächtnis`: the title of a document that has none.
pub(super) fn readable(document: &str) -> String {
    let stem = document.rsplit('/').next().unwrap_or(document);
    let words =
        stem.split(['-', '_', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "Dokument".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_the_same_for_every_spelling_of_a_heading() {
        for (heading, expected) in [
            ("Über das Große & Ganze", "ueber-das-grosse-ganze"),
            ("U\u{308}ber das GROẞE – Ganze!", "ueber-das-grosse-ganze"),
            ("  Café, Ångstrom; naïv  ", "cafe-angstrom-naiv"),
            ("Was heißt „IT“?", "was-heisst-it"),
            ("§ 5 (2)", "5-2"),
            ("память", "память"),
            ("👍 …", "abschnitt"),
        ] {
            assert_eq!(slug(heading), expected, "{heading}");
        }
        assert_eq!(slug(&"wort ".repeat(50)).len(), 99);
    }

    #[test]
    fn a_file_name_becomes_a_readable_title() {
        assert_eq!(readable("ordner/lernen_und-üben"), "Lernen und üben");
        assert_eq!(readable("--"), "Dokument");
    }
}
