//! Labelled questions: `questions.jsonl` of a data set, or the catalog's YAML files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::domain::{Place, Problem, Problems, SectionId};
use crate::yaml;

/// A question whose right section is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledQuestion {
    /// Name in reports.
    pub id: String,
    /// The question.
    pub question: String,
    /// The section that answers it.
    pub section: SectionId,
    /// Intent, where the label says it.
    pub intent: Option<String>,
    /// Group of the right section, where the label says it.
    pub group: Option<String>,
    /// `title`, `paraphrase`, `colloquial`, `typo`; catalog only.
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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalog {
    questions: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    question: String,
    expect: Expect,
    #[serde(rename = "origin")]
    _origin: String,
    tier: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    section: SectionId,
    #[serde(default)]
    intent: Option<String>,
    #[serde(default)]
    group: Option<String>,
}

/// Reads `questions.jsonl`: a JSON object a line with `question`, `section_id`, optionally `id`,
/// `group`; other keys are ignored.
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
        intent: None,
        group: line.group,
        tier: None,
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

/// Reads all `*.yaml` files directly in a catalog folder, in the order of their names.
///
/// # Errors
/// All problems of all files at once, also ids that are taken twice.
pub fn catalog(folder: &Path) -> Result<Vec<LabelledQuestion>, DatasetError> {
    let failed = |source| DatasetError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    let (mut questions, mut problems) = (Vec::new(), Vec::new());
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    for path in files {
        let name = path.display().to_string();
        match yaml::read::<Catalog>(&name, &read(&path)?, 1) {
            Err(found) => problems.extend(found.into_list()),
            Ok(catalog) => {
                for entry in catalog.questions {
                    if let Some(other) = taken.insert(entry.id.clone(), name.clone()) {
                        problems.push(Problem {
                            place: Place::start_of(name.clone()),
                            code: "catalog-duplicate-id",
                            message: format!("id `{}` also stands in {other}", entry.id),
                            mend: "give one of the two questions another id".to_owned(),
                        });
                    }
                    questions.push(LabelledQuestion {
                        id: entry.id,
                        question: entry.question,
                        section: entry.expect.section,
                        intent: entry.expect.intent,
                        group: entry.expect.group,
                        tier: Some(entry.tier),
                    });
                }
            }
        }
    }
    Problems::check(problems)?;
    Ok(questions)
}

fn read(path: &Path) -> Result<String, DatasetError> {
    std::fs::read_to_string(path)
        .map_err(|source| DatasetError::Read { path: path.to_owned(), source })
}
