//! What a run gave, kept in a file that is read in reviews: a line a question, then the figures.

mod diff;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use diff::{Cause, Diff, Kept, Metric, Turned};

use super::run::{Code, Outcome, Run, Verdict};
use crate::domain::{GroupTrace, Reason, Source};

/// Version of the file's form.
const FORMAT: u32 = 1;

/// A run to compare with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    format: u32,
    /// Digest of the rules and sections that the run was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sources: Option<String>,
    /// By id.
    questions: BTreeMap<String, Kept>,
    /// By name; see [`Summary::metrics`](super::Summary::metrics).
    metrics: BTreeMap<String, f64>,
}

/// Why a baseline can not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// The file can not be read or written.
    #[error("the baseline {} can not be {what}", path.display())]
    File {
        /// `read` or `written`.
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// It is no baseline.
    #[error("{} is no baseline; save a new one with `wegweiser catalog run --save`", path.display())]
    Form {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// It was written by another version.
    #[error("{} has the form {found}, this version reads {FORMAT}; save a new one", path.display())]
    Format {
        /// Which.
        path: PathBuf,
        /// Its form.
        found: u32,
    },
}

impl Baseline {
    /// What is kept of a run.
    pub fn of(run: &Run) -> Self {
        let questions = run.questions.iter().map(|outcome| (outcome.id.clone(), kept(outcome)));
        Self {
            format: FORMAT,
            sources: None,
            questions: questions.collect(),
            metrics: run.summary.metrics(),
        }
    }

    /// Notes the [digest](crate::pipeline::snapshot::Snapshot::digest) of what the run was made of.
    #[must_use]
    pub fn made_of(self, sources: String) -> Self {
        Self { sources: Some(sources), ..self }
    }

    /// Digest of the rules and sections that the run was made of, where it was noted.
    pub fn sources(&self) -> Option<&str> {
        self.sources.as_deref()
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// See [`BaselineError`].
    pub fn load(path: &Path) -> Result<Self, BaselineError> {
        let text = std::fs::read_to_string(path).map_err(|source| BaselineError::File {
            what: "read",
            path: path.to_owned(),
            source,
        })?;
        let baseline: Self = serde_json::from_str(&text)
            .map_err(|source| BaselineError::Form { path: path.to_owned(), source })?;
        if baseline.format != FORMAT {
            return Err(BaselineError::Format { path: path.to_owned(), found: baseline.format });
        }
        Ok(baseline)
    }

    /// Writes it, and the folder where it is missing.
    ///
    /// # Errors
    /// See [`BaselineError`].
    pub fn save(&self, path: &Path) -> Result<(), BaselineError> {
        let failed =
            |source| BaselineError::File { what: "written", path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        std::fs::write(path, self.to_text()).map_err(failed)
    }

    /// JSON with a line a question, sorted by id: a changed question is a changed line.
    pub fn to_text(&self) -> String {
        let mut out = format!("{{\n\"format\": {},\n", self.format);
        if let Some(sources) = &self.sources {
            writeln!(out, "\"sources\": \"{sources}\",").expect("a string takes everything");
        }
        out.push_str("\"questions\": {\n");
        lines(&mut out, &self.questions);
        out.push_str("},\n\"metrics\": {\n");
        lines(&mut out, &self.metrics);
        out.push_str("}\n}\n");
        out
    }
}

fn lines<T: Serialize>(out: &mut String, entries: &BTreeMap<String, T>) {
    for (at, (name, value)) in entries.iter().enumerate() {
        let json = |text: serde_json::Result<String>| text.expect("plain data is valid JSON");
        let (name, value) = (json(serde_json::to_string(name)), json(serde_json::to_string(value)));
        let comma = if at + 1 < entries.len() { "," } else { "" };
        writeln!(out, "{name}: {value}{comma}").expect("a string takes everything");
    }
}

pub(super) fn kept(outcome: &Outcome) -> Kept {
    let by = match (&outcome.rule, outcome.source) {
        // Without its line, which moves with every edit above it.
        (Some(rule), _) => format!("rule {}", rule.id),
        (None, Source::Rule) => "rule".to_owned(),
        (None, Source::Llm) => "llm".to_owned(),
        (None, Source::Classifier) => "classifier".to_owned(),
        (None, Source::Default) => "nobody".to_owned(),
    };
    Kept {
        verdict: outcome.verdict,
        codes: outcome.codes(),
        rank: outcome.rank,
        intent: outcome.intent.clone(),
        by,
        groups: outcome.groups.clone(),
        paid: outcome.payments.iter().flat_map(|group| paid(outcome, group)).collect(),
    }
}

/// What words and phrases paid to any group, and what the intent paid to the inferred ones.
fn paid(outcome: &Outcome, group: &GroupTrace) -> Vec<String> {
    let inferred = outcome.groups.contains(&group.id);
    let counts = |reason| match reason {
        Reason::Word | Reason::Phrase => true,
        Reason::Bias => inferred,
        Reason::Negated => false,
    };
    let paid = group.paid.iter().filter(|payment| counts(payment.reason));
    paid.map(|payment| format!("{}: {payment}", group.id)).collect()
}
