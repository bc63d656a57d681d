//! The things that a question compares: `Unterschied zwischen A und B`, `A oder B`, `A vs. B`.
//!
//! Only for questions whose intent is a comparison: `Soll ich A oder B?` looks the same as many a
//! question of yes or no. What is not recognised is searched as a whole, as it would be anyway.

use std::sync::LazyLock;

use regex::Regex;

use super::normalise;
use crate::domain::{NormalisedQuery, Query};

/// More things than this are left to the whole question.
const MOST_ITEMS: usize = 3;
/// A thing of more words than this is a clause, which says too much to be searched for alone.
const MOST_WORDS: usize = 8;
/// `M oder L`: too short to be searched for alone.
const LEAST_LETTERS: usize = 3;

/// Where the things stand, surest form first; the text is as it was written.
static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let forms = [
        r"\bzwischen\s+(?P<a>.+?)\s+und\s+(?P<b>.+)",
        r"\bunterscheide[nt]\s+(?:sich\s+)?(?P<a>.+?)\s+(?:und|von|vom)\s+(?P<b>.+)",
        r"\b(?:sich|was|wie)\s+(?P<a>.+?)\s+(?:und|von|vom)\s+(?P<b>.+?)\s+unterscheide[nt]\b",
        r"(?P<a>.+?)\s+im\s+(?:direkten\s+)?vergleich\s+(?:zu[mr]?|mit)\s+(?P<b>.+)",
        r"\bvergleich(?:e|en\s+sie|t)?\s+(?:(?:mal|bitte|mir|von)\s+)*(?P<a>.+?)\s+(?:mit|und)\s+(?P<b>.+)",
        r"(?P<a>.+?)\s+(?:vs\.?|versus)\s+(?P<b>.+)",
        r"\b(?:hat|haben|verbindet)\s+(?P<a>.+?)\s+(?:und|mit)\s+(?P<b>.+?)\s+gemeinsam\b",
        r"\b(?:hat|bietet|bringt)\s+(?P<a>.+?)\s+gegen(?:ü|ue)ber\s+(?P<b>.+)",
        r"^(?:ist|sind|hei(?:ß|ss)t|bedeute\w*)\s+(?P<a>.+?)\s+(?:(?:dasselbe|das\s+gleiche|identisch)\s+(?:wie|mit)\s+(?P<b>.+)|(?:und|wie)\s+(?P<c>.+?)\s+(?:dasselbe|das\s+gleiche|identisch)\b)",
        r"^(?:ist|sind|wirk\w*|hilft|helfen|lernt|lernen|kostet|kosten)\s+(?P<a>.+?)\s+\w+er\s+als\s+(?P<b>.+)",
        r"\b(?:unterschiede?|gemeinsamkeiten|gegen(?:ü|ue)berstellung)\s+(?:von\s+|bei\s+)?(?P<a>.+?)\s+(?:und|zu[mr]?)\s+(?P<b>.+)",
        r"^(?P<a>.+?)\s+(?:und|oder)\s+(?P<b>.+?)[,:]?\s+unterschiede?\b",
        r"^(?P<a>[^,:?]+?)\s+und\s+(?P<b>[^,:?]+?)\s*[,:]",
    ];
    let form = |form: &&str| Regex::new(&format!("(?is){form}")).expect("a constant pattern");
    forms.iter().map(form).collect()
});

/// `A oder B`, where no other form says what is compared.
static ALTERNATIVES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?is)(?P<a>[^,:;?!.]+?),?\s+oder\s+(?P<b>[^,:;?!.]+)").expect("a constant pattern")
});

/// Where a thing ends: `… Mindmap - was ist besser`, `… Langzeitgedächtnis und wer hat es entdeckt`.
static BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    let asks = "wer|wen|wem|was|wie|wo|wann|warum|wieso|weshalb|wozu|woher|wohin|welche[mnrs]?";
    Regex::new(&format!(r"(?i)[?!;:,]|\s[-–—]\s|\s(?:und|oder|aber)\s+(?:{asks})\b"))
        .expect("a constant pattern")
});

