//! For a ticket or a wiki.

use std::fmt::Write as _;

use super::text::reasons;
use super::{asked, one_line, summary};
use crate::gaps::{Report, number};

/// The findings as a list of tasks.
pub fn markdown(report: &Report) -> String {
    let mut out = format!("# Lücken im Kompendium\n\n{}\n\n{}\n", summary(report), asked(report));
    for (at, finding) in report.findings.iter().enumerate() {
        let _ = write!(
            out,
            "\n## {}. {}: {}\n\n{} `{}` · Gewicht {}\n\n{}\n\n",
            at + 1,
            finding.code.german(),
            escaped(&finding.subject.german()),
            finding.severity.german(),
            finding.code,
            number(finding.impact),
            escaped(&finding.message)
        );
        for named in &finding.subject.sections {
            let _ =
                writeln!(out, "- {} ({})", escaped(&named.id), escaped(&named.place.to_string()));
        }
        for reason in reasons(finding) {
            let _ = writeln!(out, "- {}", escaped(&reason));
        }
        let _ = writeln!(out, "\n- [ ] {}", escaped(&finding.mend.text));
        for point in &finding.mend.outline {
            let _ = writeln!(out, "  - {}", escaped(point));
        }
    }
    out
}

/// Text that stays text: signs that Markdown and HTML would read get a backslash.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        if "\\`*_{}[]<>#|~!&$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    // A line that begins like a list or a numbered one.
    match escaped.chars().next() {
        Some('-' | '+' | '=') => format!("\\{escaped}"),
        Some(_) | None => escaped,
    }
}
