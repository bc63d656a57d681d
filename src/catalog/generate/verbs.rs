//! German verbs, as far as a question needs them: infinitives and the third person singular.

/// Third person singular of verbs that do more than take a `t`.
const IRREGULAR: [(&str, &str); 46] = [
    ("backen", "bäckt"),
    ("befehlen", "befiehlt"),
    ("brechen", "bricht"),
    ("dürfen", "darf"),
    ("empfangen", "empfängt"),
    ("empfehlen", "empfiehlt"),
    ("essen", "isst"),
    ("fahren", "fährt"),
    ("fallen", "fällt"),
    ("fangen", "fängt"),
    ("geben", "gibt"),
    ("gelten", "gilt"),
    ("graben", "gräbt"),
    ("haben", "hat"),
    ("halten", "hält"),
    ("helfen", "hilft"),
    ("können", "kann"),
    ("laden", "lädt"),
    ("lassen", "lässt"),
    ("laufen", "läuft"),
    ("lesen", "liest"),
    ("messen", "misst"),
    ("mögen", "mag"),
    ("müssen", "muss"),
    ("nehmen", "nimmt"),
    ("raten", "rät"),
    ("schlafen", "schläft"),
    ("schlagen", "schlägt"),
    ("schmelzen", "schmilzt"),
    ("sehen", "sieht"),
    ("sein", "ist"),
    ("sollen", "soll"),
    ("sprechen", "spricht"),
    ("stehlen", "stiehlt"),
    ("sterben", "stirbt"),
    ("stoßen", "stößt"),
    ("tragen", "trägt"),
    ("treffen", "trifft"),
    ("treten", "tritt"),
    ("tun", "tut"),
    ("vergessen", "vergisst"),
    ("wachsen", "wächst"),
    ("werden", "wird"),
    ("werfen", "wirft"),
    ("wissen", "weiß"),
    ("wollen", "will"),
];

/// What stands before a verb without changing how it is inflected.
const PREFIXES: [&str; 44] = [
    "ab",
    "an",
    "auf",
    "aus",
    "auseinander",
    "be",
    "bei",
    "durch",
    "durcheinander",
    "ein",
    "ent",
    "er",
    "fern",
    "fest",
    "fort",
    "frei",
    "ge",
    "heraus",
    "herunter",
    "hin",
    "hinaus",
    "hinter",
    "los",
    "miss",
    "mit",
    "nach",
    "nieder",
    "statt",
    "stehen",
    "teil",
    "um",
    "unter",
    "ver",
    "vor",
    "vorbei",
    "weg",
    "weiter",
    "wieder",
    "zer",
    "zu",
    "zurück",
    "zusammen",
    "zwischen",
    "über",
];

/// Prefixes that leave the verb in a main clause: `lässt … nach`.
const SEPARABLE: [&str; 25] = [
    "ab", "an", "auf", "aus", "bei", "ein", "fern", "fest", "fort", "heraus", "herunter", "hin",
    "los", "mit", "nach", "nieder", "statt", "teil", "vor", "vorbei", "weg", "weiter", "zu",
    "zurück", "zusammen",
];

/// Words in -en that are no verbs.
const NO_VERBS: [&str; 22] = [
    "außen",
    "daneben",
    "dagegen",
    "eben",
    "entgegen",
    "gegen",
    "gestern",
    "hinten",
    "innen",
    "morgen",
    "neben",
    "oben",
    "offen",
    "selten",
    "sondern",
    "unten",
    "verschieden",
    "vorn",
    "wegen",
    "zwischen",
    "eigen",
    "allen",
];

