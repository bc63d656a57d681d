//! A question that asks several things at once → its parts: `Wie … und wo …?`
//!
//! Cautious: what is split wrongly is searched for wrongly, what stays whole is only searched less
//! sharply. So a part must be a question of its own, with a question word or its verb in front.

use std::sync::LazyLock;

use regex::Regex;

use super::normalise;
use crate::analysis::{is_function_word, tokens};
use crate::domain::{NormalisedQuery, Query};

/// More parts than this are left together in the last one.
const MOST_PARTS: usize = 3;
/// `Wann und wo` are two words of one question; a part has at least so many.
const LEAST_WORDS: usize = 3;

/// A part with so many words that name something needs no other part to be found.
const LEAST_NAMED: usize = 3;

/// What begins a question: a question word, alone or behind a preposition, or a verb with its
/// subject. The text is as it was written.
const BEGIN: &str = r"(?:(?:(?:ab|seit|bis|von|mit|für|fuer|in|unter|aus|zu|bei|nach|auf|an|um|gegen|durch|über|ueber) )?(?:warum|wieso|weshalb|weswegen|wozu|wofür|wofuer|wie|wieviel|was|wann|wer|wen|wem|wessen|woher|wohin|worin|woran|worauf|woraus|wodurch|womit|wovon|wobei|worüber|worueber|wo|welche[rsnm]?|inwiefern|inwieweit)|(?:kann|können|koennen|könnte\w*|darf|dürfen|duerfen|muss|müssen|muessen|soll\w*|ist|sind|wird|werden|habe|brauche?|bekomm\w*|gibt|lohnt) (?:ich|man|wir|es|das|sich))\b";

/// Where a part may begin; the group `next` is its first character.
static JOINT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)(?:\?\s+(?:(?:und|sowie|aber|oder) )?|[,;]?\s(?:und|sowie)\s+)(?:auch |dann |vor allem |außerdem |ausserdem |zweitens )?(?P<next>{BEGIN})";
    Regex::new(&pattern.replace("{BEGIN}", BEGIN)).expect("a constant pattern")
});

/// How the core of a part begins, folded.
static ASKS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("^(?:{BEGIN}|ob\\b)")).expect("a constant pattern"));

/// A pronoun for what an earlier part named; folded.
static REFERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u:\b)(?:es|ihn|ihm|sie|ihr|er|das|dies\w*|deren|dessen|dafuer|damit|dazu|davon|dabei|daran|darauf)(?-u:\b)")
        .expect("a constant pattern")
});

/// `Was ist der Unterschied zwischen … und …`: what follows `und` is the other thing compared.
static COMPARES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:zwischen|unterschied\w*|unterscheid\w*|vergleich\w*|zusammen\w*)\b")
        .expect("a constant pattern")
});

