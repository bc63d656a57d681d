//! `wegweiser tune`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::{Output, files, pipeline, print};
use crate::catalog;
use crate::config::Config;
use crate::domain::Profile;
use crate::eval::dataset;
use crate::eval::tune::{self, Report, Row};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder with sections.jsonl and questions.jsonl, beside the catalog; may be repeated
    #[arg(long, value_name = "FOLDER")]
    data: Vec<PathBuf>,
    /// Write the lines of rules/intents.yaml that change, with their evidence
    #[arg(long, value_name = "PATCH.yaml")]
    write: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let folder = Path::new("catalog");
    let mut sources = Vec::new();
    if folder.is_dir() {
        let questions = catalog::labelled(catalog::load(folder)?);
        sources.push(("catalog".to_owned(), config.clone(), questions));
    }
    for folder in &arguments.data {
        let questions = dataset::jsonl(&folder.join("questions.jsonl"))?;
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        sources.push((
            name.to_string_lossy().into_owned(),
            super::eval::over(config, folder),
            questions,
        ));
    }
    let (mut observed, mut unknown) = (Vec::new(), Vec::new());
    let mut profiles: BTreeMap<String, Profile> = BTreeMap::new();
    let names = sources.iter().map(|(name, _, _)| name.clone()).collect();
    for (at, (name, config, questions)) in sources.into_iter().enumerate() {
        let pipeline = Arc::new(pipeline(&config).await?);
        let known = pipeline.intents().profiles();
        profiles.extend(known.map(|profile| (profile.name.clone(), profile.clone())));
        let mut bar = print::Counter::new(&format!("asked, {name}"), questions.len());
        let found = tune::observe(at, &pipeline, &questions, |done| bar.set(done)).await?;
        observed.extend(found.0);
        unknown.extend(found.1);
    }
    anyhow::ensure!(
        !observed.is_empty(),
        "there is no labelled question to learn from: run it beside a folder `catalog`, or name --data"
    );
    let report = tune::learn(config.fusion, names, &profiles, &observed, unknown);
    if let Some(file) = &arguments.write {
        files::write(file, &tune::patch(&report, &profiles))?;
    }
    arguments.output.show(&report, text)
}

fn text(report: &Report) -> anyhow::Result<()> {
    print::line(&format!(
        "Share of the lexical channel and MRR@10, now and learnt; 5-fold cross-validation, fusion {}",
        report.fusion.as_str()
    ))?;
    table("one for all profiles", &report.fusions)?;
    for row in &report.fusions {
        let of_source = report.sources.iter().zip(&row.sources);
        let by_source: Vec<String> = of_source
            .map(|(name, of)| {
                format!("{name} ({}) {:.3} → {:.3}", of.n, of.mrr_now, of.mrr_held_out)
            })
            .collect();
        print::line(&format!("  {:<12} {}", row.name, by_source.join(" · ")))?;
    }
    table("by profile", &report.profiles)?;
    if !report.unknown_sections.is_empty() {
        print::note(&format!(
            "{} questions name a section that is not in the index: {}",
            report.unknown_sections.len(),
            report.unknown_sections.join(", ")
        ));
    }
    Ok(())
}

fn table(title: &str, rows: &[Row]) -> anyhow::Result<()> {
    print::line(&format!(
        "\n{title:<20}      n   now  learnt  MRR now  held out     gain  95 % interval"
    ))?;
    for row in rows {
        let now = row.now.map_or_else(|| "   –".to_owned(), |now| format!("{now:.2}"));
        print::line(&format!(
            "  {:<18} {:>6}  {now}    {:.2}    {:.3}     {:.3}  {:>+7.4}  {:+.4} to {:+.4}  {}",
            row.name,
            row.n,
            row.learnt,
            row.mrr_now,
            row.mrr_held_out,
            row.gain.mean,
            row.gain.low,
            row.gain.high,
            row.verdict.as_str()
        ))?;
    }
    Ok(())
}
