//! What stands around the core of a question: greeting, politeness frame, leading clause.
//!
//! All patterns read folded text. Taking a frame off never empties the question.

use std::sync::LazyLock;

use regex::Regex;

/// Frames stand inside frames (`Hallo, ich wüsste gern: wenn …, wie …`); more rounds than this are
/// not German.
const ROUNDS: usize = 6;

/// A question word, alone or behind a preposition: `{WH}` in the patterns.
const QUESTION_WORD: &str = r"(?:(?:ab|seit|bis|von|mit|fue?r|in|unter|aus|zu|bei|nach|auf|an|um|gegen|durch|ueber) )?(?:warum|wieso|weshalb|weswegen|wozu|wofue?r|wie|was|wann|wer|wen|wem|wessen|woher|wohin|worin|woran|worauf|woraus|wodurch|womit|wovon|wobei|wonach|worum|worueber|wo|welche[rsnm]?|inwiefern|inwieweit)";

/// A finite verb with its subject, as it begins a yes-no question: `{V1}` in the patterns.
const VERB_FIRST: &str = r"(?:bin|werde|kriege?|hab|kann|koennen|koennte\w*|darf|duerfen|muss|muessen|soll\w*|ist|sind|wird|werden|hat|haben|habe|bekomm\w*|gibt es|gilt|brauch\w*|reicht|verlier\w*|zahlt|lohnt) (?:ich|man|wir|es|das|der|die|mein\w*|sich|sie|er|ein|eine)";

/// The rest that begins with a question word: `{REST}` in the patterns.
const REST: &str = r"(?P<rest>(?:{WH}|ob)\b.*)$";

/// Salutations and particles in front; taken off again and again.
static GREETING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:hallo|hi|hey|hallihallo|moin(?: moin)?|servus|gruezi|gruess gott|gruess dich|guten (?:tag|morgen|abend)|liebe[rs]? (?:team|alle|leute|leser\w*|kolleg\w+|herr|frau|freunde|community|forum)|sehr geehrte\w*)(?: (?:zusammen|leute|alle|allerseits|miteinander|ihr(?: lieben)?|liebes? \w+|team|herr [\w-]+|frau [\w-]+|damen und herren))?|sorry|entschuldigung|entschuldigen sie|verzeihung|(?:ich (?:haette|habe?) (?:da )?(?:mal )?)?(?:(?:kurze|schnelle|kleine|eine|ne|mal ne|mal eine|dumme|bloede) )*frage(?: zu[rm]? [\w-]+| an euch)?|also|und|aber|doch|ja|nein|naja|na|nun|tja|okay|ok|bitte|danke|vielen dank|sag(?:t)? mal|sagen sie mal|ach(?: so)?|hm+|aeh+m?|oh|mensch|ehrlich gesagt|mal ehrlich|jetzt mal ehrlich|uebrigens|apropos|ganz kurz|kurz)\b[ ,:;!.…-]*",
    )
});

/// `Ich wüsste gern, …`, `Mir ist unklar, …`
static FRAME_WISH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:ich|wir|mich|mir|uns|es|wuerde|wuesste|moechte|wollte|will|bin|waere|gut|interessant|keine|unklar|nicht) ?(?:[\w]+ ){0,7}?(?:wissen|wuesste|wuessten|weiss|interessiert|interessieren|interessant|wundere?t?|frage|frag|gefragt|fragen|klar|unklar|unsicher|gespannt|ahnung|erfahren|verstehe|versteh|verstehen|verstanden|kapier\w*|herausfinden|sagen|erklaer\w*|vergessen|begreif\w*)\b[^?,]{0,40}?[,: ]+{REST}",
    )
});

/// `Kannst du mir sagen, …`
static FRAME_REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:kannst|koennt\w*|koennen|kann|wuerdest|wuerden|wuerdet|wollen|willst|magst|moegen) (?:du|sie|ihr|wir|mir|uns|jemand|einer)\b[^?,]{0,50}?\b(?:sag\w*|erklaer\w*|verrat\w*|zeig\w*|erlaeuter\w*|beschreib\w*|erzaehl\w*|helf\w*|beantwort\w*|mitteil\w*|schreib\w*|auskunft geben|weiterhelf\w*)[^?,]{0,20}?[,: ]+{REST}",
    )
});

/// `Weißt du, …`, `Hat jemand eine Ahnung, …`
static FRAME_KNOW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:weisst du|wissen sie|wisst ihr|weiss (?:hier )?(?:jemand|wer|einer|man)|(?:hast|habt|haben|hat) (?:du|ihr|sie|jemand|wer) (?:\w+ )?(?:ahnung|idee|plan)|(?:erinnerst|erinnern) (?:du|sie) (?:dich|sich)|ist (?:\w+ )?bekannt|gibt es (?:eine|einen) (?:erklaerung|grund)(?: dafuer)?|was (?:glaubst|meinst|denkst|schaetzt) du|was (?:glauben|meinen|denken) sie)\b[^?,]{0,30}?[,: ]+{REST}",
    )
});