/// Words before a thing that do not name it; folded.
const BEFORE: [&str; 45] = [
    "der",
    "die",
    "das",
    "dem",
    "den",
    "des",
    "ein",
    "eine",
    "einen",
    "einem",
    "einer",
    "eines",
    "zum",
    "zur",
    "mit",
    "von",
    "vom",
    "sich",
    "eigentlich",
    "nun",
    "denn",
    "lieber",
    "eher",
    "besser",
    "doch",
    "entweder",
    "soll",
    "sollte",
    "ist",
    "sind",
    "was",
    "es",
    "ich",
    "man",
    "wir",
    "nehme",
    "nehm",
    "nimmt",
    "mal",
    "bitte",
    "wenn",
    "wann",
    "welche",
    "unterschied",
    "zwischen",
];
/// Words behind a thing that do not name it; folded.
const AFTER: [&str; 12] = [
    "voneinander",
    "miteinander",
    "gemeinsam",
    "eigentlich",
    "genau",
    "besser",
    "lieber",
    "eher",
    "sinnvoller",
    "nun",
    "denn",
    "unterschied",
];

/// What the question compares, each as a question of its own, in the order of the question; empty
/// where it is not recognised.
pub fn compared(query: &NormalisedQuery) -> Vec<NormalisedQuery> {
    let text = query.original();
    let things = FORMS.iter().find_map(|form| items(form, text));
    // Half sentences look the same: `zusammen oder lieber getrennt lernen`.
    let alternatives =
        || items(&ALTERNATIVES, text).filter(|items| items.iter().all(|item| is_thing(item)));
    let query = |item: String| Some(normalise(&Query::new(&item, usize::MAX).ok()?));
    let named = things.or_else(alternatives).unwrap_or_default();
    named.into_iter().filter_map(query).collect()
}

fn items(form: &Regex, text: &str) -> Option<Vec<String>> {
    let found = form.captures(text)?;
    let last = found.name("b").or_else(|| found.name("c"))?;
    let mut items: Vec<String> = found.name("a")?.as_str().split(',').filter_map(item).collect();
    items.push(item(last.as_str())?);
    completed(&mut items);
    items.dedup();
    (2..=MOST_ITEMS).contains(&items.len()).then_some(items)
}

/// One word, or several with a noun.
fn is_thing(item: &str) -> bool {
    let mut words = item.split(' ');
    words.clone().count() == 1 || words.any(|word| word.starts_with(char::is_uppercase))
}

/// The name of a thing without what stands around it.
fn item(text: &str) -> Option<String> {
    let end = BEHIND.find(text).map_or(text.len(), |found| found.start());
    let quote = |c: char| c.is_whitespace() || "„“”\"»«.".contains(c);
    let mut words: Vec<&str> = text[..end].trim_matches(quote).split_whitespace().collect();
    let is = |word: &str, list: &[&str]| list.contains(&word.to_lowercase().as_str());
    while words.first().is_some_and(|word| is(word, &BEFORE)) {
        words.remove(0);
    }
    while words.last().is_some_and(|word| is(word, &AFTER)) {
        words.pop();
    }
    let letters = |word: &&str| word.chars().filter(|c| c.is_alphanumeric()).count();
    let named = words.iter().map(letters).max()? >= LEAST_LETTERS;
    (named && words.len() <= MOST_WORDS).then(|| words.join(" "))
}

/// `Primacy- und Recency-Effekt`, `proaktive und retroaktive Interferenz`: what the last thing says
/// for all of them.
fn completed(items: &mut [String]) {
    let Some((last, others)) = items.split_last_mut() else { return };
    let (first, rest) = last.split_once(' ').unwrap_or((last, ""));
    for item in others {
        if let Some(stem) = item.strip_suffix('-') {
            *item = match last.rsplit_once('-') {
                Some((_, head)) => format!("{stem}-{head}"),
                None => stem.to_owned(),
            };
        } else if !rest.is_empty() && are_alike_adjectives(item, first) {
            *item = format!("{item} {rest}");
        }
    }
}

