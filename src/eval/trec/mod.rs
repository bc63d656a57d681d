//! Judgments and rankings in the files of TREC, read and written, and what they measure.
//!
//! ```text
//! qrels:  topic  0   document  grade
//! run:    topic  Q0  document  rank  score  tag
//! ```
//!
//! As in `trec_eval`, the score orders a run, not the rank that is written in it; equal scores are
//! ordered by document id, descending. Measures are means over the topics of the judgments: a topic
//! that the run lacks counts 0, one without judgments does not count.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use super::DatasetError;
use super::graded::{Graded, HIGHEST};
use crate::domain::{Place, Problem, Problems};

/// Grades by topic and document; negative grades of the file are 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Qrels(BTreeMap<String, BTreeMap<String, u32>>);

/// Documents by topic, best first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run(BTreeMap<String, Vec<(String, f64)>>);

/// What a run scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrecReport {
    /// Ranks that count.
    pub k: usize,
    /// Topics with judgments.
    pub topics: usize,
    /// Of these, topics that the run lacks; they count 0.
    pub missing: Vec<String>,
    /// Topics of the run without judgments; they do not count.
    pub unjudged: Vec<String>,
    /// The means.
    pub mean: Graded,
    /// By topic.
    pub by_topic: BTreeMap<String, Graded>,
}

impl Qrels {
    /// Reads a qrels file.
    ///
    /// # Errors
    /// The file can not be read, or lines are no judgments: all of them at once.
    pub fn read(path: &Path) -> Result<Self, DatasetError> {
        Ok(Self::parse(&name(path), &read(path)?)?)
    }

    /// Reads the text of a qrels file.
    ///
    /// # Errors
    /// All lines that are no judgments, and documents that are judged twice.
    pub fn parse(file: &str, text: &str) -> Result<Self, Problems> {
        let mut lines = Lines::of(file, text, "write four columns: topic 0 document grade");
        let mut topics: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
        while let Some((line, columns)) = lines.line() {
            let [topic, _, document, grade] = columns.as_slice() else {
                lines.problem(line, "qrels-columns", format!("{} columns", columns.len()));
                continue;
            };
            match grade.parse::<i64>() {
                Ok(number) if number <= i64::from(HIGHEST) => {
                    let grade = u32::try_from(number.max(0)).unwrap_or(0);
                    let judged = topics.entry((*topic).to_owned()).or_default();
                    if judged.insert((*document).to_owned(), grade).is_some() {
                        let message = format!("`{document}` is judged twice for topic `{topic}`");
                        lines.problem(line, "qrels-duplicate", message);
                    }
                }
                Ok(_) | Err(_) => {
                    let message = format!("`{grade}` is no grade up to {HIGHEST}");
                    lines.problem(line, "qrels-grade", message);
                }
            }
        }
        lines.finish()?;
        Ok(Self(topics))
    }

    /// Adds a judgment; the last one of a document counts.
    pub fn judge(&mut self, topic: &str, document: &str, grade: u32) {
        self.0.entry(topic.to_owned()).or_default().insert(document.to_owned(), grade.min(HIGHEST));
    }

    /// The text of a qrels file, by topic and document.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (topic, judged) in &self.0 {
            for (document, grade) in judged {
                writeln!(text, "{} 0 {} {grade}", column(topic), column(document))
                    .expect("a String takes everything");
            }
        }
        text
    }
}

impl Run {
    /// Reads a run file.
    ///
    /// # Errors
    /// The file can not be read, or lines are no results: all of them at once.
    pub fn read(path: &Path) -> Result<Self, DatasetError> {
        Ok(Self::parse(&name(path), &read(path)?)?)
    }

    /// Reads the text of a run file.
    ///
    /// # Errors
    /// All lines that are no results, and documents that a topic lists twice.
    pub fn parse(file: &str, text: &str) -> Result<Self, Problems> {
        let mend = "write six columns: topic Q0 document rank score tag";
        let mut lines = Lines::of(file, text, mend);
        let mut topics: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
        while let Some((line, columns)) = lines.line() {
            let [topic, _, document, _, score, _] = columns.as_slice() else {
                lines.problem(line, "run-columns", format!("{} columns", columns.len()));
                continue;
            };
            match score.parse::<f64>() {
                Ok(score) if score.is_finite() => {
                    let ranked = topics.entry((*topic).to_owned()).or_default();
                    if ranked.insert((*document).to_owned(), score).is_some() {
                        let message = format!("`{document}` stands twice in topic `{topic}`");
                        lines.problem(line, "run-duplicate", message);
                    }
                }
                Ok(_) | Err(_) => {
                    lines.problem(line, "run-score", format!("`{score}` is no finite number"));
                }
            }
        }
        lines.finish()?;
        let ordered = topics.into_iter().map(|(topic, ranked)| {
            let mut ranked: Vec<(String, f64)> = ranked.into_iter().collect();
            ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
            (topic, ranked)
        });
        Ok(Self(ordered.collect()))
    }

