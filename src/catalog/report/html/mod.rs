//! One German page for the browser: figures, charts and a table that can be filtered. It loads
//! nothing, and its policy forbids it to.

mod chart;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use chart::Chart;
pub(crate) use table::select;

use crate::catalog::run::{Code, Figures, Run, Summary, Tickets, Verdict};

/// How pages look that stand in one file: colours for light and dark, tiles, figures, filters, tables.
pub(crate) const STYLE: &str = include_str!("page.css");

/// The whole run as one HTML document.
pub fn html(run: &Run) -> String {
    let mut out = String::new();
    write(&mut out, run).expect("a string takes everything");
    out
}

fn write(out: &mut String, run: &Run) -> fmt::Result {
    let summary = &run.summary;
    out.push_str(
        "<!doctype html>\n<html lang=\"de\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Fragenkatalog: Bericht</title>\n<style>\n",
    );
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n<h1>Fragenkatalog</h1>\n");
    writeln!(
        out,
        "<p>Alle {} Fragen des Katalogs, wie Wegweiser sie jetzt beantwortet, und woran es liegt, \
         wenn eine Antwort nicht die erwartete ist.</p>",
        summary.questions()
    )?;
    tiles(out, summary)?;
    out.push_str("<h2>Wo es gut geht und wo nicht</h2>\n<div class=\"charts\">\n");
    charts(out, summary)?;
    out.push_str("</div>\n<h2>Fragen</h2>\n");
    table::write(out, run)?;
    out.push_str("<script>\n");
    out.push_str(include_str!("page.js"));
    out.push_str("</script>\n</body>\n</html>\n");
    Ok(())
}

fn tiles(out: &mut String, summary: &Summary) -> fmt::Result {
    out.push_str("<ul class=\"tiles\">\n");
    for (verdict, name) in [
        (Verdict::Pass, "bestanden"),
        (Verdict::Warn, "mit Warnung"),
        (Verdict::Fail, "fehlgeschlagen"),
    ] {
        let count = summary.verdicts.get(&verdict).copied().unwrap_or_default();
        let class = verdict.as_str();
        writeln!(out, "<li><b class=\"{class}\">{count}</b><span>{name}</span></li>")?;
    }
    if let Some(Tickets { open, closed }) = &summary.tickets {
        for (label, ids, name) in
            [("OPEN", open, "Lücken, noch offen"), ("CLOSED", closed, "Lücken, geschlossen")]
        {
            writeln!(out, "<li><b class=\"{label}\">{}</b><span>{name}</span></li>", ids.len())?;
        }
    }
    let all = &summary.all;
    let retrieval = &all.retrieval;
    let mut figures = vec![
        (retrieval.n, percent(retrieval.recall_at_1), "richtiger Abschnitt zuerst (R@1)"),
        (retrieval.n, percent(retrieval.recall_at_5), "unter den ersten fünf (R@5)"),
        (retrieval.n, decimal(retrieval.mrr_at_10, 3), "mittlerer Kehrrang (MRR@10)"),
        (all.intent.n, percent(all.intent.share), "Absicht richtig"),
        (all.group_at_1.n, percent(all.group_at_1.share), "Gruppe zuerst richtig"),
        (all.group_at_2.n, percent(all.group_at_2.share), "Gruppe unter zweien"),
    ];
    if let Some(parts) = &summary.in_parts {
        figures.push((parts.n, percent(parts.share), "mehrteilig: alle Teile gefunden"));
    }
    if let Some(answerable) = &summary.answerable {
        let n = answerable.n;
        figures.push((n, percent(answerable.precision), "zu Recht beantwortet (Precision)"));
        figures.push((n, percent(answerable.recall), "Beantwortbares beantwortet (Recall)"));
        figures.push((n, percent(answerable.refused), "Abseitiges abgelehnt"));
    }
    for (n, value, name) in figures {
        let value = if n == 0 { "–" } else { &value };
        writeln!(out, "<li title=\"{n} Fragen\"><b>{value}</b><span>{name}</span></li>")?;
    }
    out.push_str("</ul>\n");
    Ok(())
}

