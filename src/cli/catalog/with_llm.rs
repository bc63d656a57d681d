//! `wegweiser catalog generate --with-llm`

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::super::{files, print};
use super::generate::read;
use crate::catalog::Question;
use crate::catalog::generate::llm::{End, Fault, Writer, WriterOptions, Written};
use crate::catalog::generate::{self, Plan};
use crate::config::Config;
use crate::domain::{Section, chain};
use crate::pipeline::sources::Sources;

/// The file of the catalog that the model's questions stand in.
pub(super) const FILE: &str = "generiert-llm.yaml";
/// For one answer: two questions from a large model without a graphics card, loading it included.
const TIME_LIMIT: Duration = Duration::from_mins(3);

/// Has the model write what the catalog lacks, until it is done or Ctrl-C is pressed.
pub(super) async fn ask(
    config: &Config,
    sources: &Sources,
    existing: &[Question],
    folder: &Path,
) -> anyhow::Result<Written> {
    let ollama = config.ollama.as_ref().context(
        "--with-llm needs a server: add `--ollama-url http://127.0.0.1:11434`, or set `ollama` in \
         wegweiser.yaml",
    )?;
    let options = WriterOptions {
        url: ollama.url.clone(),
        model: ollama.model.clone(),
        time_limit: TIME_LIMIT,
    };
    let cache = config.data_dir.join("cache");
    let mut writer = Writer::new(options, &sources.catalog_prompt, &cache)?;
    let (_, name, _) = read(folder, FILE)?;
    let wanted = generate::wanted(&sources.compendium.sections, existing, &name);
    if !wanted.is_empty() {
        print::note(&format!("{} writes; Ctrl-C keeps what is done", writer.describe()));
    }
    let mut bar = print::Counter::new("sections", wanted.len());
    let texts = existing.iter().map(|question| question.question.as_str());
    let stop = async {
        // Where no signal can be heard, nobody stops it.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    Ok(writer.write(&wanted, texts, stop, |done| bar.set(done)).await)
}

/// Puts what was written into its file, which is not made for nothing.
pub(super) fn plan(
    sections: &[Section],
    existing: &[Question],
    folder: &Path,
    written: Option<&Written>,
) -> anyhow::Result<Plan> {
    let (path, name, text) = read(folder, FILE)?;
    let none = BTreeMap::new();
    let questions = written.map_or(&none, |written| &written.questions);
    let plan = generate::plan_written(sections, questions, existing, &name, &text);
    if let Some(text) = &plan.text {
        files::write(&path, text)?;
    }
    Ok(plan)
}

/// A server that is away is a failure, told last and after everything that was got is written.
pub(super) fn failure(written: &Written) -> anyhow::Result<()> {
    let given_up = written.failed.last().filter(|_| matches!(written.end, End::GivenUp));
    given_up.map_or(Ok(()), |(section, error)| {
        anyhow::bail!("the model was given up at `{section}`: {}", chain(error))
    })
}

pub(super) fn json(written: &Written, kept: &Plan) -> Value {
    let failed: Vec<Value> = written
        .failed
        .iter()
        .map(|(section, error)| json!({"section": section, "reason": chain(error)}))
        .collect();
    json!({
        "file": FILE,
        "questions": kept.questions,
        "changed": kept.text.is_some(),
        "accepted": written.questions.len(),
        "answered": written.answered,
        "remembered": written.remembered,
        "refused_by_reason": by_reason(written),
        "refused": written.refused,
        "failed": failed,
        "complete": matches!(written.end, End::Complete),
    })
}

pub(super) fn text(written: &Written, kept: &Plan) -> anyhow::Result<()> {
    for refused in &written.refused {
        let (tier, reason) = (refused.tier.as_str(), refused.reason.describe());
        print::line(&format!(
            "refused, {reason}\n  {}  {tier}: {}",
            refused.section, refused.question
        ))?;
    }
    for (section, error) in &written.failed {
        print::line(&format!("no answer\n  {section}  {}", chain(error)))?;
    }
    let Written { remembered, answered, .. } = written;
    print::line(&format!(
        "{FILE}: {} questions, {} of them new; {answered} sections asked, {remembered} remembered",
        kept.questions,
        written.questions.len(),
    ))?;
    let counts: Vec<String> = by_reason(written)
        .iter()
        .map(|(reason, count)| format!("{count} {}", reason.describe()))
        .collect();
    if !counts.is_empty() {
        print::line(&format!("refused: {}", counts.join(", ")))?;
    }
    if matches!(written.end, End::Interrupted) {
        print::line("interrupted; the next run goes on from here")?;
    }
    Ok(())
}

fn by_reason(written: &Written) -> BTreeMap<Fault, usize> {
    let mut counts = BTreeMap::new();
    for refused in &written.refused {
        *counts.entry(refused.reason).or_default() += 1;
    }
    counts
}
