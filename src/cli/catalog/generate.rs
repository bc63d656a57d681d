//! `wegweiser catalog generate`

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::super::{Format, Output, files, print};
use crate::catalog::{
    self,
    generate::{self, Plan, RemarkKind},
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
    #[command(flatten)]
    output: Output,
}

/// Exit code 1 where a person has to decide, or where `--check` finds something to write.
pub(super) fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let sources = Sources::read(config.rules.as_deref(), config.compendium.as_deref())?;
    let folder = &arguments.questions.catalog;
    let existing = if folder.exists() { catalog::load(folder)? } else { Vec::new() };
    let path = folder.join(FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => Err(error).with_context(|| format!("{} can not be read", path.display()))?,
    };
    let name = path.display().to_string().replace('\\', "/");
    let purposes = generate::purposes(&sources);
    let plan = generate::plan(&sources.compendium.sections, &purposes, &existing, &name, &text);
    if let Some(text) = plan.text.as_ref().filter(|_| !arguments.check) {
        files::write(&path, text)?;
    }
    match arguments.output.format {
        Format::Json => print::json(&json!({
            "file": name,
            "questions": plan.questions,
            "changed": plan.text.is_some(),
            "written": plan.text.is_some() && !arguments.check,
            "remarks": plan.remarks,
        }))?,
        Format::Text => text_report(&plan, &name, arguments.check)?,
    }
    let open = plan.remarks.iter().any(|remark| remark.kind.is_finding());
    let unwritten = arguments.check && plan.text.is_some();
    Ok(if open || unwritten { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn text_report(plan: &Plan, name: &str, check: bool) -> anyhow::Result<()> {
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
    let state = match (&plan.text, check) {
        (None, _) => "is up to date",
        (Some(_), false) => "written",
        (Some(_), true) => "would change",
    };
    print::line(&format!("{name} {state}: {} sections", plan.questions))
}
