//! `wegweiser catalog twins`

use std::process::ExitCode;

use clap::Args;

use super::super::{Output, measured, print};
use super::questions;
use crate::catalog;
use crate::config::Config;
use crate::eval::twins::{self, TwinReport};

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    questions: super::Questions,
    #[command(flatten)]
    output: Output,
}

/// Exit code 1 where a twin loses the section.
pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let questions = catalog::labelled_each(questions(&arguments.questions.catalog)?);
    let (pipeline, watch) = measured(config).await?;
    let mut bar = print::Counter::new("asked", questions.len());
    let report = twins::evaluate(&pipeline, &questions, |done| bar.set(done)).await?;
    drop(bar);
    watch.tell();
    arguments.output.show(&report, text)?;
    Ok(if report.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn text(report: &TwinReport) -> anyhow::Result<()> {
    for broken in &report.broken {
        let kind = format!("{:?}", broken.kind);
        let first = broken.first.as_deref().unwrap_or("nothing");
        print::line(&format!("{kind:<14} {}: {}", broken.id, broken.question))?;
        print::line(&format!("{:<14} {}", "", broken.twin))?;
        print::line(&format!("{:<14} {first} instead of {}", "", broken.lost))?;
    }
    print::line(&format!(
        "{} of {} questions find their section in the top 3; their twins:",
        report.held, report.questions
    ))?;
    print::line("                asked  broken")?;
    for (kind, tally) in &report.kinds {
        let share = 100.0 * tally.broken as f64 / tally.asked.max(1) as f64;
        let kind = format!("{kind:?}");
        print::line(&format!(
            "  {kind:<14} {:>4}  {:>4}  {share:>5.1} %",
            tally.asked, tally.broken
        ))?;
    }
    Ok(())
}
