//! `wegweiser index`

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::listener::Terminal;
use super::{Format, Output, indexed, print};
use crate::config::Config;
use crate::domain::SectionId;
use crate::embedding::EmbedError;
use crate::indexing::{Index, Inspection, Unread};
use crate::pipeline::assemble::{AssembleError, Assembly};

/// Tokens of a field that are shown to people; JSON has all.
const MOST_SHOWN: usize = 40;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Show what goes into each index for this section, and where every piece comes from
    #[arg(long, value_name = "SECTION")]
    show: Option<String>,
    #[command(flatten)]
    output: Output,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let assembly = Assembly::prepare(config).await?;
    let (assembly, index, terminal) = indexed(assembly, Terminal::new()).await?;
    let (assembly, index, terminal) = completed(assembly, index, terminal).await?;
    assembly.publish();
    if let Some(name) = &arguments.show {
        return show(&assembly, &index, name, &arguments.output);
    }
    let (compendium, reason) = (&assembly.sources().compendium, terminal.reason());
    match arguments.output.format {
        Format::Json => print::json(&json!({
            "sections": index.len(),
            "files": compendium.files,
            "groups": index.groups().map(ToString::to_string).collect::<Vec<_>>(),
            "built": reason.is_some(),
            "reason": reason,
            "unread_by_llm": index.unread(),
            "notices": compendium.notices.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })),
        Format::Text => {
            for notice in &compendium.notices {
                print::note(&notice.to_string());
            }
            if let Some(Unread { documents, reason }) = index.unread() {
                print::note(&format!(
                    "{documents} documents were not read by the model ({reason}); the index does \
                     without, and the next `wegweiser index` asks again"
                ));
            }
            let done = if reason.is_some() { "built" } else { "up to date" };
            print::line(&format!(
                "{done}: {} sections from {} files, {} groups",
                index.len(),
                compendium.files,
                index.groups().count()
            ))
        }
    }
}

/// The index with what the model reads now and did not when the index was built: only this command asks
/// it again, so that nobody who has a question waits for that.
async fn completed(
    assembly: Assembly,
    index: Index,
    mut terminal: Terminal,
) -> Result<(Assembly, Index, Terminal), AssembleError> {
    // It was built a moment ago.
    if index.unread().is_none() || terminal.reason().is_some() {
        return Ok((assembly, index, terminal));
    }
    let task = tokio::task::spawn_blocking(move || {
        let index = assembly.completed(index, &mut terminal)?;
        Ok((assembly, index, terminal))
    });
    task.await.map_err(EmbedError::Task)?
}

fn show(assembly: &Assembly, index: &Index, name: &str, output: &Output) -> anyhow::Result<()> {
    let known = index.sections().iter().map(|section| section.id.as_str());
    let inspection = match SectionId::try_from(name) {
        Ok(id) => assembly.inspect(index, &id)?,
        Err(_) => None,
    };
    let inspection = inspection.with_context(|| {
        let mend = crate::domain::did_you_mean(name, known);
        let mend = mend.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        format!("there is no section `{name}`{mend}")
    })?;
    output.show(&inspection, text)
}

fn text(inspection: &Inspection) -> anyhow::Result<()> {
    let group = inspection.group.as_deref().unwrap_or("no group");
    print::line(&format!("{} ({}, {group})", inspection.section, inspection.place))?;
    print::line(&format!("enrichment: {}", inspection.enrichment))?;
    let embedded = [
        ("plain", &inspection.plain),
        ("prefixed", &inspection.prefixed),
        ("whole", &inspection.whole),
    ];
    for (name, windows) in embedded {
        for (at, window) in windows.iter().enumerate() {
            print::line(&format!("\nembedded {name}, window {} of {}:", at + 1, windows.len()))?;
            for line in window.lines() {
                print::line(&format!("  | {line}"))?;
            }
        }
    }
    print::line("\nkeyword index:")?;
    for field in &inspection.lexical {
        let more = field.tokens.len().saturating_sub(MOST_SHOWN);
        let shown = field.tokens[..field.tokens.len() - more].join(" ");
        let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
        print::line(&format!("  {:<9} {shown}{more}  ({})", field.name, field.from))?;
    }
    print::line("\nfrom the document:")?;
    for piece in &inspection.added {
        let went = match piece.went_to.as_slice() {
            [] => "nowhere".to_owned(),
            to => to.join(" and "),
        };
        print::line(&format!("  {}  {} → {went}, from {}", piece.text, piece.kind, piece.from))?;
    }
    if inspection.left_out > 0 {
        print::line(&format!(
            "  {} more are not inherited: the document is a list or a handbook",
            inspection.left_out
        ))?;
    }
    Ok(())
}
