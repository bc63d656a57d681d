//! `wegweiser lint`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::{Format, Output, print};
use crate::config::Config;
use crate::lint;
use crate::pipeline::sources::Sources;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Show what each rule does over the labelled examples, and rules that never win
    #[arg(long)]
    coverage: bool,
    /// Questions of a log, one a line, for the coverage
    #[arg(long, value_name = "FILE", requires = "coverage")]
    log: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// Exit code 1 where there is something to mend.
pub(super) fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (sources, problems) =
        match Sources::read(config.rules.as_deref(), config.compendium.as_deref()) {
            Ok(sources) => {
                let problems = lint::examples(&sources.rules);
                (Some(sources), problems)
            }
            Err(problems) => (None, problems.into_list()),
        };
    let log = match &arguments.log {
        Some(file) => std::fs::read_to_string(file)
            .with_context(|| format!("{} can not be read", file.display()))?,
        None => String::new(),
    };
    let coverage = sources.as_ref().filter(|_| arguments.coverage).map(|sources| {
        let examples = sources.rules.rules().iter().flat_map(|rule| &rule.positive);
        let questions = sources.intents.labelled().map(|(_, text)| text.as_str());
        let questions = questions.chain(examples.map(|example| example.question.as_str()));
        lint::coverage(&sources.rules, questions.chain(log.lines()))
    });
    match arguments.output.format {
        Format::Json => {
            let problems: Vec<_> = problems
                .iter()
                .map(|found| {
                    json!({"place": found.place, "code": found.code,
                        "message": found.message, "mend": found.mend})
                })
                .collect();
            print::json(&json!({"problems": problems, "coverage": coverage}))?;
        }
        Format::Text => {
            for problem in &problems {
                print::line(&problem.to_string())?;
            }
            for (id, rule) in coverage.iter().flatten() {
                let never = if rule.won == 0 { "  never wins" } else { "" };
                print::line(&format!(
                    "{id}: won {}, vetoed {}, lost to {:?}; without it {:?}{never}",
                    rule.won, rule.vetoed, rule.lost_to, rule.without_it
                ))?;
            }
            let count = problems.len();
            print::line(&format!("{count} {}", if count == 1 { "problem" } else { "problems" }))?;
        }
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
