//! The figures of a run: routing and retrieval together.

use std::collections::BTreeMap;

use serde::Serialize;

use super::judge::WITHIN;
use super::outcome::{Code, Outcome, Ticket, Verdict};
use crate::eval::{Ranks, Scores};

/// The figures of a run, in all and by everything that a question can be told by.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Questions by verdict; gaps are no verdict on the compendium and are counted in `tickets`. Together
    /// they are all questions.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// Questions by code; a question may have several.
    pub codes: BTreeMap<Code, usize>,
    /// Answers by what was not available for them: such a run says little about the files.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub degraded: BTreeMap<String, usize>,
    /// Over all questions.
    pub all: Figures,
    /// By tier.
    pub by_tier: BTreeMap<String, Figures>,
    /// By group of the right section.
    pub by_group: BTreeMap<String, Figures>,
    /// By expected intent.
    pub by_intent: BTreeMap<String, Figures>,
    /// By `low`, `mid` and `high` overlap of question and section.
    pub by_overlap: BTreeMap<String, Figures>,
    /// Questions in parts; absent without such questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_parts: Option<Share>,
    /// Gaps, which do not count in any figure; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tickets: Option<Tickets>,
    /// Refusals; absent where the answers do not say whether they are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answerable: Option<Answerable>,
}

/// Gaps that somebody has to close.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tickets {
    /// Ids of those that still fail, sorted.
    pub open: Vec<String>,
    /// Ids of those that pass now, sorted.
    pub closed: Vec<String>,
}

/// Figures over a set of questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Questions.
    pub n: usize,
    /// Of them without a failure.
    pub not_failed: usize,
    /// Questions whose intent is the expected one.
    pub intent: Share,
    /// Questions whose first inferred group is that of the right section.
    #[serde(rename = "group@1")]
    pub group_at_1: Share,
    /// Questions whose right group is among the two inferred ones.
    #[serde(rename = "group@2")]
    pub group_at_2: Share,
    /// Retrieval, over the questions that one section answers.
    pub retrieval: Scores,
}

/// A share of the questions that can be judged by it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// Questions that can be judged.
    pub n: usize,
    /// Share of those that are right, 0 to 1; 0 for no question.
    pub share: f64,
}

/// How well the answers know whether they are any. Positive is an answer that claims to be one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Answerable {
    /// Questions whose answer says whether it is one.
    pub n: usize,
    /// Of those answered, the share that a section answers; 1 where none was answered.
    pub precision: f64,
    /// Of those that a section answers, the share that was answered.
    pub recall: f64,
    /// Of those that must be refused, the share that was refused.
    pub refused: f64,
}

impl Summary {
    pub(super) fn of(outcomes: &[Outcome]) -> Self {
        let mut verdicts = BTreeMap::new();
        let mut codes = BTreeMap::new();
        let mut degraded = BTreeMap::new();
        let tickets = tickets(outcomes);
        let settled: Vec<Outcome> =
            outcomes.iter().filter(|outcome| outcome.ticket.is_none()).cloned().collect();
        let outcomes = settled.as_slice();
        for outcome in outcomes {
            *verdicts.entry(outcome.verdict).or_default() += 1;
            for finding in &outcome.findings {
                *codes.entry(finding.code).or_default() += 1;
            }
            for missing in &outcome.degraded {
                *degraded.entry(missing.clone()).or_default() += 1;
            }
        }
        let in_parts = outcomes.iter().filter(|outcome| outcome.in_parts && outcome.was_asked());
        let in_parts =
            share(in_parts.map(|outcome| outcome.rank.is_some_and(|rank| rank <= WITHIN)));
        Self {
            verdicts,
            codes,
            degraded,
            all: figures(outcomes),
            by_tier: by(outcomes, |outcome| Some(outcome.tier.clone())),
            by_group: by(outcomes, |outcome| outcome.expected_group.clone()),
            by_intent: by(outcomes, |outcome| outcome.expected_intent.clone()),
            by_overlap: by(outcomes, |outcome| {
                outcome.overlap.map(|overlap| format!("{overlap:?}").to_lowercase())
            }),
            in_parts: (in_parts.n > 0).then_some(in_parts),
            tickets,
            answerable: answerable(outcomes),
        }
    }

