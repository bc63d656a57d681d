//! `wegweiser index`

use serde_json::json;

use super::listener::Terminal;
use super::{Format, indexed, print};
use crate::config::Config;
use crate::pipeline::assemble::Assembly;

pub(super) async fn run(config: &Config, format: Format) -> anyhow::Result<()> {
    let assembly = Assembly::prepare(config).await?;
    let (assembly, index, terminal) = indexed(assembly, Terminal::new()).await?;
    assembly.publish();
    let (compendium, reason) = (&assembly.sources().compendium, terminal.reason());
    match format {
        Format::Json => print::json(&json!({
            "sections": index.len(),
            "files": compendium.files,
            "groups": index.groups().map(ToString::to_string).collect::<Vec<_>>(),
            "built": reason.is_some(),
            "reason": reason,
            "notices": compendium.notices.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })),
        Format::Text => {
            for notice in &compendium.notices {
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
