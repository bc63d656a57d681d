//! `wegweiser search`

use std::collections::{BTreeMap, BTreeSet};

use clap::{Args, ValueEnum};

use super::{Format, Question, pipeline, print, query};
use crate::config::Config;
use crate::domain::Mode;
use crate::pipeline::{Filters, SearchRequest};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    question: Question,
    /// How many hits, 1 to 100 [default: the intent's profile decides]
    #[arg(short, value_name = "COUNT")]
    k: Option<usize>,
    /// Leave out hits with a lower score, 0 to 1
    #[arg(long, value_name = "SCORE")]
    min_score: Option<f64>,
    /// Which channels search
    #[arg(long, default_value = "hybrid")]
    mode: Channels,
    /// Only this semantic group; may be repeated
    #[arg(long, value_name = "GROUP")]
    group: Vec<String>,
    /// Only sections with this facet; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = facet)]
    facet: Vec<(String, String)>,
    /// Only this document (the part of the section id before the `#`); may be repeated
    #[arg(long, value_name = "DOCUMENT")]
    document: Vec<String>,
    /// Only sections for this audience, or for everybody; may be repeated
    #[arg(long, value_name = "AUDIENCE")]
    audience: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Channels {
    /// Meaning and words
    Hybrid,
    /// Meaning only
    Vector,
    /// Words only
    Lexical,
}

fn facet(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| format!("`{text}` is not of the form name=value"))
}

impl Arguments {
    /// The question as it was typed.
    pub(super) fn text(&self) -> &str {
        self.question.text()
    }

    pub(super) fn format(&self) -> Format {
        self.question.output.format
    }

    /// What is asked of the search.
    pub(super) fn request(&self, explain: bool) -> SearchRequest {
        let mut facets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, value) in &self.facet {
            facets.entry(name.clone()).or_default().insert(value.clone());
        }
        SearchRequest {
            facet_mode: None,
            k: self.k,
            min_score: self.min_score,
            mode: match self.mode {
                Channels::Hybrid => Mode::Hybrid,
                Channels::Vector => Mode::Vector,
                Channels::Lexical => Mode::Lexical,
            },
            filters: Filters {
                groups: self.group.iter().cloned().collect(),
                facets,
                documents: self.document.iter().cloned().collect(),
                audiences: self.audience.iter().cloned().collect(),
            },
            explain,
        }
    }
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let query = query(config, arguments.text())?;
    let answered = pipeline(config).await?.search(&query, &arguments.request(false)).await?;
    match arguments.format() {
        Format::Json => print::json(&answered.answer),
        Format::Text => print::answer(&answered),
    }
}
