//! Generated questions into the file that holds them, without touching what a person wrote.
//!
//! An entry belongs to the generator as long as its content has the digest that the generator left
//! in it. Everything else in the file, comments too, stays byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Generated, Purpose, questions};
use crate::catalog::{Expected, Origin, Question};
use crate::domain::{GroupId, Place, Section, hex};

const HEADER: &str = "# Aus den Überschriften des Kompendiums erzeugt: wegweiser catalog generate\n\
    # Wer eine Frage ändert, dem gehört sie: Der nächste Lauf lässt sie stehen.\n\
    questions:\n";
const TIER: &str = "title";

/// What a run of the generator would write, and what it has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The new content of the file; nothing where it stays as it is.
    pub text: Option<String>,
    /// How many sections have a generated question afterwards.
    pub questions: usize,
    /// In the order of the sections, orphans last.
    pub remarks: Vec<Remark>,
}

/// One thing that changes, or that a person has to decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// What kind.
    pub kind: RemarkKind,
    /// Id of the question.
    pub id: String,
    /// The section's id.
    pub section: String,
    /// The question afterwards.
    pub question: String,
    /// Where the question stands; nothing for a new one.
    pub place: Option<Place>,
}

/// Kinds of remarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// The section had no question.
    Added,
    /// The question or what is expected changes with the heading, the group or the rules.
    Rewritten,
    /// The section has changed, its question stays as it is.
    SectionChanged,
    /// The section has changed, and a person has edited its question: to be looked at. Deleting the
    /// `source` of the entry says that this is done.
    Review,
    /// The section does not exist any more.
    Orphan,
}

impl RemarkKind {
    /// Whether a person has to decide, because the generator does not.
    pub fn is_finding(self) -> bool {
        matches!(self, Self::Review | Self::Orphan)
    }
}

/// Compares the sections with the catalog; `file` and `text` are name and content of the file of
/// generated questions, empty where there is none.
pub fn plan(
    sections: &[Section],
    purposes: &BTreeMap<GroupId, Purpose>,
    existing: &[Question],
    file: &str,
    text: &str,
) -> Plan {
    let owned = |question: &Question| question.place.file == file && is_untouched(question);
    let taken: BTreeSet<String> = existing
        .iter()
        .filter(|question| !owned(question))
        .map(|question| question.question.trim().to_owned())
        .collect();
    let generated = questions(sections, purposes, &taken);
    let by_id: BTreeMap<&str, &Question> =
        existing.iter().map(|question| (question.id.as_str(), question)).collect();
    let by_section: BTreeMap<&str, &Section> =
        sections.iter().map(|section| (section.id.as_str(), section)).collect();
    let mut blocks = Blocks::of(text, file, existing);
    let (mut remarks, mut after) = (Vec::new(), None);
    for made in &generated {
        let id = format!("title-{}", made.section);
        let now = section_digest(by_section[made.section.as_str()]);
        let entry = by_id.get(id.as_str()).copied();
        let kind = match entry {
            None => Some(RemarkKind::Added),
            Some(entry) if owned(entry) => changes(entry, made, &now),
            Some(entry) => entry
                .source
                .as_ref()
                .filter(|source| source.section != now)
                .map(|_| RemarkKind::Review),
        };
        match kind {
            Some(RemarkKind::Added) => blocks.insert(after.as_deref(), &id, block(&id, made, &now)),
            Some(RemarkKind::Rewritten | RemarkKind::SectionChanged) => {
                blocks.replace(&id, &block(&id, made, &now));
            }
            Some(RemarkKind::Review | RemarkKind::Orphan) | None => {}
        }
        if let Some(kind) = kind {
            let kept = entry.filter(|_| kind == RemarkKind::Review);
            remarks.push(Remark {
                kind,
                id: id.clone(),
                section: made.section.to_string(),
                question: kept.map_or(&made.question, |entry| &entry.question).clone(),
                place: entry.map(|entry| entry.place.clone()),
            });
        }
        after = Some(id);
    }
    remarks.extend(orphans(existing, &by_section));
    Plan { text: blocks.text(), questions: generated.len(), remarks }
}

