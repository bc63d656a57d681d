//! What every listed word and phrase is worth: questions answered with it and without it.

use std::collections::BTreeMap;

use super::{GroupModel, Matcher};
use crate::analysis::Analyzer;
use crate::domain::{GroupId, GroupScore, IntentId, NormalisedQuery, Reason};

/// A question whose group is known.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The question.
    pub query: NormalisedQuery,
    /// Its intent, which pays a bias.
    pub intent: Option<IntentId>,
    /// Its right group.
    pub group: GroupId,
}

/// A word or phrase of the list with what it did over the questions.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Worth {
    /// The group that lists it.
    pub group: GroupId,
    /// As it is written there.
    pub written: String,
    /// Whether it stands under `phrases`.
    pub phrase: bool,
    /// Questions in which it paid.
    pub paid: usize,
    /// Questions that are sent to the right group only with it.
    pub helped: usize,
    /// Questions that would be sent to the right group without it.
    pub hurt: usize,
    /// Sections of its group that contain it; absent for a phrase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<usize>,
}

impl GroupModel {
    /// Whether a question is sent to its right group first.
    pub(super) fn is_right(&self, asked: &Asked, analyzer: &Analyzer) -> bool {
        self.chosen(&self.scores(asked, analyzer)).first() == Some(&asked.group)
    }

    fn scores(&self, asked: &Asked, analyzer: &Analyzer) -> Vec<GroupScore> {
        self.infer(&asked.query, asked.intent.as_ref(), analyzer)
    }

    /// Leaves out one word or phrase after the other; in the order of the file.
    pub(super) fn worths(
        &self,
        questions: &[Asked],
        in_sections: &dyn Fn(&GroupId, &str) -> usize,
        analyzer: &Analyzer,
    ) -> Vec<Worth> {
        // Without a word only the questions change in which it paid.
        let mut paid: BTreeMap<(GroupId, bool, String), Vec<usize>> = BTreeMap::new();
        let mut right = Vec::with_capacity(questions.len());
        for (at, asked) in questions.iter().enumerate() {
            let scores = self.scores(asked, analyzer);
            right.push(self.chosen(&scores).first() == Some(&asked.group));
            for group in &scores {
                for payment in &group.payments {
                    let phrase = payment.reason == Reason::Phrase;
                    if phrase || payment.reason == Reason::Word {
                        let key = (group.id.clone(), phrase, payment.what.clone());
                        paid.entry(key).or_default().push(at);
                    }
                }
            }
        }
        let mut worths = Vec::new();
        for (at, group) in self.groups.iter().enumerate() {
            let phrases = group.phrases.iter().map(|phrase| (true, &phrase.written, None));
            let words = group.words.iter().map(|word| {
                let sections = match &word.matcher {
                    Matcher::Stems(stems) => stems.first().map(|stem| in_sections(&group.id, stem)),
                    Matcher::Prefix(_) => None,
                };
                (false, &word.written, sections)
            });
            for (phrase, written, sections) in words.chain(phrases) {
                let key = (group.id.clone(), phrase, written.clone());
                let touched = paid.get(&key).map_or(&[][..], Vec::as_slice);
                let (mut helped, mut hurt) = (0, 0);
                if !touched.is_empty() {
                    let mut without = self.clone();
                    without.groups[at].words.retain(|word| phrase || word.written != *written);
                    without.groups[at].phrases.retain(|other| !phrase || other.written != *written);
                    for question in touched {
                        let now = without.is_right(&questions[*question], analyzer);
                        helped += usize::from(right[*question] && !now);
                        hurt += usize::from(!right[*question] && now);
                    }
                }
                worths.push(Worth {
                    group: group.id.clone(),
                    written: written.clone(),
                    phrase,
                    paid: touched.len(),
                    helped,
                    hurt,
                    sections,
                });
            }
        }
        worths
    }
}
