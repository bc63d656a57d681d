//! `wegweiser eval`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::{Output, files, measured, print};
use crate::catalog;
use crate::config::Config;
use crate::eval::retrieval::{self, ByChannel, Report};
use crate::eval::{LabelledQuestion, dataset, export};

#[derive(Debug, Subcommand)]
pub(super) enum Evaluation {
    /// Recall and reciprocal rank of each channel
    Retrieval(OverQuestions),
    /// Accuracy of the inferred groups, and the words that misled
    Groups(OverQuestions),
    /// What group and prefix bring, used in every way
    Prefix(super::eval_prefix::Arguments),
    /// How often questions are refused rightly and wrongly, and what `confidence` is worth
    Answerable(super::eval_answerable::Arguments),
    /// None, mixed and typed enrichment, by kind of question
    Enrichment(super::eval_enrichment::Arguments),
    /// Accuracy of rules, classifier and both
    Intent(super::eval_intent::Arguments),
    /// Graded measures of anybody's results, from files in the form of TREC
    Trec(super::eval_trec::Arguments),
}

#[derive(Debug, Args)]
pub(super) struct OverQuestions {
    /// Folder with questions.jsonl and sections.jsonl or compendium/ [default: the catalog over the
    /// compendium]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Write the first 100 hits of each question as a TREC run
    #[arg(long, value_name = "FILE")]
    run_out: Option<PathBuf>,
    /// Write the right sections as TREC judgments
    #[arg(long, value_name = "FILE")]
    qrels_out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) output: Output,
}

impl OverQuestions {
    /// What is asked, for a chart.
    pub(super) fn title(&self) -> String {
        let name = self.data.as_deref().and_then(Path::file_name);
        name.map_or_else(|| "Katalog".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The labelled questions, and the settings with the compendium that they belong to.
    pub(super) fn read(&self, config: &Config) -> anyhow::Result<(Config, Vec<LabelledQuestion>)> {
        Ok(match &self.data {
            Some(folder) => {
                (over(config, folder), dataset::jsonl(&folder.join("questions.jsonl"))?)
            }
            None => (config.clone(), catalog::labelled(catalog::load(Path::new("catalog"))?)),
        })
    }
}

pub(super) async fn run(config: &Config, evaluation: &Evaluation) -> anyhow::Result<()> {
    match evaluation {
        Evaluation::Retrieval(arguments) => retrieval(config, arguments).await,
        Evaluation::Groups(arguments) => super::eval_groups::run(config, arguments).await,
        Evaluation::Prefix(arguments) => super::eval_prefix::run(config, arguments).await,
        Evaluation::Answerable(arguments) => super::eval_answerable::run(config, arguments).await,
        Evaluation::Enrichment(arguments) => super::eval_enrichment::run(config, arguments).await,
        Evaluation::Intent(arguments) => super::eval_intent::run(config, arguments).await,
        Evaluation::Trec(arguments) => super::eval_trec::run(arguments),
    }
}

async fn retrieval(config: &Config, arguments: &OverQuestions) -> anyhow::Result<()> {
    let (config, questions) = arguments.read(config)?;
    let (pipeline, watch) = measured(&config).await?;
    if let Some(file) = &arguments.qrels_out {
        files::write(file, &export::qrels(&questions).to_text())?;
    }
    if let Some(file) = &arguments.run_out {
        let mut bar = print::Counter::new("ranked", questions.len());
        let run = export::run(&pipeline, &questions, |done| bar.set(done)).await?;
        files::write(file, &run.to_text("wegweiser"))?;
    }
    let report = run_all(&pipeline, &questions).await?;
    watch.tell();
    arguments.output.show(&report, text)
}

/// The data set's sections in an index of their own, beside the one that serves.
pub(super) fn over(config: &Config, folder: &Path) -> Config {
    let name = folder.file_name().map_or_else(|| "data".into(), std::ffi::OsStr::to_owned);
    // Markdown may stand in a folder of its own beside the questions.
    let inner = folder.join("compendium");
    Config {
        compendium: Some(if inner.is_dir() { inner } else { folder.to_owned() }),
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
