//! `wegweiser serve`

use std::sync::Arc;

use anyhow::Context;

use super::indexed;
use crate::config::Config;
use crate::http::{Bound, Readiness, State};
use crate::pipeline::assemble::{AssembleError, Assembly, Listener};
use crate::query_log::QueryLog;

/// Takes the port first, then builds or opens the index in the background: `/healthz` and
/// `/readyz` answer from the first moment.
pub(super) async fn run(config: Config) -> anyhow::Result<()> {
    let bound = Bound::new(config.listen)
        .with_context(|| format!("can not listen on {}; choose another --listen", config.listen))?;
    tracing::info!("listening on http://{}", bound.address());
    let query_log = match &config.query_log {
        Some(log) => {
            let opened = QueryLog::open(&log.folder, log.days)?;
            tracing::info!(days = log.days, "questions are kept in {}", log.folder.display());
            Some(opened)
        }
        None => None,
    };
    let state = Arc::new(State::new(config.question_limit).logging(query_log));
    let server = bound.run(Arc::clone(&state))?;
    let mut server = std::pin::pin!(server);
    let mut preparing = tokio::spawn({
        let state = Arc::clone(&state);
        async move { prepare(&config, &state).await }
    });
    tokio::select! {
        // Stopped by a signal while the index was being built. The build is left behind; the next
        // one sweeps it away.
        ended = &mut server => {
            preparing.abort();
            return Ok(ended?);
        }
        prepared = &mut preparing => {
            // Nothing can be answered: end at once, with the reason.
            prepared??;
        }
    }
    Ok(server.await?)
}

async fn prepare(config: &Config, state: &Arc<State>) -> Result<(), AssembleError> {
    let assembly = Assembly::prepare(config).await?;
    for notice in &assembly.sources().compendium.notices {
        tracing::warn!("{notice}");
    }
    let (assembly, index, _) = indexed(assembly, Progress { state: Arc::clone(state) }).await?;
    let pipeline = Arc::new(assembly.pipeline(config, index)?);
    tracing::info!(sections = pipeline.section_count(), "ready");
    state.serve(pipeline);
    Ok(())
}

/// Writes into the state that `/readyz` shows, and into the log at every tenth.
struct Progress {
    state: Arc<State>,
}

impl Listener for Progress {
    fn building(&mut self, why: &str) {
        tracing::info!("building the index: {why}");
    }

    fn waiting(&mut self) {
        tracing::info!("another process is building the index; waiting for it");
    }

    fn progress(&mut self, done: usize, total: usize) {
        self.state.report(Readiness::Building { done, total });
        if done * 10 / total.max(1) != done.saturating_sub(1) * 10 / total.max(1) {
            tracing::info!(done, total, "embedding");
        }
    }
}
