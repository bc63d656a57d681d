//! `wegweiser catalog`

mod before;
mod blame;
mod diff;
mod generate;
mod preview;
mod run;
mod twins;
mod with_llm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::listener::Terminal;
use super::{Stopwatch, joined, opened, print};
use crate::catalog::{self, Question, Run};
use crate::config::Config;
use crate::embedding::EmbedError;
use crate::pipeline::Pipeline;
use crate::pipeline::assemble::{AssembleError, Assembly};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Ask all questions of the catalog; exit code 1 where one fails
    Run(run::Arguments),
    /// Run it and say what turned against a baseline, and what turned it; exit code 1 where a
    /// question that passed fails, or a figure falls
    Diff(diff::Arguments),
    /// Say what publishing an edit would change, without publishing it; exit code 1 where a question
    /// that passes would fail
    Preview(preview::Arguments),
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
        Command::Preview(arguments) => preview::run(config, arguments).await,
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

/// Asks over the index in the data folder, and says how long that took.
async fn ask(
    config: &Config,
    (assembly, watch): (Assembly, Stopwatch),
    questions: &[Question],
) -> anyhow::Result<Run> {
    let pipeline = Arc::new(opened(config, assembly).await?);
    let watch = watch.restarted();
    let run = asked(&pipeline, questions).await?;
    watch.tell();
    Ok(run)
}

async fn asked(pipeline: &Arc<Pipeline>, questions: &[Question]) -> anyhow::Result<Run> {
    let mut bar = print::Counter::new("asked", questions.len());
    Ok(catalog::run(pipeline, questions, |done| bar.set(done)).await?)
}

/// What another state would answer: over an index of its own where that in the data folder does not
/// fit, which stays.
async fn aside(config: &Config, assembly: Assembly) -> Result<Arc<Pipeline>, AssembleError> {
    let task = tokio::task::spawn_blocking(move || {
        assembly.index_aside(&mut Terminal::new()).map(|index| (assembly, index))
    });
    let (assembly, index) = task.await.map_err(EmbedError::Task)??;
    Ok(Arc::new(joined(config, assembly, index).await?))
}