/// Finite forms that stand in headings which are sentences.
const FINITE: [&str; 44] = [
    "beeinflusst",
    "beginnt",
    "bestimmt",
    "bleibt",
    "bleiben",
    "braucht",
    "brauchen",
    "bringt",
    "endet",
    "fällt",
    "fehlt",
    "funktioniert",
    "geht",
    "gibt",
    "haben",
    "hat",
    "hilft",
    "hängt",
    "hält",
    "ist",
    "kann",
    "klappt",
    "kommt",
    "können",
    "lässt",
    "macht",
    "muss",
    "müssen",
    "nimmt",
    "reicht",
    "schadet",
    "sind",
    "sinkt",
    "soll",
    "sollte",
    "steigt",
    "stört",
    "verschwindet",
    "war",
    "waren",
    "werden",
    "wirkt",
    "wird",
    "wirken",
];

/// Verbs that name a mishap rather than something that people set out to do.
const MISHAPS: [&str; 22] = [
    "vergessen",
    "verwechseln",
    "verlieren",
    "verlernen",
    "aufschieben",
    "scheitern",
    "versagen",
    "verpassen",
    "übersehen",
    "einschlafen",
    "abschweifen",
    "missverstehen",
    "durcheinanderbringen",
    "überfordern",
    "vertrödeln",
    "verschlafen",
    "durchfallen",
    "ermüden",
    "stocken",
    "abbrechen",
    "aufgeben",
    "verzweifeln",
];

/// Whether a word in lower case can be an infinitive.
pub(super) fn is_infinitive(word: &str) -> bool {
    let shape = ["en", "ern", "eln"].iter().any(|ending| word.ends_with(ending));
    let long = word.chars().count() >= 4;
    (matches!(word, "tun" | "sein") || (shape && long))
        && word.chars().all(char::is_lowercase)
        && !NO_VERBS.contains(&word)
}

/// Whether a word is one of the finite forms that headings use.
pub(super) fn is_finite(word: &str) -> bool {
    FINITE.contains(&word)
}

/// Whether a word is a prefix that a finite verb leaves at the end of the clause.
pub(super) fn is_separable_prefix(word: &str) -> bool {
    SEPARABLE.contains(&word)
}

/// Whether an infinitive names a mishap.
pub(super) fn is_mishap(infinitive: &str) -> bool {
    MISHAPS.contains(&infinitive)
}

/// `vergessen` → `vergisst`, with the prefix in place as at the end of a subordinate clause.
pub(super) fn third_person(infinitive: &str) -> String {
    let irregular = IRREGULAR.iter().find_map(|(verb, form)| {
        let prefix = infinitive.strip_suffix(verb)?;
        (prefix.is_empty() || PREFIXES.contains(&prefix)).then(|| format!("{prefix}{form}"))
    });
    if let Some(form) = irregular {
        return form;
    }
    let Some(stem) = infinitive.strip_suffix("en") else {
        return format!("{}t", infinitive.strip_suffix('n').unwrap_or(infinitive));
    };
    let mut last = stem.chars().rev();
    let (end, before) = (last.next().unwrap_or('x'), last.next().unwrap_or('a'));
    // atmen → atmet, rechnen → rechnet, but lernen → lernt, kommen → kommt.
    let nasal =
        matches!(end, 'm' | 'n') && (!"aeiouäöülrhmn".contains(before) || stem.ends_with("chn"));
    if matches!(end, 't' | 'd') || nasal { format!("{stem}et") } else { format!("{stem}t") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_take_the_form_that_people_say() {
        for (infinitive, form) in [
            ("vergessen", "vergisst"),
            ("nachlassen", "nachlässt"),
            ("verwechseln", "verwechselt"),
            ("verstehen", "versteht"),
            ("können", "kann"),
            ("arbeiten", "arbeitet"),
            ("rechnen", "rechnet"),
            ("lernen", "lernt"),
            ("scheitern", "scheitert"),
            ("wiederlesen", "wiederliest"),
        ] {
            assert_eq!(third_person(infinitive), form);
        }
    }

    #[test]
    fn an_infinitive_is_not_any_word_that_ends_alike() {
        assert!(is_infinitive("schreiben") && is_infinitive("tun") && is_infinitive("wechseln"));
        assert!(!is_infinitive("zwischen") && !is_infinitive("Lernen") && !is_infinitive("Tag"));
    }
}
