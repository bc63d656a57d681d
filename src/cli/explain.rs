//! `wegweiser explain`

use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::{Format, pipeline, print, query, search};
use crate::config::Config;
use crate::domain::{SectionId, WhyNot, did_you_mean};
use crate::pipeline::Pipeline;

// A group of its own: two groups of one name are an error to clap, and the default is the type's.
#[derive(Debug, Args)]
#[group(id = "explanation")]
pub(super) struct Arguments {
    #[command(flatten)]
    search: search::Arguments,
    /// The section that should have been first
    #[arg(long, value_name = "ID")]
    section: Option<String>,
}

/// A search that says where every score comes from, and why a section is not the first hit.
pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { search, section } = arguments;
    let query = query(config, search.text())?;
    let request = search.request(true);
    let pipeline = Arc::new(pipeline(config).await?);
    let section = section.as_deref().map(|id| known(&pipeline, id)).transpose()?;
    let answered = pipeline.search(&query, &request).await?;
    let why_not = match &section {
        Some(section) => Some(pipeline.why_not(&query, &request, section, true).await?),
        None => None,
    };
    match (search.format(), why_not) {
        (Format::Json, Some(why_not)) => {
            let mut body = serde_json::to_value(&answered.answer)?;
            body["why_not"] = json!(why_not);
            print::json(&body)
        }
        (Format::Json, None) => print::json(&answered.answer),
        (Format::Text, why_not) => {
            print::answer(&answered)?;
            why_not.as_ref().map_or(Ok(()), text)
        }
    }
}

fn known(pipeline: &Pipeline, id: &str) -> anyhow::Result<SectionId> {
    let found = SectionId::try_from(id).ok().filter(|id| pipeline.section(id).is_some());
    found.with_context(|| {
        let ids = pipeline.sections().iter().map(|section| section.id.as_str());
        let meant = did_you_mean(id, ids);
        let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        format!("there is no section `{id}`{meant}")
    })
}

fn text(why: &WhyNot) -> anyhow::Result<()> {
    print::line(&format!("\nWhy not  {}", why.section))?;
    for verdict in &why.stages {
        let mark = if verdict.against { "−" } else { " " };
        let stage = format!("{:?}", verdict.stage).to_lowercase();
        print::line(&format!("  {mark} {stage:<8} {}  [{}]", verdict.german, verdict.code))?;
    }
    print::line(&format!("\n{}", why.german))
}
