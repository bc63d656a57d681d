//! Whose list it is: what the compendium and the log hold for somebody who may see certain sections.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;

use crate::catalog::Question;
use crate::cli::listener::Terminal;
use crate::config::Config;
use crate::domain::{Audiences, suggestion};
use crate::embedding::EmbedError;
use crate::pipeline::assemble::Assembly;
use crate::pipeline::{Pipeline, Views};
use crate::query_log::Log;

/// The name of what is for everybody.
const PUBLIC: &str = "public";

#[derive(Debug, Args)]
pub(super) struct Reader {
    /// The list for people who may see the sections for this audience, and what is for everybody
    /// (`public`: only that); may be repeated. Sections and questions that they may not see are left out
    /// [default: everything]
    #[arg(long = "seen-by", value_name = "AUDIENCE")]
    seen_by: Vec<String>,
}

impl Reader {
    pub(super) fn audiences(&self) -> Audiences {
        if self.seen_by.is_empty() {
            return Audiences::All;
        }
        let named = self.seen_by.iter().filter(|name| *name != PUBLIC);
        Audiences::Only(named.cloned().collect::<BTreeSet<_>>())
    }

    /// Everything, what the reader may see, and of that what those saw whose questions the log holds.
    pub(super) async fn views(
        &self,
        config: &Config,
        assembly: Assembly,
        log: Option<&Log>,
    ) -> anyhow::Result<Views> {
        let sections = &assembly.sources().compendium.sections;
        let existing: BTreeSet<String> =
            sections.iter().flat_map(|section| section.audience.iter().cloned()).collect();
        self.check(&existing)?;
        let reader = self.audiences().among(&existing);
        let asked = log.into_iter().flat_map(Log::audiences).map(|asked| asked.among(&existing));
        let asked = asked.filter(|asked| reader.include(asked));
        let wanted: Vec<Audiences> = std::iter::once(reader.clone()).chain(asked).collect();
        let settings = config.clone();
        let task = tokio::task::spawn_blocking(move || {
            Views::aside(&assembly, &settings, &wanted, &mut Terminal::new())
        });
        let views = task.await.map_err(EmbedError::Task)??;
        // As for any command that asks once.
        if let (Some(llm), Some(ollama)) = (views.whole().llm(), &config.ollama) {
            llm.until_ready(ollama.time_limit).await;
        }
        Ok(views)
    }

    fn check(&self, existing: &BTreeSet<String>) -> anyhow::Result<()> {
        let unknown = |name: &&String| *name != PUBLIC && !existing.contains(*name);
        let Some(name) = self.seen_by.iter().find(unknown) else { return Ok(()) };
        let names = existing.iter().map(String::as_str).chain([PUBLIC]);
        bail!("no section is for `{name}`; {}", suggestion(name, "audiences that there are", names))
    }

    /// What shows the reader's sections, with the questions of the catalog that name nothing hidden.
    pub(super) fn own(
        &self,
        views: &Views,
        mut questions: Vec<Question>,
    ) -> (Arc<Pipeline>, Vec<Question>) {
        let reader = self.audiences();
        let pipeline = views.of(&reader).expect("built for the reader");
        if views.seen(&reader) != Audiences::All {
            // A section that does not exist may be one that is hidden.
            questions.retain(|question| question.right().all(|id| pipeline.section(id).is_some()));
        }
        (Arc::clone(pipeline), questions)
    }
}
