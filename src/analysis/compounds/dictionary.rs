//! What can be a part of a German compound, apart from the compendium's own words.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Frequent words of five letters and more; source and licence in `data/NOTICE.md`.
static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../data/words.txt").lines().collect());
/// Words of three and four letters that make compounds.
static SHORT: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../data/short.txt").lines().collect());

/// Letters of the longest listed word.
pub(super) const LONGEST: usize = 24;

/// Words of which no compound is made: they would find `ist` in every other word.
const FUNCTION_WORDS: [&str; 60] = [
    "dies", "diese", "dieser", "dieses", "diesen", "diesem", "eine", "einer", "eines", "einen",
    "einem", "ihre", "ihren", "ihrer", "ihrem", "mein", "meine", "dein", "deine", "sein", "seine",
    "seinen", "seiner", "seinem", "unser", "unsere", "euer", "oder", "aber", "kein", "keine",
    "wenn", "weil", "dass", "auch", "noch", "schon", "sehr", "beim", "fuer", "ohne", "wird",
    "werden", "wurde", "wurden", "worden", "kann", "koennen", "muss", "muessen", "sollen",
    "wollen", "ging", "gibt", "doch", "dann", "denn", "dort", "hier", "andes",
];

/// Endings that look like words; none of them is the last part of a compound.
const ENDINGS: [&str; 66] = [
    "bare", "baren", "barer", "bares", "chen", "ellen", "elle", "ende", "enden", "ender", "enten",
    "erin", "erinnen", "erte", "erten", "eten", "eure", "euren", "haft", "hafte", "haften",
    "haftes", "heit", "heiten", "iert", "ierte", "ierten", "ieren", "ierung", "innen", "ionen",
    "isch", "ische", "ischen", "ischer", "isches", "ismus", "isten", "keit", "keiten", "lein",
    "lich", "liche", "lichen", "licher", "liches", "ling", "linge", "lingen", "lose", "losen",
    "nisse", "reich", "reiche", "reichen", "schaft", "schaften", "schen", "tion", "tionen", "tums",
    "ungen", "voll", "volle", "vollen", "voller",
];

/// Beginnings that are prefixes of a verb or noun, not first parts of a compound.
const BEGINNINGS: [&str; 22] = [
    "aber", "anti", "dar", "durch", "fehl", "fort", "gegen", "hinter", "inter", "los", "mikro",
    "multi", "nach", "nieder", "ueber", "unter", "voll", "wieder", "wider", "zurueck", "zusammen",
    "zwischen",
];

/// Whether a folded word can be a part anywhere in a compound.
pub(super) fn holds(word: &str) -> bool {
    if word.len() >= 5 { WORDS.contains(word) && !is_function(word) } else { SHORT.contains(word) }
}

/// Whether a folded word of five letters and more is among the frequent words of the language.
pub fn is_everyday_word(word: &str) -> bool {
    WORDS.contains(word)
}

pub(super) fn is_function(word: &str) -> bool {
    FUNCTION_WORDS.contains(&word)
}

pub(super) fn is_ending(word: &str) -> bool {
    ENDINGS.contains(&word)
}

pub(super) fn is_beginning(word: &str) -> bool {
    BEGINNINGS.contains(&word)
}

#[cfg(test)]
mod tests {
    use crate::analysis::fold;

    #[test]
    fn the_lists_are_folded_and_sorted() {
        for list in [include_str!("../data/words.txt"), include_str!("../data/short.txt")] {
            let lines: Vec<&str> = list.lines().collect();
            assert!(lines.is_sorted());
            assert!(lines.iter().all(|word| fold(word) == *word && word.len() >= 3));
        }
    }
}
