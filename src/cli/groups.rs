//! `wegweiser groups`

use std::path::Path;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};

use super::{pipeline, print};
use crate::catalog;
use crate::config::Config;
use crate::eval::suggest::suggest;
use crate::groups::{Addition, Evidence, Suggestions, Worth};

#[derive(Debug, Subcommand)]
pub(super) enum Groups {
    /// Learn what the word lists lack, and which words do nothing or harm
    Suggest(Arguments),
}

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Form of the output
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Form,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs
    Json,
    /// For groups.yaml, with the evidence as comments
    Yaml,
}

pub(super) async fn run(config: &Config, groups: &Groups) -> anyhow::Result<()> {
    let Groups::Suggest(arguments) = groups;
    let folder = Path::new("catalog");
    let questions = if folder.is_dir() {
        catalog::labelled(catalog::load(folder)?)
    } else {
        print::note("there is no folder `catalog`: the suggestions are not tried on questions");
        Vec::new()
    };
    let pipeline = Arc::new(pipeline(config).await?);
    let mut bar = print::Counter::new("asked", questions.len());
    let found = suggest(&pipeline, &questions, |done| bar.set(done)).await?;
    drop(bar);
    match arguments.format {
        Form::Json => print::json(&found),
        Form::Text => text(&found),
        Form::Yaml => print::line(&yaml(&found)),
    }
}

fn summary(found: &Suggestions) -> String {
    let chosen = match found.evidence {
        Evidence::Sections => "sections",
        Evidence::Both => "sections and questions",
    };
    format!(
        "{} questions, right group first: {:.3} now; with terms of sections {:.3}, of sections and questions {:.3} (5-fold cross-validation); terms below are from {chosen}",
        found.questions, found.accuracy_now, found.accuracy_by_sections, found.accuracy_by_both
    )
}

fn text(found: &Suggestions) -> anyhow::Result<()> {
    print::line(&summary(found))?;
    print::line("\nmissing")?;
    for addition in &found.additions {
        let (group, word) = (&addition.group, &addition.word);
        print::line(&format!("  {group}  {word}  {}", reason(addition)))?;
    }
    print::line("\nharmful")?;
    for worth in found.listed.iter().filter(|worth| worth.hurt > worth.helped) {
        print::line(&format!("  {}  {}  {}", worth.group, worth.written, cost(worth)))?;
    }
    let idle = |worth: &&Worth| worth.paid > 0 && worth.helped == 0 && worth.hurt == 0;
    print::line("\nin questions, and nothing changes without it")?;
    for (group, words) in by_group(found.listed.iter().filter(idle)) {
        print::line(&format!("  {group}  {}", words.join(", ")))?;
    }
    let unseen = |worth: &&Worth| worth.paid == 0 && worth.sections == Some(0);
    print::line("\nin no question and in no section of the group")?;
    for (group, words) in by_group(found.listed.iter().filter(unseen)) {
        print::line(&format!("  {group}  {}", words.join(", ")))?;
    }
    Ok(())
}

fn by_group<'a>(listed: impl Iterator<Item = &'a Worth>) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for worth in listed {
        match groups.last_mut().filter(|(group, _)| *group == worth.group.as_str()) {
            Some((_, words)) => words.push(&worth.written),
            None => groups.push((worth.group.as_str(), vec![&worth.written])),
        }
    }
    groups
}

/// A part of groups.yaml: lines to add, and as comments those to take away.
fn yaml(found: &Suggestions) -> String {
    let mut lines = vec![format!("# {}", summary(found)), "groups:".to_owned()];
    let mut groups: Vec<&str> = found.listed.iter().map(|worth| worth.group.as_str()).collect();
    groups.dedup();
    for group in groups {
        let additions = found.additions.iter().filter(|a| a.group.as_str() == group);
        let harmful = found
            .listed
            .iter()
            .filter(|worth| worth.group.as_str() == group && worth.hurt > worth.helped);
        let mut words = Vec::new();
        for addition in additions {
            words.push(format!("      # {}", reason(addition)));
            // Surface forms are letters only; quotes keep `Nein` and `null` words.
            words.push(format!("      - '{}'", addition.word));
        }
        for worth in harmful {
            let list = if worth.phrase { "phrases" } else { "words" };
            words.push(format!("      # take `{}` out of {list}: {}", worth.written, cost(worth)));
        }
        if words.iter().any(|line| line.starts_with("      - ")) {
            lines.push(format!("  {group}:\n    words:"));
        } else if !words.is_empty() {
            lines.push(format!("  {group}:\n    words: []"));
        }
        lines.extend(words);
    }
    if lines.len() == 2 {
        "groups: {}".clone_into(&mut lines[1]);
    }
    lines.join("\n")
}

fn reason(addition: &Addition) -> String {
    let Addition { z, count, elsewhere, helps, hurts, examples, .. } = addition;
    let examples =
        if examples.is_empty() { String::new() } else { format!("; {}", examples.join(", ")) };
    format!(
        "z {z:.1}, {count} times here and {elsewhere} elsewhere; questions +{helps} −{hurts}{examples}"
    )
}

fn cost(worth: &Worth) -> String {
    format!(
        "of {} questions with it, {} are right only without it and {} only with it",
        worth.paid, worth.hurt, worth.helped
    )
}
