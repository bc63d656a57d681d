//! One question for every section, straight from its heading; deterministic, without a model.
//! [`llm`] adds what llama3 asks.
//!
//! ```text
//! heading ─ title ─┬─ noun phrase ─ heads ─┐
//!                  ├─ infinitive, clause ──┼─ forms, best first ─ the first that is not taken
//!   lexicon ───────┴─ names, pairs, myths ─┘
//! ```
//!
//! The group's purpose chooses among forms that are all grammatical; the lexicon, counted from the
//! compendium itself, tells number and article. Where neither tells, a form is taken that needs
//! neither.

mod file;
mod forms;
mod heads;
mod lexicon;
pub mod llm;
mod phrase;
mod title;
mod update;
mod verbs;
mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use update::{Plan, Remark, RemarkKind, plan, plan_written, wanted};

use crate::analysis::Analyzer;
use crate::domain::{GroupId, IntentId, Query, Reason, Section, SectionId};
use crate::groups::GroupModel;
use crate::intent::Intents;
use crate::normalise::normalise;
use lexicon::Lexicon;

/// What a group's sections are for; chooses the form of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// What things are.
    Terms,
    /// How things are done.
    Methods,
    /// What things do.
    Effects,
    /// What goes wrong.
    Problems,
    /// Who found it out.
    Persons,
    /// None of these, or no group.
    Other,
}

impl Purpose {
    /// The purpose of the group that these intents prefer: the intent with the greatest bias tells.
    pub fn of(bias: &BTreeMap<IntentId, f64>) -> Self {
        let mut best = (0.0, Self::Other);
        for (intent, amount) in bias {
            let purpose = match intent.as_str() {
                "definition" => Self::Terms,
                "how" => Self::Methods,
                "why" | "benefit" => Self::Effects,
                "troubleshoot" => Self::Problems,
                "who" => Self::Persons,
                _ => Self::Other,
            };
            if *amount > best.0 {
                best = (*amount, purpose);
            }
        }
        best.1
    }
}

/// What each group is for, by the bias of the intents in `groups.yaml`.
pub fn purposes(
    intents: &Intents,
    groups: &GroupModel,
    analyzer: &Analyzer,
) -> BTreeMap<GroupId, Purpose> {
    let Ok(nothing) = Query::new("?", 1) else { return BTreeMap::new() };
    let nothing = normalise(&nothing);
    let mut biases: BTreeMap<GroupId, BTreeMap<IntentId, f64>> = BTreeMap::new();
    for intent in intents.ids() {
        // A question without words: all that the intent pays is its bias.
        for group in groups.infer(&nothing, Some(&intent), analyzer) {
            let bias = group.payments.iter().filter(|payment| payment.reason == Reason::Bias);
            let amount = bias.map(|payment| payment.amount).fold(0.0, f64::max);
            biases.entry(group.id).or_default().insert(intent.clone(), amount);
        }
    }
    biases.into_iter().map(|(group, bias)| (group, Purpose::of(&bias))).collect()
}

/// A question made from a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The section it is for.
    pub section: SectionId,
    /// The section's group.
    pub group: Option<GroupId>,
    /// The question.
    pub question: String,
    /// Its intent, where the form leaves no doubt.
    pub intent: Option<&'static str>,
}

/// One question for each section, in the order of the files. No two are equal, and none equals one
/// of `taken`.
pub fn questions(
    sections: &[Section],
    purposes: &BTreeMap<GroupId, Purpose>,
    taken: &BTreeSet<String>,
) -> Vec<Generated> {
    let lexicon = Lexicon::new(sections);
    let ordered = update::in_order(sections);
    let all: Vec<Vec<forms::Form>> = ordered
        .iter()
        .map(|section| {
            let group = section.group.as_ref().and_then(|group| purposes.get(group));
            forms::all(section, group.copied().unwrap_or(Purpose::Other), &lexicon)
        })
        .collect();
    // A heading that stands in several chapters needs the chapter in each of them.
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for forms in &all {
        *first.entry(forms[0].text.as_str()).or_default() += 1;
    }
    let mut used = taken.clone();
    let mut generated = Vec::new();
    for (section, forms) in ordered.iter().zip(&all) {
        let shared = first[forms[0].text.as_str()] > 1;
        let form = chosen(section, forms, shared, &used);
        used.insert(form.text.clone());
        generated.push(Generated {
            section: section.id.clone(),
            group: section.group.clone(),
            question: form.text,
            intent: form.intent,
        });
    }
    generated
}

fn chosen(
    section: &Section,
    forms: &[forms::Form],
    shared: bool,
    used: &BTreeSet<String>,
) -> forms::Form {
    let plain = !shared || section.path.is_empty();
    let free = forms.iter().find(|form| plain && !used.contains(&form.text));
    if let Some(form) = free {
        return form.clone();
    }
    let best = &forms[0];
    let inner = &best.text;
    // From the nearest heading up; the id at last, which is unique.
    let places = (1..=section.path.len()).map(|levels| {
        let path = &section.path[section.path.len() - levels..];
        format!("Im Kapitel „{}“: {inner}", path.join(" › ").replace(['„', '“'], ""))
    });
    let last = std::iter::once(format!("Im Abschnitt {}: {inner}", section.id));
    let text = places.chain(last).find(|text| !used.contains(text));
    forms::Form { text: text.unwrap_or_else(|| best.text.clone()), intent: best.intent }
}

#[cfg(test)]
mod tests;
