//! `wegweiser eval groups`

use std::sync::Arc;

use super::eval::OverQuestions;
use super::{pipeline, print};
use crate::config::Config;
use crate::domain::Payment;
use crate::eval::groups::{self, Report};

pub(super) async fn run(config: &Config, arguments: &OverQuestions) -> anyhow::Result<()> {
    let (config, questions) = arguments.read(config)?;
    let pipeline = Arc::new(pipeline(&config).await?);
    let mut bar = print::Counter::new("asked", questions.len());
    let report = groups::evaluate(&pipeline, &questions, |done| bar.set(done)).await?;
    drop(bar);
    arguments.output.show(&report, text)
}

fn text(report: &Report) -> anyhow::Result<()> {
    print::line(&format!(
        "{} questions: accuracy at 1 {:.3}, at 2 {:.3}; no evidence {:.3}; of the rest right first {:.3}",
        report.n,
        report.accuracy_at_1,
        report.accuracy_at_2,
        report.without_evidence,
        report.accuracy_of_decided
    ))?;
    let width = report.groups.keys().map(|group| group.chars().count()).max().unwrap_or(0).max(5);
    print::line(&format!("\n{:<width$}    n    @1     @2    sent  precision", "group"))?;
    for (group, figures) in &report.groups {
        print::line(&format!(
            "{group:<width$} {:>4}  {:.3}  {:.3}  {:>5}      {:.3}",
            figures.n, figures.accuracy, figures.accuracy_at_2, figures.sent, figures.precision
        ))?;
    }
    if !report.confusion.is_empty() {
        print::line("\nconfusion")?;
    }
    for pair in &report.confusion {
        print::line(&format!("{:>4}  {} → {}", pair.count, pair.expected, pair.inferred))?;
    }
    print::line(&format!("\n{} errors", report.errors.len()))?;
    for error in &report.errors {
        let second = if error.second { ", right one second" } else { "" };
        print::line(&format!(
            "  {} → {}{second} [{}] {}\n      {} | {}",
            error.expected,
            error.inferred,
            error.intent,
            error.question,
            payments(&error.misled_by),
            payments(&error.paid_to_expected),
        ))?;
    }
    if !report.without_group.is_empty() {
        print::note(&format!(
            "{} questions have no group and do not count: {}",
            report.without_group.len(),
            report.without_group.join(", ")
        ));
    }
    Ok(())
}

fn payments(paid: &[Payment]) -> String {
    if paid.is_empty() {
        return "nothing".to_owned();
    }
    let paid: Vec<String> = paid.iter().map(ToString::to_string).collect();
    paid.join(", ")
}
