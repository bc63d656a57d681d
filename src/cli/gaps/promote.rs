//! `wegweiser gaps promote`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::super::{Format, Output, pipeline, print};
use crate::catalog;
use crate::config::Config;
use crate::domain::did_you_mean;
use crate::gaps::{Day, Filed, Finding, Study, file_questions};

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
    output: Output,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let findings = findings(config, arguments).await?;
    let finding = named(&findings, &arguments.finding)?;
    let Filed { file, added, known } = file_questions(finding, &arguments.catalog)?;
    match arguments.output.format {
        Format::Json => print::json(&json!({
            "finding": finding.id, "file": file, "added": added, "known": known,
        }))?,
        Format::Text => {
            for id in &added {
                print::line(id)?;
            }
            print::line(&format!("{file}: {} questions added, {known} were there", added.len()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The topics of the log where one is named, else the findings of the compendium.
async fn findings(config: &Config, arguments: &Arguments) -> anyhow::Result<Vec<Finding>> {
    let file = &arguments.catalog;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Also where the topics of a log are meant: what is wrong is told before minutes of work.
    let existing = if folder.exists() { catalog::load(folder)? } else { Vec::new() };
    let pipeline = Arc::new(pipeline(config).await?);
    if let Some(log) = &arguments.log {
        return Ok(super::live(&pipeline, log).await?.findings());
    }
    #[expect(clippy::disallowed_methods, reason = "the age of sections counts from today")]
    let today =
        Day::of(SystemTime::now()).context("the clock of this machine stands before 1970")?;
    let mut bar = None;
    let study = Study::new(pipeline, &existing, |done, total| {
        bar.get_or_insert_with(|| print::Counter::new("asked", total)).set(done);
    })
    .await?;
    Ok(study.report(today, Vec::new()).findings)
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