/// The parts of a question that asks several things at once, in their order; empty for one question.
pub fn parts(query: &NormalisedQuery) -> Vec<NormalisedQuery> {
    let text = query.original();
    let mut starts = vec![0];
    for joint in JOINT.captures_iter(text) {
        let next = joint.name("next").expect("it is not optional").start();
        let end_of_question = joint[0].starts_with('?');
        let last = starts[starts.len() - 1];
        let before = &text[last..next];
        let compared = !end_of_question && COMPARES.is_match(before);
        if starts.len() < MOST_PARTS && !compared && !is_quoted(text, next) && asks(before) {
            starts.push(next);
        }
    }
    while starts.len() > 1 && !asks(&text[starts[starts.len() - 1]..]) {
        starts.pop();
    }
    if starts.len() < 2 {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts.iter().zip(ends).filter_map(|(from, to)| part(&text[*from..to]));
    let whole = |(at, part): (usize, NormalisedQuery)| {
        // `… und wer hat es erfunden?`: only the whole question says what `es` is. A part that names
        // enough itself is found by that; with the whole it would find what the first part finds.
        let refers = at > 0 && REFERS.is_match(part.core()) && named(part.core()) < LEAST_NAMED;
        if refers { part.searched_as(text) } else { part }
    };
    parts.enumerate().map(whole).collect()
}

/// Words of a folded text that name something.
fn named(folded: &str) -> usize {
    tokens(folded).filter(|token| !is_function_word(token.surface)).count()
}

/// Whether the text is a question of its own.
fn asks(text: &str) -> bool {
    part(text).is_some_and(|part| {
        part.core().split_whitespace().count() >= LEAST_WORDS && ASKS.is_match(part.core())
    })
}

/// A part without the `und` that joined it to the next one.
fn part(text: &str) -> Option<NormalisedQuery> {
    let mut text = text.trim();
    for joint in ["und auch", "und dann", "und außerdem", "und", "sowie", "aber", "oder"] {
        let shorter = text.strip_suffix(joint).filter(|rest| rest.ends_with(char::is_whitespace));
        text = shorter.unwrap_or(text).trim_end_matches([' ', ',', ';']);
    }
    let asked = if text.ends_with(['?', '.', '!']) { text.to_owned() } else { format!("{text}?") };
    Some(normalise(&Query::new(&asked, usize::MAX).ok()?))
}

/// Whether a place stands between quotation marks.
fn is_quoted(text: &str, at: usize) -> bool {
    text[..at].chars().filter(|c| "„“”\"»«".contains(*c)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(question: &str) -> Vec<String> {
        let query = normalise(&Query::new(question, 2_000).expect("a question"));
        parts(&query).iter().map(|part| part.original().to_owned()).collect()
    }

    #[test]
    fn a_question_falls_apart_where_another_one_begins() {
        for (question, expected) in [
            (
                "Wie beantrage ich Urlaub und wo melde ich einen defekten Drucker?",
                vec!["Wie beantrage ich Urlaub?", "wo melde ich einen defekten Drucker?"],
            ),
            (
                "Was ist Chunking? Wer hat es beschrieben?",
                vec!["Was ist Chunking?", "Was ist Chunking? Wer hat es beschrieben?"],
            ),
            (
                "Was kostet der Kurs, wann beginnt er, und kann ich ihn absagen?",
                vec![
                    "Was kostet der Kurs, wann beginnt er?",
                    "Was kostet der Kurs, wann beginnt er, und kann ich ihn absagen?",
                ],
            ),
            (
                "Ich wüsste gern, was Skonto ist und wofür man es braucht.",
                vec![
                    "Ich wüsste gern, was Skonto ist?",
                    "Ich wüsste gern, was Skonto ist und wofür man es braucht.",
                ],
            ),
        ] {
            assert_eq!(of(question), expected, "{question}");
        }
    }

    #[test]
    fn a_part_that_refers_to_another_is_searched_with_the_whole() {
        let question = "Was ist Chunking und wer hat es erfunden?";
        let query = normalise(&Query::new(question, 2_000).expect("a question"));
        let parts = parts(&query);
        assert_eq!(parts[0].original(), "Was ist Chunking?");
        assert_eq!(parts[1].original(), question);
        assert_eq!(parts[1].core(), "wer hat es erfunden?");
    }

    #[test]
    fn a_part_that_names_enough_itself_is_searched_alone() {
        for (question, second) in [
            (
                "Wie lange dauert eine Runde, und wo in der Wohnung setze ich mich dafür am besten hin?",
                "wo in der Wohnung setze ich mich dafür am besten hin?",
            ),
            (
                "Was ist Chunking? Wer hat das Modell mit den mehreren Teilen vorgeschlagen?",
                "Wer hat das Modell mit den mehreren Teilen vorgeschlagen?",
            ),
        ] {
            assert_eq!(of(question)[1], second);
        }
    }

    #[test]
    fn one_question_stays_whole() {
        for question in [
            "Wie hängen Schlaf und Lernen zusammen?",
            "Wann und wo findet das Treffen statt?",
            "Was ist der Unterschied zwischen wie man lernt und wie man lehrt?",
            "Worin unterscheiden sich Lernen und was man Pauken nennt?",
            "Ich lese und schreibe, was ich will.",
            "Heute ist es warm und wir gehen baden.",
            "Was heißt „wie gesagt und wie getan“?",
            "Wirklich? Was ist Skonto?",
            "Und wie geht das?",
            "??? ???",
        ] {
            assert_eq!(of(question), Vec::<String>::new(), "{question}");
        }
    }

    #[test]
    fn there_are_at_most_three_parts() {
        let many = "Was ist das hier? ".repeat(50);
        assert_eq!(of(&many).len(), MOST_PARTS);
        let long = "wie geht das und ".repeat(117);
        assert!(of(&long).len() <= MOST_PARTS);
    }
}
