//! `wegweiser eval trec`

use std::path::PathBuf;

use clap::Args;

use super::{Format, Output, print};
use crate::eval::trec::{self, Qrels, Run};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Judgments, a line each: topic 0 document grade
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// Results, a line each: topic Q0 document rank score tag
    #[arg(long, value_name = "FILE")]
    run: PathBuf,
    /// Ranks that count
    #[arg(short, value_name = "COUNT", default_value = "10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    k: u16,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let qrels = Qrels::read(&arguments.qrels)?;
    let report = trec::evaluate(&qrels, &Run::read(&arguments.run)?, usize::from(arguments.k));
    match arguments.output.format {
        Format::Json => print::json(&report),
        Format::Text => {
            let (k, mean) = (report.k, report.mean);
            print::line(&format!("{} topics, the first {k} ranks", report.topics))?;
            for (name, value) in [
                ("recall", mean.recall),
                ("precision", mean.precision),
                ("MRR", mean.mrr),
                ("nDCG", mean.ndcg),
                ("ERR", mean.err),
            ] {
                print::line(&format!("  {name:<9} {value:.4}"))?;
            }
            for (what, topics) in [
                ("topics without results, counted as 0", &report.missing),
                ("topics without judgments, not counted", &report.unjudged),
            ] {
                if !topics.is_empty() {
                    print::note(&format!("{} {what}: {}", topics.len(), topics.join(", ")));
                }
            }
            Ok(())
        }
    }
}
