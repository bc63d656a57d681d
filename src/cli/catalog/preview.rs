//! `wegweiser catalog preview`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::before::{Before, published};
use super::{Questions, aside, print, questions};
use crate::catalog::{self, Preview, State, report};
use crate::cli::Output;
use crate::cli::remembering;
use crate::config::Config;
use crate::pipeline::snapshot::Snapshot;
use crate::pipeline::sources::Sources;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Rule files and files of the compendium that were edited, also one that was deleted [default:
    /// all that differ from what was published]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    changed: Vec<PathBuf>,
    #[command(flatten)]
    questions: Questions,
    #[command(flatten)]
    output: Output,
}

/// A preview with what it was compared with.
#[derive(Serialize)]
struct Compared {
    compared_with: String,
    #[serde(flatten)]
    preview: Preview,
}

/// Exit code 1 where a question that passes would fail.
pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let questions = questions(&arguments.questions.catalog)?;
    let (assembly, watch) = remembering(config).await?;
    let Before { snapshot: before, name } = published(config, assembly.store())?;
    let on_disk = Snapshot::of(assembly.sources());
    let after = if arguments.changed.is_empty() {
        before.with_parts_of(&on_disk)
    } else {
        before.with_files(&on_disk, &arguments.changed).map_err(|file| {
            anyhow::anyhow!(
                "{} is neither a rule file nor a file of the compendium, now or in {name}",
                file.display()
            )
        })?
    };
    let states =
        [Sources::of(&before)?, Sources::of(&after)?].map(|of| assembly.with_sources(config, of));
    let [was, is] = states;
    let (was, is) = (aside(config, was?).await?, aside(config, is?).await?);
    let state = |snapshot, pipeline| State { snapshot, pipeline };
    let mut bar: Option<print::Counter> = None;
    let progress = |done, total| {
        bar.get_or_insert_with(|| print::Counter::new("asked", total)).set(done);
    };
    let asking = catalog::preview(state(&before, &was), state(&after, &is), &questions, progress);
    let preview = asking.await?;
    drop(bar);
    watch.tell();
    let fails = preview.broken().next().is_some();
    arguments.output.show(&Compared { compared_with: name, preview }, |compared| {
        print::line(&format!("compared with {}", compared.compared_with))?;
        print::line(report::preview(&compared.preview).trim_end())
    })?;
    Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
