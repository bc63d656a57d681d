//! The sections that an answer may rest on.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::analysis::{self, Analyzer};
use crate::domain::{Answer, Section, SectionId};
use crate::pipeline::Pipeline;

/// Sections that are offered to an answer. Five hits hold the right one in nearly all cases where it is
/// found at all, and they fit into the model's context.
const MOST: usize = 5;

/// An offered section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its number in citations, from 1: the rank of the hit.
    pub number: usize,
    /// Section id.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Where to read it.
    pub url: String,
    /// Plain text of the section.
    pub(super) text: String,
    /// Stems of what stands in it, parts of compounds included.
    pub(super) stems: BTreeSet<String>,
}

impl Source {
    /// The best hits of an answer as sources.
    pub(super) fn of(pipeline: &Pipeline, found: &Answer, base: &str) -> Vec<Self> {
        let hits = found.hits.iter().flatten().take(MOST);
        let sections = hits.filter_map(|hit| {
            let id = SectionId::try_from(hit.id.as_str()).ok()?;
            pipeline.section(&id)
        });
        let numbered = (1..).zip(sections);
        numbered
            .map(|(number, section)| Self::new(number, section, base, pipeline.analyzer()))
            .collect()
    }

    pub(super) fn new(number: usize, section: &Section, base: &str, analyzer: &Analyzer) -> Self {
        let Section { id, title, text, .. } = section;
        Self {
            number,
            id: id.to_string(),
            title: title.clone(),
            url: url(base, id.as_str()),
            stems: stems(analyzer, &format!("{title}\n{text}")),
            text: text.clone(),
        }
    }
}

/// Address of a section below the service's own, with every character that could end or change an
/// address or a Markdown link written as `%XX`.
pub fn url(base: &str, id: &str) -> String {
    let mut url = format!("{}/v1/sections/", base.trim_end_matches('/'));
    for byte in id.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                url.push(char::from(byte));
            }
            byte => {
                let _ = write!(url, "%{byte:02X}"); // into a String: never fails
            }
        }
    }
    url
}

/// Stems of the words that name something, with those of their parts. Numbers and single letters name
/// nothing: they also number lists.
pub(super) fn stems(analyzer: &Analyzer, text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    for word in analyzer.analyse(text) {
        let folded = &word.word.folded;
        let is_number = folded.chars().all(|c| c.is_ascii_digit());
        if is_number || folded.chars().count() < 2 || analysis::is_function_word(folded) {
            continue;
        }
        stems.insert(word.word.stem.clone());
        stems.extend(word.parts);
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_nothing_that_could_end_it() {
        assert_eq!(
            url("https://wegweiser.example.org/", "büro#a)b/c d"),
            "https://wegweiser.example.org/v1/sections/b%C3%BCro%23a%29b%2Fc%20d"
        );
    }

    #[test]
    fn stems_are_those_of_words_that_name_something() {
        let stems =
            stems(&Analyzer::new(&[]), "1. Wie verlängert man die Bücher im Konto? Z. B. 12 mal");
        assert_eq!(stems.into_iter().collect::<Vec<_>>(), ["buch", "konto", "verlangert"]);
    }
}
