//! `wegweiser serve`

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::print;
use crate::config::Config;
use crate::http::{Bound, Keeper, State};
use crate::pipeline::assemble::Assembly;
use crate::query_log::QueryLog;

/// Takes the port first, then builds or opens the index in the background: `/healthz` and
/// `/readyz` answer from the first moment.
pub(super) async fn run(config: Config) -> anyhow::Result<()> {
    let state = State::new(&config)?;
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
    let state = Arc::new(state.logging(query_log));
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
    std::fs::create_dir_all(&config.data_dir)
        .and_then(|()| writable(&config.data_dir))
        .with_context(|| format!("{} can not be written to", config.data_dir.display()))?;
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
