//! `wegweiser lint`

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::{Format, Output, print};
use crate::catalog::{self, Question};
use crate::config::Config;
use crate::domain::{Problem, SectionId, did_you_mean};
use crate::enrichment::{self, Share};
use crate::eval::DatasetError;
use crate::lint::{self, Coverage};
use crate::pipeline::sources::Sources;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Show what each rule does over the labelled examples and the questions of the catalog: how often
    /// it wins, loses and to which rule, what would decide without it, and which rules never win
    #[arg(long)]
    coverage: bool,
    /// More questions for the coverage, one a line, for example from a log
    #[arg(long, value_name = "FILE", requires = "coverage")]
    questions: Option<PathBuf>,
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
    let log = match &arguments.questions {
        Some(file) => std::fs::read_to_string(file)
            .with_context(|| format!("{} can not be read", file.display()))?,
        None => String::new(),
    };
    let enrichment = sources.as_ref().map(|sources| {
        enrichment::leaks(config.enrichment, &sources.compendium.sections, &sources.analyzer)
    });
    let (leaked, shares) =
        enrichment.map_or_else(Default::default, |found| (found.problems, found.shares));
    let (catalog, faulty) = match questions(config) {
        Ok(catalog) => (catalog, Vec::new()),
        Err(DatasetError::Problems(problems)) => (Vec::new(), problems.into_list()),
        Err(unreadable @ DatasetError::Read { .. }) => return Err(unreadable.into()),
    };
    let lost = sources.as_ref().map(|sources| {
        let ids = sources.compendium.sections.iter().map(|section| &section.id);
        lost(&catalog, &ids.collect())
    });
    let problems = [problems, leaked, faulty, lost.unwrap_or_default()].concat();
    let coverage = sources.as_ref().filter(|_| arguments.coverage).map(|sources| {
        let examples = sources.rules.rules().iter().flat_map(|rule| &rule.positive);
        let questions = sources.intents.labelled().map(|(_, text)| text.as_str());
        let questions = questions.chain(examples.map(|example| example.question.as_str()));
        let questions = questions.chain(catalog.iter().map(|entry| entry.question.as_str()));
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
            let shares: Vec<_> = shares.iter().filter(|s| s.lexical + s.embedding > 0.0).collect();
            print::json(&json!({
                "problems": problems, "coverage": coverage, "enrichment": shares,
            }))?;
        }
        Format::Text => {
            for problem in &problems {
                print::line(&problem.to_string())?;
            }
            for (id, rule) in coverage.iter().flatten() {
                print::line(&covered(id, rule))?;
            }
            if let Some(line) = shared(&shares) {
                print::note(&line);
            }
            let count = problems.len();
            print::line(&format!("{count} {}", if count == 1 { "problem" } else { "problems" }))?;
        }
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The questions of the catalog, where there is one.
fn questions(config: &Config) -> Result<Vec<Question>, DatasetError> {
    if config.catalog.is_dir() { catalog::load(&config.catalog) } else { Ok(Vec::new()) }
}

/// Questions whose section does not exist. Where none does, the catalog belongs to another compendium.
fn lost(catalog: &[Question], sections: &BTreeSet<&SectionId>) -> Vec<Problem> {
    if !catalog.iter().flat_map(Question::right).any(|id| sections.contains(id)) {
        return Vec::new();
    }
    let lost = catalog.iter().flat_map(|question| question.right().map(move |id| (question, id)));
    lost.filter(|(_, id)| !sections.contains(id))
        .map(|(question, id)| Problem {
            place: question.place.clone(),
            code: "catalog-section-unknown",
            message: format!("`{}` expects `{id}`, and there is no such section", question.id),
            mend: match did_you_mean(id.as_str(), sections.iter().map(|id| id.as_str())) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "name a section that exists, or take the question out".to_owned(),
            },
        })
        .collect()
}

/// How much sections have from their documents, where any has something.
fn shared(shares: &[Share]) -> Option<String> {
    let most = shares
        .iter()
        .max_by(|a, b| a.lexical.total_cmp(&b.lexical).then_with(|| b.section.cmp(&a.section)))?;
    let mean = shares.iter().map(|share| share.lexical).sum::<f64>() / shares.len() as f64;
    (most.lexical > 0.0).then(|| {
        format!(
            "symbols of the document are {mean:.3} of a section's words in the keyword index, at most {:.3} ({})",
            most.lexical, most.section
        )
    })
}

/// One rule of the coverage as a line: `why_basis: won 75 (without it nobody 60); lost to …`.
fn covered(id: &str, rule: &Coverage) -> String {
    let list = |counts: &BTreeMap<String, usize>| {
        let counts: Vec<String> =
            counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        counts.join(", ")
    };
    let mut facts = vec![match rule.won {
        0 => "never wins".to_owned(),
        won => format!("won {won} (without it {})", list(&rule.without_it)),
    }];
    if !rule.lost_to.is_empty() {
        facts.push(format!("lost to {}", list(&rule.lost_to)));
    }
    if rule.vetoed > 0 {
        facts.push(format!("called off by its `unless` {}", rule.vetoed));
    }
    format!("{id}: {}", facts.join("; "))
}
