//! `wegweiser route`

use super::{Format, Question, pipeline, print, query};
use crate::config::Config;

pub(super) async fn run(config: &Config, question: &Question) -> anyhow::Result<()> {
    let query = query(config, question.text())?;
    let answered = pipeline(config).await?.route(&query).await?;
    match question.output.format {
        Format::Json => print::json(&answered.answer),
        Format::Text => print::answer(&answered),
    }
}
