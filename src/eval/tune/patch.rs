//! What was learnt → lines for `rules/intents.yaml`.

use std::collections::BTreeMap;

use super::{Report, Row, Verdict};
use crate::domain::Profile;

/// The lines of `rules/intents.yaml` that change, with the evidence as comments; for review.
pub fn patch(report: &Report, profiles: &BTreeMap<String, Profile>) -> String {
    let questions: Vec<String> = report
        .sources
        .iter()
        .zip(report.fusions.first().map_or(&[][..], |row| &row.sources))
        .map(|(name, row)| format!("{name} {}", row.n))
        .collect();
    let mut lines = vec![
        format!("# Learnt by `wegweiser tune` from questions of {}: MRR@10,", questions.join(", ")),
        "# 5-fold cross-validation with the questions of a section in one fold; paired bootstrap, 95 %."
            .to_owned(),
    ];
    let shared = report.fusions.first().filter(|row| row.verdict == Verdict::Better);
    let changed: Vec<(&str, &Profile, &Row)> = report
        .profiles
        .iter()
        .filter_map(|row| {
            let better = Some(row).filter(|row| row.verdict == Verdict::Better).or(shared)?;
            Some((row.name.as_str(), profiles.get(&row.name)?, better))
        })
        .collect();
    if changed.is_empty() {
        lines.push("# Nothing is better outside the noise.".to_owned());
        lines.push("profiles: {}".to_owned());
    } else {
        lines.push("# Put these lines in place of those in rules/intents.yaml.".to_owned());
        lines.push("profiles:".to_owned());
    }
    for (name, profile, row) in changed {
        lines.push(format!("  # {}", evidence(row)));
        lines.push(line(name, profile, row.learnt));
    }
    lines.join("\n") + "\n"
}

fn evidence(row: &Row) -> String {
    let Row { name, n, mrr_now, mrr_held_out, gain, .. } = row;
    format!(
        "{name}, {n} questions: {mrr_now:.3} now, {mrr_held_out:.3} held out; gain {:.4} ({:.4} to {:.4})",
        gain.mean, gain.low, gain.high
    )
}

/// A profile as it stands in the file, with another share of the lexical channel.
fn line(name: &str, profile: &Profile, lexical: f64) -> String {
    let vector = ((1.0 - lexical) * 100.0).round() / 100.0;
    let Profile { k, fields, diversity, neighbours, per_item, .. } = profile;
    let per_item = if *per_item { ", per_item: true" } else { "" };
    format!(
        "  {name}: {{k: {k}, vector: {vector}, lexical: {lexical}, fields: '{fields}', \
         diversity: {diversity:?}, neighbours: {neighbours}{per_item}}}"
    )
}
