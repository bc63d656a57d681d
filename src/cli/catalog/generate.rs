//! `wegweiser catalog generate`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::super::{Format, Output, files, print};
use super::with_llm;
use crate::catalog::{
    self,
    generate::{self, Plan, RemarkKind, llm::End},
};
use crate::config::Config;
use crate::pipeline::sources::Sources;

/// The file of the catalog that the generator keeps.
const FILE: &str = "generiert.yaml";

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    questions: super::Questions,
    /// Write nothing; exit code 1 where something would change
    #[arg(long)]
    check: bool,
    /// Have the model of `--ollama-url` write two further questions for every section that is new or
    /// has changed; Ctrl-C keeps what it has written
    #[arg(long, conflicts_with = "check")]
    with_llm: bool,
    #[command(flatten)]
    output: Output,
}

/// Exit code 1 where a person has to decide, where `--check` finds something to write, or where the
/// model left a section without its questions.
pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let sources = Sources::read(config.rules.as_deref(), config.compendium.as_deref())?;
    let folder = &arguments.questions.catalog;
    let existing = if folder.exists() { catalog::load(folder)? } else { Vec::new() };
    let (path, name, text) = read(folder, FILE)?;
    let purposes = generate::purposes(&sources.intents, &sources.groups, &sources.analyzer);
    let sections = &sources.compendium.sections;
    let plan = generate::plan(sections, &purposes, &existing, &name, &text);
    if let Some(text) = plan.text.as_ref().filter(|_| !arguments.check) {
        files::write(&path, text)?;
    }
    // The questions just made are taken for the model, too.
    let existing = if arguments.check { existing } else { catalog::load(folder)? };
    let by_model = if arguments.with_llm {
        let written = with_llm::ask(config, &sources, &existing, folder).await?;
        Some(written)
    } else {
        None
    };
    let kept = with_llm::plan(sections, &existing, folder, by_model.as_ref())?;
    let remarked = [&plan.remarks[..], &kept.remarks[..]].concat();
    match arguments.output.format {
        Format::Json => print::json(&json!({
            "file": name,
            "questions": plan.questions,
            "changed": plan.text.is_some(),
            "written": plan.text.is_some() && !arguments.check,
            "remarks": remarked,
            "llm": by_model.as_ref().map(|by_model| with_llm::json(by_model, &kept)),
        }))?,
        Format::Text => {
            text_report(&plan, &name, arguments.check)?;
            remarks(&kept, with_llm::FILE)?;
            if let Some(by_model) = &by_model {
                with_llm::text(by_model, &kept)?;
            }
        }
    }
    let open = remarked.iter().any(|remark| remark.kind.is_finding());
    let unwritten = arguments.check && plan.text.is_some();
    if let Some(by_model) = by_model {
        with_llm::failure(&by_model)?;
        if !by_model.failed.is_empty() || matches!(by_model.end, End::Interrupted) {
            return Ok(ExitCode::from(1));
        }
    }
    Ok(if open || unwritten { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Path, name for messages and content of a file of the catalog; empty where there is none.
pub(super) fn read(folder: &Path, file: &str) -> anyhow::Result<(PathBuf, String, String)> {
    let path = folder.join(file);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => Err(error).with_context(|| format!("{} can not be read", path.display()))?,
    };
    let name = path.display().to_string().replace('\\', "/");
    Ok((path, name, text))
}

fn text_report(plan: &Plan, name: &str, check: bool) -> anyhow::Result<()> {
    remarks(plan, name)?;
    let state = match (&plan.text, check) {
        (None, _) => "is up to date",
        (Some(_), false) => "written",
        (Some(_), true) => "would change",
    };
    print::line(&format!("{name} {state}: {} sections", plan.questions))
}

fn remarks(plan: &Plan, name: &str) -> anyhow::Result<()> {
    for remark in &plan.remarks {
        let what = match remark.kind {
            RemarkKind::Added => "new",
            RemarkKind::Rewritten => "rewritten",
            RemarkKind::SectionChanged => "section changed, question stays",
            RemarkKind::Review => {
                "section changed, question edited by hand: look at it, then \
                                   delete its `source`"
            }
            RemarkKind::Orphan => "section gone: delete the question, or name another section",
        };
        let place = remark.place.as_ref().map_or_else(|| name.to_owned(), ToString::to_string);
        print::line(&format!("{place}: {what}\n  {}  {}", remark.section, remark.question))?;
    }
    Ok(())
}
