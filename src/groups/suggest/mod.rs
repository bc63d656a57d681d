//! What editors forgot: terms that are key to a group and missing from its list, and listed words
//! that do nothing or harm.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::keyness::{Counts, z_score};
use super::ledger::{Asked, Worth};
use super::{GroupModel, Matcher, Word};
use crate::analysis::{Analyzer, is_function_word};
use crate::domain::{GroupId, Section};

/// Two-sided 95 % point of the normal distribution.
const LEAST_Z: f64 = 1.96;
/// A term of fewer texts may be the subject of one of them and nothing more.
const FEWEST_TEXTS: usize = 2;
/// Suggestions a group: more than an editor reads at once help nobody.
const MOST: usize = 12;
/// Shorter stems are mostly particles.
const SHORTEST: usize = 4;
/// Parts of the questions for the cross-validation.
const FOLDS: usize = 5;

/// What to change in `groups.yaml`, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suggestions {
    /// Questions behind the shares.
    pub questions: usize,
    /// Share of questions sent to the right group first, as the list is.
    pub accuracy_now: f64,
    /// The same with terms of the sections, each question judged without itself (5 folds).
    pub accuracy_by_sections: f64,
    /// The same with terms of sections and questions (5 folds).
    pub accuracy_by_both: f64,
    /// Where the additions come from: the better of the two.
    pub evidence: Evidence,
    /// Terms to add, by group, the most telling first.
    pub additions: Vec<Addition>,
    /// Every listed word and phrase with its worth, in the order of the file.
    pub listed: Vec<Worth>,
}

/// The texts that terms are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// Sections only.
    Sections,
    /// Sections and questions.
    Both,
}

/// A term that is missing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Addition {
    /// Where it belongs.
    pub group: GroupId,
    /// The most frequent surface form of its stem.
    pub word: String,
    /// The stem.
    pub stem: String,
    /// Standard deviations of its log-odds above those in the other groups.
    pub z: f64,
    /// Occurrences in the group.
    pub count: usize,
    /// Occurrences in the others.
    pub elsewhere: usize,
    /// Questions that it sends to the right group.
    pub helps: usize,
    /// Questions that it sends away from the right group.
    pub hurts: usize,
    /// Up to three sections of the group that contain it.
    pub examples: Vec<String>,
}

/// A text as terms.
struct Text {
    group: GroupId,
    /// Section id; `None` for a question.
    id: Option<String>,
    /// Stems of all words that can match, with the surface where it is the whole word.
    terms: Vec<(String, Option<String>)>,
}

impl GroupModel {
    /// Learns from sections, judges by questions.
    pub fn suggest(
        &self,
        sections: &[Section],
        questions: &[Asked],
        analyzer: &Analyzer,
    ) -> Suggestions {
        let told: Vec<Text> = sections
            .iter()
            .filter_map(|section| {
                let group = section.group.clone()?;
                let terms = terms(&format!("{}\n{}", section.title, section.text), analyzer);
                Some(Text { group, id: Some(section.id.to_string()), terms })
            })
            .collect();
        let asked: Vec<Text> = questions
            .iter()
            .map(|asked| Text {
                group: asked.group.clone(),
                id: None,
                terms: terms(asked.query.original(), analyzer),
            })
            .collect();
        let study = Study { model: self, told: &told, asked: &asked, questions, analyzer };
        let everything: Vec<usize> = (0..questions.len()).collect();
        let accuracy_now = study.share(|at| study.model.is_right(&questions[at], analyzer));
        let accuracy_by_sections = study.cross_validated(Evidence::Sections);
        let accuracy_by_both = study.cross_validated(Evidence::Both);
        let evidence = if accuracy_by_both > accuracy_by_sections {
            Evidence::Both
        } else {
            Evidence::Sections
        };
        let stems: Vec<(&GroupId, BTreeSet<&str>)> = told
            .iter()
            .map(|text| (&text.group, text.terms.iter().map(|(stem, _)| stem.as_str()).collect()))
            .collect();
        let in_sections = |group: &GroupId, stem: &str| {
            stems.iter().filter(|(of, stems)| *of == group && stems.contains(stem)).count()
        };
        Suggestions {
            questions: questions.len(),
            accuracy_now,
            accuracy_by_sections,
            accuracy_by_both,
            evidence,
            additions: study.additions(evidence, &everything),
            listed: self.worths(questions, &in_sections, analyzer),
        }
    }

    fn with(&self, additions: &[&Addition]) -> Self {
        let mut with = self.clone();
        for addition in additions {
            if let Some(group) = with.groups.iter_mut().find(|group| group.id == addition.group) {
                group.words.push(Word {
                    written: addition.word.clone(),
                    matcher: Matcher::Stems(vec![addition.stem.clone()]),
                    cased: false,
                    weight: self.word_weight,
                });
            }
        }
        with
    }
}

struct Study<'a> {
    model: &'a GroupModel,
    told: &'a [Text],
    asked: &'a [Text],
    questions: &'a [Asked],
    analyzer: &'a Analyzer,
}

