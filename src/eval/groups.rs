//! The ledger of group inference: where questions were sent, and what sent the others wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::dataset::LabelledQuestion;
use super::parallel::ask_all;
use crate::domain::{GroupTrace, Payment, Query};
use crate::pipeline::{Pipeline, PipelineError};

/// Name of the group of a question that none was inferred for.
pub const NONE: &str = "none";
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// Outcome of an evaluation; shares are 0 to 1, and 0 for no question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Questions with a known group.
    pub n: usize,
    /// Share whose first inferred group is the right one.
    #[serde(rename = "accuracy@1")]
    pub accuracy_at_1: f64,
    /// Share whose right group is among the first two.
    #[serde(rename = "accuracy@2")]
    pub accuracy_at_2: f64,
    /// Share that no word or phrase spoke for: these are searched without a group.
    pub without_evidence: f64,
    /// Of those with evidence, the share whose first group is right.
    pub accuracy_of_decided: f64,
    /// By right group.
    pub groups: BTreeMap<String, ByGroup>,
    /// Wrong decisions, most frequent first.
    pub confusion: Vec<Confusion>,
    /// The questions behind them.
    pub errors: Vec<Mistake>,
    /// Questions whose group is not known: neither the label nor the section names one.
    pub without_group: Vec<String>,
}

/// Figures of one group.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ByGroup {
    /// Questions whose right group this is.
    pub n: usize,
    /// Share of them that was sent here first.
    pub accuracy: f64,
    /// Share of them that was sent here first or second.
    #[serde(rename = "accuracy@2")]
    pub accuracy_at_2: f64,
    /// Questions that were sent here first, rightly or not.
    pub sent: usize,
    /// Share of those that belong here; 1 where none was sent.
    pub precision: f64,
}

/// How often questions of one group were sent to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// The right group.
    pub expected: String,
    /// Where they were sent, or [`NONE`].
    pub inferred: String,
    /// How many.
    pub count: usize,
}

/// A question that was not sent to its group first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mistake {
    /// Name of the question.
    pub id: String,
    /// The question.
    pub question: String,
    /// Its intent, which may have paid a bias.
    pub intent: String,
    /// The right group.
    pub expected: String,
    /// Where it was sent, or [`NONE`].
    pub inferred: String,
    /// Whether the right group was second.
    pub second: bool,
    /// What was paid to the inferred group.
    pub misled_by: Vec<Payment>,
    /// What was paid to the right group.
    pub paid_to_expected: Vec<Payment>,
}

/// What one question gave.
struct Outcome {
    intent: String,
    /// The groups it was sent to, at most two.
    chosen: Vec<String>,
    /// All groups with what was paid into them.
    groups: Vec<GroupTrace>,
}

/// Routes the questions on all cores; `progress` hears how many are done.
///
/// # Errors
/// A question can not be routed at all.
pub async fn evaluate(
    pipeline: &Arc<Pipeline>,
    questions: &[LabelledQuestion],
    progress: impl FnMut(usize),
) -> Result<Report, PipelineError> {
    let mut labelled = Vec::new();
    let mut without_group = Vec::new();
    for question in questions {
        match expected(pipeline, question) {
            Some(group) => labelled.push((question, group)),
            None => without_group.push(question.id.clone()),
        }
    }
    let ask = |question: &LabelledQuestion| {
        let (pipeline, question) = (Arc::clone(pipeline), question.clone());
        async move { outcome(&pipeline, &question).await }
    };
    let asked = labelled.iter().map(|(question, _)| *question);
    let outcomes = ask_all(asked, ask, progress).await?;
    Ok(report(&labelled, outcomes, without_group))
}

/// The right group of a question: that of its label, else that of its section.
pub fn expected(pipeline: &Pipeline, question: &LabelledQuestion) -> Option<String> {
    let of_section =
        || pipeline.section(&question.section)?.group.as_ref().map(ToString::to_string);
    question.group.clone().or_else(of_section)
}

