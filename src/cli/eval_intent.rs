//! `wegweiser eval intent`

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Output, pipeline, print};
use crate::config::Config;
use crate::eval::dataset::{self, DatasetError};
use crate::eval::intent::{self, Figures, LabelledIntent, Report};
use crate::pipeline::assemble::Assembly;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Labelled questions, one JSON object a line: `question`, `intent`, optional `acceptable`
    /// [default: cross-validation on the examples of intents.yaml]
    #[arg(value_name = "FILE.jsonl")]
    file: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let report = match &arguments.file {
        Some(file) => measured(config, file).await?,
        None => cross_validated(config).await?,
    };
    arguments.output.show(&report, text)
}

async fn measured(config: &Config, file: &Path) -> anyhow::Result<Report> {
    let questions = read(file)?;
    let pipeline = pipeline(config).await?;
    let known = pipeline.intents().ids();
    for label in questions.iter().flat_map(|q| q.acceptable.iter().chain([&q.intent])) {
        if label != intent::UNKNOWN && known.iter().all(|id| id.as_str() != label) {
            print::note(&format!("label `{label}` is no intent of intents.yaml"));
        }
    }
    let mut bar = print::Counter::new("asked", questions.len());
    let report = intent::evaluate(&pipeline, &questions, |done| bar.set(done)).await?;
    if let Some(llm) = pipeline.llm() {
        let counts = serde_json::to_string(&llm.counts())?;
        print::note(&format!("{}: {counts}", llm.describe()));
    }
    Ok(report)
}

async fn cross_validated(config: &Config) -> anyhow::Result<Report> {
    if config.ollama.is_some() {
        print::note("llama3 learns nothing from the examples: it is measured on a file");
    }
    let assembly = Assembly::prepare(config).await?;
    let task = tokio::task::spawn_blocking(move || -> anyhow::Result<Report> {
        let examples = assembly.labelled_examples()?;
        let sources = assembly.sources();
        Ok(intent::cross_validate(&sources.rules, &sources.intents, &examples)?)
    });
    task.await?
}

fn read(file: &Path) -> Result<Vec<LabelledIntent>, DatasetError> {
    let mend = "write one object a line: {\"question\": \"…\", \"intent\": \"…\"}";
    let lines = dataset::lines(file, mend)?;
    Ok(lines.into_iter().map(|(_, question)| question).collect())
}

fn text(report: &Report) -> anyhow::Result<()> {
    print::line("                n  decided  strict  acceptable  profile  of decided    ECE")?;
    row("rules", &report.rules)?;
    row("classifier", &report.classifier)?;
    if let Some(llm) = &report.llm {
        row("llm", llm)?;
    }
    row("combined", &report.combined)?;
    for (name, figures) in &report.ablation {
        row(&format!(" {name}"), figures)?;
    }
    print::line("\nintent            n  precision  recall  decided as")?;
    for (label, figures) in &report.intents {
        let others: Vec<String> = report.confusion[label]
            .iter()
            .filter(|(decided, _)| *decided != label)
            .map(|(decided, count)| format!("{decided} {count}"))
            .collect();
        print::line(&format!(
            "{label:<14} {:>4}      {:.3}   {:.3}  {}",
            figures.n,
            figures.precision,
            figures.recall,
            others.join(", ")
        ))?;
    }
    print::line(&format!("\n{} errors", report.errors.len()))?;
    for error in &report.errors {
        print::line(&format!(
            "  {} instead of {} ({}): {}",
            error.decided, error.intent, error.source, error.question
        ))?;
    }
    Ok(())
}

fn row(name: &str, figures: &Figures) -> anyhow::Result<()> {
    let error = figures.calibration_error.map_or_else(String::new, |error| format!("{error:.3}"));
    print::line(&format!(
        "{name:<11} {:>5}    {:>5}   {:.3}       {:.3}    {:.3}       {:.3}  {error:>5}",
        figures.n,
        figures.decided,
        figures.strict,
        figures.acceptable,
        figures.profile,
        figures.strict_of_decided
    ))?;
    Ok(())
}