impl Study<'_> {
    fn share(&self, is_right: impl Fn(usize) -> bool) -> f64 {
        let right = (0..self.questions.len()).filter(|at| is_right(*at)).count();
        round(right as f64 / self.questions.len().max(1) as f64)
    }

    /// Share right where additions are learnt and judged on the other folds.
    fn cross_validated(&self, evidence: Evidence) -> f64 {
        let models: Vec<GroupModel> = (0..FOLDS)
            .map(|fold| {
                let others: Vec<usize> =
                    (0..self.questions.len()).filter(|at| at % FOLDS != fold).collect();
                let additions = self.additions(evidence, &others);
                self.model.with(&additions.iter().collect::<Vec<_>>())
            })
            .collect();
        self.share(|at| models[at % FOLDS].is_right(&self.questions[at], self.analyzer))
    }

    /// Key terms that are missing and that do not hurt the questions `seen`.
    fn additions(&self, evidence: Evidence, seen: &[usize]) -> Vec<Addition> {
        let mut texts: Vec<&Text> = self.told.iter().collect();
        if evidence == Evidence::Both {
            texts.extend(seen.iter().map(|at| &self.asked[*at]));
        }
        let mut all = Counts::default();
        let mut inside: BTreeMap<&GroupId, Counts> = BTreeMap::new();
        for text in &texts {
            for (term, _) in &text.terms {
                all.add(term);
                inside.entry(&text.group).or_default().add(term);
            }
        }
        let mut additions = Vec::new();
        for group in &self.model.groups {
            let Some(own) = inside.get(&group.id) else { continue };
            let mut outside = Counts::default();
            for text in texts.iter().filter(|text| text.group != group.id) {
                text.terms.iter().for_each(|(term, _)| outside.add(term));
            }
            let mut found: Vec<Addition> = own
                .terms()
                .filter(|stem| stem.chars().count() >= SHORTEST && !group.lists(stem))
                .filter_map(|stem| {
                    let z = z_score(stem, own, &outside, &all);
                    if z < LEAST_Z {
                        return None;
                    }
                    let (count, elsewhere) = (own.of(stem), outside.of(stem));
                    self.addition(&group.id, stem, (z, count, elsewhere), &texts, seen)
                })
                .collect();
            found.sort_by(|a, b| b.z.total_cmp(&a.z).then_with(|| a.stem.cmp(&b.stem)));
            found.truncate(MOST);
            additions.extend(found);
        }
        additions
    }

    fn addition(
        &self,
        group: &GroupId,
        stem: &str,
        (z, count, elsewhere): (f64, usize, usize),
        texts: &[&Text],
        seen: &[usize],
    ) -> Option<Addition> {
        let has = |text: &&Text| text.terms.iter().any(|(term, _)| term == stem);
        let own: Vec<&&Text> = texts.iter().filter(|text| text.group == *group).collect();
        let own: Vec<&&Text> = own.into_iter().filter(|text| has(text)).collect();
        if own.len() < FEWEST_TEXTS {
            return None;
        }
        let mut surfaces: BTreeMap<&str, usize> = BTreeMap::new();
        for (term, surface) in own.iter().flat_map(|text| &text.terms) {
            if let Some(surface) = surface.as_deref().filter(|_| term == stem) {
                *surfaces.entry(surface).or_default() += 1;
            }
        }
        // A stem that only occurs inside compounds has no form to write down.
        let (word, _) = surfaces.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)))?;
        let examples = own.iter().filter_map(|text| text.id.clone()).take(3).collect();
        let mut addition = Addition {
            group: group.clone(),
            word: word.to_owned(),
            stem: stem.to_owned(),
            z: round(z),
            count,
            elsewhere,
            helps: 0,
            hurts: 0,
            examples,
        };
        let with = self.model.with(&[&addition]);
        for at in seen.iter().filter(|at| has(&&self.asked[**at])) {
            let before = self.model.is_right(&self.questions[*at], self.analyzer);
            let after = with.is_right(&self.questions[*at], self.analyzer);
            addition.helps += usize::from(!before && after);
            addition.hurts += usize::from(before && !after);
        }
        (addition.hurts <= addition.helps).then_some(addition)
    }
}

/// The stems by which group words match (see [`super::infer`]), function words left out.
fn terms(text: &str, analyzer: &Analyzer) -> Vec<(String, Option<String>)> {
    let mut terms = Vec::new();
    for analysed in analyzer.analyse(text) {
        let word = analysed.word;
        if is_function_word(&word.folded) || word.folded.chars().any(|c| c.is_ascii_digit()) {
            continue;
        }
        if let [first, .., last] = analysed.parts.as_slice() {
            let parts = [first, last].into_iter().filter(|part| **part != word.stem);
            terms.extend(parts.map(|part| (part.clone(), None)));
        }
        terms.push((word.stem, Some(word.surface)));
    }
    terms
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests;