async fn outcome(
    pipeline: &Pipeline,
    question: &LabelledQuestion,
) -> Result<Outcome, PipelineError> {
    let query = Query::new(&question.question, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
    let answer = pipeline.route(&query).await?.answer;
    Ok(Outcome {
        intent: answer.intent.id,
        chosen: answer.groups.into_iter().map(|group| group.id).collect(),
        groups: answer.trace.groups,
    })
}

fn report(
    labelled: &[(&LabelledQuestion, String)],
    outcomes: Vec<Outcome>,
    without_group: Vec<String>,
) -> Report {
    let n = labelled.len();
    let (mut first, mut second, mut silent) = (0, 0, 0);
    let mut groups: BTreeMap<String, Tally> = BTreeMap::new();
    let mut confusion: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut errors = Vec::new();
    for ((question, expected), outcome) in labelled.iter().zip(outcomes) {
        let inferred = outcome.chosen.first().map_or(NONE, String::as_str);
        let right = inferred == expected;
        let among = outcome.chosen.contains(expected);
        first += usize::from(right);
        second += usize::from(among);
        silent += usize::from(outcome.chosen.is_empty());
        if inferred != NONE {
            groups.entry(inferred.to_owned()).or_default().sent += 1;
        }
        let tally = groups.entry(expected.clone()).or_default();
        tally.n += 1;
        tally.first += usize::from(right);
        tally.among += usize::from(among);
        if right {
            continue;
        }
        *confusion.entry((expected.clone(), inferred.to_owned())).or_default() += 1;
        let paid = |id: &str| -> Vec<Payment> {
            let trace = outcome.groups.iter().find(|group| group.id == id);
            trace.map_or_else(Vec::new, |group| group.paid.clone())
        };
        errors.push(Mistake {
            id: question.id.clone(),
            question: question.question.clone(),
            intent: outcome.intent.clone(),
            expected: expected.clone(),
            inferred: inferred.to_owned(),
            second: among,
            misled_by: paid(inferred),
            paid_to_expected: paid(expected),
        });
    }
    let mut confusion: Vec<Confusion> = confusion
        .into_iter()
        .map(|((expected, inferred), count)| Confusion { expected, inferred, count })
        .collect();
    confusion.sort_by_key(|pair| std::cmp::Reverse(pair.count)); // stable: then by name
    Report {
        n,
        accuracy_at_1: share(first, n),
        accuracy_at_2: share(second, n),
        without_evidence: share(silent, n),
        accuracy_of_decided: share(first, n - silent),
        groups: groups.into_iter().map(|(group, tally)| (group, tally.figures())).collect(),
        confusion,
        errors,
        without_group,
    }
}

#[derive(Default)]
struct Tally {
    n: usize,
    first: usize,
    among: usize,
    sent: usize,
}

impl Tally {
    fn figures(&self) -> ByGroup {
        ByGroup {
            n: self.n,
            accuracy: share(self.first, self.n),
            accuracy_at_2: share(self.among, self.n),
            sent: self.sent,
            precision: if self.sent == 0 { 1.0 } else { share(self.first, self.sent) },
        }
    }
}

fn share(count: usize, of: usize) -> f64 {
    (count as f64 / of.max(1) as f64 * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Reason;

    fn asked(id: &str, expected: &str, chosen: &[&str]) -> (LabelledQuestion, String, Outcome) {
        let question = LabelledQuestion {
            id: id.to_owned(),
            question: format!("Frage {id}"),
            section: "a#b".try_into().expect("an id"),
            acceptable: Vec::new(),
            group: None,
            tier: None,
        };
        let groups = chosen
            .iter()
            .map(|group| GroupTrace {
                id: (*group).to_owned(),
                score: 1.0,
                paid: vec![Payment {
                    reason: Reason::Word,
                    what: format!("Wort von {group}"),
                    at: Some((0, 4)),
                    amount: 1.0,
                }],
            })
            .collect();
        let chosen = chosen.iter().map(|group| (*group).to_owned()).collect();
        (question, expected.to_owned(), Outcome { intent: "how".to_owned(), chosen, groups })
    }

    #[test]
    fn the_ledger_counts_right_second_wrong_and_silent() {
        let rows = [
            asked("1", "A", &["A"]),
            asked("2", "A", &["B", "A"]),
            asked("3", "B", &["C", "A"]),
            asked("4", "B", &[]),
        ];
        let labelled: Vec<_> = rows.iter().map(|(q, group, _)| (q, group.clone())).collect();
        let outcomes = rows.iter().map(|(_, _, outcome)| Outcome {
            intent: outcome.intent.clone(),
            chosen: outcome.chosen.clone(),
            groups: outcome.groups.clone(),
        });
        let report = report(&labelled, outcomes.collect(), Vec::new());
        assert_eq!(
            (report.accuracy_at_1, report.accuracy_at_2, report.without_evidence),
            (0.25, 0.5, 0.25)
        );
        assert!((report.accuracy_of_decided - 0.3333).abs() < 1e-9);
        let a = report.groups["A"];
        assert_eq!((a.n, a.accuracy, a.accuracy_at_2, a.sent, a.precision), (2, 0.5, 1.0, 1, 1.0));
        let pairs: Vec<_> =
            report.confusion.iter().map(|c| (&*c.expected, &*c.inferred, c.count)).collect();
        assert_eq!(pairs, [("A", "B", 1), ("B", "C", 1), ("B", NONE, 1)]);
        let misled: Vec<_> = report.errors.iter().map(|e| e.misled_by.len()).collect();
        assert_eq!(misled, [1, 1, 0]);
        assert_eq!(report.errors[0].paid_to_expected[0].what, "Wort von A");
    }
}
