//! What kind of heading a title is.

use super::Purpose;
use super::lexicon::Lexicon;
use super::phrase::{NounPhrase, inside_a_question, is_adjective};
use super::verbs;
use crate::domain::Section;

/// A heading, taken apart as far as its question needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Title {
    /// Ends in a question mark.
    Question,
    /// `Warum Abrufen wirkt`: question word, middle, finite verb.
    Clause { word: String, middle: String, verb: String },
    /// `Die Konzentration lässt nach`: subject, verb, rest, prefix of the verb.
    Statement { subject: String, verb: String, rest: String, prefix: String },
    /// `Gute Karteikarten schreiben`: the whole, and its verb.
    Infinitive { phrase: String, verb: String },
    /// `Mythos Lerntypen`: what follows.
    Myth(String),
    /// `Vom Anfänger zum Könner`, first word lowered.
    Way(String),
    /// `Zu viel Stoff, zu wenig Zeit`, as one list in small letters.
    Excess(String),
    /// `Nervös vor der Prüfung`: adjective, rest.
    State { adjective: String, rest: String },
    /// One or two persons.
    Names { names: String, several: bool },
    /// `Episodisches und semantisches Gedächtnis`, `Primacy- und Recency-Effekt`.
    Contrast(String),
    /// `Tageszeit und Chronotyp`.
    Pair(String),
    /// `Einleitung`, `Fazit`: says nothing without the chapter.
    Generic,
    /// Everything with a noun as its head.
    Noun(NounPhrase),
    /// What no rule reads.
    Other,
}

const QUESTION_WORDS: [&str; 14] = [
    "Was", "Wie", "Wann", "Warum", "Wo", "Wer", "Wozu", "Weshalb", "Wieso", "Woher", "Wohin",
    "Womit", "Wofür", "Wodurch",
];
/// Headings that every text has.
const GENERIC: [&str; 14] = [
    "einleitung",
    "einführung",
    "zusammenfassung",
    "fazit",
    "ausblick",
    "schluss",
    "vorwort",
    "überblick",
    "anhang",
    "einordnung",
    "vorbemerkung",
    "zusammenfassung und ausblick",
    "zusammenfassung & ausblick",
    "weitere informationen",
];
const PARTICLES: [&str; 9] = ["von", "van", "de", "der", "den", "di", "da", "zu", "und"];

impl Title {
    pub(super) fn read(section: &Section, purpose: Purpose, lexicon: &Lexicon) -> Self {
        let title = section.title.trim();
        if title.ends_with('?') {
            return Self::Question;
        }
        if GENERIC.contains(&title.to_lowercase().as_str()) {
            return Self::Generic;
        }
        let words: Vec<&str> = title.split_whitespace().collect();
        if words.is_empty() {
            return Self::Other;
        }
        clause(title)
            .or_else(|| fixed(&words))
            .or_else(|| names(&words, section, purpose, lexicon))
            .or_else(|| infinitive(&words, lexicon))
            .or_else(|| statement(&words, lexicon))
            .or_else(|| pair(&words, lexicon))
            .or_else(|| state(&words, lexicon).filter(|_| purpose == Purpose::Problems))
            .or_else(|| NounPhrase::read(&words, lexicon).map(Self::Noun))
            .unwrap_or(Self::Other)
    }
}

/// A question word and a verb at the end; what follows a colon only says it again.
fn clause(title: &str) -> Option<Title> {
    let core = title.split(": ").next().unwrap_or(title);
    let words: Vec<&str> = core.split_whitespace().collect();
    let (first, rest) = words.split_first()?;
    let (verb, middle) = rest.split_last()?;
    let asks = QUESTION_WORDS.contains(first);
    let verb_at_end = verb.chars().all(char::is_lowercase) && !middle.is_empty();
    (asks && verb_at_end && !core.contains([',', ';'])).then(|| Title::Clause {
        word: (*first).to_owned(),
        middle: middle.join(" "),
        verb: (*verb).to_owned(),
    })
}

/// Headings that their first words give away.
fn fixed(words: &[&str]) -> Option<Title> {
    match words {
        ["Mythos", rest @ ..] if !rest.is_empty() => Some(Title::Myth(rest.join(" "))),
        ["Vom" | "Von", .., to, _] if matches!(*to, "zum" | "zur" | "zu") => {
            Some(Title::Way(super::lexicon::lower(&words.join(" "))))
        }
        ["Zu", "viel" | "viele" | "wenig" | "wenige", _, ..] => {
            Some(Title::Excess(super::lexicon::lower(&words.join(" ")).replace(", ", " und ")))
        }
        _ => None,
    }
}

