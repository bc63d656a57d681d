//! The question for a heading: several forms, best first.

use super::Purpose;
use super::heads;
use super::lexicon::{Lexicon, Number};
use super::phrase::NounPhrase;
use super::title::Title;
use super::verbs;
use crate::domain::Section;

/// A question and the intent it certainly has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) text: String,
    pub(super) intent: Option<&'static str>,
}

pub(super) fn form(text: impl Into<String>, intent: &'static str) -> Form {
    Form { text: text.into(), intent: Some(intent) }
}

pub(super) fn open(text: impl Into<String>) -> Form {
    Form { text: text.into(), intent: None }
}

/// All forms that fit, best first; the last one is grammatical for any heading.
pub(super) fn all(section: &Section, purpose: Purpose, lexicon: &Lexicon) -> Vec<Form> {
    let title = Title::read(section, purpose, lexicon);
    let heading = section.title.trim();
    let mut forms = match &title {
        Title::Question => vec![open(heading)],
        Title::Clause { word, middle, verb } => clause(word, middle, verb),
        Title::Statement { subject, verb, rest, prefix } => {
            statement(purpose, subject, verb, rest, prefix)
        }
        Title::Infinitive { phrase, verb } => infinitive(purpose, phrase, verb),
        Title::Myth(myth) => myths(myth),
        Title::Way(way) => vec![open(format!("Wie verläuft der Weg {way}?"))],
        Title::Excess(excess) => vec![
            form(format!("Was hilft bei {excess}?"), "troubleshoot"),
            form(format!("Was kann man bei {excess} tun?"), "troubleshoot"),
        ],
        Title::State { adjective, rest } => {
            vec![form(format!("Was hilft, wenn man {rest} {adjective} ist?"), "troubleshoot")]
        }
        Title::Names { names, several } => persons(names, *several, &section.text),
        Title::Contrast(both) => vec![
            form(format!("Wie unterscheiden sich {both}?"), "compare"),
            open(format!("Was haben {both} gemeinsam?")),
        ],
        Title::Pair(both) => pair(purpose, both),
        Title::Noun(phrase) => noun(purpose, phrase, lexicon),
        Title::Generic | Title::Other => Vec::new(),
    };
    let quoted = heading.trim_end_matches('?').replace(['„', '“', '”', '"'], "");
    forms.push(match section.path.last().filter(|_| title == Title::Generic) {
        Some(chapter) => open(format!("Was steht unter „{quoted}“ zum Thema „{chapter}“?")),
        None => open(format!("Worum geht es bei „{quoted}“?")),
    });
    forms
}

fn clause(word: &str, middle: &str, verb: &str) -> Vec<Form> {
    let cause = matches!(word, "Warum" | "Weshalb" | "Wieso");
    let small = word.to_lowercase();
    let mut forms = Vec::new();
    // `Wie lange Pausen dauern`: where the question word ends, no rule can tell.
    if word != "Wie" && word != "Wer" {
        let intent = match word {
            _ if cause => Some("why"),
            "Wann" => Some("when"),
            _ => None,
        };
        forms.push(Form { text: format!("{word} {verb} {middle}?"), intent });
    }
    if cause {
        forms.push(form(format!("Wie kommt es, dass {middle} {verb}?"), "why"));
    }
    forms.push(open(format!("Können Sie erklären, {small} {middle} {verb}?")));
    forms
}

fn statement(purpose: Purpose, subject: &str, verb: &str, rest: &str, prefix: &str) -> Vec<Form> {
    let middle = if rest.is_empty() { String::new() } else { format!(" {rest}") };
    let end = if prefix.is_empty() { String::new() } else { format!(" {prefix}") };
    let why = form(format!("Warum {verb} {subject}{middle}{end}?"), "why");
    if purpose == Purpose::Problems {
        let text = format!("Was hilft, wenn {subject}{middle} {prefix}{verb}?");
        vec![form(text, "troubleshoot"), why]
    } else {
        vec![why]
    }
}

fn infinitive(purpose: Purpose, phrase: &str, verb: &str) -> Vec<Form> {
    let negated = ["nicht", "nie", "kein", "keine", "keinen", "zu"]
        .iter()
        .any(|word| phrase.split(' ').any(|part| part == *word));
    if purpose == Purpose::Problems && (negated || verbs::is_mishap(verb)) {
        let before = phrase.strip_suffix(verb).unwrap_or(phrase);
        let said = format!("{before}{}", verbs::third_person(verb));
        return vec![
            form(format!("Was hilft, wenn man {said}?"), "troubleshoot"),
            form(format!("Was kann man tun, wenn man {said}?"), "troubleshoot"),
        ];
    }
    vec![
        form(format!("Wie kann man {phrase}?"), "how"),
        open(format!("Was ist zu beachten, wenn man {phrase} will?")),
    ]
}

fn myths(myth: &str) -> Vec<Form> {
    if myth.contains(' ') {
        let quoted = myth.replace(['„', '“', '"'], "");
        vec![
            form(format!("Was ist am Mythos „{quoted}“ dran?"), "yes_no"),
            form(format!("Stimmt der Mythos „{quoted}“?"), "yes_no"),
        ]
    } else {
        vec![
            form(format!("Was ist am Mythos {myth} dran?"), "yes_no"),
            form(format!("Stimmt der Mythos {myth}?"), "yes_no"),
        ]
    }
}

