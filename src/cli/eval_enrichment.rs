//! `wegweiser eval enrichment`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::eval::OverQuestions;
use super::listener::Terminal;
use super::{indexed, print, remembering};
use crate::config::Config;
use crate::eval::enrichment::{FOREIGN, PLANS, Variant, with_foreign_identifiers};
use crate::eval::retrieval;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    questions: OverQuestions,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let (config, questions) = arguments.questions.read(config)?;
    // Beside the index that serves, which would be built again and again.
    let config = Config { data_dir: config.data_dir.join("enrichment"), ..config };
    let mut variants = Vec::new();
    for foreign in [0, FOREIGN] {
        for (name, plan) in PLANS {
            let config = Config { enrichment: plan, ..config.clone() };
            // The questions are the same in all variants.
            let (mut assembly, _) = remembering(&config).await?;
            if foreign > 0 {
                assembly.amend("with foreign identifiers", with_foreign_identifiers);
            }
            let started = Instant::now();
            let (assembly, index, _) = indexed(assembly, Terminal::new()).await?;
            let build_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            let bytes = size(&config.data_dir)?;
            let pipeline = Arc::new(assembly.pipeline(&config, index));
            let mut bar = print::Counter::new("asked", questions.len());
            let report = retrieval::evaluate(&pipeline, &questions, |done| bar.set(done)).await?;
            drop(bar);
            variants.push(Variant::new(name, foreign, report, (bytes, build_ms)));
        }
    }
    arguments.questions.output.show(&variants, |variants| text(variants))
}

fn text(variants: &[Variant]) -> anyhow::Result<()> {
    print::line("hybrid                                  n    R@1    R@5  MRR@10")?;
    for variant in variants {
        let foreign = match variant.foreign {
            0 => String::new(),
            count => format!(" + {count} foreign"),
        };
        let name = format!("{}{foreign}", variant.plan);
        let kinds = variant.by_kind.iter().map(|(kind, channels)| (kind.as_str(), channels));
        for (kind, channels) in [("all", &variant.channels)].into_iter().chain(kinds) {
            if let Some(s) = channels.get("hybrid") {
                print::line(&format!(
                    "{name:<24} {kind:<12} {:>4}  {:.3}  {:.3}  {:.3}",
                    s.n, s.recall_at_1, s.recall_at_5, s.mrr_at_10
                ))?;
            }
        }
        let (bytes, ms) = (variant.bytes, variant.build_ms);
        print::line(&format!("{name:<24} {bytes} bytes, built in {ms} ms"))?;
    }
    Ok(())
}

/// Size of the index that serves, in bytes.
fn size(data_dir: &Path) -> anyhow::Result<u64> {
    let index = data_dir.join("index");
    let current = std::fs::read_to_string(index.join("current"))?;
    let (mut folders, mut bytes) = (vec![index.join(current.trim())], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir::<PathBuf>(folder)? {
            let entry = entry?;
            let about = entry.metadata()?;
            if about.is_dir() {
                folders.push(entry.path());
            } else {
                bytes += about.len();
            }
        }
    }
    Ok(bytes)
}
