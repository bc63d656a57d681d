//! A file of generated questions as entries: what nobody asked to change stays byte for byte.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::catalog::{Expected, Origin, Question};
use crate::domain::{GroupId, Section, hex};

/// An entry as the generator writes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) id: &'a str,
    pub(super) tier: &'static str,
    pub(super) section: &'a Section,
    pub(super) question: &'a str,
    pub(super) intent: Option<&'static str>,
}

impl Entry<'_> {
    fn group(&self) -> Option<&str> {
        self.section.group.as_ref().map(GroupId::as_str)
    }

    /// Whether a question of the catalog says the same.
    pub(super) fn is(&self, question: &Question) -> bool {
        question.question == self.question
            && question.intent.as_deref() == self.intent
            && question.group.as_deref() == self.group()
    }

    /// The entry as YAML.
    pub(super) fn block(&self) -> String {
        let Self { id, tier, section, question, intent } = *self;
        let mut expect = format!("section: {}", scalar(section.id.as_str()));
        for (key, value) in [("intent", intent), ("group", self.group())] {
            if let Some(value) = value {
                write!(expect, ", {key}: {}", scalar(value)).expect("a String takes everything");
            }
        }
        let now = section_digest(section);
        let entry = entry_digest(question, section.id.as_str(), intent, self.group());
        format!(
            "  - id: {}\n    question: {}\n    expect: {{{expect}}}\n    origin: generated\n    \
             tier: {tier}\n    source: {{section: '{now}', entry: '{entry}'}}\n",
            scalar(id),
            quoted(question),
        )
    }
}

/// Whether nobody has changed an entry since the generator wrote it.
pub(super) fn is_untouched(question: &Question, tier: &str) -> bool {
    let Expected::Section { section, acceptable } = &question.expected else { return false };
    let Some(source) = &question.source else { return false };
    let generated = question.origin == Origin::Generated && question.tier == tier;
    let content = entry_digest(
        &question.question,
        section.as_str(),
        question.intent.as_deref(),
        question.group.as_deref(),
    );
    generated && acceptable.is_empty() && question.also.is_none() && content == source.entry
}

fn entry_digest(
    question: &str,
    section: &str,
    intent: Option<&str>,
    group: Option<&str>,
) -> String {
    digest(&[question, section, intent.unwrap_or(""), group.unwrap_or("")])
}

/// Changes with everything that a question was made from.
pub(super) fn section_digest(section: &Section) -> String {
    let group = section.group.as_ref().map_or("", GroupId::as_str);
    digest(&[&section.title, &section.text, group])
}

/// The first 48 bits of SHA-256: enough to notice an edit, short enough to be read over.
fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize()[..6])
}

/// Plain where YAML certainly reads a text, else quoted.
fn scalar(text: &str) -> String {
    let plain = text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || "-_#.".contains(c))
        && !matches!(
            text.to_lowercase().as_str(),
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        );
    if plain { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("'{}'", clean.replace('\'', "''"))
}

/// The file as entries with what stands around them.
pub(super) struct Blocks {
    head: String,
    /// Id and lines of each entry, comments in front of it included.
    entries: Vec<(String, String)>,
    changed: bool,
}

impl Blocks {
    pub(super) fn of(text: &str, file: &str, existing: &[Question]) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut starts: Vec<(usize, &str)> = existing
            .iter()
            .filter(|question| question.place.file == file)
            .map(|question| {
                let mut line = question.place.line.saturating_sub(1).min(lines.len());
                let belongs =
                    |line: &str| line.trim() == "-" || line.trim_start().starts_with("# ");
                while line > 0 && belongs(lines[line - 1]) && line > 1 {
                    line -= 1;
                }
                (line, question.id.as_str())
            })
            .collect();
        starts.sort_unstable();
        let end = |at: usize| starts.get(at + 1).map_or(lines.len(), |(line, _)| *line);
        let entries = (0..starts.len())
            .map(|at| (starts[at].1.to_owned(), lines[starts[at].0..end(at)].concat()))
            .collect();
        let head = lines[..starts.first().map_or(lines.len(), |(line, _)| *line)].concat();
        Self { head, entries, changed: false }
    }

    pub(super) fn insert(&mut self, after: Option<&str>, id: &str, block: String) {
        let found = after.and_then(|id| self.entries.iter().position(|(entry, _)| entry == id));
        let at = found.map_or(if after.is_none() { 0 } else { self.entries.len() }, |at| at + 1);
        self.entries.insert(at, (id.to_owned(), block));
        self.changed = true;
    }

    pub(super) fn replace(&mut self, id: &str, block: &str) {
        if let Some((_, lines)) = self.entries.iter_mut().find(|(entry, _)| entry == id) {
            // Comments above the entry stay.
            let above =
                lines.split_inclusive('\n').take_while(|line| line.trim_start().starts_with('#'));
            *lines = above.collect::<String>() + block;
        }
        self.changed = true;
    }

    /// The new content; nothing where no entry changed. `header` begins a new file.
    pub(super) fn text(&self, header: &str) -> Option<String> {
        if !self.changed {
            return None;
        }
        let empty = self.head.trim().is_empty() || self.head.trim_end().ends_with("[]");
        let mut text = if empty { header.to_owned() } else { self.head.clone() };
        for (_, block) in &self.entries {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(block);
        }
        Some(text)
    }
}
