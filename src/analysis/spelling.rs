//! One spelling for letters that Germans write in several ways.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds a text: NFC, lower case, ä→ae ö→oe ü→ue ß→ss, other accents off. Idempotent.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + 4);
    for c in text.nfc().flat_map(char::to_lowercase) {
        fold_lower(c, &mut folded);
    }
    folded
}

fn fold_lower(c: char, folded: &mut String) {
    match c {
        'ä' => folded.push_str("ae"),
        'ö' => folded.push_str("oe"),
        'ü' => folded.push_str("ue"),
        'ß' => folded.push_str("ss"),
        c if c.is_ascii() => folded.push(c),
        c => {
            let base = std::iter::once(c).nfkd().filter(|part| !is_combining_mark(*part));
            folded.extend(base.flat_map(char::to_lowercase));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn germans_spellings_meet() {
        for spelling in ["Straße", "STRASSE", "Strasse", "STRAẞE"] {
            assert_eq!(fold(spelling), "strasse", "{spelling}");
        }
        for spelling in ["Mützen", "Muetzen", "Mu\u{308}tzen", "MÜTZEN"] {
            assert_eq!(fold(spelling), "muetzen", "{spelling}");
        }
        assert_eq!(fold("Café"), "cafe");
    }

    proptest! {
        #[test]
        fn folding_is_idempotent_and_blind_to_composition(text in "\\PC{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once.clone());
            let decomposed: String = text.nfd().collect();
            prop_assert_eq!(fold(&decomposed), once);
        }
    }
}
