//! `wegweiser catalog diff`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::blame::blame;
use super::{Questions, ask, print, questions};
use crate::catalog::{Baseline, Diff, report};
use crate::cli::{Format, Output};
use crate::config::Config;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Baseline that `catalog run --save` wrote
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// How much a figure may fall, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share)]
    tolerance: f64,
    /// Folder of the rules as they were: asks what turned again with each file put back alone,
    /// and says which one turned it
    #[arg(long, value_name = "FOLDER")]
    blame_rules: Option<PathBuf>,
    #[command(flatten)]
    questions: Questions,
    #[command(flatten)]
    output: Output,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "write a number from 0 to 1, for example 0.01".to_owned())
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let base = Baseline::load(&arguments.base)?;
    let questions = questions(&arguments.questions.catalog)?;
    let run = ask(config, &questions).await?;
    let mut diff = Diff::new(&base, &run, arguments.tolerance);
    if let Some(old) = &arguments.blame_rules {
        blame(config, old, &questions, &mut diff).await?;
    }
    match arguments.output.format {
        Format::Json => print::json(&diff)?,
        Format::Text => print::line(report::diff(&diff).trim_end())?,
    }
    Ok(if diff.is_a_regression() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
