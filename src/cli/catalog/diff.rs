//! `wegweiser catalog diff`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::before::{Before, noted, of_baseline};
use super::blame::blame;
use super::{Questions, ask, print, questions};
use crate::catalog::{Baseline, Diff, report};
use crate::cli::remembering;
use crate::cli::{Format, Output};
use crate::config::Config;
use crate::pipeline::Changes;
use crate::pipeline::snapshot::Snapshot;
use crate::pipeline::sources::Sources;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Baseline that `catalog run --save` wrote
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// How much a figure may fall, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share)]
    tolerance: f64,
    /// Ask what turned again with each rule file, and the compendium, of the baseline put back alone,
    /// and say which of them turned it
    #[arg(long)]
    blame: bool,
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
    let (assembly, watch) = remembering(config).await?;
    let now = Snapshot::of(assembly.sources());
    let files = &arguments.base;
    let before = if arguments.blame {
        let Before { snapshot, name } = of_baseline(config, assembly.store(), &base, files)?;
        print::note(&format!("the baseline is taken to be made of {name}"));
        Some(snapshot)
    } else {
        noted(assembly.store(), &base)?
    };
    // The run takes the assembly along; the blame needs its model once more.
    let spare = if arguments.blame {
        Some(assembly.with_sources(config, Sources::of(&now)?)?)
    } else {
        None
    };
    let run = ask(config, (assembly, watch), &questions).await?;
    let mut diff = Diff::new(&base, &run, arguments.tolerance);
    if let Some(before) = &before {
        let edited = Changes::between(before, &now);
        diff.edited = (!edited.is_empty()).then_some(edited);
    }
    if let (Some(spare), Some(before)) = (spare, &before) {
        blame(config, &spare, before, &questions, &mut diff).await?;
    }
    match arguments.output.format {
        Format::Json => print::json(&diff)?,
        Format::Text => print::line(report::diff(&diff).trim_end())?,
    }
    Ok(if diff.is_a_regression() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
