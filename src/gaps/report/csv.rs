//! For a German Excel: UTF-8 with a byte order mark, semicolons, CRLF.

use super::one_line;
use super::text::reasons;
use crate::gaps::{Report, number};

const HEAD: [&str; 12] = [
    "Rang", "Schwere", "Code", "Befund", "Betrifft", "Kennung", "Ort", "Gewicht", "Fragen",
    "Was ist", "Warum", "Was tun",
];

/// The findings, one a row.
pub fn csv(report: &Report) -> String {
    let mut out = String::from("\u{feff}");
    row(&mut out, HEAD.map(str::to_owned));
    for (at, finding) in report.findings.iter().enumerate() {
        let sections = &finding.subject.sections;
        let join = |texts: Vec<String>| texts.join(" | ");
        row(
            &mut out,
            [
                (at + 1).to_string(),
                finding.severity.german().to_owned(),
                finding.code.to_string(),
                finding.code.german().to_owned(),
                finding.subject.german(),
                join(sections.iter().map(|named| named.id.clone()).collect()),
                join(sections.iter().map(|named| named.place.to_string()).collect()),
                number(finding.impact),
                number(finding.reach),
                finding.message.clone(),
                join(reasons(finding)),
                finding.mend.text.clone(),
            ],
        );
    }
    out
}

fn row(out: &mut String, cells: [String; 12]) {
    let cells = cells.map(|cell| cell_of(&cell));
    out.push_str(&cells.join(";"));
    out.push_str("\r\n");
}

/// A cell in quotes. Excel takes what begins with `= + - @` for a formula, whatever the quotes say;
/// an apostrophe before it makes it text (OWASP, "CSV Injection"). The characters also count behind
/// blanks, and in their full-width form.
fn cell_of(text: &str) -> String {
    let text = one_line(text);
    let formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let guard = if formula { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
