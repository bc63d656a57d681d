//! One German page for the browser: a map of the compendium and the ranked list, with filters. It
//! loads nothing, and its policy forbids it to.

mod list;
mod map;

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use crate::catalog::report::{STYLE, escaped};
use crate::gaps::{Report, Severity};

/// How the map and the list look, beyond the house's style.
pub(crate) const STYLE_OF_GAPS: &str = include_str!("page.css");

/// The whole report as one HTML document.
pub fn html(report: &Report) -> String {
    let mut out = String::new();
    write(&mut out, report).expect("a string takes everything");
    out
}

fn write(out: &mut String, report: &Report) -> fmt::Result {
    out.push_str(
        "<!doctype html>\n<html lang=\"de\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Lücken im Kompendium</title>\n<style>\n",
    );
    out.push_str(STYLE);
    out.push_str(STYLE_OF_GAPS);
    out.push_str("</style>\n</head>\n<body>\n<h1>Lücken im Kompendium</h1>\n");
    writeln!(
        out,
        "<p>Was als Nächstes zu schreiben oder zu ändern ist, das Wichtigste zuerst. {}</p>",
        escaped(&super::asked(report))
    )?;
    tiles(out, report)?;
    let groups = groups(report);
    out.push_str("<h2>Karte</h2>\n");
    map::write(out, report, &groups)?;
    out.push_str("<h2>Was zu tun ist</h2>\n");
    list::write(out, report, &groups)?;
    out.push_str("<script>\n");
    out.push_str(include_str!("page.js"));
    out.push_str("</script>\n</body>\n</html>\n");
    Ok(())
}

fn tiles(out: &mut String, report: &Report) -> fmt::Result {
    out.push_str("<ul class=\"tiles\">\n");
    for (severity, name) in [
        (Severity::Error, "Fehler"),
        (Severity::Warning, "Warnungen"),
        (Severity::Hint, "Hinweise"),
    ] {
        let count = report.severities.get(&severity).copied().unwrap_or_default();
        writeln!(out, "<li><b class=\"{}\">{count}</b><span>{name}</span></li>", class(severity))?;
    }
    for (count, name) in [
        (report.sections, "Abschnitte"),
        (report.flagged_sections, "davon mit Fehler oder Warnung"),
        (report.catalog_questions, "Fragen des Katalogs"),
        (report.heading_questions, "Fragen aus Überschriften"),
    ] {
        writeln!(out, "<li><b>{count}</b><span>{name}</span></li>")?;
    }
    out.push_str("</ul>\n");
    Ok(())
}

/// The groups of the sections, sorted: the place is the colour.
fn groups(report: &Report) -> Vec<&str> {
    let groups: BTreeSet<&str> =
        report.map.iter().filter_map(|point| point.group.as_deref()).collect();
    groups.into_iter().collect()
}

/// The class of a severity: the house's three colours.
fn class(severity: Severity) -> &'static str {
    match severity {
        Severity::Hint => "HINT",
        Severity::Warning => "WARN",
        Severity::Error => "FAIL",
    }
}
