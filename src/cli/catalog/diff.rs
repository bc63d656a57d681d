//! `wegweiser catalog diff`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Questions, asked, print};
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
    let run = asked(config, &arguments.questions.catalog).await?;
    let diff = Diff::new(&base, &run, arguments.tolerance);
    match arguments.output.format {
        Format::Json => print::json(&diff)?,
        Format::Text => print::line(report::diff(&diff).trim_end())?,
    }
    Ok(if diff.is_a_regression() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
