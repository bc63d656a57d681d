//! A run against a baseline, for the terminal: what turned, what decided it, the figures.

use std::fmt::{self, Write as _};

use super::one_line;
use crate::catalog::baseline::{Cause, Diff, Kept, Metric, Turned};
use crate::pipeline::Changes;

/// Questions of a cause that are named.
const NAMED: usize = 5;

/// The comparison as plain text.
pub fn diff(diff: &Diff) -> String {
    let mut out = String::new();
    write(&mut out, diff).expect("a string takes everything");
    out
}

fn write(out: &mut String, diff: &Diff) -> fmt::Result {
    questions(out, &diff.worse, &diff.better, &diff.otherwise)?;
    for (id, verdict) in &diff.new {
        writeln!(out, "new     {id}  {}", verdict.as_str())?;
    }
    for id in &diff.gone {
        writeln!(out, "gone    {id}")?;
    }
    if let Some(edited) = &diff.edited {
        writeln!(out, "\nedited since the baseline")?;
        changes(out, edited)?;
    }
    causes(out, &diff.causes)?;
    if diff.metrics.iter().any(|metric| metric.before != metric.now) {
        writeln!(out, "\nfigures")?;
        for metric in diff.metrics.iter().filter(|metric| metric.before != metric.now) {
            figure(out, metric)?;
        }
    }
    writeln!(
        out,
        "\n{} worse, {} of them passed before and fail; {} better, {} decided otherwise, {} new, {} gone",
        diff.worse.len(),
        diff.broken().count(),
        diff.better.len(),
        diff.otherwise.len(),
        diff.new.len(),
        diff.gone.len()
    )
}

/// The questions that turned.
pub(super) fn questions(
    out: &mut String,
    worse: &[Turned],
    better: &[Turned],
    otherwise: &[Turned],
) -> fmt::Result {
    for (name, list) in [("worse", worse), ("better", better)] {
        for question in list {
            let Turned { id, question: text, place, before, now, .. } = question;
            writeln!(out, "{name:<7} {id}  {} → {}", verdict(before), verdict(now))?;
            writeln!(out, "        {}  {place}", one_line(text))?;
            turned(out, question)?;
        }
    }
    for question in otherwise {
        writeln!(out, "other   {}  {}", question.id, verdict(&question.now))?;
        turned(out, question)?;
    }
    Ok(())
}

/// The rule files and sections that were edited, one a line.
fn changes(out: &mut String, edited: &Changes) -> fmt::Result {
    for name in &edited.rules {
        writeln!(out, "  {name}")?;
    }
    let more = edited.sections.len().saturating_sub(NAMED);
    for section in edited.sections.iter().take(NAMED) {
        writeln!(out, "  section {}", section.told())?;
    }
    if more > 0 { writeln!(out, "  and {more} more sections") } else { Ok(()) }
}

/// What decided the question, before and now, as far as it differs.
fn turned(out: &mut String, turned: &Turned) -> fmt::Result {
    let Turned { before, now, rule, .. } = turned;
    if (&before.intent, &before.by) != (&now.intent, &now.by) {
        let place = rule.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        let (was, by) = (&before.intent, &before.by);
        writeln!(out, "        intent {was} by {by} → {} by {}{place}", now.intent, now.by)?;
    }
    if before.groups != now.groups {
        writeln!(out, "        groups {} → {}", groups(before), groups(now))?;
    }
    let without = |some: &Kept, others: &Kept| -> String {
        let gone = some.paid.iter().filter(|paid| !others.paid.contains(paid));
        gone.map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    for (what, paid) in
        [("no longer paid", without(before, now)), ("now paid", without(now, before))]
    {
        if !paid.is_empty() {
            writeln!(out, "        {what}: {paid}")?;
        }
    }
    for reason in &turned.reasons {
        writeln!(out, "        {reason}")?;
    }
    if !turned.turned_by.is_empty() {
        writeln!(out, "        turned by {}", turned.turned_by.join(", "))?;
    }
    Ok(())
}

/// For example `WARN W-RANK, rank 2`.
fn verdict(kept: &Kept) -> String {
    let codes = kept.codes.iter().map(|code| format!(" {}", code.as_str()));
    let rank = kept.rank.map_or_else(String::new, |rank| format!(", rank {rank}"));
    format!("{}{}{rank}", kept.verdict.as_str(), codes.collect::<String>())
}

fn groups(kept: &Kept) -> String {
    if kept.groups.is_empty() { "none".to_owned() } else { kept.groups.join(" ") }
}

/// The rules and payments that decide more or fewer questions.
pub(super) fn causes(out: &mut String, causes: &[Cause]) -> fmt::Result {
    if causes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nwhat decides otherwise (questions before → now)")?;
    for cause in causes {
        let named: Vec<&str> = cause.questions.iter().take(NAMED).map(String::as_str).collect();
        let more = cause.questions.len().saturating_sub(NAMED);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        writeln!(
            out,
            "  {}: {} → {}  ({}{more})",
            cause.what,
            cause.before,
            cause.now,
            named.join(", ")
        )?;
    }
    Ok(())
}

fn figure(out: &mut String, metric: &Metric) -> fmt::Result {
    let value =
        |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| format!("{value:.4}"));
    let by = match (metric.before, metric.now) {
        (Some(before), Some(now)) => format!("  {:+.4}", now - before),
        _ => String::new(),
    };
    let fell = if metric.fell { "  FELL" } else { "" };
    writeln!(
        out,
        "  {:<20} {} → {}{by}{fell}",
        metric.name,
        value(metric.before),
        value(metric.now)
    )
}
