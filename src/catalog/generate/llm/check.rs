//! Whether what a model wrote is a question for the catalog.
//!
//! The model is asked for all of this, and believed in nothing: a section may have told it
//! otherwise.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::Tier;
use crate::analysis::{fold, is_function_word, tokens};
use crate::domain::{Query, Section};

/// Nobody asks longer in one sentence, in characters.
const LONGEST: usize = 240;
/// So many words of the section in a row are its wording, not a question about it.
const COPIED: usize = 5;
/// A dot behind a word of so many letters is no abbreviation (`Prof.`, `bzw.`).
const SHORTEST_LAST_WORD: usize = 5;

/// Why a question was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Nothing visible, or too long.
    Length,
    /// More or less than one sentence.
    Sentences,
    /// No question word, no verb in front, or no question mark.
    NoQuestion,
    /// Not German.
    Language,
    /// Five words in a row are the section's.
    Copied,
    /// The catalog has this question.
    Duplicate,
}

impl Fault {
    /// For people, behind `refused: `.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Length => "empty or longer than 240 characters",
            Self::Sentences => "not one sentence",
            Self::NoQuestion => "not a question",
            Self::Language => "not German",
            Self::Copied => "copies five words in a row",
            Self::Duplicate => "the catalog has it already",
        }
    }

    /// What the model is told.
    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Length => "ist leer oder länger als 240 Zeichen",
            Self::Sentences => "ist nicht genau ein Satz mit einem Fragezeichen am Ende",
            Self::NoQuestion => "hat nicht die Form einer Frage",
            Self::Language => "ist nicht auf Deutsch",
            Self::Copied => "übernimmt fünf Wörter hintereinander aus dem Abschnitt",
            Self::Duplicate => "gibt es schon; frage nach etwas anderem im Abschnitt",
        }
    }
}

/// What a section's questions must not repeat.
#[derive(Debug)]
pub(super) struct Wording {
    text: BTreeSet<Vec<String>>,
    title: BTreeSet<Vec<String>>,
}

impl Wording {
    pub(super) fn of(section: &Section) -> Self {
        Self { text: runs(&section.text), title: runs(&section.title) }
    }

    /// A question of the tier `title` may name its heading, however long that is.
    fn copies(&self, tier: Tier, question: &str) -> bool {
        let heading = |run: &Vec<String>| tier != Tier::Title && self.title.contains(run);
        runs(question).iter().any(|run| self.text.contains(run) || heading(run))
    }
}

/// All runs of [`COPIED`] folded words.
fn runs(text: &str) -> BTreeSet<Vec<String>> {
    let words: Vec<String> = tokens(text).map(|token| fold(token.surface)).collect();
    words.windows(COPIED).map(<[String]>::to_vec).collect()
}

/// The same key for questions that differ in spelling only.
pub(super) fn key(question: &str) -> String {
    tokens(question).map(|token| fold(token.surface)).collect::<Vec<_>>().join(" ")
}

/// The question, without what is invisible or only around it. `taken` holds the [`key`]s of other
/// questions.
pub(super) fn check(
    tier: Tier,
    text: &str,
    wording: &Wording,
    taken: &BTreeSet<String>,
) -> Result<String, Fault> {
    let bare = unquoted(text.trim());
    if bare.contains('\n') {
        return Err(Fault::Sentences);
    }
    let query = Query::new(bare, LONGEST).map_err(|_| Fault::Length)?;
    let question = query.as_str();
    if !is_one_sentence(question) {
        return Err(Fault::Sentences);
    }
    if !is_german(question) {
        return Err(Fault::Language);
    }
    if !asks(question) {
        return Err(Fault::NoQuestion);
    }
    if wording.copies(tier, question) {
        return Err(Fault::Copied);
    }
    if taken.contains(&key(question)) {
        return Err(Fault::Duplicate);
    }
    Ok(question.to_owned())
}

/// Without quotation marks around the whole.
fn unquoted(text: &str) -> &str {
    let pairs = [('"', '"'), ('„', '“'), ('„', '”'), ('“', '”'), ('»', '«'), ('\'', '\'')];
    let inner = pairs.iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.contains([*open, *close])).then_some(inner)
    });
    inner.unwrap_or(text).trim()
}

