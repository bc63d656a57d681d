//! What stands around the core of a question: greeting, politeness frame, leading clause.
//!
//! All patterns read folded text. Taking a frame off never empties the question: a step that would
//! leave nothing is not taken.

use std::sync::LazyLock;

use regex::Regex;

/// Question words, alone or behind a preposition, as they begin a core.
const QUESTION_WORD: &str = "warum|wieso|weshalb|weswegen|wozu|wofue?r|wie|was|wann|wer|wen|wem|wessen|wo|woher|wohin|worin|\
    woran|worauf|woraus|wodurch|womit|wovon|wobei|wonach|worum|worueber|welche[rsnm]?|inwiefern|inwieweit|ob|\
    (?:ab|seit|bis|von|mit|fue?r|in|unter|aus|zu|bei|nach|auf|an|um) (?:wann|wem|wen|wie|welche[rsnm]?|was)";

static GREETING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:hallo|hi|hey|moin|servus|gruezi|guten (?:tag|morgen|abend)|sorry|entschuldigung|(?:kurze |eine |mal (?:n)?e )?frage|also|und|aber|ja|naja|okay|ok|bitte|sag mal|sagen sie mal|ach|hm+)\b[ ,:!.\-]*",
    )
});

static POLITENESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"^(?:(?:ich|wir|mich|mir|uns|es) (?:[a-z]+ ){{0,6}}?(?:wissen|wuesste|wuessten|interessiert|interessieren|verstehe|verstehen|frage|fragen|klar|unklar|erfahren|kapier\w*|erklaer\w*|herausfinden)\b|(?:kannst|koennt\w*|koennen|wuerdest|wuerden|wollen|willst) (?:du|sie|ihr|wir)\b[^?,]{{0,50}}?\b(?:sag\w*|erklaer\w*|verrat\w*|zeig\w*|erlaeuter\w*|beschreib\w*|erzaehl\w*|helf\w*)|(?:weisst du|wissen sie|wisst ihr|weiss jemand|weiss wer)|(?:sag|sagt|sagen|verrat\w*|erklaer\w*|erlaeuter\w*|beschreib\w*|schilder\w*|zeig\w*|erzaehl\w*)(?: sie)?(?: mir| uns| bitte| mal| doch| kurz| genau)*)[^?,]{{0,40}}?[, ]+((?:{QUESTION_WORD})\b.*)$"
    ))
});

static LEADING_CLAUSE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"^(?:wenn|falls|sobald|nachdem|bevor|obwohl|da|weil|angenommen|sofern|solange|seitdem|seit|waehrend|um)\b[^?]*?, *((?:{QUESTION_WORD})\b.*)$"
    ))
});

static SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:und|sowie|bzw\.?)\b(?: (?:auch|dann|vor allem|ausserdem))? (?:warum|wieso|weshalb|weswegen|wozu|wofue?r|wie|was|wann|wer|wo|woran|woraus|wodurch|womit|welche[rsnm]?|inwiefern|inwieweit|ob)\b|\?.*\w.*\?",
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern")
}

/// The core of a folded question: a suffix of it.
pub(super) fn core(folded: &str) -> &str {
    let mut core = folded;
    // Greetings pile up ("hallo, kurze frage: …"); each round makes the text shorter.
    while let Some(greeting) = GREETING.find(core) {
        let rest = &core[greeting.end()..];
        if greeting.end() == 0 || !has_word(rest) {
            break;
        }
        core = rest;
    }
    for frame in [&*POLITENESS, &*LEADING_CLAUSE] {
        if let Some(inner) = frame.captures(core).and_then(|found| found.get(1)) {
            core = inner.as_str();
        }
    }
    core
}

/// Whether the core asks several questions at once.
pub(super) fn is_multi_part(core: &str) -> bool {
    SEVERAL.is_match(core)
}

fn has_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
