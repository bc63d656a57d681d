//! `wegweiser catalog`

mod generate;
mod twins;

use std::process::ExitCode;

use clap::Subcommand;

use crate::config::Config;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write one question for every section of the compendium; exit code 1 where a person has to
    /// decide
    Generate(generate::Arguments),
    /// Ask each question as other people type it, and list what loses its section; exit code 1 where
    /// something does
    Twins(twins::Arguments),
}

pub(super) async fn run(config: &Config, command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Generate(arguments) => generate::run(config, arguments),
        Command::Twins(arguments) => twins::run(config, arguments).await,
    }
}
