//! Log → the questions that were answered badly, each wording once for everybody who sees the same.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::analysis::words;
use crate::catalog::UNSURE;
use crate::domain::Audiences;
use crate::query_log::{Entry, Log, Rating, without_placeholders};

/// Wordings that are looked at; the most frequent ones. Comparing grows with their square.
const MOST: usize = 2_000;

/// What was wrong with an answer, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The first hit was more likely wrong than right.
    Unsure,
    /// A reader said that it did not help.
    Unhelpful,
    /// The answer itself said that it is none.
    Refused,
}

/// A wording with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bad {
    /// As it was asked most often; masked.
    pub question: String,
    /// What those who asked could see.
    pub audiences: Audiences,
    /// How often it was asked, however it was answered.
    pub asked: usize,
    /// How often it was answered badly.
    pub failed: usize,
    /// The worst that became of it.
    pub failure: Failure,
    /// Sections that readers opened, or that helped them, most often first.
    pub opened: Vec<String>,
}

/// What a log holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sifted {
    /// Questions that were looked at.
    pub(super) questions: usize,
    /// Most often first; ties by wording, then by audiences.
    pub(super) bad: Vec<Bad>,
    /// Wordings that were answered well, or whose answer nobody can judge.
    pub(super) good: Vec<String>,
    /// Badly answered questions whose wording is too rare to be looked at.
    pub(super) left_out: usize,
}

/// The badly answered questions of a log. `seen` gives the rights that a question was asked with in
/// today's terms; what it gives nothing for is left out.
pub(super) fn sift(log: &Log, seen: impl Fn(&Audiences) -> Option<Audiences>) -> Sifted {
    let mut wordings: BTreeMap<(String, Audiences), Vec<&Entry>> = BTreeMap::new();
    let mut sifted = Sifted::default();
    for entry in &log.entries {
        let Some(audiences) = seen(&entry.asked.audiences) else { continue };
        sifted.questions += 1;
        let wording = wording(&entry.asked.question);
        wordings.entry((wording, audiences)).or_default().push(entry);
    }
    for ((wording, audiences), entries) in wordings {
        let failures: Vec<Failure> = entries.iter().filter_map(|entry| failure(entry)).collect();
        match failures.iter().max() {
            // What has no word can not be written about.
            Some(failure) if !wording.is_empty() => sifted.bad.push(Bad {
                question: most_frequent(entries.iter().map(|entry| entry.asked.question.as_str())),
                audiences,
                asked: entries.len(),
                failed: failures.len(),
                failure: *failure,
                opened: opened(&entries),
            }),
            Some(_) | None => sifted.good.push(wording),
        }
    }
    sifted.bad.sort_by(|a, b| {
        let by_wording = || (&a.question, &a.audiences).cmp(&(&b.question, &b.audiences));
        b.failed.cmp(&a.failed).then_with(by_wording)
    });
    let rest = sifted.bad.split_off(sifted.bad.len().min(MOST));
    sifted.left_out = rest.iter().map(|bad| bad.failed).sum();
    sifted
}

/// What was wrong with an answer; `None` where nothing was, or where nobody can say.
fn failure(entry: &Entry) -> Option<Failure> {
    // A reader knows better than any figure.
    if entry.is_rated(Rating::Unhelpful) {
        return Some(Failure::Unhelpful);
    }
    if entry.is_rated(Rating::Helpful) {
        return None;
    }
    match (entry.asked.answerable, entry.asked.confidence) {
        (Some(false), _) => Some(Failure::Refused),
        (Some(true), Some(confidence)) if confidence < UNSURE => Some(Failure::Unsure),
        (Some(true) | None, _) => None,
    }
}

/// The folded words of a question: what is written otherwise is still the same question.
fn wording(question: &str) -> String {
    let words = words(&without_placeholders(question));
    words.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ")
}

fn opened(entries: &[&Entry]) -> Vec<String> {
    let outcomes = entries.iter().flat_map(|entry| &entry.outcomes);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in outcomes.filter(|outcome| outcome.rating != Rating::Unhelpful) {
        if let Some(section) = &outcome.section {
            *counts.entry(section.as_str()).or_default() += 1;
        }
    }
    let mut sections: Vec<(&str, usize)> = counts.into_iter().collect();
    sections.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    sections.into_iter().map(|(section, _)| section.to_owned()).collect()
}