/// Two words in lower case with the same ending of an adjective.
fn are_alike_adjectives(one: &str, other: &str) -> bool {
    let ending = |word: &str| {
        ["es", "er", "en", "em", "e"].into_iter().find(|ending| word.ends_with(ending))
    };
    let is_lower = |word: &str| word.chars().all(char::is_lowercase);
    is_lower(one) && is_lower(other) && ending(one).is_some() && ending(one) == ending(other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(question: &str) -> Vec<String> {
        let query = normalise(&Query::new(question, 20_000).expect("a question"));
        compared(&query).iter().map(|item| item.original().to_owned()).collect()
    }

    #[test]
    fn each_thing_that_is_compared_is_named() {
        for (question, expected) in [
            (
                "Was ist der Unterschied zwischen Garantie und Gewährleistung?",
                vec!["Garantie", "Gewährleistung"],
            ),
            (
                "Worin unterscheidet sich die GmbH von der UG (haftungsbeschränkt)?",
                vec!["GmbH", "UG (haftungsbeschränkt)"],
            ),
            (
                "Wie unterscheiden sich proaktive und retroaktive Interferenz?",
                vec!["proaktive Interferenz", "retroaktive Interferenz"],
            ),
            (
                "Was ist der Unterschied zwischen Primacy- und Recency-Effekt?",
                vec!["Primacy-Effekt", "Recency-Effekt"],
            ),
            (
                "Ich wüsste gern, worin sich Kurzzeit- und Arbeitsgedächtnis unterscheiden.",
                vec!["Kurzzeit", "Arbeitsgedächtnis"],
            ),
            ("Was unterscheidet einen Hasen von einem Kaninchen?", vec!["Hasen", "Kaninchen"]),
            ("girokonto vs tagesgeldkonto", vec!["girokonto", "tagesgeldkonto"]),
            ("Fernleihe im Vergleich zum Kauf", vec!["Fernleihe", "Kauf"]),
            ("Vergleiche mal Linux mit Windows.", vec!["Linux", "Windows"]),
            ("Was haben Wölfe und Hunde gemeinsam?", vec!["Wölfe", "Hunde"]),
            ("Sind Besitz und Eigentum dasselbe?", vec!["Besitz", "Eigentum"]),
            ("Ist Laminat robuster als Parkett?", vec!["Laminat", "Parkett"]),
            (
                "Welchen Vorteil hat ein Schnellkochtopf gegenüber einem Topf?",
                vec!["Schnellkochtopf", "Topf"],
            ),
            ("Was ist gesünder: Butter oder Margarine?", vec!["Butter", "Margarine"]),
            ("Leitner-Kasten oder App, was ist besser?", vec!["Leitner-Kasten", "App"]),
            ("Soll ich mieten oder kaufen?", vec!["mieten", "kaufen"]),
            ("Karteikarten oder Mindmap - was ist besser?", vec!["Karteikarten", "Mindmap"]),
            (
                "Was ist der Unterschied zwischen Stalagmit und Stalaktit und wer hat ihn entdeckt?",
                vec!["Stalagmit", "Stalaktit"],
            ),
            ("Widerruf und Rücktritt: Wo ist die Abgrenzung?", vec!["Widerruf", "Rücktritt"]),
            ("Unterschied zwischen Alt, Kölsch und Pils", vec!["Alt", "Kölsch", "Pils"]),
            (
                "Was ist der feine Unterschied zwischen „scheinbar“ und „anscheinend“?",
                vec!["scheinbar", "anscheinend"],
            ),
        ] {
            assert_eq!(of(question), expected, "{question}");
        }
    }

    #[test]
    fn what_names_no_two_things_stays_whole() {
        for question in [
            "Welcher Tarif ist billiger, M oder L?",
            "Was ist der Unterschied?",
            "Worin unterscheiden sich die beiden?",
            "Was ist der Unterschied zwischen Butter und Butter?",
            "Soll ich Wörter, die fast gleich klingen, zusammen oder lieber getrennt lernen?",
            "wichtigste aussage lieber ganz am anfang oder mittendrin",
            "Sind es die gleichen?",
            "oder",
            "vs vs vs",
        ] {
            assert_eq!(of(question), Vec::<String>::new(), "{question}");
        }
    }

    #[test]
    fn a_long_list_stays_whole_and_takes_no_time() {
        let many = format!("Unterschied zwischen {}und Z?", "Apfel, ".repeat(2_000));
        assert_eq!(of(&many), Vec::<String>::new());
        let _ = of(&"zwischen und oder ".repeat(1_000));
    }

    proptest! {
        #[test]
        fn any_text_gives_none_or_several_visible_things(text in "\\PC{1,60}( oder | vs. | und )\\PC{1,60}") {
            if let Ok(query) = Query::new(&text, 2_000) {
                let items = compared(&normalise(&query));
                prop_assert!(items.len() != 1 && items.len() <= MOST_ITEMS);
            }
        }
    }
}
