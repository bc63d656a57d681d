//! Where to search: words, phrases and the intent's bias pay into semantic groups.
//!
//! `load` reads `rules/groups.yaml`, `infer` scores a question, `template` makes the prefix that
//! sections and questions share; `suggest` learns what the list lacks.

mod infer;
mod keyness;
mod ledger;
mod load;
mod suggest;
mod template;

use std::collections::BTreeMap;

pub use ledger::{Asked, Worth};
pub use suggest::{Addition, Evidence, Suggestions};
pub use template::{InvalidTemplate, Template};

use crate::domain::{GroupId, GroupScore, IntentId};

/// How many groups a question searches in.
pub const CHOSEN: usize = 2;

/// The groups with what pays into them.
#[derive(Debug, Clone)]
pub struct GroupModel {
    /// What a word pays that has no weight of its own.
    word_weight: f64,
    groups: Vec<Group>,
    bias: BTreeMap<IntentId, BTreeMap<GroupId, f64>>,
}

#[derive(Debug, Clone)]
struct Group {
    id: GroupId,
    words: Vec<Word>,
    phrases: Vec<Phrase>,
}

/// A word of a group, ready to be compared.
#[derive(Debug, Clone)]
struct Word {
    /// As the editor wrote it.
    written: String,
    matcher: Matcher,
    /// Only where the question writes it with a capital letter inside a sentence.
    cased: bool,
    weight: f64,
}

#[derive(Debug, Clone)]
enum Matcher {
    /// Equal stems; covers inflection. Several for a hyphenated word.
    Stems(Vec<String>),
    /// The folded token begins so.
    Prefix(String),
}

/// A sequence of whole tokens.
#[derive(Debug, Clone)]
struct Phrase {
    written: String,
    tokens: Vec<String>,
    weight: f64,
}

impl Group {
    /// Whether a word of the list matches a stem already.
    fn lists(&self, stem: &str) -> bool {
        self.words.iter().any(|word| match &word.matcher {
            Matcher::Stems(stems) => stems.iter().any(|listed| listed == stem),
            Matcher::Prefix(prefix) => stem.starts_with(prefix.as_str()),
        })
    }
}

impl GroupModel {
    /// The ids, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &GroupId> {
        self.groups.iter().map(|group| &group.id)
    }

    /// The same with one more word in a group's list, of the usual weight; `None` where there is no
    /// such group, or where it lists the word already.
    pub fn with_word(&self, group: &GroupId, word: &str) -> Option<Self> {
        let stems: Vec<String> = crate::analysis::words(word).into_iter().map(|w| w.stem).collect();
        let mut with = self.clone();
        let found = with.groups.iter_mut().find(|own| own.id == *group)?;
        if stems.is_empty() || stems.iter().all(|stem| found.lists(stem)) {
            return None;
        }
        found.words.push(Word {
            written: word.to_owned(),
            matcher: Matcher::Stems(stems),
            cased: false,
            weight: self.word_weight,
        });
        Some(with)
    }

    /// The groups that a question is searched in: the best two with a positive score, and none
    /// without evidence from the question itself (an intent's bias alone is no evidence of a topic).
    pub fn chosen(&self, scores: &[GroupScore]) -> Vec<GroupId> {
        let evidence = scores
            .iter()
            .flat_map(|group| &group.payments)
            .any(|payment| payment.at.is_some() && payment.amount > 0.0);
        if !evidence {
            return Vec::new();
        }
        scores
            .iter()
            .filter(|group| group.score > 0.0)
            .take(CHOSEN)
            .map(|group| group.id.clone())
            .collect()
    }
}
