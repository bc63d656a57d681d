//! `wegweiser gaps promote`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use time::OffsetDateTime;

use super::super::{Format, Output, print};
use super::reader::Reader;
use crate::catalog::{self, Question};
use crate::config::Config;
use crate::domain::did_you_mean;
use crate::gaps::{Filed, Finding, Promoted, Study, file_questions, report};
use crate::pipeline::Pipeline;
use crate::pipeline::assemble::Assembly;
use crate::query_log;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Id of a finding (`G-UNANSWERED:Legasthenie`), or the label of a topic
    #[arg(value_name = "TOPIC_OR_FINDING")]
    finding: String,
    /// File of the catalog that takes the questions; the other files beside it are read, too
    #[arg(long, value_name = "FILE", default_value = "catalog/live.yaml")]
    catalog: PathBuf,
    /// A log of live questions (its folder, or one file) with the topic
    #[arg(long, value_name = "PATH")]
    log: Option<PathBuf>,
    #[command(flatten)]
    reader: Reader,
    #[command(flatten)]
    output: Output,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.catalog;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Also where the topics of a log are meant: what is wrong is told before minutes of work.
    let existing = if folder.exists() { catalog::load(folder)? } else { Vec::new() };
    let found = found(config, arguments, existing).await?;
    let finding = named(&found.findings, &arguments.finding)?;
    let Filed { file, promoted, known } = file_questions(finding, file, &found.whole).await?;
    match arguments.output.format {
        Format::Json => print::json(&json!({
            "finding": finding.id,
            "file": file,
            "opened": promoted.opened,
            "guarding": promoted.guarding,
            "passing": promoted.passing,
            "known": known,
        }))?,
        Format::Text => tell(&file, &promoted, known)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(name: &str, promoted: &Promoted, known: usize) -> anyhow::Result<()> {
    let Promoted { opened, guarding, passing, .. } = promoted;
    for id in opened {
        print::line(&format!("{id}  open"))?;
    }
    for id in guarding {
        print::line(&format!("{id}  refused as it should be, must stay so"))?;
    }
    for question in passing {
        print::line(&format!("passes already, no ticket: {}", report::one_line(question)))?;
    }
    let added = opened.len() + guarding.len();
    print::line(&format!("{name}: {added} questions added, {known} were there"))
}

/// Findings, and what a run of the catalog asks.
struct Searched {
    findings: Vec<Finding>,
    whole: Arc<Pipeline>,
}

/// The topics of the log where one is named, else the findings of the compendium.
async fn found(
    config: &Config,
    arguments: &Arguments,
    existing: Vec<Question>,
) -> anyhow::Result<Searched> {
    let log = arguments.log.as_deref().map(query_log::read).transpose()?;
    let reader = &arguments.reader;
    let assembly = Assembly::prepare(config).await?;
    let views = reader.views(config, assembly, log.as_ref()).await?;
    let whole = Arc::clone(views.whole());
    if let Some(log) = &log {
        let findings = super::live(&views, reader, log, &existing).await?.findings();
        return Ok(Searched { findings, whole });
    }
    let (pipeline, existing) = reader.own(&views, existing);
    let mut bar = None;
    let study = Study::new(pipeline, &existing, |done, total| {
        bar.get_or_insert_with(|| print::Counter::new("asked", total)).set(done);
    })
    .await?;
    let findings = study.report(OffsetDateTime::now_utc().date(), Vec::new()).findings;
    Ok(Searched { findings, whole })
}

fn named<'a>(findings: &'a [Finding], name: &str) -> anyhow::Result<&'a Finding> {
    let is = |finding: &&Finding| {
        finding.id == name || finding.subject.term.as_deref().is_some_and(|term| term == name)
    };
    findings.iter().find(is).with_context(|| {
        let names = findings
            .iter()
            .flat_map(|finding| [Some(finding.id.as_str()), finding.subject.term.as_deref()]);
        let meant = did_you_mean(name, names.flatten());
        let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        format!("there is no finding `{name}`{meant}")
    })
}