    /// Adds a topic with its documents, best first. Written scores say only the order.
    pub fn rank(&mut self, topic: &str, documents: impl IntoIterator<Item = String>) {
        let documents = documents.into_iter().zip(1_u32..);
        let ranked = documents.map(|(document, rank)| (document, 1.0 / f64::from(rank)));
        self.0.insert(topic.to_owned(), ranked.collect());
    }

    /// The text of a run file with this tag.
    pub fn to_text(&self, tag: &str) -> String {
        let mut text = String::new();
        for (topic, ranked) in &self.0 {
            for ((document, score), rank) in ranked.iter().zip(1..) {
                let (topic, document, tag) = (column(topic), column(document), column(tag));
                writeln!(text, "{topic} Q0 {document} {rank} {score} {tag}")
                    .expect("a String takes everything");
            }
        }
        text
    }
}

/// Measures a run at rank k. The scale of grades ends at the highest one among the judgments.
pub fn evaluate(qrels: &Qrels, run: &Run, k: usize) -> TrecReport {
    let highest = qrels.0.values().flat_map(BTreeMap::values).max().copied().unwrap_or(0);
    let mut by_topic = BTreeMap::new();
    for (topic, judged) in &qrels.0 {
        let ranked = run.0.get(topic).map(Vec::as_slice).unwrap_or_default();
        let grade = |document: &str| judged.get(document).copied().unwrap_or(0);
        let ranked: Vec<u32> = ranked.iter().map(|(document, _)| grade(document)).collect();
        let judged: Vec<u32> = judged.values().copied().collect();
        by_topic.insert(topic.clone(), Graded::of(&ranked, &judged, k, highest));
    }
    let absent = |from: &[&String], of: &dyn Fn(&str) -> bool| -> Vec<String> {
        from.iter().filter(|topic| !of(topic)).map(|topic| (*topic).clone()).collect()
    };
    let (asked, answered): (Vec<_>, Vec<_>) = (qrels.0.keys().collect(), run.0.keys().collect());
    TrecReport {
        k,
        topics: by_topic.len(),
        missing: absent(&asked, &|topic| run.0.contains_key(topic)),
        unjudged: absent(&answered, &|topic| qrels.0.contains_key(topic)),
        mean: Graded::mean(&by_topic.values().copied().collect::<Vec<_>>()),
        by_topic,
    }
}

/// White space parts columns, so an id must not hold any.
fn column(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("_")
}

/// Lines of a file as columns, and what is wrong with them.
struct Lines<'a> {
    file: String,
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    mend: &'static str,
    problems: Vec<Problem>,
}

impl<'a> Lines<'a> {
    fn of(file: &str, text: &'a str, mend: &'static str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { file: file.to_owned(), rest: text.lines().enumerate(), mend, problems: Vec::new() }
    }

    /// The next line that is not empty, with its number from 1.
    fn line(&mut self) -> Option<(usize, Vec<&'a str>)> {
        let columns = |line: &'a str| line.split_whitespace().collect::<Vec<_>>();
        let mut lines = self.rest.by_ref().map(|(at, line)| (at + 1, columns(line)));
        lines.find(|(_, columns)| !columns.is_empty())
    }

    fn problem(&mut self, line: usize, code: &'static str, message: String) {
        let place = Place { file: self.file.clone(), line, column: 1 };
        self.problems.push(Problem { place, code, message, mend: self.mend.to_owned() });
    }

    fn finish(self) -> Result<(), Problems> {
        Problems::check(self.problems)
    }
}

fn name(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

fn read(path: &Path) -> Result<String, DatasetError> {
    std::fs::read_to_string(path)
        .map_err(|source| DatasetError::Read { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests;