/// `war` needs a death in the text, or a year that nobody alive has seen.
fn persons(names: &str, several: bool, text: &str) -> Vec<Form> {
    let died = ["starb", "gestorben", "seinem Tod", "ihrem Tod", "lebte"];
    let years = text.split(|c: char| !c.is_ascii_digit()).filter_map(|run| run.parse::<u32>().ok());
    let past = died.iter().any(|word| text.contains(word))
        || years.filter(|year| (1000..1900).contains(year)).count() > 0;
    let verb = match (several, past) {
        (false, false) => "ist",
        (false, true) => "war",
        (true, false) => "sind",
        (true, true) => "waren",
    };
    let known = if several { "sind" } else { "ist" };
    vec![
        form(format!("Wer {verb} {names}?"), "who"),
        open(format!("Wofür {known} {names} bekannt?")),
    ]
}

fn pair(purpose: Purpose, both: &str) -> Vec<Form> {
    let together = open(format!("Wie hängen {both} zusammen?"));
    if purpose == Purpose::Methods {
        vec![form(format!("Wie funktionieren {both}?"), "how"), together]
    } else {
        vec![together]
    }
}

fn noun(purpose: Purpose, phrase: &NounPhrase, lexicon: &Lexicon) -> Vec<Form> {
    let mut forms = heads::by_head(phrase, lexicon);
    forms.extend(match purpose {
        Purpose::Problems => problem(phrase, lexicon),
        Purpose::Methods => works(phrase, lexicon),
        Purpose::Terms | Purpose::Effects | Purpose::Persons | Purpose::Other => Vec::new(),
    });
    let short = phrase.rest.is_empty() || phrase.rest.starts_with('(');
    if short && purpose != Purpose::Persons {
        forms.extend(what(phrase, lexicon));
    } else if purpose == Purpose::Effects
        && let Some(verb) = phrase.verb("bedeutet", "bedeuten")
    {
        forms.push(form(format!("Was {verb} {}?", phrase.nominative()), "definition"));
    }
    if let Some(object) = about(phrase, lexicon) {
        forms.push(open(format!("Was muss man über {object} wissen?")));
    }
    forms
}

/// `Was ist …?` in the form that the noun takes.
fn what(phrase: &NounPhrase, lexicon: &Lexicon) -> Vec<Form> {
    let bare = phrase.article.is_none() && phrase.adjectives.is_empty();
    let subject = phrase.definite(lexicon);
    let with_article = subject != phrase.nominative();
    let counted = bare && !with_article && !lexicon.is_uncounted(phrase.noun());
    let unnumbered = phrase.number == Number::Unknown && !phrase.noun().ends_with(['e', 'n', 's']);
    // A bare `Was ist Suchindex?` is no German, and the article is not known.
    if bare && (unnumbered || (counted && phrase.number == Number::Singular)) {
        let named = phrase.nominative().replace(['„', '“'], "");
        return vec![form(format!("Was versteht man unter „{named}“?"), "definition")];
    }
    let verbs = [phrase.verb("ist", "sind"), phrase.verb("bedeutet", "bedeuten")];
    let forms = verbs.into_iter().flatten();
    forms.map(|verb| form(format!("Was {verb} {subject}?"), "definition")).collect()
}

/// The phrase as an object; nothing where it lacks an article that is not known.
fn about(phrase: &NounPhrase, lexicon: &Lexicon) -> Option<String> {
    let bare = phrase.article.is_none() && phrase.adjectives.is_empty();
    let object = phrase.accusative();
    if !bare || phrase.number != Number::Singular || phrase.rest.is_empty() {
        return Some(object);
    }
    let article = lexicon.object_article(phrase.noun())?;
    Some(format!("{article} {object}"))
}

fn works(phrase: &NounPhrase, lexicon: &Lexicon) -> Vec<Form> {
    let verb = phrase.verb("funktioniert", "funktionieren");
    let nominal = lexicon.is_nominalised(phrase.noun()) && phrase.adjectives.is_empty();
    let article = if nominal && !phrase.rest.is_empty() { "das " } else { "" };
    let form = |verb| form(format!("Wie {verb} {article}{}?", phrase.nominative()), "how");
    verb.map(form).into_iter().collect()
}

fn problem(phrase: &NounPhrase, lexicon: &Lexicon) -> Vec<Form> {
    let noun = phrase.noun();
    // What people do on purpose is not to be cured but to be thought over.
    let activity = lexicon.is_nominalised(noun) || noun.ends_with("ing");
    if let Some(lacking) = phrase.rest.strip_prefix("ohne ").filter(|_| activity) {
        let subject = phrase.head.clone();
        return vec![form(format!("Warum bleibt {subject} ohne {lacking}?"), "why")];
    }
    if activity {
        return vec![open(format!("Was spricht gegen {}?", phrase.accusative()))];
    }
    if let Some(dative) = phrase.dative() {
        return vec![form(format!("Was hilft bei {dative}?"), "troubleshoot")];
    }
    let bare = phrase.article.is_none() && phrase.adjectives.is_empty();
    let article =
        lexicon.object_article(noun).filter(|_| bare).map(|article| format!("{article} "));
    let object = article.unwrap_or_default() + &phrase.accusative();
    vec![form(format!("Was hilft gegen {object}?"), "troubleshoot")]
}
