//! For the terminal.

use std::fmt::{self, Write as _};

use super::{asked, one_line, summary};
use crate::gaps::{Evidence, Finding, Report, Sheet, number};

/// Reasons that are shown of each finding; the other forms of the report have all.
const MOST_EVIDENCE: usize = 4;

/// The whole report as plain text.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    for (at, finding) in report.findings.iter().enumerate() {
        let _ = write(&mut out, at + 1, finding);
    }
    if report.findings.is_empty() {
        out.push_str("Keine Lücken gefunden.\n");
    }
    let _ = writeln!(out, "\n{}\n{}", summary(report), asked(report));
    out
}

fn write(out: &mut String, at: usize, finding: &Finding) -> fmt::Result {
    writeln!(
        out,
        "{at:>3}. {}  {}  {}  Gewicht {}",
        finding.severity.german(),
        finding.code,
        one_line(&finding.subject.german()),
        number(finding.impact)
    )?;
    writeln!(out, "     {}", one_line(&finding.message))?;
    for named in &finding.subject.sections {
        writeln!(out, "     {}  {}", one_line(&named.id), named.place)?;
    }
    for evidence in finding.evidence.iter().take(MOST_EVIDENCE) {
        writeln!(out, "       · {}", one_line(&evidence.german()))?;
    }
    if let more @ 1.. = finding.evidence.len().saturating_sub(MOST_EVIDENCE) {
        writeln!(out, "       · und {more} weitere")?;
    }
    writeln!(out, "     → {}", one_line(&finding.mend.text))
}

/// One section as plain text.
pub fn sheet(sheet: &Sheet) -> String {
    let mut out = String::new();
    let _ = write_sheet(&mut out, sheet);
    out
}

fn write_sheet(out: &mut String, sheet: &Sheet) -> fmt::Result {
    let section = &sheet.section;
    writeln!(out, "{}\n{}  {}", one_line(&section.title), one_line(&section.id), section.place)?;
    let updated = sheet.updated.as_deref().unwrap_or("unbekannt");
    writeln!(out, "\nDurchgesehen  {}", one_line(updated))?;
    let usual = sheet.usual_words.map(|usual| format!(" (üblich sind {})", number(usual)));
    writeln!(out, "Länge         {} Wörter{}", sheet.words, usual.unwrap_or_default())?;
    if let Some(found) = &sheet.readability {
        writeln!(
            out,
            "Lesbarkeit    {} nach Flesch-Amstad: {} ({} Wörter je Satz, {} Silben je Wort)",
            number(found.flesch_amstad.round()),
            found.german(),
            number((found.words_per_sentence * 10.0).round() / 10.0),
            number(found.syllables_per_word)
        )?;
    }
    if let Some(factor) = sheet.outlier_factor {
        writeln!(out, "Umgebung      Ausreißerfaktor {} (1: wie die Nachbarn)", number(factor))?;
    }
    if let Some(fit) = &sheet.group_fit {
        writeln!(
            out,
            "Gruppe        {}; dem Sinn nach {}, den Wörtern nach {}",
            fit.own, fit.by_meaning, fit.by_words
        )?;
    }
    writeln!(out, "Gefunden      {} × an erster Stelle", sheet.first_hits)?;
    let list = |out: &mut String, title: &str, rows: &[crate::gaps::OwnQuestion]| -> fmt::Result {
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{title}")?;
        for row in rows {
            let rank = row.rank.map_or("–".to_owned(), |rank| rank.to_string());
            let refused = if row.refused { ", abgelehnt" } else { "" };
            let id = row.id.as_deref().unwrap_or("aus der Überschrift");
            let rival = row.rival.as_ref().map(|named| format!("; Rivale: {}", named.title));
            let rival = one_line(&rival.unwrap_or_default());
            writeln!(
                out,
                "  Rang {rank:>2}{refused}  {}  [{}]{rival}",
                one_line(&row.question),
                one_line(id)
            )?;
        }
        Ok(())
    };
    list(out, "Eigene Fragen", &sheet.questions)?;
    list(out, "Auch gefunden für", &sheet.found_for)?;
    writeln!(out, "\nNächste Nachbarn")?;
    for near in &sheet.neighbours {
        writeln!(
            out,
            "  {:.3}  {}  {}",
            near.similarity,
            one_line(&near.section.title),
            one_line(&near.section.id)
        )?;
    }
    let leads: Vec<String> = sheet
        .leading_words
        .iter()
        .map(|lead| format!("{} {} %", one_line(&lead.word), number((lead.share * 100.0).round())))
        .collect();
    let words =
        |words: &[String]| if words.is_empty() { "–".to_owned() } else { words.join(", ") };
    writeln!(out, "\nWörter, die herführen  {}", words(&leads))?;
    writeln!(out, "Wörter nur hier        {}", one_line(&words(&sheet.only_here)))?;
    if !sheet.findings.is_empty() {
        writeln!(out, "\nBefunde")?;
        for (at, finding) in sheet.findings.iter().enumerate() {
            write(out, at + 1, finding)?;
        }
    }
    Ok(())
}

/// All reasons of a finding, a line each.
pub(super) fn reasons(finding: &Finding) -> Vec<String> {
    finding.evidence.iter().map(Evidence::german).map(|line| one_line(&line)).collect()
}
