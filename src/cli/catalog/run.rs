//! `wegweiser catalog run`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use super::{Questions, ask, print, questions};
use crate::catalog::{Baseline, Run, report};
use crate::cli::files;
use crate::cli::remembering;
use crate::config::Config;
use crate::pipeline::snapshot::Snapshot;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    questions: Questions,
    /// Form of the report
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Form,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep the run as a baseline for `catalog diff`
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs
    Json,
    /// For CI servers
    Junit,
    /// For the browser, in German
    Html,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let questions = questions(&arguments.questions.catalog)?;
    let (assembly, watch) = remembering(config).await?;
    let made_of = Snapshot::of(assembly.sources());
    let store = assembly.store().clone();
    let (digest, kept) = (made_of.digest(), store.baseline(&made_of.digest()));
    let run = ask(config, (assembly, watch), &questions).await?;
    let report = match arguments.format {
        Form::Text => report::text(&run),
        Form::Json => serde_json::to_string_pretty(&run)? + "\n",
        Form::Junit => report::junit(&run),
        Form::Html => report::html(&run),
    };
    match &arguments.output {
        Some(file) => write(file, &report, &run)?,
        None => print::line(report.trim_end())?,
    }
    if let Some(file) = &arguments.save {
        Baseline::of(&run).made_of(digest).save(file)?;
        made_of.save(&kept).with_context(|| format!("{} can not be written", kept.display()))?;
        store.forget_baselines();
        print::note(&format!("saved as {}", file.display()));
    }
    Ok(if run.has_failures() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn write(file: &Path, report: &str, run: &Run) -> anyhow::Result<()> {
    files::write(file, report)?;
    print::line(&format!("{}: {}", file.display(), report::totals(&run.summary)))
}
