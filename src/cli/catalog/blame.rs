//! `wegweiser catalog diff --blame`: which rule file, or which section, turned a question.

use std::collections::BTreeSet;

use super::{aside, asked, print};
use crate::catalog::{Diff, Question};
use crate::config::Config;
use crate::pipeline::assemble::Assembly;
use crate::pipeline::snapshot::{Part, Snapshot};
use crate::pipeline::sources::Sources;
use crate::pipeline::{Changes, SectionChange};

/// Edited sections that are named where the question hangs on none of them in particular.
const NAMED: usize = 3;

/// Asks the turned questions again, once for each part that differs, with the old one in its place;
/// where none of them alone is to blame, once with all of them.
pub(super) async fn blame(
    config: &Config,
    assembly: &Assembly,
    before: &Snapshot,
    questions: &[Question],
    diff: &mut Diff,
) -> anyhow::Result<()> {
    let now = Snapshot::of(assembly.sources());
    let parts = now.differing(before);
    let edited = Changes::between(before, &now).sections;
    let turned: BTreeSet<String> = diff.turned().map(|turned| turned.id.clone()).collect();
    let turned: Vec<Question> =
        questions.iter().filter(|question| turned.contains(&question.id)).cloned().collect();
    if turned.is_empty() || parts.is_empty() {
        return Ok(());
    }
    for part in &parts {
        let sources = match Sources::of(&now.with(part, before)) {
            Ok(sources) => sources,
            Err(problems) => {
                print::note(&format!(
                    "{part} of the baseline does not fit the other files and is not tried alone\n{problems}"
                ));
                continue;
            }
        };
        let pipeline = aside(config, assembly.with_sources(config, sources)?).await?;
        let with_old = asked(&pipeline, &turned).await?;
        diff.blame(&with_old, |id| match part {
            Part::Rules(name) => name.clone(),
            Part::Compendium => sections(&edited, &turned, id),
        });
    }
    let left: BTreeSet<String> = diff
        .turned()
        .filter(|turned| turned.turned_by.is_empty())
        .map(|turned| turned.id.clone())
        .collect();
    if parts.len() > 1 && !left.is_empty() {
        let pipeline = aside(config, assembly.with_sources(config, Sources::of(before)?)?).await?;
        let left: Vec<Question> =
            turned.iter().filter(|question| left.contains(&question.id)).cloned().collect();
        let names: Vec<String> = parts.iter().map(ToString::to_string).collect();
        let together = format!("{} together", names.join(" and "));
        diff.blame(&asked(&pipeline, &left).await?, |_| together.clone());
    }
    Ok(())
}

/// The edited section that a question expects, else the first of all.
fn sections(edited: &[SectionChange], questions: &[Question], id: &str) -> String {
    let question = questions.iter().find(|question| question.id == id);
    let expects = |edit: &&SectionChange| {
        question.is_some_and(|question| question.right().any(|right| right.as_str() == edit.id))
    };
    let mut named: Vec<&SectionChange> = edited.iter().filter(expects).collect();
    if named.is_empty() {
        named = edited.iter().collect();
    }
    let more = named.len().saturating_sub(NAMED);
    let told: Vec<String> = named.iter().take(NAMED).map(|edit| edit.told()).collect();
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    format!("compendium: {}{more}", told.join("; "))
}
