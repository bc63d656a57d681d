//! What the model wrote, on disk: a section that has not changed is not asked about again.
//!
//! One JSON object a line, only ever appended, in one write each: a killed run loses at most the line
//! that it was writing, and a torn line is no answer.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Drafts, WriterError};

/// Answers that are kept, about half a kilobyte each; the older half makes room.
const MOST: usize = 20_000;

/// Answers by the digest of what was asked.
#[derive(Debug)]
pub(super) struct Answers {
    path: PathBuf,
    file: File,
    known: BTreeMap<String, Drafts>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    drafts: Drafts,
}

impl Answers {
    /// Opens or creates `catalog-answers.jsonl` in a folder.
    pub(super) fn open(folder: &Path) -> Result<Self, WriterError> {
        let path = folder.join("catalog-answers.jsonl");
        let failed = |source| WriterError::Answers { path: path.clone(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(failed)?;
        let bytes = std::fs::read(&path).map_err(failed)?;
        // A damaged byte spoils its line, not the others.
        let text = String::from_utf8_lossy(&bytes);
        let mut lines: Vec<Line> =
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
        let known = lines.into_iter().map(|line| (line.key, line.drafts)).collect();
        Ok(Self { path, file, known })
    }

    pub(super) fn get(&self, key: &str) -> Option<&Drafts> {
        self.known.get(key)
    }

    /// Keeps an answer, safe from a kill of the process at once.
    pub(super) fn put(&mut self, key: String, drafts: &Drafts) -> Result<(), WriterError> {
        let line = Line { key, drafts: drafts.clone() };
        let written: io::Result<()> = self.file.write_all(line.text().as_bytes());
        written.map_err(|source| WriterError::Answers { path: self.path.clone(), source })?;
        self.known.insert(line.key, line.drafts);
        Ok(())
    }
}

impl Line {
    fn text(&self) -> String {
        serde_json::to_string(self).expect("text is JSON") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tier;
    use super::*;

    fn drafts(text: &str) -> Drafts {
        Drafts::from([(Tier::Title, format!("{text}?")), (Tier::Paraphrase, "B\n?".to_owned())])
    }

    #[test]
    fn answers_are_there_after_reopening_and_a_torn_line_costs_only_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut answers = Answers::open(folder.path()).expect("opened");
        for name in ["a", "b"] {
            answers.put(name.to_owned(), &drafts(name)).expect("kept");
        }
        let path = answers.path.clone();
        drop(answers);
        let whole = std::fs::read(&path).expect("there");
        for lost in 1..=20 {
            std::fs::write(&path, &whole[..whole.len() - lost]).expect("written");
            let mut answers = Answers::open(folder.path()).expect("opened");
            assert_eq!(answers.get("a"), Some(&drafts("a")));
            assert_eq!(answers.get("b"), (lost == 1).then_some(&drafts("b")), "{lost} bytes lost");
            answers.put("c".to_owned(), &drafts("c")).expect("kept");
            drop(answers);
            let answers = Answers::open(folder.path()).expect("opened");
            assert_eq!(answers.get("c"), Some(&drafts("c")), "{lost} bytes lost");
        }
    }

    #[test]
    fn the_file_is_bounded_and_the_newest_answers_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let line = |at: usize| Line { key: at.to_string(), drafts: drafts("x") }.text();
        let all: Vec<String> = (0..=MOST).map(line).collect();
        std::fs::write(folder.path().join("catalog-answers.jsonl"), all.concat()).expect("written");
        for _ in 0..2 {
            let answers = Answers::open(folder.path()).expect("opened");
            assert_eq!(answers.known.len(), MOST / 2);
            assert!(answers.get("0").is_none() && answers.get(&MOST.to_string()).is_some());
        }
    }
}
