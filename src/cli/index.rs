//! `wegweiser index`

use serde_json::json;

use super::listener::Terminal;
use super::{Format, print};
use crate::config::Config;
use crate::pipeline::assemble::Assembly;

pub(super) async fn run(config: &Config, format: Format) -> anyhow::Result<()> {
    let assembly = Assembly::prepare(config).await?;
    let notices = assembly.sources().compendium.notices.clone();
    let task = tokio::task::spawn_blocking(move || {
        let mut terminal = Terminal::new();
        let index = assembly.index(&mut terminal)?;
        let reason = terminal.reason().map(str::to_owned);
        Ok::<_, crate::pipeline::assemble::AssembleError>((assembly, index, reason))
    });
    let (assembly, index, reason) = task.await??;
    let compendium = &assembly.sources().compendium;
    match format {
        Format::Json => print::json(&json!({
            "sections": index.len(),
            "files": compendium.files,
            "groups": index.groups().map(ToString::to_string).collect::<Vec<_>>(),
            "built": reason.is_some(),
            "reason": reason,
            "notices": notices.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })),
        Format::Text => {
            for notice in &notices {
                print::note(&notice.to_string());
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
