//! Logs go to stderr: text for people, JSON for machines. Where it is switched on, traces go to a
//! collector ([`Traces`]). Questions are personal data and stand in no log line above `debug`, and in no
//! span.

mod traces;

pub use traces::{RequestSpan, TraceHeaders, Traces};

use tracing_subscriber::EnvFilter;

/// Form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts logging for this process. `filter` has the syntax of `tracing_subscriber::EnvFilter`.
///
/// # Errors
/// The filter can not be read.
pub fn start(format: LogFormat, filter: &str) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(filter)?;
    let colours = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(colours)
        .with_writer(std::io::stderr);
    match format {
        LogFormat::Text => builder.with_target(false).init(),
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}
