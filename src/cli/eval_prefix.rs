//! `wegweiser eval prefix`

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::eval::OverQuestions;
use super::{pipeline, print};
use crate::config::Config;
use crate::eval::bootstrap::Estimate;
use crate::eval::prefix::{self, Report};
use crate::eval::prefix_chart;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    questions: OverQuestions,
    /// Draw the figures into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let (config, questions) = arguments.questions.read(config)?;
    let pipeline = Arc::new(pipeline(&config).await?);
    let mut bar = print::Counter::new("searched", questions.len());
    let report = prefix::evaluate(&pipeline, &questions, |done| bar.set(done)).await?;
    drop(bar);
    if let Some(file) = &arguments.svg {
        let title = arguments.questions.title();
        super::files::write(file, &prefix_chart::svg(&report, &title))?;
    }
    arguments.questions.output.show(&report, text)
}

fn text(report: &Report) -> anyhow::Result<()> {
    print::line(&format!(
        "{} questions, a group inferred for {:.3} of them; 95 % intervals",
        report.n, report.inferred
    ))?;
    let mut mode = "";
    for condition in &report.conditions {
        if condition.mode != mode {
            mode = condition.mode;
            let head = "R@5                MRR@10             harm";
            print::line(&format!("\n{mode:<30} {head}"))?;
        }
        print::line(&format!(
            "  {:<28} {}  {}  {}",
            condition.name,
            figure(condition.recall_at_5),
            figure(condition.mrr_at_10),
            figure(condition.harm)
        ))?;
    }
    print::line("")?;
    for guard in &report.guard {
        let said = |holds: bool| if holds { "holds" } else { "missed" };
        let gained = guard
            .gained_by_right_group
            .map_or_else(|| "nothing to gain".to_owned(), |share| format!("{share:.3}"));
        print::line(&format!(
            "guard, {}: a wrong group leaves {:.3} of the plain MRR@10 (bar 0.95 {}); the right one brings {} of a filter's gain (bar 0.9 {})",
            guard.mode,
            guard.kept_under_wrong_group,
            said(guard.wrong_group_holds),
            gained,
            said(guard.right_group_holds)
        ))?;
    }
    if !report.left_out.is_empty() {
        print::note(&format!(
            "{} questions are left out, their section or group is unknown: {}",
            report.left_out.len(),
            report.left_out.join(", ")
        ));
    }
    Ok(())
}

fn figure(figure: Estimate) -> String {
    format!("{:.3} ({:.3}–{:.3})", figure.mean, figure.low, figure.high)
}
