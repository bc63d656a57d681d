//! Generated questions into the file that holds them, without touching what a person wrote.
//!
//! An entry belongs to the generator as long as its content has the digest that the generator left
//! in it. Everything else in the file, comments too, stays byte for byte.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::file::{Blocks, Entry, is_untouched, section_digest};
use super::llm::{Tier, Wanted};
use super::{Purpose, questions};
use crate::catalog::{Origin, Question};
use crate::domain::{GroupId, Place, Section, SectionId};

const FROM_HEADINGS: &str = "# Aus den Überschriften des Kompendiums erzeugt: wegweiser catalog generate\n\
    # Wer eine Frage ändert, dem gehört sie: Der nächste Lauf lässt sie stehen.\n\
    questions:\n";
const FROM_MODEL: &str = "# Von einem Sprachmodell zu den Abschnitten geschrieben: \
    wegweiser catalog generate --with-llm\n\
    # Wer eine Frage ändert oder ihr `source` löscht, dem gehört sie: Kein Lauf überschreibt sie.\n\
    questions:\n";

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
    let tier = Tier::Title.as_str();
    let owned = |question: &Question| question.place.file == file && is_untouched(question, tier);
    let taken: BTreeSet<String> = existing
        .iter()
        .filter(|question| !owned(question))
        .map(|question| question.question.trim().to_owned())
        .collect();
    let generated = questions(sections, purposes, &taken);
    let by_id: BTreeMap<&SectionId, &Section> =
        sections.iter().map(|section| (&section.id, section)).collect();
    let slots = generated.iter().map(|made| Slot {
        id: format!("title-{}", made.section),
        tier,
        section: by_id[&made.section],
        made: Some((&made.question, made.intent)),
    });
    let mut plan = merge(slots, existing, file, (text, FROM_HEADINGS));
    plan.remarks.extend(orphans(existing, &by_id));
    plan
}

/// The same for the questions that a model wrote, by section and tier. An entry without a new
/// question stays as it is; sections that are gone are for [`plan`] to tell.
pub fn plan_written(
    sections: &[Section],
    written: &BTreeMap<(SectionId, Tier), String>,
    existing: &[Question],
    file: &str,
    text: &str,
) -> Plan {
    let slots = in_order(sections).into_iter().flat_map(|section| {
        Tier::ALL.map(|tier| Slot {
            id: written_id(&section.id, tier),
            tier: tier.as_str(),
            section,
            made: written.get(&(section.id.clone(), tier)).map(|question| (question, None)),
        })
    });
    merge(slots, existing, file, (text, FROM_MODEL))
}

/// What a model has to be asked: sections without their questions, and sections that have changed
/// since, unless a person has made the question theirs. In the order of the files.
pub fn wanted<'a>(sections: &'a [Section], existing: &[Question], file: &str) -> Vec<Wanted<'a>> {
    let by_id: BTreeMap<&str, &Question> =
        existing.iter().map(|question| (question.id.as_str(), question)).collect();
    let missing = |section: &Section, tier: Tier| {
        by_id.get(written_id(&section.id, tier).as_str()).is_none_or(|entry| {
            let owned = entry.place.file == file && is_untouched(entry, tier.as_str());
            owned && has_changed(entry, section)
        })
    };
    in_order(sections)
        .into_iter()
        .map(|section| {
            let tiers = Tier::ALL.into_iter().filter(|tier| missing(section, *tier)).collect();
            Wanted { section, tiers }
        })
        .filter(|wanted| !wanted.tiers.is_empty())
        .collect()
}

fn written_id(section: &SectionId, tier: Tier) -> String {
    format!("llm-{}-{section}", tier.as_str())
}

/// As the files have them.
pub(super) fn in_order(sections: &[Section]) -> Vec<&Section> {
    let mut ordered: Vec<&Section> = sections.iter().collect();
    ordered.sort_by(|a, b| a.place.cmp(&b.place).then_with(|| a.id.cmp(&b.id)));
    ordered
}

/// A question that a section may have, and what was made for it now.
struct Slot<'a> {
    id: String,
    tier: &'static str,
    section: &'a Section,
    made: Option<(&'a String, Option<&'static str>)>,
}

/// Puts what was made beside what is there; `text` is the file's content, and the lines that a new
/// file begins with.
fn merge<'a>(
    slots: impl Iterator<Item = Slot<'a>>,
    existing: &[Question],
    file: &str,
    (text, header): (&str, &str),
) -> Plan {
    let by_id: BTreeMap<&str, &Question> =
        existing.iter().map(|question| (question.id.as_str(), question)).collect();
    let mut blocks = Blocks::of(text, file, existing);
    let mut plan = Plan { text: None, questions: 0, remarks: Vec::new() };
    let mut after: Option<String> = None;
    for Slot { id, tier, section, made } in slots {
        let there = by_id.get(id.as_str()).copied();
        let made =
            made.map(|(question, intent)| Entry { id: &id, tier, section, question, intent });
        let owned =
            there.is_some_and(|entry| entry.place.file == file && is_untouched(entry, tier));
        let changed = there.is_some_and(|entry| has_changed(entry, section));
        let kind = match (there, &made) {
            (None, None) => continue,
            (None, Some(_)) => Some(RemarkKind::Added),
            (Some(entry), Some(made)) if owned && !made.is(entry) => Some(RemarkKind::Rewritten),
            (Some(_), _) if owned => changed.then_some(RemarkKind::SectionChanged),
            (Some(_), _) => changed.then_some(RemarkKind::Review),
        };
        plan.questions += 1;
        match (kind, &made) {
            (Some(RemarkKind::Added), Some(made)) => {
                blocks.insert(after.as_deref(), &id, made.block());
            }
            (Some(RemarkKind::Rewritten | RemarkKind::SectionChanged), Some(made)) => {
                blocks.replace(&id, &made.block());
            }
            (Some(_) | None, _) => {}
        }
        if let Some(kind) = kind {
            let new =
                made.as_ref().filter(|_| kind != RemarkKind::Review).map(|made| made.question);
            let question = new.or(there.map(|entry| entry.question.as_str())).unwrap_or_default();
            plan.remarks.push(Remark {
                kind,
                id: id.clone(),
                section: section.id.to_string(),
                question: question.to_owned(),
                place: there.map(|entry| entry.place.clone()),
            });
        }
        after = Some(id);
    }
    plan.text = blocks.text(header);
    plan
}

/// Whether the section is another one than the question was made from.
fn has_changed(entry: &Question, section: &Section) -> bool {
    entry.source.as_ref().is_some_and(|source| source.section != section_digest(section))
}

fn orphans<'a>(
    existing: &'a [Question],
    sections: &'a BTreeMap<&SectionId, &Section>,
) -> impl Iterator<Item = Remark> + 'a {
    existing.iter().filter(|question| question.origin == Origin::Generated).flat_map(|question| {
        let gone = question.right().filter(|id| !sections.contains_key(*id));
        gone.map(|section| Remark {
            kind: RemarkKind::Orphan,
            id: question.id.clone(),
            section: section.to_string(),
            question: question.question.clone(),
            place: Some(question.place.clone()),
        })
    })
}
