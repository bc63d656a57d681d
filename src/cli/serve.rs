//! `wegweiser serve`

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::Serialize;

use super::print;
use crate::config::{self, Config, Telemetry};
use crate::http::{Bound, Keeper, State};
use crate::pipeline::assemble::Assembly;
use crate::query_log::{DailyLog, WriteError};
use crate::telemetry::Traces;

/// Serves until it is asked to end; then what was traced is sent before the process ends.
pub(super) async fn run(config: Config) -> anyhow::Result<()> {
    let traces = match &config.telemetry {
        Some(Telemetry { endpoint, service_name }) => {
            tracing::info!("traces go to {endpoint}");
            Some(Traces::to(endpoint, service_name)?)
        }
        None => None,
    };
    let served = serve(config, traces.clone()).await;
    if let Some(traces) = traces {
        tokio::task::spawn_blocking(move || traces.close()).await?;
    }
    served
}

/// Opens a log with a line for each question, where it is switched on.
fn daily_log<R: Serialize + Send + 'static>(
    log: Option<&config::QueryLog>,
    what: &str,
) -> Result<Option<DailyLog<R>>, WriteError> {
    let Some(config::QueryLog { folder, days }) = log else { return Ok(None) };
    let opened = DailyLog::open(folder, *days)?;
    tracing::info!(days, "{what} in {}", folder.display());
    Ok(Some(opened))
}

/// Takes the port first, then builds or opens the index in the background: `/healthz` and
/// `/readyz` answer from the first moment.
async fn serve(config: Config, traces: Option<Traces>) -> anyhow::Result<()> {
    let state = State::new(&config)?;
    let bound = Bound::new(config.listen)
        .with_context(|| format!("can not listen on {}; choose another --listen", config.listen))?;
    tracing::info!("listening on http://{}", bound.address());
    let state = state
        .logging(daily_log(config.query_log.as_ref(), "questions are kept")?)
        .auditing(daily_log(config.question_audit.as_ref(), "who asks what is kept")?)
        .tracing(traces.clone());
    let state = Arc::new(state);
    let server = bound.run(Arc::clone(&state))?;
    let mut server = std::pin::pin!(server);
    let mut keeper = tokio::spawn(Keeper::new(config, state).run());
    tokio::select! {
        // Stopped by a signal. A build that is under way is left behind; the next one sweeps it away.
        ended = &mut server => {
            keeper.abort();
            Ok(ended?)
        }
        failed = &mut keeper => {
            // Nothing can be answered: end at once, with the reason.
            match failed?? {}
        }
    }
}

/// Says whether a service would start with these settings and files, without loading a model or
/// taking the port.
pub(super) fn check(config: &Config) -> anyhow::Result<()> {
    State::new(config)?;
    let checked = Assembly::check(config)?;
    let logs = config.query_log.iter().chain(&config.question_audit).map(|log| &log.folder);
    for folder in std::iter::once(&config.data_dir).chain(logs) {
        std::fs::create_dir_all(folder)
            .and_then(|()| writable(folder))
            .with_context(|| format!("{} can not be written to", folder.display()))?;
    }
    print::line(&format!(
        "sound: {} sections from {} files, {} would listen on {}",
        checked.compendium.sections.len(),
        checked.compendium.files,
        env!("CARGO_PKG_NAME"),
        config.listen
    ))
}

fn writable(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!("check.{}", std::process::id()));
    std::fs::write(&probe, "")?;
    std::fs::remove_file(probe)
}