    /// How many questions there are, gaps included.
    pub fn questions(&self) -> usize {
        let tickets = self.tickets.as_ref();
        self.all.n + tickets.map_or(0, |tickets| tickets.open.len() + tickets.closed.len())
    }

    /// The figures that a baseline keeps, by name, each 0 to 1 and better when greater.
    pub fn metrics(&self) -> BTreeMap<String, f64> {
        let all = &self.all;
        let mut metrics = vec![
            ("intent", all.intent.share),
            ("group@1", all.group_at_1.share),
            ("group@2", all.group_at_2.share),
            ("r@1", all.retrieval.recall_at_1),
            ("r@5", all.retrieval.recall_at_5),
            ("mrr@10", all.retrieval.mrr_at_10),
        ];
        metrics.extend(self.in_parts.map(|parts| ("in_parts", parts.share)));
        if let Some(answerable) = &self.answerable {
            metrics.push(("answerable_precision", answerable.precision));
            metrics.push(("answerable_recall", answerable.recall));
            metrics.push(("refused", answerable.refused));
        }
        metrics.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

fn tickets(outcomes: &[Outcome]) -> Option<Tickets> {
    let of = |ticket: Ticket| {
        let all = outcomes.iter().filter(|outcome| outcome.ticket == Some(ticket));
        all.map(|outcome| outcome.id.clone()).collect::<Vec<_>>()
    };
    let tickets = Tickets { open: of(Ticket::Open), closed: of(Ticket::Closed) };
    (!tickets.open.is_empty() || !tickets.closed.is_empty()).then_some(tickets)
}

fn by(
    outcomes: &[Outcome],
    name: impl Fn(&Outcome) -> Option<String>,
) -> BTreeMap<String, Figures> {
    let mut sets: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        if let Some(name) = name(outcome) {
            sets.entry(name).or_default().push(outcome);
        }
    }
    sets.into_iter().map(|(name, set)| (name, figures(set))).collect()
}

fn figures<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Figures {
    let outcomes: Vec<&Outcome> = outcomes.into_iter().collect();
    let asked = || outcomes.iter().filter(|outcome| outcome.was_asked());
    let mut ranks = Ranks::default();
    for outcome in
        asked().filter(|outcome| !outcome.in_parts && !outcome.any && !outcome.to_refuse())
    {
        ranks.push(outcome.rank);
    }
    let grouped = || asked().filter_map(|o| Some((&o.groups, o.expected_group.as_ref()?)));
    let intents = asked().filter_map(|o| Some(o.expected_intent.as_ref()? == &o.intent));
    Figures {
        n: outcomes.len(),
        not_failed: outcomes.iter().filter(|outcome| outcome.verdict != Verdict::Fail).count(),
        intent: share(intents),
        group_at_1: share(grouped().map(|(groups, right)| groups.first() == Some(right))),
        group_at_2: share(grouped().map(|(groups, right)| groups.contains(right))),
        retrieval: ranks.scores(),
    }
}

fn answerable(outcomes: &[Outcome]) -> Option<Answerable> {
    let judged: Vec<(bool, bool)> = outcomes
        .iter()
        .filter_map(|outcome| Some((outcome.answerable?, !outcome.to_refuse())))
        .collect();
    if judged.is_empty() {
        return None;
    }
    let of = |wanted: fn(&(bool, bool)) -> bool, right: fn(&(bool, bool)) -> bool| {
        share(judged.iter().filter(|case| wanted(case)).map(right))
    };
    let precision = of(|(answered, _)| *answered, |(_, answers)| *answers);
    Some(Answerable {
        n: judged.len(),
        precision: if precision.n == 0 { 1.0 } else { precision.share },
        recall: of(|(_, answers)| *answers, |(answered, _)| *answered).share,
        refused: of(|(_, answers)| !*answers, |(answered, _)| !*answered).share,
    })
}

fn share(right: impl Iterator<Item = bool>) -> Share {
    let (mut n, mut count) = (0, 0);
    for right in right {
        n += 1;
        count += usize::from(right);
    }
    let share = if n == 0 { 0.0 } else { (count as f64 / n as f64 * 1e4).round() / 1e4 };
    Share { n, share }
}