/// The most frequent text, of equally frequent ones the first in the order of the alphabet; empty
/// for none.
pub(super) fn most_frequent<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let best = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(a.0)));
    best.map_or_else(String::new, |(text, _)| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{SectionId, Source};
    use crate::query_log::{Asked, Feedback};

    fn entry(question: &str, answerable: bool, confidence: f64, ratings: &[Rating]) -> Entry {
        let section = SectionId::try_from("a#b").ok();
        let outcome = |rating: &Rating| Feedback::new("1", section.clone(), *rating);
        Entry {
            asked: Asked {
                request_id: "1".to_owned(),
                question: question.to_owned(),
                intent: "how".to_owned(),
                source: Source::Rule,
                groups: Vec::new(),
                answerable: Some(answerable),
                confidence: Some(confidence),
                hits: Vec::new(),
                degraded: Vec::new(),
                audiences: Audiences::public(),
            },
            outcomes: ratings.iter().map(outcome).collect(),
        }
    }

    fn sifted(entries: Vec<Entry>) -> Sifted {
        sift(&Log { entries, ..Log::default() }, |asked| Some(asked.clone()))
    }

    #[test]
    fn a_wording_counts_for_everybody_who_sees_the_same_and_hidden_askers_are_left_out() {
        let staff = || Audiences::Only(["personal".to_owned()].into());
        let mut entries: Vec<Entry> =
            (0..4).map(|_| entry("Was ist LRS?", false, 0.1, &[])).collect();
        entries[0].asked.audiences = staff();
        entries[1].asked.audiences = Audiences::All;
        let log = Log { entries, ..Log::default() };
        let told = |found: &Sifted| -> Vec<(String, usize)> {
            found.bad.iter().map(|bad| (bad.audiences.to_string(), bad.failed)).collect()
        };
        let all = sift(&log, |asked| Some(asked.clone()));
        assert_eq!(told(&all), [("public".into(), 2), ("all".into(), 1), ("personal".into(), 1)]);
        let public = sift(&log, |asked| Audiences::public().include(asked).then(|| asked.clone()));
        assert_eq!((told(&public), public.questions), (vec![("public".into(), 2)], 2));
    }

    #[test]
    fn a_question_is_bad_where_it_is_refused_unsure_or_did_not_help() {
        let found = sifted(vec![
            entry("Was ist LRS?", false, 0.1, &[]),
            entry("was ist lrs", false, 0.1, &[]),
            entry("Was ist LRS?", false, 0.1, &[]),
            entry("Wie lange lernen?", true, 0.4, &[]),
            entry("Wer war Piaget?", true, 0.9, &[Rating::Unhelpful, Rating::Clicked]),
            entry("Wer war Bloom?", true, 0.9, &[]),
            entry("Wer war Leitner?", true, 0.2, &[Rating::Helpful]),
            entry("👍", false, 0.0, &[]),
        ]);
        let bad: Vec<(&str, usize, Failure)> =
            found.bad.iter().map(|bad| (bad.question.as_str(), bad.failed, bad.failure)).collect();
        assert_eq!(
            bad,
            [
                ("Was ist LRS?", 3, Failure::Refused),
                ("Wer war Piaget?", 1, Failure::Unhelpful),
                ("Wie lange lernen?", 1, Failure::Unsure),
            ]
        );
        assert_eq!(found.good, ["", "wer war bloom", "wer war leitner"]);
        assert_eq!(found.left_out, 0);
        assert_eq!(found.bad[1].opened, ["a#b"]);
    }

    #[test]
    fn only_the_most_frequent_wordings_are_looked_at() {
        let many = (0..MOST + 5).map(|at| entry(&format!("Frage {at}"), false, 0.0, &[]));
        let found = sifted(many.collect());
        assert_eq!((found.bad.len(), found.left_out), (MOST, 5));
    }
}
