//! `wegweiser catalog`

use std::process::ExitCode;

use clap::Subcommand;

use crate::config::Config;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write one question for every section of the compendium
    Generate(super::catalog_generate::Arguments),
}

pub(super) async fn run(config: &Config, command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Generate(arguments) => super::catalog_generate::run(config, arguments),
    }
}