fn changes(entry: &Question, made: &Generated, now: &str) -> Option<RemarkKind> {
    let same = entry.question == made.question
        && entry.intent.as_deref() == made.intent
        && entry.group.as_deref() == made.group.as_ref().map(GroupId::as_str);
    let changed = entry.source.as_ref().is_some_and(|source| source.section != now);
    match (same, changed) {
        (false, _) => Some(RemarkKind::Rewritten),
        (true, true) => Some(RemarkKind::SectionChanged),
        (true, false) => None,
    }
}

fn orphans<'a>(
    existing: &'a [Question],
    sections: &'a BTreeMap<&str, &Section>,
) -> impl Iterator<Item = Remark> + 'a {
    existing.iter().filter(|question| question.origin == Origin::Generated).flat_map(|question| {
        let gone = question.right().filter(|id| !sections.contains_key(id.as_str()));
        gone.map(|section| Remark {
            kind: RemarkKind::Orphan,
            id: question.id.clone(),
            section: section.to_string(),
            question: question.question.clone(),
            place: Some(question.place.clone()),
        })
    })
}

/// Whether nobody has changed an entry since the generator wrote it.
fn is_untouched(question: &Question) -> bool {
    let Expected::Section { section, acceptable } = &question.expected else { return false };
    let Some(source) = &question.source else { return false };
    let generated = question.origin == Origin::Generated && question.tier == TIER;
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

fn section_digest(section: &Section) -> String {
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

/// One entry as YAML.
fn block(id: &str, made: &Generated, section: &str) -> String {
    let group = made.group.as_ref().map(GroupId::as_str);
    let mut expect = format!("section: {}", scalar(made.section.as_str()));
    for (key, value) in [("intent", made.intent), ("group", group)] {
        if let Some(value) = value {
            write!(expect, ", {key}: {}", scalar(value)).expect("a String takes everything");
        }
    }
    let entry = entry_digest(&made.question, made.section.as_str(), made.intent, group);
    format!(
        "  - id: {}\n    question: {}\n    expect: {{{expect}}}\n    origin: generated\n    \
         tier: {TIER}\n    source: {{section: '{section}', entry: '{entry}'}}\n",
        scalar(id),
        quoted(&made.question),
    )
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
struct Blocks {
    head: String,
    /// Id and lines of each entry, comments in front of it included.
    entries: Vec<(String, String)>,
    changed: bool,
}

impl Blocks {
    fn of(text: &str, file: &str, existing: &[Question]) -> Self {
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

    fn insert(&mut self, after: Option<&str>, id: &str, block: String) {
        let found = after.and_then(|id| self.entries.iter().position(|(entry, _)| entry == id));
        let at = found.map_or(if after.is_none() { 0 } else { self.entries.len() }, |at| at + 1);
        self.entries.insert(at, (id.to_owned(), block));
        self.changed = true;
    }

    fn replace(&mut self, id: &str, block: &str) {
        if let Some((_, lines)) = self.entries.iter_mut().find(|(entry, _)| entry == id) {
            // Comments above the entry stay.
            let above =
                lines.split_inclusive('\n').take_while(|line| line.trim_start().starts_with('#'));
            *lines = above.collect::<String>() + block;
        }
        self.changed = true;
    }

    /// The new content; nothing where no entry changed.
    fn text(&self) -> Option<String> {
        if !self.changed {
            return None;
        }
        let empty = self.head.trim().is_empty() || self.head.trim_end().ends_with("[]");
        let mut text = if empty { HEADER.to_owned() } else { self.head.clone() };
        for (_, block) in &self.entries {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(block);
        }
        Some(text)
    }
}
