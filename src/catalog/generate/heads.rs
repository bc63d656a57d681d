//! Nouns that say by themselves what is asked: `Nutzen`, `Wirkung`, `Geschichte`, `-methode`.

use super::forms::{Form, form, open};
use super::lexicon::{Lexicon, Number};
use super::phrase::{NounPhrase, stem};

/// Nouns with a genitive or `von`: what is asked of them. `{}` takes the noun and what follows.
const OF_SOMETHING: [(&str, &str); 22] = [
    ("Ablauf", "Wie sieht der {} aus?"),
    ("Aufbau", "Wie sieht der {} aus?"),
    ("Bedeutung", "Worin liegt die {}?"),
    ("Einfluss", "Wie groß ist der {}?"),
    ("Entstehung", "Wie verlief die {}?"),
    ("Entwicklung", "Wie verläuft die {}?"),
    ("Folgen", "Was sind die {}?"),
    ("Geschichte", "Wie verlief die {}?"),
    ("Grenzen", "Wo liegen die {}?"),
    ("Nachteile", "Worin liegen die {}?"),
    ("Nutzen", "Worin liegt der {}?"),
    ("Rolle", "Worin besteht die {}?"),
    ("Unterschied", "Worin besteht der {}?"),
    ("Unterschiede", "Worin bestehen die {}?"),
    ("Ursachen", "Was sind die {}?"),
    ("Vergleich", "Was zeigt der {}?"),
    ("Verlauf", "Wie sieht der {} aus?"),
    ("Vorteil", "Worin liegt der {}?"),
    ("Vorteile", "Worin liegen die {}?"),
    ("Wirkung", "Worin besteht die {}?"),
    ("Ziele", "Was sind die {}?"),
    ("Zweck", "Worin liegt der {}?"),
];
/// Endings of nouns that name a way to do something.
const WAYS: [&str; 9] = [
    "methode",
    "technik",
    "verfahren",
    "prozess",
    "system",
    "strategie",
    "ansatz",
    "workflow",
    "training",
];
/// Endings of nouns that name a time to be filled.
const TIMES: [&str; 7] = ["tag", "woche", "abend", "monat", "stunde", "morgen", "ablauf"];
/// Endings of nouns that show something.
const SHOWING: [&str; 8] = [
    "studie",
    "experiment",
    "versuch",
    "übersicht",
    "untersuchung",
    "metaanalyse",
    "kurve",
    "statistik",
];

/// The forms that the head calls for, best first; none for most heads.
pub(super) fn by_head(phrase: &NounPhrase, lexicon: &Lexicon) -> Vec<Form> {
    let noun = phrase.noun();
    let small = noun.to_lowercase();
    let ends = |list: &[&str]| list.iter().any(|ending| small.ends_with(ending));
    let mut forms = Vec::new();
    if !phrase.rest.is_empty() && phrase.adjectives.is_empty() {
        forms.extend(thing_with(noun, &phrase.rest, lexicon));
        let known = OF_SOMETHING.iter().find(|(head, _)| *head == noun);
        if let Some((_, pattern)) = known.filter(|_| phrase.article.is_none()) {
            forms.push(open(pattern.replace("{}", &format!("{noun} {}", phrase.rest))));
        }
    }
    if ends(&SHOWING) && phrase.article.is_some() {
        let verb = phrase.verb("zeigt", "zeigen").unwrap_or("zeigt");
        forms.push(open(format!("Was {verb} {}?", phrase.nominative())));
    } else if ends(&TIMES) && phrase.article.is_some() {
        forms.push(form(format!("Wie plant man {}?", phrase.accusative()), "how"));
    } else if ends(&WAYS) && phrase.article.is_some() && phrase.number == Number::Singular {
        forms.push(form(format!("Wie funktioniert {}?", phrase.nominative()), "how"));
    }
    if forms.is_empty() && !phrase.rest.is_empty() && !phrase.rest.starts_with('(') {
        forms.extend(with_rest(phrase, lexicon));
    }
    forms
}

/// `Arten von Metadaten`, `Anbindung von Systemen`, `Priorisieren mit der Matrix`.
fn with_rest(phrase: &NounPhrase, lexicon: &Lexicon) -> Option<Form> {
    let noun = phrase.noun();
    let bare = phrase.article.is_none();
    let of = ["von ", "des ", "der ", "eines ", "einer "]
        .iter()
        .any(|word| phrase.rest.starts_with(word));
    if lexicon.is_nominalised(noun) && bare && phrase.adjectives.is_empty() {
        // `Lernen über die Lebensspanne` happens, `Lernen durch Lehren` is done.
        let happens = phrase.rest.starts_with("über ") || phrase.rest.starts_with("in ");
        return Some(if happens {
            open(format!("Was geschieht beim {}?", phrase.nominative()))
        } else if phrase.rest.starts_with("ohne ") || phrase.rest.starts_with("vor ") {
            return None;
        } else {
            form(format!("Wie funktioniert das {}?", phrase.nominative()), "how")
        });
    }
    if phrase.number == Number::Plural && bare && !phrase.rest.starts_with("als ") {
        return Some(form(format!("Welche {} gibt es?", phrase.after_which()), "which_list"));
    }
    let action = noun.ends_with("ung") || noun.ends_with("ion");
    let plain = phrase.adjectives.is_empty() && bare;
    (action && of && plain)
        .then(|| form(format!("Wie funktioniert die {}?", phrase.nominative()), "how"))
}

/// `Nutzen des verteilten Lernens` → `Welchen Nutzen hat verteiltes Lernen?`
fn thing_with(noun: &str, rest: &str, lexicon: &Lexicon) -> Option<Form> {
    let (question, intent) = match noun {
        "Nutzen" => ("Welchen Nutzen", Some("benefit")),
        "Wirkung" => ("Welche Wirkung", None),
        "Vorteil" => ("Welchen Vorteil", Some("benefit")),
        _ => return None,
    };
    let words: Vec<&str> = rest.split(' ').collect();
    let (verb, subject, tail) = match words.as_slice() {
        ["des", adjectives @ .., last] if last.ends_with("ens") => {
            let noun = last.strip_suffix('s')?;
            let weak = adjectives.iter().all(|word| word.ends_with("en"));
            if !weak || !lexicon.is_nominalised(noun) {
                return None;
            }
            // Strong where there is an adjective: verteiltes Lernen; with article where not.
            let strong = adjectives.iter().map(|word| format!("{}es ", stem(word)));
            let article = if adjectives.is_empty() { "das " } else { "" };
            ("hat", format!("{article}{}{noun}", strong.collect::<String>()), String::new())
        }
        ["von", noun] | ["von", noun, "auf", ..] => {
            let verb = match lexicon.number(noun) {
                Number::Singular => "hat",
                Number::Plural if noun.ends_with('n') || noun.ends_with('s') => "haben",
                Number::Plural | Number::Unknown => return None,
            };
            (verb, (*noun).to_owned(), words[2..].join(" "))
        }
        _ => return None,
    };
    let tail = if tail.is_empty() { tail } else { format!(" {tail}") };
    Some(Form { text: format!("{question} {verb} {subject}{tail}?"), intent })
}
