//! `wegweiser catalog generate`

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::super::{Format, Output, print};
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
    if !arguments.check {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{} can not be made", folder.display()))?;
    }
    let existing = if folder.exists() { catalog::load(folder)? } else { Vec::new() };
    let path = folder.join(FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => Err(error).with_context(|| format!("{} can not be read", path.display()))?,
    };
    let name = path.display().to_string().replace('\\', "/");
    let purposes = generate::purposes(&sources.intents, &sources.groups, &sources.analyzer);
    let plan = generate::plan(&sources.compendium.sections, &purposes, &existing, &name, &text);
    if let Some(text) = plan.text.as_ref().filter(|_| !arguments.check) {
        write(&path, text).with_context(|| format!("{name} can not be written"))?;
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

/// A reader sees the old file or the new one, never half of it.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension(format!("yaml.{}.new", std::process::id()));
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let outcome = written.and_then(|()| std::fs::rename(&beside, path));
    if outcome.is_err() {
        // The first error tells more than that its remains can not be removed either.
        let _ = std::fs::remove_file(&beside);
    }
    outcome
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
