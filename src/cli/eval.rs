//! `wegweiser eval`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::{Output, pipeline, print};
use crate::catalog;
use crate::config::Config;
use crate::eval::retrieval::{self, ByChannel, Report};
use crate::eval::{LabelledQuestion, dataset};

#[derive(Debug, Subcommand)]
pub(super) enum Evaluation {
    /// Recall and reciprocal rank of each channel
    Retrieval(Retrieval),
    /// Accuracy of rules, classifier and both
    Intent(super::eval_intent::Arguments),
}

#[derive(Debug, Args)]
pub(super) struct Retrieval {
    /// Folder with sections.jsonl and questions.jsonl [default: the catalog over the compendium]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) async fn run(config: &Config, evaluation: &Evaluation) -> anyhow::Result<()> {
    match evaluation {
        Evaluation::Retrieval(arguments) => retrieval(config, arguments).await,
        Evaluation::Intent(arguments) => super::eval_intent::run(config, arguments).await,
    }
}

async fn retrieval(config: &Config, arguments: &Retrieval) -> anyhow::Result<()> {
    let (config, questions) = match &arguments.data {
        Some(folder) => (over(config, folder), dataset::jsonl(&folder.join("questions.jsonl"))?),
        None => (config.clone(), catalog::labelled(catalog::load(Path::new("catalog"))?)),
    };
    let pipeline = Arc::new(pipeline(&config).await?);
    let report = run_all(&pipeline, &questions).await?;
    match arguments.output.format {
        super::Format::Json => print::json(&report),
        super::Format::Text => text(&report),
    }
}

/// The data set's sections in an index of their own, beside the one that serves.
fn over(config: &Config, folder: &Path) -> Config {
    let name = folder.file_name().map_or_else(|| "data".into(), std::ffi::OsStr::to_owned);
    Config {
        compendium: Some(folder.to_owned()),
        data_dir: config.data_dir.join("eval").join(name),
        ..config.clone()
    }
}

async fn run_all(
    pipeline: &Arc<crate::pipeline::Pipeline>,
    questions: &[LabelledQuestion],
) -> anyhow::Result<Report> {
    let mut bar = print::Counter::new("asked", questions.len());
    Ok(retrieval::evaluate(pipeline, questions, |done| bar.set(done)).await?)
}

fn text(report: &Report) -> anyhow::Result<()> {
    table("all", &report.channels)?;
    for (class, figures) in &report.by_overlap {
        table(&format!("overlap {}", format!("{class:?}").to_lowercase()), figures)?;
    }
    for (tier, figures) in &report.by_tier {
        table(&format!("tier {tier}"), figures)?;
    }
    if !report.unknown_sections.is_empty() {
        print::note(&format!(
            "{} questions name a section that is not in the index: {}",
            report.unknown_sections.len(),
            report.unknown_sections.join(", ")
        ));
    }
    Ok(())
}

fn table(title: &str, figures: &ByChannel) -> anyhow::Result<()> {
    let n = figures.values().next().map_or(0, |scores| scores.n);
    print::line(&format!("{title} ({n} questions)"))?;
    print::line("            R@1    R@5   R@10  MRR@10")?;
    for (channel, s) in figures {
        print::line(&format!(
            "  {channel:<8} {:.3}  {:.3}  {:.3}  {:.3}",
            s.recall_at_1, s.recall_at_5, s.recall_at_10, s.mrr_at_10
        ))?;
    }
    Ok(())
}
