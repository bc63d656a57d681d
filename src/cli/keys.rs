//! `wegweiser keys create|list|revoke`

use std::collections::BTreeSet;

use anyhow::Context;
use clap::Subcommand;
use serde::Serialize;

use super::{Output, print};
use crate::access::{Action, Audiences, AuditLog, Key, Keys, Right, Role};
use crate::config::Config;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make a key and show it, once
    Create {
        /// Who gets it, e.g. `chat`; a name may have two keys while it changes from one to the other
        name: String,
        /// What it may do; may be left out for the second key of a name
        #[arg(long, value_name = "ROLE")]
        role: Option<Role>,
        /// Audience whose sections it may see, besides what is for everybody; may be repeated
        #[arg(long, value_name = "NAME", requires = "role", conflicts_with = "all_audiences")]
        audience: Vec<String>,
        /// It may see every section
        #[arg(long, requires = "role")]
        all_audiences: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Show all keys, without their secrets
    List(Output),
    /// Take a key back, or all keys of a name; a running service notices within two seconds
    Revoke {
        /// Id of a key, or a name
        key: String,
        #[command(flatten)]
        output: Output,
    },
}

/// A key that was just made.
#[derive(Debug, Serialize)]
struct Created<'a> {
    id: &'a str,
    name: &'a str,
    role: Role,
    audiences: &'a Audiences,
    /// The whole key; it can not be shown again.
    key: &'a str,
}

pub(super) fn run(config: &Config, command: &Command) -> anyhow::Result<()> {
    let file = &config.service.keys;
    match command {
        Command::Create { name, role, audience, all_audiences, output } => {
            let audiences = if *all_audiences {
                Audiences::All
            } else {
                Audiences::Only(audience.iter().cloned().collect::<BTreeSet<_>>())
            };
            let right = role.map(|role| Right { role, audiences });
            let (key, secret) = Keys::create(file, name, right)?;
            audit(config, Action::created(&key))?;
            let Key { id, name, role, audiences, .. } = &key;
            let (role, key) = (*role, secret.reveal());
            output.show(&Created { id, name, role, audiences, key }, |made| {
                print::note("This key is shown once; only a digest of it is kept.");
                print::line(made.key)
            })
        }
        Command::List(output) => {
            let keys = Keys::read(file)?.unwrap_or_default();
            let shown: Vec<Listed<'_>> = keys.list().iter().map(Listed::from).collect();
            output.show(&shown, |shown| {
                for Listed { id, name, role, audiences, created } in shown {
                    print::line(&format!("{id}  {created}  {role:<6}  {name}  {audiences}"))?;
                }
                Ok(())
            })
        }
        Command::Revoke { key, output } => {
            let revoked = Keys::revoke(file, key)?;
            for key in &revoked {
                audit(config, Action::revoked(key))?;
            }
            let shown: Vec<Listed<'_>> = revoked.iter().map(Listed::from).collect();
            output.show(&shown, |shown| {
                for Listed { id, name, .. } in shown {
                    print::line(&format!("revoked {id}  {name}"))?;
                }
                Ok(())
            })
        }
    }
}

/// A key without its digest.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    id: &'a str,
    name: &'a str,
    role: Role,
    audiences: &'a Audiences,
    created: &'a str,
}

impl<'a> From<&'a Key> for Listed<'a> {
    fn from(key: &'a Key) -> Self {
        let Key { id, name, role, audiences, created, .. } = key;
        Self { id, name, role: *role, audiences, created }
    }
}

fn audit(config: &Config, action: Action<'_>) -> anyhow::Result<()> {
    std::fs::create_dir_all(&config.data_dir)
        .and_then(|()| AuditLog::below(&config.data_dir).write("command line", action))
        .context("the audit log can not be written")
}
