//! What a question visibly calls off: `Ich will nicht kündigen, nur meine Adresse ändern`.

use std::sync::LazyLock;

use regex::Regex;

use crate::analysis;

/// Words that call off what follows them.
const NEGATIONS: [&str; 6] = ["nicht", "kein", "keine", "keinen", "keiner", "keinem"];
/// Words that say what is meant instead; only a negation before one of these calls a topic off.
/// `Ich kann nicht schlafen` is about sleep, `nicht kündigen, sondern umziehen` is not about leaving.
const INSTEAD: [&str; 5] = ["sondern", "nur", "lediglich", "bloss", "vielmehr"];

/// Words and the marks that end a sentence.
static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\w+|[.?!;]").expect("a constant pattern"));

/// The spans of `text` between a negation and the `sondern`, `nur` … of the same sentence that
/// answers it: `[start, end)` in bytes, in order.
pub fn called_off(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut from = None;
    for token in TOKEN.find_iter(text) {
        let word = analysis::fold(token.as_str());
        if matches!(word.as_str(), "." | "?" | "!" | ";") {
            from = None;
        } else if INSTEAD.contains(&word.as_str()) {
            let called_off =
                from.take().filter(|from| !text[*from..token.start()].trim().is_empty());
            spans.extend(called_off.map(|from| (from, token.start())));
        } else if from.is_none() && NEGATIONS.contains(&word.as_str()) {
            from = Some(token.end());
        }
    }
    spans
}

/// The text without the words that it calls off; the negation and what is meant stay.
pub(super) fn without_called_off(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for (from, to) in called_off(text) {
        kept.push_str(&text[at..from]);
        kept.push_str(", ");
        at = to;
    }
    kept.push_str(&text[at..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_replaced_by_something_else_is_called_off() {
        for (question, kept) in [
            ("ich will nicht kuendigen, nur umziehen", "ich will nicht, nur umziehen"),
            ("keine kuendigung, sondern einen umzug", "keine, sondern einen umzug"),
            ("ich kann nicht schlafen", "ich kann nicht schlafen"),
            ("nicht nur heute, sondern auch morgen", "nicht nur heute, sondern auch morgen"),
            ("das geht nicht. gibt es nur eins?", "das geht nicht. gibt es nur eins?"),
            ("ich brauche nur nicht alles", "ich brauche nur nicht alles"),
        ] {
            assert_eq!(without_called_off(question), kept);
        }
    }

    #[test]
    fn umlauts_do_not_shift_the_spans() {
        let text = "Über Öl nicht reden, bloß über Gas";
        let spans: Vec<&str> =
            called_off(text).into_iter().map(|(from, to)| &text[from..to]).collect();
        assert_eq!(spans, [" reden, "]);
    }
}