/// `Erklären Sie mir bitte, …`
static FRAME_IMPERATIVE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:sag|sagt|sagen|verrat\w*|erklaer\w*|erlaeuter\w*|beschreib\w*|schilder\w*|zeig\w*|erzaehl\w*|begruend\w*|schreib\w*|nenn\w*)(?: (?:sie|mir|uns|bitte|mal|doch|kurz|genau|einmal|jetzt|einfach|ausfuehrlich))*[,: ]+{REST}",
    )
});

/// `Meine Frage ist: …`
static FRAME_META: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:meine|die|eine|unsere) (?:\w+ )?frage (?:ist|lautet|waere)|es geht (?:mir )?(?:um|darum)|mich beschaeftigt|ich suche (?:eine )?(?:antwort|info\w*)(?: darauf| dazu)?)[^?,]{0,30}?[,: -]+{REST}",
    )
});

/// `Wenn ich umziehe, wie melde ich …`
static FRONT_CLAUSE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:wenn|falls|sobald|nachdem|bevor|ehe|obwohl|da|weil|angenommen|sofern|solange|seitdem|seit|waehrend|um|damit)\b[^?]*?, *(?:dann |so )?(?P<rest>(?:{WH}|ob)\b.*|{V1}\b[^?]*\?.*)$",
    )
});

/// `Ich bin Student. Muss ich …`
static FRONT_STATEMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<head>[^?]{3,120}?)(?:\. |! |; |: | - |, (?:und |aber |also |nun ))(?:und |aber |also |nun |dann )?(?P<rest>(?:{WH}|{V1})\b.*)$",
    )
});

/// `Mir geht's gut, brauche ich …?`
static FRONT_STATEMENT_COMMA: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?P<head>[^?,]{3,120}?), (?P<rest>{V1}\b[^?]*\?.*)$"));

/// The statement speaks of the asker: it may be the trouble itself.
static FRONT_STATEMENT_OWN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:ich|mir|mich|mein\w*|wir|uns|unser\w*)\b"));

/// The statement only introduces the asker (`Ich bin Student`).
static FRONT_STATEMENT_NEUTRAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:ich|wir) (?:bin|sind|war|moechte\w*|will|wollen|plane\w*|habe vor|ueberlege\w*|ziehe|suche|hatte)\b|^mir geht",
    )
});

/// A statement in front that is a symptom, a negation or a question of its own stays.
static FRONT_STATEMENT_KEEP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:nicht|kein\w*|nie|nichts|kaum|nur|oder|besser|lieber|immer|dauernd|staendig|kaputt|defekt|probleme?|fehler\w*|leider|wenn|hilfe|warum|wieso|wie|was|wer|wo|wann|welche\w*)\b|^(?:ich|wir|mein\w*|unser\w*|mir|uns)\b.*\b(?:vergess\w*|verlier\w*|verlor\w*|zu (?:viel|wenig|spaet|langsam|laut|warm|kalt)|tut weh|schmerz\w*)",
    )
});

fn pattern(text: &str) -> Regex {
    let text =
        text.replace("{REST}", REST).replace("{WH}", QUESTION_WORD).replace("{V1}", VERB_FIRST);
    Regex::new(&text).expect("a constant pattern")
}

/// The core of a folded question: a suffix of it.
pub(super) fn core(folded: &str) -> &str {
    let mut core = folded;
    for _ in 0..ROUNDS {
        let before = core;
        core = without_greeting(core);
        core = without_frame(core);
        core = without_front(core);
        if core.len() == before.len() {
            break;
        }
    }
    core
}

fn without_greeting(mut core: &str) -> &str {
    while let Some(greeting) = GREETING.find(core) {
        let rest = &core[greeting.end()..];
        // "Hallo" alone stays: it is all that was said.
        if greeting.is_empty() || !rest.contains(char::is_alphanumeric) {
            break;
        }
        core = rest;
    }
    core
}

fn without_frame(core: &str) -> &str {
    [&FRAME_WISH, &FRAME_REQUEST, &FRAME_KNOW, &FRAME_IMPERATIVE, &FRAME_META]
        .into_iter()
        .find_map(|frame| named(frame, core, "rest"))
        .unwrap_or(core)
}

/// A clause or a statement in front of the question. A statement that is kept ends the search: what
/// follows it is part of it.
fn without_front(core: &str) -> &str {
    if let Some(rest) = named(&FRONT_CLAUSE, core, "rest") {
        return rest;
    }
    for statement in [&FRONT_STATEMENT, &FRONT_STATEMENT_COMMA] {
        if let Some(head) = named(statement, core, "head") {
            let trouble =
                FRONT_STATEMENT_OWN.is_match(head) && !FRONT_STATEMENT_NEUTRAL.is_match(head);
            if trouble || FRONT_STATEMENT_KEEP.is_match(head) {
                return core;
            }
            return named(statement, core, "rest").unwrap_or(core);
        }
    }
    core
}

fn named<'a>(pattern: &Regex, text: &'a str, group: &str) -> Option<&'a str> {
    Some(pattern.captures(text)?.name(group)?.as_str())
}
