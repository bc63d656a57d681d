//! `rules/compounds.yaml`: what editors know better than the splitter.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::analysis::fold;
use crate::domain::{Place, Problem, Problems};
use crate::yaml::{self, Located};

/// Words whose split is decided by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exceptions {
    /// Folded word → spans of its parts; none for a word that stays whole.
    splits: BTreeMap<String, Vec<(usize, usize)>>,
    /// Folded words that may be parts.
    parts: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    whole: Vec<Located<String>>,
    #[serde(default)]
    split: Vec<Located<String>>,
    #[serde(default)]
    parts: Vec<Located<String>>,
}

impl Exceptions {
    /// Reads the text of `file`.
    ///
    /// # Errors
    /// All problems at once: YAML, words with other signs than letters, splits without a bar, words
    /// that are listed twice.
    pub fn load(file: &str, text: &str) -> Result<Self, Problems> {
        let parsed: File = yaml::read(file, text, 1)?;
        let mut found = Self::default();
        let mut problems = Vec::new();
        for entry in &parsed.whole {
            match word(&entry.value) {
                Some(folded) => found.add(&folded, Vec::new(), entry.place(file), &mut problems),
                None => problems.push(no_word(entry.place(file), &entry.value)),
            }
        }
        for entry in &parsed.split {
            match marked(&entry.value) {
                Some((folded, spans)) => {
                    found.add(&folded, spans, entry.place(file), &mut problems);
                }
                None => problems.push(Problem {
                    place: entry.place(file),
                    code: "compound-split-form",
                    message: format!("`{}` shows no parts", entry.value),
                    mend: "part the word with bars, links in parentheses: `Arbeit(s)|zeit|plan`"
                        .to_owned(),
                }),
            }
        }
        for entry in &parsed.parts {
            match word(&entry.value) {
                Some(folded) => {
                    found.parts.insert(folded);
                }
                None => problems.push(no_word(entry.place(file), &entry.value)),
            }
        }
        Problems::check(problems)?;
        Ok(found)
    }

    fn add(
        &mut self,
        folded: &str,
        spans: Vec<(usize, usize)>,
        place: Place,
        problems: &mut Vec<Problem>,
    ) {
        if self.splits.insert(folded.to_owned(), spans).is_some() {
            problems.push(Problem {
                place,
                code: "compound-twice",
                message: format!("`{folded}` is listed twice"),
                mend: "keep one of the two entries".to_owned(),
            });
        }
    }

    /// Spans of the parts of a listed word; empty where it stays whole.
    pub(super) fn parts(&self, folded: &str) -> Option<Vec<(usize, usize)>> {
        self.splits.get(folded).cloned()
    }

    /// Whether a word is listed as a part of others.
    pub(super) fn is_part(&self, folded: &str) -> bool {
        self.parts.contains(folded)
    }
}

/// The folded word, where it is one.
fn word(text: &str) -> Option<String> {
    let folded = fold(text);
    let is_word = folded.len() >= 2 && folded.bytes().all(|c| c.is_ascii_lowercase());
    is_word.then_some(folded)
}

/// `Arbeit(s)|zeit` → the folded word and the spans of its parts.
fn marked(text: &str) -> Option<(String, Vec<(usize, usize)>)> {
    let (mut folded, mut spans) = (String::new(), Vec::new());
    for piece in text.split('|') {
        let (part, link) = match piece.split_once('(') {
            Some((part, link)) => (part, link.strip_suffix(')')?),
            None => (piece, ""),
        };
        let part = word(part)?;
        spans.push((folded.len(), folded.len() + part.len()));
        folded.push_str(&part);
        folded.push_str(&fold(link));
    }
    (spans.len() >= 2 && spans.last()?.1 == folded.len()).then_some((folded, spans))
}

fn no_word(place: Place, text: &str) -> Problem {
    Problem {
        place,
        code: "compound-no-word",
        message: format!("`{text}` is not one word"),
        mend: "write one word of letters, without blanks and hyphens".to_owned(),
    }
}
