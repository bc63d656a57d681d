//! What a model answered, on disk: what has not changed is not asked about again.
//!
//! One JSON object a line, only ever appended, in one write each: a killed run loses at most the line
//! that it was writing, and a line that can not be read is no answer.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::domain::hex;

/// Answers that are kept, about half a kilobyte each; the older half makes room.
const MOST: usize = 20_000;

/// Answers by the digest of what was asked.
#[derive(Debug)]
pub struct Answers<Answer> {
    path: PathBuf,
    file: File,
    known: BTreeMap<String, Answer>,
}

/// The answers can not be kept.
#[derive(Debug, thiserror::Error)]
#[error("the answers of the model can not be kept in {}", path.display())]
pub struct AnswersError {
    /// Their file.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub source: io::Error,
}

/// The digest of what was asked, part by part.
pub fn key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(Sha256::digest(part.as_bytes()));
    }
    hex(&hash.finalize())
}

#[derive(Serialize, Deserialize)]
struct Line<Answer> {
    key: String,
    #[serde(alias = "drafts")]
    answer: Answer,
}

impl<Answer: Serialize + DeserializeOwned> Answers<Answer> {
    /// Opens or creates a file of answers.
    ///
    /// # Errors
    /// The disk says no.
    pub fn open(folder: &Path, name: &str) -> Result<Self, AnswersError> {
        let path = folder.join(name);
        let failed = |source| AnswersError { path: path.clone(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(failed)?;
        let bytes = std::fs::read(&path).map_err(failed)?;
        // A damaged byte spoils its line, not the others.
        let text = String::from_utf8_lossy(&bytes);
        let mut lines: Vec<Line<Answer>> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if lines.len() > MOST {
            lines.drain(..lines.len() - MOST / 2);
            let kept: Vec<String> = lines.iter().map(Line::text).collect();
            file.set_len(0)
                .and_then(|()| file.write_all(kept.concat().as_bytes()))
                .map_err(failed)?;
        } else if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(failed)?;
        }
        let known = lines.into_iter().map(|line| (line.key, line.answer)).collect();
        Ok(Self { path, file, known })
    }

    /// What was answered to the question with this digest.
    pub fn get(&self, key: &str) -> Option<&Answer> {
        self.known.get(key)
    }

    /// Keeps an answer, safe from a kill of the process at once.
    ///
    /// # Errors
    /// The disk says no.
    pub fn put(&mut self, key: String, answer: Answer) -> Result<(), AnswersError> {
        let line = Line { key, answer };
        let written: io::Result<()> = self.file.write_all(line.text().as_bytes());
        written.map_err(|source| AnswersError { path: self.path.clone(), source })?;
        self.known.insert(line.key, line.answer);
        Ok(())
    }
}

impl<Answer: Serialize> Line<Answer> {
    fn text(&self) -> String {
        serde_json::to_string(self).expect("text is JSON") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "answers.jsonl";

    fn opened(folder: &Path) -> Answers<Vec<String>> {
        Answers::open(folder, NAME).expect("opened")
    }

    fn said(text: &str) -> Vec<String> {
        vec![format!("{text}?"), "B\n?".to_owned()]
    }

    #[test]
    fn answers_are_there_after_reopening_and_a_torn_line_costs_only_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut answers = opened(folder.path());
        for name in ["a", "b"] {
            answers.put(name.to_owned(), said(name)).expect("kept");
        }
        drop(answers);
        let path = folder.path().join(NAME);
        let whole = std::fs::read(&path).expect("there");
        for lost in 1..=20 {
            std::fs::write(&path, &whole[..whole.len() - lost]).expect("written");
            let mut answers = opened(folder.path());
            assert_eq!(answers.get("a"), Some(&said("a")));
            assert_eq!(answers.get("b"), (lost == 1).then_some(&said("b")), "{lost} bytes lost");
            answers.put("c".to_owned(), said("c")).expect("kept");
            drop(answers);
            assert_eq!(opened(folder.path()).get("c"), Some(&said("c")), "{lost} bytes lost");
        }
    }

    #[test]
    fn hostile_lines_are_no_answers_and_the_others_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let good = Line { key: "a".to_owned(), answer: said("a") }.text();
        let mut bytes =
            b"\xff\xfe\n{\"key\": 1}\n\0\0\n[]\n{\"key\": \"b\", \"answer\": 7}\n".to_vec();
        bytes.extend_from_slice("[".repeat(200_000).as_bytes());
        bytes.extend_from_slice(format!("\n{good}").as_bytes());
        std::fs::write(folder.path().join(NAME), bytes).expect("written");
        let answers = opened(folder.path());
        assert_eq!((answers.known.len(), answers.get("a")), (1, Some(&said("a"))));
    }

    #[test]
    fn the_file_is_bounded_and_the_newest_answers_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let line = |at: usize| Line { key: at.to_string(), answer: said("x") }.text();
        let all: Vec<String> = (0..=MOST).map(line).collect();
        std::fs::write(folder.path().join(NAME), all.concat()).expect("written");
        for _ in 0..2 {
            let answers = opened(folder.path());
            assert_eq!(answers.known.len(), MOST / 2);
            assert!(answers.get("0").is_none() && answers.get(&MOST.to_string()).is_some());
        }
    }
}