fn is_one_sentence(text: &str) -> bool {
    let Some(before) = text.strip_suffix('?') else { return false };
    if before.contains(['?', '!', '…']) || before.trim_end() != before {
        return false;
    }
    let ends = before.match_indices(". ").filter(|(at, _)| {
        let word: String = before[..*at].chars().rev().take_while(|c| c.is_alphabetic()).collect();
        word.chars().count() >= SHORTEST_LAST_WORD
    });
    ends.count() == 0
}

/// A question word in front, behind a preposition or behind a comma, or a verb in front.
fn asks(question: &str) -> bool {
    if BY_WORD.is_match(&fold(question)) {
        return true;
    }
    let mut words = tokens(question).map(|token| token.surface);
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    // What a statement begins with is followed by its verb; a noun may look like one.
    let noun = second.starts_with(char::is_uppercase);
    is_verb(&fold(first)) && (noun || !is_verb(&fold(second)))
}

/// On the folded question.
static BY_WORD: LazyLock<Regex> = LazyLock::new(|| {
    let before = "ab|an|auf|aus|bei|bis|durch|fuer|gegen|in|mit|nach|seit|ueber|um|unter|von|vor|zu|\
                  und|aber|wegen|zwischen|ohne|neben|hinter";
    let asking = "warum|wieso|weshalb|weswegen|wozu|wie|wieviel\\w*|was|wann|wer|wen|wem|wessen|wo|\
                  woher|wohin|wofuer|womit|wodurch|wovon|wobei|woran|worauf|woraus|worin|worum|\
                  worueber|wogegen|wovor|wonach|welche\\w*|inwiefern|inwieweit|ob";
    Regex::new(&format!(r"(?:^|, )(?:(?:{before}) )?(?:{asking})(?-u:\b)"))
        .expect("a constant pattern")
});

/// Finite verbs that a question begins with, beside those that end in `t`.
const VERBS: &str = "bin ist sind war waren hat haben hatte hatten kann koennen koennte koennten darf \
    duerfen muss muessen soll sollen sollte sollten will wollen mag moechte moechten wird werden \
    wurde wurden wuerde wuerden weiss wissen gab tut helfen machen brauchen bringen nutzen nuetzen \
    lernen lassen gehoeren fuehren wirken schaden lohnen unterscheiden haengen";

/// Whether a folded word may be a finite verb of the third person.
fn is_verb(word: &str) -> bool {
    let listed = VERBS.split(' ').any(|verb| verb == word);
    // `nicht` and `jetzt` are none.
    let third = word.len() >= 4 && word.ends_with('t');
    listed || (third && (!is_function_word(word) || ["gibt", "geht", "macht"].contains(&word)))
}

/// Words of languages that a model falls into, and that no German sentence has. Folded.
const FOREIGN: &str = "the is are what how why which who whom does do did of to and you your i it its \
    this that these those with for from can could should would when where there be been has have \
    had about into le la les des du est sont quel quelle quels quelles comment pourquoi qui que quoi \
    une dans pour avec el los las es son cual cuales como por para una del wat hoe waarom het een \
    van zijn niet welke voor hvad hvordan hvorfor er og ikke il lo gli sono quale come perche di che";
/// German words that another language has as well: they tell nothing beside a foreign one.
const SHARED: &str = "was die an in so will war hat man also am it es er des du den son bin bei";

