//! `wegweiser gaps`

mod promote;
mod reader;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use reader::Reader;
use time::{Date, OffsetDateTime};

use super::{Format, Output, files, print, remembering};
use crate::catalog::{self, Question};
use crate::config::Config;
use crate::domain::{self, SectionId, did_you_mean};
use crate::gaps::live::{self, Live};
use crate::gaps::{Severity, Study, report};
use crate::pipeline::{Pipeline, Views};
use crate::query_log::{self, Log};

/// The folder of the catalog unless another one is named.
const CATALOG: &str = "catalog";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Turn a finding into open questions of the catalog, which a later run reports as closed
    Promote(promote::Arguments),
}

#[derive(Debug, Args)]
struct List {
    /// A log of live questions (its folder, or one file): what readers ask and do not get joins the
    /// list
    #[arg(long, value_name = "PATH", conflicts_with = "section")]
    log: Option<PathBuf>,
    #[command(flatten)]
    reader: Reader,
    /// Folder of the catalog's questions; without one, a question is made from every heading [default:
    /// catalog, where there is one]
    #[arg(long, value_name = "FOLDER")]
    catalog: Option<PathBuf>,
    /// Everything about one section instead of the list
    #[arg(long, value_name = "ID", conflicts_with_all = ["csv", "markdown", "html"])]
    section: Option<String>,
    /// The day to count the age of sections from [default: today]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    today: Option<Date>,
    /// Write the list for Excel to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the list as Markdown to this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write list and map for the browser, in German, to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

fn day(text: &str) -> Result<Date, String> {
    domain::day(text).ok_or_else(|| "write a day as YYYY-MM-DD, for example 2026-11-30".to_owned())
}

/// Exit code 1 where something is worse than a hint.
pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        Some(Action::Promote(arguments)) => promote::run(config, arguments).await,
        None => list(config, &arguments.list).await,
    }
}

async fn list(config: &Config, arguments: &List) -> anyhow::Result<ExitCode> {
    let today = arguments.today.unwrap_or_else(|| OffsetDateTime::now_utc().date());
    let catalog = arguments.catalog.as_deref();
    let questions = questions(catalog)?;
    let log = arguments.log.as_deref().map(query_log::read).transpose()?;
    let reader = &arguments.reader;
    let (assembly, watch) = remembering(config).await?;
    let views = reader.views(config, assembly, log.as_ref()).await?;
    let watch = watch.restarted();
    let (pipeline, questions) = reader.own(&views, questions);
    let section = arguments.section.as_deref().map(|id| ordinal(&pipeline, id)).transpose()?;
    let live = match &log {
        Some(log) => live(&views, reader, log, &questions).await?.findings(),
        None => Vec::new(),
    };
    let mut bar = None;
    let study = Study::new(pipeline, &questions, |done, total| {
        bar.get_or_insert_with(|| print::Counter::new("asked", total)).set(done);
    })
    .await?;
    drop(bar);
    watch.tell();
    if let Some(ordinal) = section {
        let sheet = study.sheet(ordinal, today).await?;
        match arguments.output.format {
            Format::Json => print::json(&sheet)?,
            Format::Text => print::line(report::sheet(&sheet).trim_end())?,
        }
        let bad = sheet.findings.iter().any(|finding| finding.severity > Severity::Hint);
        return Ok(code(bad));
    }
    let list = study.report(today, live);
    if list.other_catalog {
        print::note(&format!(
            "{}: no section of this catalog is in the compendium; it was left out",
            catalog.unwrap_or(Path::new(CATALOG)).display()
        ));
    }
    for (file, write) in [
        (&arguments.csv, report::csv as fn(&_) -> String),
        (&arguments.markdown, report::markdown),
        (&arguments.html, report::html),
    ] {
        if let Some(file) = file {
            files::write(file, &write(&list))?;
            print::note(&format!("written: {}", file.display()));
        }
    }
    match arguments.output.format {
        Format::Json => print::json(&list)?,
        Format::Text => print::line(report::text(&list).trim_end())?,
    }
    Ok(code(list.findings.iter().any(|finding| finding.severity > Severity::Hint)))
}

/// The topics of a log; what is not in them is said beside the list.
async fn live(
    views: &Views,
    reader: &Reader,
    log: &Log,
    catalog: &[Question],
) -> anyhow::Result<Live> {
    let mut bar = None;
    let live = live::clusters(views, &reader.audiences(), log, catalog, |done, total| {
        bar.get_or_insert_with(|| print::Counter::new("asked again", total)).set(done);
    })
    .await?;
    drop(bar);
    let Live { questions, failed, solved, misspelt, withheld, single, left_out, .. } = &live;
    print::note(&format!(
        "{questions} live questions, {failed} answered badly: {} topics; {solved} are answered by \
         now, {misspelt} but for a slip of the pen, {withheld} where their askers may not look, \
         {single} stand alone, {left_out} are too rare",
        live.topics.len()
    ));
    let Live { damaged, dropped, .. } = &live;
    if *damaged > 0 || *dropped > 0 {
        print::note(&format!(
            "{damaged} lines of the log are damaged, {dropped} records were lost"
        ));
    }
    Ok(live)
}

fn code(findings: bool) -> ExitCode {
    if findings { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

/// The catalog that is named, or the usual one where there is one.
fn questions(named: Option<&Path>) -> anyhow::Result<Vec<Question>> {
    let folder = named.unwrap_or(Path::new(CATALOG));
    if named.is_some() || folder.exists() {
        return Ok(catalog::load(folder)?);
    }
    print::note(&format!("{CATALOG} does not exist: only questions from headings are asked"));
    Ok(Vec::new())
}

fn ordinal(pipeline: &Pipeline, id: &str) -> anyhow::Result<u32> {
    let found = SectionId::try_from(id).ok().and_then(|id| pipeline.ordinal(&id));
    found.with_context(|| {
        let ids = pipeline.sections().iter().map(|section| section.id.as_str());
        let meant = did_you_mean(id, ids);
        let meant = meant.map(|meant| format!("; did you mean `{meant}`?"));
        format!("there is no section `{id}`{}", meant.unwrap_or_default())
    })
}