fn charts(out: &mut String, summary: &Summary) -> fmt::Result {
    let most = summary.codes.values().copied().max().unwrap_or_default() as f64;
    let codes = summary.codes.iter();
    let codes = codes.map(|(code, n)| (code.as_str().to_owned(), vec![Some(*n as f64)])).collect();
    let count = |value: f64| decimal(value, 0);
    Chart { title: "Befunde", series: &["Fragen"], rows: codes, most, value: count }.write(out)?;
    let passed =
        |figures: &Figures| vec![Some(figures.not_failed as f64 / figures.n.max(1) as f64)];
    shares(out, "Nicht fehlgeschlagen, nach Stufe", &["Anteil"], &summary.by_tier, passed)?;
    let found = |figures: &Figures| {
        let retrieval = &figures.retrieval;
        let asked = |share: f64| (retrieval.n > 0).then_some(share);
        vec![asked(retrieval.recall_at_1), asked(retrieval.recall_at_5)]
    };
    let ranks = &["R@1", "R@5"];
    shares(out, "Gefunden, nach Stufe", ranks, &summary.by_tier, found)?;
    shares(out, "Gefunden, nach gemeinsamen Wörtern", ranks, &renamed(&summary.by_overlap), found)?;
    let grouped = |figures: &Figures| {
        let of = |n: usize, share: f64| (n > 0).then_some(share);
        vec![
            of(figures.retrieval.n, figures.retrieval.recall_at_1),
            of(figures.group_at_1.n, figures.group_at_1.share),
            of(figures.group_at_2.n, figures.group_at_2.share),
        ]
    };
    let series = &["R@1", "Gruppe zuerst", "unter zweien"];
    shares(out, "Nach Gruppe", series, &summary.by_group, grouped)?;
    let intents = |figures: &Figures| {
        let of = |n: usize, share: f64| (n > 0).then_some(share);
        vec![
            of(figures.retrieval.n, figures.retrieval.recall_at_1),
            of(figures.intent.n, figures.intent.share),
        ]
    };
    shares(out, "Nach Absicht", &["R@1", "Absicht richtig"], &summary.by_intent, intents)
}

/// A chart of shares; rows without any value are left out.
fn shares(
    out: &mut String,
    title: &str,
    series: &[&str],
    slices: &BTreeMap<String, Figures>,
    values: impl Fn(&Figures) -> Vec<Option<f64>>,
) -> fmt::Result {
    let rows = slices
        .iter()
        .map(|(name, figures)| {
            (format!("{} ({})", name.replace('_', " "), figures.n), values(figures))
        })
        .filter(|(_, values)| values.iter().any(Option::is_some))
        .collect();
    Chart { title, series, rows, most: 1.0, value: percent }.write(out)
}

/// The classes of overlap in German, in their order.
fn renamed(by_overlap: &BTreeMap<String, Figures>) -> BTreeMap<String, Figures> {
    let names = [("low", "1 wenige"), ("mid", "2 einige"), ("high", "3 viele")];
    let german = |name: &str| names.iter().find(|(class, _)| *class == name).map(|(_, own)| *own);
    by_overlap
        .iter()
        .map(|(name, figures)| (german(name).unwrap_or(name).to_owned(), figures.clone()))
        .collect()
}

/// What a code says, in German.
pub(crate) fn meaning(code: Code) -> &'static str {
    match code {
        Code::Missing => "richtiger Abschnitt nicht unter den ersten fünf",
        Code::Refused => "zu Unrecht abgelehnt",
        Code::AnsweredOffTopic => "beantwortet statt abgelehnt",
        Code::UnknownSection => "erwarteter Abschnitt steht nicht im Kompendium",
        Code::Rank => "richtiger Abschnitt erst auf Rang 2 bis 5",
        Code::Group => "andere Gruppe zuerst",
        Code::Intent => "andere Absicht",
        Code::Margin => "um Haaresbreite vorn",
        Code::Fallback => "Absicht ohne Regel und unsicher",
        Code::Isolated => "richtiger Abschnitt steht für sich allein",
        Code::Thin => "richtiger Abschnitt sagt viel weniger als andere",
    }
}

fn percent(share: f64) -> String {
    format!("{} %", decimal(share * 100.0, 1))
}

/// A number with a decimal comma.
fn decimal(value: f64, places: usize) -> String {
    format!("{value:.places$}").replace('.', ",")
}
