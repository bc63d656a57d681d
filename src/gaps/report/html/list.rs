//! The ranked list with its filters.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use super::class;
use crate::catalog::report::{escaped, select};
use crate::gaps::report::text::reasons;
use crate::gaps::{Code, Finding, Report, Severity, number};

/// Reasons that are shown at once; the others behind a click, and in print.
const SHOWN: usize = 3;

pub(super) fn write(out: &mut String, report: &Report, groups: &[&str]) -> fmt::Result {
    if report.findings.is_empty() {
        out.push_str("<p>Keine Lücken gefunden.</p>\n");
        return Ok(());
    }
    filters(out, report, groups)?;
    out.push_str(
        "<div class=\"wide\"><table id=\"luecken\">\n<thead><tr><th scope=\"col\">Rang</th>\
         <th scope=\"col\">Befund</th><th scope=\"col\">Betrifft</th><th scope=\"col\">Was ist, und \
         warum</th><th scope=\"col\">Was tun</th></tr></thead>\n<tbody>\n",
    );
    for (at, finding) in report.findings.iter().enumerate() {
        row(out, at + 1, finding)?;
    }
    out.push_str("</tbody>\n</table></div>\n");
    Ok(())
}

fn filters(out: &mut String, report: &Report, groups: &[&str]) -> fmt::Result {
    let codes: BTreeSet<Code> = report.findings.iter().map(|finding| finding.code).collect();
    let codes: Vec<(String, String)> = codes
        .into_iter()
        .map(|code| (code.to_string(), format!("{} ({code})", code.german())))
        .collect();
    let severities = [Severity::Error, Severity::Warning, Severity::Hint];
    let severities =
        severities.map(|severity| (class(severity).to_owned(), severity.german().to_owned()));
    let groups: Vec<(String, String)> =
        groups.iter().map(|group| ((*group).to_owned(), group.replace('_', " "))).collect();
    out.push_str(
        "<form><label>Suchen<input name=\"wort\" type=\"search\" \
         placeholder=\"Wort, Abschnitt, Kennung\"></label>\n",
    );
    select(out, "schwere", "Schwere", &severities)?;
    select(out, "befund", "Befund", &codes)?;
    select(out, "gruppe", "Gruppe", &groups)?;
    out.push_str("<button type=\"reset\">Alles zeigen</button><output aria-live=\"polite\"></output></form>\n");
    Ok(())
}

fn row(out: &mut String, at: usize, finding: &Finding) -> fmt::Result {
    let subject = &finding.subject;
    let ids: Vec<String> = subject.sections.iter().map(|named| escaped(&named.id)).collect();
    let of_sections = subject.sections.iter().filter_map(|named| named.group.as_deref());
    let mut groups: BTreeSet<&str> = of_sections.collect();
    groups.extend(subject.group.as_deref().or(finding.mend.group.as_deref()));
    let groups: Vec<String> = groups.into_iter().map(escaped).collect();
    let class = class(finding.severity);
    // Ids and groups hold no line breaks: identifiers have no control characters.
    write!(
        out,
        "<tr data-severity=\"{class}\" data-code=\"{}\" data-groups=\"{}\" data-ids=\"{}\">\
         <td class=\"number\">{at}<small title=\"Gewicht: betroffene Fragen mal Schwere\">{}</small></td>\
         <td><b class=\"{class}\">{}</b><small>{} · {}</small></td><td>",
        finding.code,
        groups.join("\n"),
        ids.join("\n"),
        number(finding.impact),
        finding.code.german(),
        finding.severity.german(),
        finding.code,
    )?;
    if subject.sections.is_empty() {
        write!(out, "{}", escaped(&subject.german()))?;
    }
    for named in &subject.sections {
        write!(
            out,
            "<div>{}<small>{} · {}</small></div>",
            escaped(&named.title),
            escaped(&named.id),
            escaped(&named.place.to_string())
        )?;
    }
    write!(out, "</td><td>{}", escaped(&finding.message))?;
    let reasons: Vec<String> =
        reasons(finding).iter().map(|reason| format!("<li>{}</li>", escaped(reason))).collect();
    let (shown, more) = reasons.split_at(reasons.len().min(SHOWN));
    write!(out, "<ul>{}</ul>", shown.concat())?;
    if !more.is_empty() {
        write!(
            out,
            "<details><summary>{} weitere</summary><ul>{}</ul></details>",
            more.len(),
            more.concat()
        )?;
    }
    write!(out, "</td><td>{}", escaped(&finding.mend.text))?;
    if !finding.mend.outline.is_empty() {
        let points =
            finding.mend.outline.iter().map(|point| format!("<li>{}</li>", escaped(point)));
        write!(out, "<ul>{}</ul>", points.collect::<String>())?;
    }
    writeln!(out, "</td></tr>")
}
