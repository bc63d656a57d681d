//! `wegweiser catalog`

mod blame;
mod diff;
mod generate;
mod run;
mod twins;
mod with_llm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{measured, print};
use crate::catalog::{self, Question, Run};
use crate::config::Config;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Ask all questions of the catalog; exit code 1 where one fails
    Run(run::Arguments),
    /// Run it and say what turned against a baseline, and what turned it; exit code 1 where a
    /// question that passed fails, or a figure falls
    Diff(diff::Arguments),
    /// Write one question for every section of the compendium; exit code 1 where a person has to
    /// decide
    Generate(generate::Arguments),
    /// Ask each question as other people type it, and list what loses its section; exit code 1 where
    /// something does
    Twins(twins::Arguments),
}

#[derive(Debug, Args)]
struct Questions {
    /// Folder of the questions
    #[arg(long, value_name = "FOLDER", default_value = "catalog")]
    catalog: PathBuf,
}

pub(super) async fn run(config: &Config, command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Run(arguments) => run::run(config, arguments).await,
        Command::Diff(arguments) => diff::run(config, arguments).await,
        Command::Generate(arguments) => generate::run(config, arguments).await,
        Command::Twins(arguments) => twins::run(config, arguments).await,
    }
}

/// The questions of a folder; an empty catalog would pass whatever happens.
fn questions(folder: &Path) -> anyhow::Result<Vec<Question>> {
    let questions = catalog::load(folder)?;
    anyhow::ensure!(!questions.is_empty(), "there is no question in {}", folder.display());
    Ok(questions)
}

async fn ask(config: &Config, questions: &[Question]) -> anyhow::Result<Run> {
    let (pipeline, watch) = measured(config).await?;
    let mut bar = print::Counter::new("asked", questions.len());
    let run = catalog::run(&pipeline, questions, |done| bar.set(done)).await?;
    drop(bar);
    watch.tell();
    Ok(run)
}