/// Two capitalised words and more without an article: a person, where the group is about persons
/// or the text tells of a birth.
fn names(words: &[&str], section: &Section, purpose: Purpose, lexicon: &Lexicon) -> Option<Title> {
    let name = |word: &&str| {
        PARTICLES.contains(word)
            || (word.starts_with(char::is_uppercase)
                && word.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '’')))
    };
    let text = &section.text;
    let born = ["geboren", "starb", "gestorben"].iter().any(|word| text.contains(word));
    let article = matches!(words[0], "Der" | "Die" | "Das" | "Ein" | "Eine");
    let capitals = words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    let mentioned = words.iter().any(|word| word.len() > 3 && text.contains(word));
    let person = words.iter().all(name)
        && !article
        && capitals >= 2
        && !is_adjective(words[0], words[1], false, lexicon);
    let life = born && (text.contains(&words.join(" ")) || purpose == Purpose::Persons);
    (person && (life || (purpose == Purpose::Persons && mentioned)))
        .then(|| Title::Names { names: words.join(" "), several: words.contains(&"und") })
}

fn infinitive(words: &[&str], lexicon: &Lexicon) -> Option<Title> {
    let (verb, before) = words.split_last()?;
    let plain = !before.is_empty() && verbs::is_infinitive(verb);
    let phrase = inside_a_question(words, lexicon);
    (plain && !phrase.contains([':', ';', '/']))
        .then(|| Title::Infinitive { phrase, verb: (*verb).to_owned() })
}

fn statement(words: &[&str], lexicon: &Lexicon) -> Option<Title> {
    let at = words.iter().skip(1).position(|word| verbs::is_finite(word))? + 1;
    let rest = &words[at + 1..];
    let (rest, prefix) = match rest.split_last() {
        Some((last, before)) if verbs::is_separable_prefix(last) => (before, *last),
        _ => (rest, ""),
    };
    words[at - 1].starts_with(char::is_uppercase).then(|| Title::Statement {
        subject: inside_a_question(&words[..at], lexicon),
        verb: words[at].to_owned(),
        rest: rest.join(" "),
        prefix: prefix.to_owned(),
    })
}

/// Two things joined by `und`, `oder`, `&`.
fn pair(words: &[&str], lexicon: &Lexicon) -> Option<Title> {
    let at = words.iter().position(|word| matches!(*word, "und" | "oder" | "&" | "vs." | "/"))?;
    let (left, right) = (&words[..at], &words[at + 1..]);
    if left.is_empty()
        || right.is_empty()
        || words.iter().any(|word| word.contains([',', ':', ';']))
    {
        return None;
    }
    let against = matches!(words[at], "oder" | "vs.");
    let ellipsis = left.len() == 1 && left[0].ends_with('-');
    if !ellipsis && left.iter().any(|word| word.ends_with('-')) {
        return None;
    }
    // `Episodisches und semantisches Gedächtnis`: two kinds of one thing.
    let kinds = left.len() == 1
        && right.len() >= 2
        && right[0].starts_with(char::is_lowercase)
        && NounPhrase::read(&right[1..], lexicon).is_some()
        && is_adjective(left[0], right[1], false, lexicon);
    let left_text =
        if kinds { super::lexicon::lower(left[0]) } else { inside_a_question(left, lexicon) };
    let both = format!("{left_text} und {}", right.join(" "));
    let nouns = NounPhrase::read(left, lexicon).is_some_and(|left| left.rest.is_empty())
        && right[0].starts_with(char::is_uppercase)
        && NounPhrase::read(right, lexicon).is_some();
    if kinds || ellipsis || (against && nouns) {
        Some(Title::Contrast(both))
    } else {
        nouns.then_some(Title::Pair(both))
    }
}

/// An adjective that says how somebody is, and when.
fn state(words: &[&str], lexicon: &Lexicon) -> Option<Title> {
    let (first, rest) = words.split_first()?;
    let adjective = super::lexicon::lower(first);
    let shape =
        ["ös", "ig", "lich", "isch", "los", "iert", "end"].iter().any(|e| first.ends_with(e));
    let preposition = rest.first().is_some_and(|word| word.starts_with(char::is_lowercase));
    let never_noun = !lexicon.has(first) && lexicon.has(&adjective);
    (preposition && rest.len() >= 2 && never_noun && (shape || first.ends_with('t')))
        .then(|| Title::State { adjective, rest: rest.join(" ") })
}
