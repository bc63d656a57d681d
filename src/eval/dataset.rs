//! Labelled questions: `questions.jsonl` of a data set; the catalog gives its own.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::domain::{Place, Problem, Problems, SectionId};

/// A question whose right section is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledQuestion {
    /// Name in reports.
    pub id: String,
    /// The question.
    pub question: String,
    /// The section that answers it.
    pub section: SectionId,
    /// Sections that answer it equally well; catalog only.
    pub acceptable: Vec<SectionId>,
    /// Group of the right section, where the label says it.
    pub group: Option<String>,
    /// `title`, `paraphrase`, `colloquial`, `typo` in the catalog; the `kind` of a data set.
    pub tier: Option<String>,
}

/// Why labelled questions can not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// A file can not be read.
    #[error("{} can not be read", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Lines or entries to mend.
    #[error(transparent)]
    Problems(#[from] Problems),
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<String>,
    question: String,
    section_id: SectionId,
    #[serde(default)]
    group: Option<String>,
    #[serde(default)]
    kind: Option<String>,
}

/// Reads `questions.jsonl`: a JSON object a line with `question`, `section_id`, optionally `id`,
/// `group`, `kind`; other keys are ignored.
///
/// # Errors
/// The file can not be read, or lines are no such object: all of them at once.
pub fn jsonl(path: &Path) -> Result<Vec<LabelledQuestion>, DatasetError> {
    let mend = "write one object a line: {\"question\": \"…\", \"section_id\": \"…\"}";
    let lines = lines::<Line>(path, mend)?;
    let labelled = lines.into_iter().map(|(number, line)| LabelledQuestion {
        id: line.id.unwrap_or_else(|| format!("line-{number}")),
        question: line.question,
        section: line.section_id,
        acceptable: Vec::new(),
        group: line.group,
        tier: line.kind,
    });
    Ok(labelled.collect())
}

/// The JSON objects of a file, one a line, with their line numbers from 1; empty lines are skipped.
///
/// # Errors
/// The file can not be read, or lines are no such object: all of them at once, with `mend`.
pub fn lines<T: DeserializeOwned>(
    path: &Path,
    mend: &str,
) -> Result<Vec<(usize, T)>, DatasetError> {
    let text = read(path)?;
    let file = path.display().to_string();
    let (mut objects, mut problems) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(object) => objects.push((at + 1, object)),
            Err(error) => problems.push(Problem {
                place: Place { file: file.clone(), line: at + 1, column: error.column().max(1) },
                code: "question-unreadable",
                message: error.to_string(),
                mend: mend.to_owned(),
            }),
        }
    }
    Problems::check(problems)?;
    Ok(objects)
}

fn read(path: &Path) -> Result<String, DatasetError> {
    std::fs::read_to_string(path)
        .map_err(|source| DatasetError::Read { path: path.to_owned(), source })
}
