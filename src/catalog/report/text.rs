//! For the terminal: a line a question, the reasons below it, the figures at the end.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::one_line;
use crate::catalog::run::{Figures, Outcome, Run, Summary, Tickets, Verdict};

/// The whole run as plain text.
pub fn text(run: &Run) -> String {
    let mut out = String::new();
    write(&mut out, run).expect("a string takes everything");
    out
}

fn write(out: &mut String, run: &Run) -> fmt::Result {
    for outcome in &run.questions {
        question(out, outcome)?;
    }
    writeln!(out)?;
    summary(out, &run.summary)
}

fn question(out: &mut String, outcome: &Outcome) -> fmt::Result {
    let rank = match outcome.rank {
        Some(rank) => format!("rank {rank}"),
        None if outcome.to_refuse() => "to refuse".to_owned(),
        None if outcome.any => "any section".to_owned(),
        None => "not found".to_owned(),
    };
    let groups = if outcome.groups.is_empty() { "-".to_owned() } else { outcome.groups.join(" ") };
    let label = outcome.label();
    writeln!(out, "{label}  {}  {rank}  {}  {groups}", outcome.id, outcome.intent)?;
    if outcome.verdict == Verdict::Pass {
        return Ok(());
    }
    writeln!(out, "      {}  {}", one_line(&outcome.question), outcome.place)?;
    for finding in &outcome.findings {
        let code = finding.code.as_str();
        writeln!(out, "      {code}  {}", finding.reason)?;
        // The reason of W-INTENT and W-GROUP already names them.
        let told = |text: &str| finding.reason.contains(text);
        if let Some(rule) = finding.rule.as_ref().filter(|rule| !told(&rule.place)) {
            writeln!(
                out,
                "              rule `{}` ({}) decided {}",
                rule.id, rule.place, outcome.intent
            )?;
        }
        let misled: Vec<String> = finding.misled_by.iter().map(ToString::to_string).collect();
        if let Some(group) = outcome.groups.first().filter(|_| !misled.is_empty())
            && !told(group)
        {
            writeln!(out, "              misled to {group} by {}", misled.join(", "))?;
        }
    }
    Ok(())
}

fn summary(out: &mut String, summary: &Summary) -> fmt::Result {
    writeln!(out, "{}", totals(summary))?;
    let codes: Vec<String> =
        summary.codes.iter().map(|(code, count)| format!("{} {count}", code.as_str())).collect();
    if !codes.is_empty() {
        writeln!(out, "{}", codes.join(", "))?;
    }
    if let Some(Tickets { open, closed }) = &summary.tickets {
        if !open.is_empty() {
            writeln!(out, "open, still to be written: {}", open.join(", "))?;
        }
        if !closed.is_empty() {
            writeln!(out, "closed, take away `status: open`: {}", closed.join(", "))?;
        }
    }
    for (missing, count) in &summary.degraded {
        writeln!(out, "{count} answers had to do without {missing}: their verdicts say little")?;
    }
    writeln!(out, "\n{:<32}    n   ok  intent  group@1  group@2    R@1    R@5  MRR@10", "")?;
    row(out, "all", &summary.all)?;
    let slices: [(&str, &BTreeMap<String, Figures>); 4] = [
        ("tier", &summary.by_tier),
        ("group", &summary.by_group),
        ("intent", &summary.by_intent),
        ("overlap", &summary.by_overlap),
    ];
    for (kind, figures) in slices {
        for (name, figures) in figures {
            row(out, &format!("{kind} {name}"), figures)?;
        }
    }
    if let Some(parts) = &summary.in_parts {
        writeln!(
            out,
            "\nin parts: {} questions, all sections in the first five: {:.3}",
            parts.n, parts.share
        )?;
    }
    match &summary.answerable {
        Some(answerable) => writeln!(
            out,
            "answerable: precision {:.3}, recall {:.3}; to refuse: {:.3} refused",
            answerable.precision, answerable.recall, answerable.refused
        ),
        None => writeln!(out, "answerable: the answers do not say"),
    }
}

/// All questions by what became of them; the numbers add up.
pub fn totals(summary: &Summary) -> String {
    let verdicts = summary.verdicts.iter().map(|(verdict, n)| format!("{n} {}", verdict.as_str()));
    let mut all: Vec<String> = verdicts.collect();
    if let Some(Tickets { open, closed }) = &summary.tickets {
        all.push(format!("{} OPEN", open.len()));
        all.push(format!("{} CLOSED", closed.len()));
    }
    format!("{} questions: {}", summary.questions(), all.join(", "))
}

fn row(out: &mut String, name: &str, figures: &Figures) -> fmt::Result {
    let share = |n: usize, share: f64| {
        if n == 0 { "-".to_owned() } else { format!("{share:.3}") }
    };
    let (retrieval, of) = (&figures.retrieval, figures.retrieval.n);
    writeln!(
        out,
        "{name:<32} {:>4} {:>4}  {:>6}  {:>7}  {:>7}  {:>5}  {:>5}  {:>6}",
        figures.n,
        figures.not_failed,
        share(figures.intent.n, figures.intent.share),
        share(figures.group_at_1.n, figures.group_at_1.share),
        share(figures.group_at_2.n, figures.group_at_2.share),
        share(of, retrieval.recall_at_1),
        share(of, retrieval.recall_at_5),
        share(of, retrieval.mrr_at_10)
    )
}
