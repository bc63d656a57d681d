//! The German texts around what was found: quotations, refusals, the list of sources.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::excerpt::excerpt;
use super::source::Source;
use super::writer::WriterError;
use crate::analysis::Analyzer;

/// Sections that are quoted where no model writes.
const MOST_QUOTED: usize = 3;
/// Characters of a quotation: about a paragraph.
const MOST_OF_A_QUOTATION: usize = 600;

/// Why sections are quoted instead of put into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// None is configured.
    NoModel,
    /// It could not be asked, or did not end.
    Failed(WriterError),
    /// It wrote nothing that the sections bear out.
    Unsupported,
}

impl Why {
    /// The reason in German, as a part of a sentence.
    fn german(self) -> &'static str {
        match self {
            Self::NoModel => "Es ist kein Sprachmodell eingerichtet",
            Self::Failed(error) => match error {
                WriterError::NotReady => "Das Sprachmodell ist zurzeit nicht erreichbar",
                WriterError::Busy => "Das Sprachmodell ist gerade ausgelastet",
                WriterError::Slow => "Das Sprachmodell hat nicht rechtzeitig geantwortet",
                WriterError::Missing => "Das eingestellte Sprachmodell ist nicht installiert",
                WriterError::Failed => "Das Sprachmodell ist ausgefallen",
            },
            Self::Unsupported => "Das Sprachmodell hat keine belegte Antwort geschrieben",
        }
    }
}

/// The best sections in their own words, and why so.
pub(super) fn quotations(
    analyzer: &Analyzer,
    asked: &BTreeSet<String>,
    sources: &[Source],
    why: Why,
) -> (String, BTreeSet<usize>) {
    let quoted = &sources[..sources.len().min(MOST_QUOTED)];
    let found = if quoted.len() == 1 {
        "Hier steht die beste Fundstelle im Wortlaut"
    } else {
        "Hier stehen die besten Fundstellen im Wortlaut"
    };
    let mut text = format!("{}. {found}:\n", why.german());
    for source in quoted {
        let passage = excerpt(analyzer, &source.text, asked, MOST_OF_A_QUOTATION);
        let _ = write!(text, "\n**{}** [{}]\n", escaped(&source.title), source.number);
        for line in passage.lines() {
            let _ = writeln!(text, "> {}", escaped(line));
        }
    }
    text.truncate(text.trim_end().len());
    (text, quoted.iter().map(|source| source.number).collect())
}

/// That there is no answer, and what comes nearest.
pub(super) fn refusal(sources: &[Source]) -> (String, BTreeSet<usize>) {
    let nearest: BTreeSet<usize> = sources.iter().take(MOST_QUOTED).map(|of| of.number).collect();
    let mut text = "Dazu habe ich in der Wissenssammlung keine Antwort gefunden.".to_owned();
    if !nearest.is_empty() {
        text.push_str(
            " Am nächsten kommen diese Abschnitte; sie beantworten die Frage vermutlich nicht.",
        );
    }
    (text, nearest)
}

/// What follows where a model ends in the middle of its answer.
pub(super) fn broken_off(error: WriterError) -> String {
    format!("\n\n*{}; die Antwort ist deshalb unvollständig.*", Why::Failed(error).german())
}

/// What follows where a model was stopped at its length.
pub(super) fn too_long() -> &'static str {
    "\n\n*Die Antwort wurde an dieser Stelle gekürzt; mehr steht in den Abschnitten.*"
}

/// The list of sources, as Markdown.
pub(super) fn list<'a>(heading: &str, sources: impl Iterator<Item = &'a Source>) -> String {
    let mut list = String::new();
    for Source { number, id, title, url, .. } in sources {
        let _ =
            write!(list, "\n- [{number}] [{}]({url}) (`{}`)", escaped(title), id.replace('`', "'"));
    }
    if list.is_empty() { list } else { format!("\n\n**{heading}**\n{list}") }
}

/// A text of a section as Markdown that shows it as it is: no link, image, emphasis or HTML of its own.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' => escaped.extend(['\\', c]),
            '\n' | '\r' => escaped.push(' '),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    // A heading, a line or a quotation would begin here; lists may.
    let is_list = escaped.starts_with("- ") && escaped.contains(char::is_alphanumeric);
    if escaped.starts_with(['#', '-', '+', '=', '|', '>']) && !is_list {
        escaped.insert(0, '\\');
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(number: usize, title: &str, text: &str) -> Source {
        Source {
            number,
            id: format!("doc#{number}"),
            title: title.to_owned(),
            url: format!("http://h/v1/sections/doc%23{number}"),
            text: text.to_owned(),
            stems: BTreeSet::new(),
        }
    }

    #[test]
    fn quotations_name_the_reason_and_show_sections_as_they_are() {
        let sources = [
            source(1, "[a](//b)", "Erstens *so*.\n\n# <b>Zweitens\n- ja\n---"),
            source(2, "Zwei", "Text"),
        ];
        let (text, cited) =
            quotations(&Analyzer::new(&[]), &BTreeSet::new(), &sources, Why::NoModel);
        let expected = "Es ist kein Sprachmodell eingerichtet. Hier stehen die besten Fundstellen im \
            Wortlaut:\n\n**\\[a\\](//b)** [1]\n> Erstens \\*so\\*.\n> \n> \\# \\<b>Zweitens\n> - ja\n> \\---\n\n**Zwei** \
            [2]\n> Text";
        assert_eq!(text, expected);
        assert_eq!(cited.into_iter().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_list_has_number_title_address_and_id() {
        let sources = [source(1, "Eins", ""), source(3, "Drei", "")];
        assert_eq!(
            list("Quellen", sources.iter()),
            "\n\n**Quellen**\n\n- [1] [Eins](http://h/v1/sections/doc%231) (`doc#1`)\n- [3] \
             [Drei](http://h/v1/sections/doc%233) (`doc#3`)"
        );
        assert_eq!(list("Quellen", [].iter()), "");
    }
}
