//! The ranked list for people, for spreadsheets, and for the browser. All of it is German.

mod csv;
mod html;
mod markdown;
mod text;

pub use csv::csv;
pub(crate) use html::STYLE_OF_GAPS;
pub use html::html;
pub use markdown::markdown;
pub use text::{sheet, text};

use super::{Report, Severity};

/// The first line of every report: what was looked at, and what was found.
fn summary(report: &Report) -> String {
    let count = |severity| report.severities.get(&severity).copied().unwrap_or_default();
    let plural =
        |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    format!(
        "{}: {}, {}, {}. {} stehen unter einem Fehler oder einer Warnung.",
        plural(report.sections, "Abschnitt", "Abschnitte"),
        plural(count(Severity::Error), "Fehler", "Fehler"),
        plural(count(Severity::Warning), "Warnung", "Warnungen"),
        plural(count(Severity::Hint), "Hinweis", "Hinweise"),
        report.flagged_sections
    )
}

/// What was asked.
fn asked(report: &Report) -> String {
    let mut text = format!(
        "Gefragt wurde mit {} Fragen des Katalogs und {} Fragen aus Überschriften von Abschnitten \
         ohne eigene Frage. Stand {}.",
        report.catalog_questions, report.heading_questions, report.today
    );
    if report.other_catalog {
        text.push_str(
            " Der Katalog gehört zu einem anderen Kompendium: Keinen seiner Abschnitte gibt es hier.",
        );
    }
    text
}

/// In one line and without control characters, which would forge lines or paint a terminal; nor
/// characters that turn the direction of writing.
pub(crate) fn one_line(text: &str) -> String {
    let turning = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let visible = text.chars().map(|c| if c.is_control() || turning(c) { ' ' } else { c });
    visible.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