/// More German function words than foreign ones; umlauts count as such.
fn is_german(question: &str) -> bool {
    let listed = |list: &str, word: &str| list.split_whitespace().any(|listed| listed == word);
    let (mut german, mut shared, mut foreign) = (0, 0, 0);
    for token in tokens(question) {
        let word = fold(token.surface);
        let own_letters = token.surface.chars().any(|c| "äöüßÄÖÜẞ".contains(c));
        if listed(SHARED, &word) {
            shared += 1;
        } else if is_function_word(&word) || own_letters {
            german += 1;
        } else if listed(FOREIGN, &word) {
            foreign += 1;
        }
    }
    german > foreign || (foreign == 0 && shared > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::generate::tests::section;

    const TEXT: &str = "Wer den Stoff auf mehrere Tage verteilt, behält ihn länger. Das zeigte \
                        Ebbinghaus schon 1885.";

    fn judged(tier: Tier, text: &str) -> Result<String, Fault> {
        let section = section(0, "Die Pomodoro-Technik im Tagesablauf", "methods", TEXT);
        check(tier, text, &Wording::of(&section), &BTreeSet::new())
    }

    #[test]
    fn questions_in_all_german_forms_are_taken() {
        for question in [
            "Was bedeutet Chunking?",
            "Wer war der Patient H. M.?",
            "Auf wen geht die Loci-Methode zurück?",
            "Bei welchen Aufgaben hilft lautes Lesen?",
            "Hilft Unterricht beim Behalten?",
            "Bringt verteiltes Lernen etwas?",
            "Gibt es Lerntypen?",
            "Unterscheiden sich Wiedererkennen und Abrufen?",
            "Können Sie erklären, was ein Cue ist?",
            "Wenn ich mich ständig ablenken lasse, was hilft dagegen?",
            "Seit wann kennt man die Vergessenskurve, z. B. bei Silben?",
            "Wofür steht „desirable difficulties“?",
            "was hilft gegen das aufschieben?",
        ] {
            assert_eq!(judged(Tier::Paraphrase, question).as_deref(), Ok(question));
        }
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        for (text, fault) in [
            ("", Fault::Length),
            ("\u{200b}\u{202e}", Fault::Length),
            (&*format!("Was ist {}?", "x".repeat(LONGEST)), Fault::Length),
            ("Was ist Chunking", Fault::Sentences),
            ("Was ist Chunking? Und wer erfand es?", Fault::Sentences),
            ("Chunking hilft beim Merken. Warum ist das so?", Fault::Sentences),
            ("Frage:\nWas ist Chunking?", Fault::Sentences),
            ("Was ist Chunking ?", Fault::Sentences),
            ("Achtung! Was ist Chunking?", Fault::Sentences),
            ("What is chunking?", Fault::Language),
            ("Why was the method so good in 1900?", Fault::Language),
            ("Qu'est-ce que la mémoire?", Fault::Language),
            ("Wat is het werkgeheugen?", Fault::Language),
            ("Cómo funciona la memoria?", Fault::Language),
            ("Chunking?", Fault::Language),
            ("Schlaf stützt das Gedächtnis?", Fault::NoQuestion),
            ("Unterricht hilft beim Behalten?", Fault::NoQuestion),
            ("Verteiltes Lernen ist gut?", Fault::NoQuestion),
            ("Ich will das wissen?", Fault::NoQuestion),
        ] {
            assert_eq!(judged(Tier::Paraphrase, text), Err(fault), "{text}");
        }
    }

    #[test]
    fn five_words_of_the_section_in_a_row_are_refused_however_they_are_spelt() {
        for copied in [
            "Warum behält man, wer den Stoff auf mehrere Tage verteilt?",
            "Was tut, wer DEN STOFF AUF MEHRERE TAGE streckt?",
            "Was heißt: behaelt ihn laenger, das zeigte Ebbinghaus?",
        ] {
            assert_eq!(judged(Tier::Title, copied), Err(Fault::Copied), "{copied}");
        }
        let four = "Warum soll man den Stoff auf mehrere Abende legen?";
        assert!(judged(Tier::Paraphrase, four).is_ok());
    }

    #[test]
    fn only_the_title_tier_may_name_a_long_heading() {
        let named = "Wie passt die Pomodoro-Technik im Tagesablauf?";
        assert!(judged(Tier::Title, named).is_ok());
        assert_eq!(judged(Tier::Paraphrase, named), Err(Fault::Copied));
    }

    #[test]
    fn marks_around_a_question_and_invisible_letters_go() {
        let clean = Ok("Was ist „Chunking“?".to_owned());
        for text in ["\"Was ist „Chunking“?\"", " Was ist \u{202e}„Chunking“?\u{feff} "] {
            assert_eq!(judged(Tier::Title, text), clean, "{text:?}");
        }
        assert_eq!(
            judged(Tier::Title, "Was ist\u{1b}Chunking?").as_deref(),
            Ok("Was ist Chunking?")
        );
    }

    #[test]
    fn a_question_in_another_spelling_is_the_same_question() {
        let section = section(0, "Übung", "methods", "");
        let taken = BTreeSet::from([key("Was ist eine Übung?")]);
        let again = check(Tier::Title, "was ist eine UEBUNG?", &Wording::of(&section), &taken);
        assert_eq!(again, Err(Fault::Duplicate));
    }
}
