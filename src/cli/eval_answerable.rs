//! `wegweiser eval answerable`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Deserialize;

use super::{Output, pipeline, print};
use crate::catalog;
use crate::config::Config;
use crate::eval::answerable::{self, Judged, Report};
use crate::eval::dataset;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Further questions that the compendium can not answer: JSON lines with `question`
    #[arg(long, value_name = "FILE")]
    off_topic: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

#[derive(Deserialize)]
struct Line {
    question: String,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let mut questions: Vec<Judged> = catalog::load(Path::new("catalog"))?
        .into_iter()
        .map(|question| Judged {
            right: question.right().cloned().collect(),
            question: question.question,
        })
        .collect();
    if let Some(file) = &arguments.off_topic {
        let lines = dataset::lines::<Line>(file, "write one object a line: {\"question\": \"…\"}")?;
        let foreign = lines.into_iter().map(|(_, line)| line.question);
        questions.extend(foreign.map(|question| Judged { question, right: Vec::new() }));
    }
    let pipeline = Arc::new(pipeline(config).await?);
    let mut bar = print::Counter::new("asked", questions.len());
    let report = answerable::evaluate(&pipeline, &questions, |done| bar.set(done)).await?;
    drop(bar);
    arguments.output.show(&report, text)
}

fn text(report: &Report) -> anyhow::Result<()> {
    print::line(&format!(
        "{} answerable questions: {:.1} % refused\n{} off-topic questions: {:.1} % refused",
        report.answerable,
        report.wrongly_refused * 100.0,
        report.off_topic,
        report.rightly_refused * 100.0
    ))?;
    print::line(&format!(
        "\nconfidence of the answerable ones: calibration error {:.3}, Brier score {:.3}",
        report.calibration_error, report.brier
    ))?;
    print::line("    n  confidence  right")?;
    for bin in &report.reliability {
        print::line(&format!("{:>5}       {:.3}  {:.3}", bin.n, bin.confidence, bin.right))?;
    }
    for (title, questions) in [("refused", &report.refused), ("answered", &report.answered)] {
        if !questions.is_empty() {
            print::line(&format!("\nwrongly {title}"))?;
        }
        for question in questions {
            print::line(&format!("  {question}"))?;
        }
    }
    Ok(())
}
