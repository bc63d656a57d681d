//! Two runs side by side: which questions turned, and which rule or word turned them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Baseline, Code, Outcome, Run, Verdict, kept};
use crate::catalog::Finding;
use crate::domain::Place;
use crate::pipeline::Changes;

/// What a baseline keeps of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Its verdict.
    pub verdict: Verdict,
    /// Codes of its findings, sorted.
    pub codes: Vec<Code>,
    /// Rank of its right section.
    pub rank: Option<usize>,
    /// The decided intent.
    pub intent: String,
    /// Who decided it: `rule ID`, `llm`, `classifier`, `nobody`.
    pub by: String,
    /// The inferred groups, best first.
    pub groups: Vec<String>,
    /// What was paid to which group, as text.
    pub paid: Vec<String>,
}

/// A question that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turned {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Where it stands.
    pub place: Place,
    /// In the baseline.
    pub before: Kept,
    /// In this run.
    pub now: Kept,
    /// Where the rule stands that decides now.
    pub rule: Option<String>,
    /// What is wrong now and was not, or was at another rank: code and sentence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The files that bring the baseline's outcome back when they alone are put back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turned_by: Vec<String>,
}

/// A rule or a payment that decides fewer or more questions than in the baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// `rule ID`, or group and payment.
    pub what: String,
    /// Questions in the baseline, among those in both runs.
    pub before: usize,
    /// Questions in this run.
    pub now: usize,
    /// The questions that it left or came to.
    pub questions: Vec<String>,
}

/// A figure in both runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// In the baseline.
    pub before: Option<f64>,
    /// In this run.
    pub now: Option<f64>,
    /// Whether it fell by more than the tolerance, or is gone.
    pub fell: bool,
}

/// A run against a baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// Questions with a worse verdict, else a worse rank, else more findings.
    pub worse: Vec<Turned>,
    /// The other way round.
    pub better: Vec<Turned>,
    /// Neither better nor worse, but decided otherwise.
    pub otherwise: Vec<Turned>,
    /// Questions that the baseline does not know, with their verdicts.
    pub new: BTreeMap<String, Verdict>,
    /// Questions that only the baseline knows.
    pub gone: Vec<String>,
    /// What decides otherwise, those that vanished first.
    pub causes: Vec<Cause>,
    /// All figures.
    pub metrics: Vec<Metric>,
    /// What was edited since, where it is known what the baseline was made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited: Option<Changes>,
}

impl Diff {
    /// Compares. A figure may fall by `tolerance`, 0 to 1.
    pub fn new(base: &Baseline, run: &Run, tolerance: f64) -> Self {
        let mut diff = Self {
            worse: Vec::new(),
            better: Vec::new(),
            otherwise: Vec::new(),
            new: BTreeMap::new(),
            gone: Vec::new(),
            causes: Vec::new(),
            metrics: metrics(base, run, tolerance),
            edited: None,
        };
        let mut ledger = Ledger::default();
        for outcome in &run.questions {
            let Some(before) = base.questions.get(&outcome.id) else {
                diff.new.insert(outcome.id.clone(), outcome.verdict);
                continue;
            };
            let now = kept(outcome);
            ledger.enter(&outcome.id, before, &now);
            let list = match badness(&now).cmp(&badness(before)) {
                Ordering::Greater => &mut diff.worse,
                Ordering::Less => &mut diff.better,
                Ordering::Equal if decided(&now) != decided(before) => &mut diff.otherwise,
                Ordering::Equal => continue,
            };
            list.push(turned(outcome, before, now));
        }
        let asked: BTreeSet<&str> = run.questions.iter().map(|o| o.id.as_str()).collect();
        let gone = base.questions.keys().filter(|id| !asked.contains(id.as_str()));
        diff.gone = gone.cloned().collect();
        diff.causes = ledger.causes();
        diff
    }

    /// The questions that came out otherwise: worse, better, neither.
    pub fn turned(&self) -> impl Iterator<Item = &Turned> {
        [&self.worse, &self.better, &self.otherwise].into_iter().flatten()
    }

    /// The same, to add to them.
    pub fn turned_mut(&mut self) -> impl Iterator<Item = &mut Turned> {
        [&mut self.worse, &mut self.better, &mut self.otherwise].into_iter().flatten()
    }

    /// Blames a file for the questions that come out as in the baseline in a run with the old one;
    /// `name` says of a question how the file is called.
    pub fn blame(&mut self, with_old: &Run, name: impl Fn(&str) -> String) {
        for turned in self.turned_mut() {
            let again = with_old.questions.iter().find(|outcome| outcome.id == turned.id);
            let back = again.map(kept).is_some_and(|kept| {
                badness(&kept) == badness(&turned.before)
                    && decided(&kept) == decided(&turned.before)
            });
            if back {
                turned.turned_by.push(name(&turned.id));
            }
        }
    }

    /// Questions that passed, with or without a warning, and fail now.
    pub fn broken(&self) -> impl Iterator<Item = &Turned> {
        self.worse.iter().filter(|turned| {
            turned.before.verdict != Verdict::Fail && turned.now.verdict == Verdict::Fail
        })
    }

    /// Whether the change must not pass unseen.
    pub fn is_a_regression(&self) -> bool {
        self.broken().next().is_some() || self.metrics.iter().any(|metric| metric.fell)
    }
}

/// The greater, the worse.
fn badness(kept: &Kept) -> (Verdict, usize, usize) {
    (kept.verdict, kept.rank.unwrap_or(usize::MAX), kept.codes.len())
}

fn decided(kept: &Kept) -> (&str, &str, &[String], &[Code]) {
    (&kept.intent, &kept.by, &kept.groups, &kept.codes)
}

fn turned(outcome: &Outcome, before: &Kept, now: Kept) -> Turned {
    let is_new =
        |finding: &&Finding| !before.codes.contains(&finding.code) || before.rank != now.rank;
    let told = |finding: &Finding| format!("{}  {}", finding.code.as_str(), finding.reason);
    let reasons = outcome.findings.iter().filter(is_new).map(told).collect();
    Turned {
        id: outcome.id.clone(),
        question: outcome.question.clone(),
        place: outcome.place.clone(),
        before: before.clone(),
        now,
        rule: outcome.rule.as_ref().map(|rule| rule.place.clone()),
        reasons,
        turned_by: Vec::new(),
    }
}

/// What decided which questions, in both runs.
#[derive(Default)]
struct Ledger<'a>(BTreeMap<String, [BTreeSet<&'a str>; 2]>);

impl<'a> Ledger<'a> {
    fn enter(&mut self, id: &'a str, before: &Kept, now: &Kept) {
        for (at, kept) in [before, now].into_iter().enumerate() {
            // An intent's payment follows from the intent: it is to blame only where that stayed.
            let follows = |paid: &&String| {
                before.intent != now.intent && paid.contains(&format!(": intent {} ", kept.intent))
            };
            let paid = kept.paid.iter().filter(|paid| !follows(paid)).cloned();
            let rule = kept.by.starts_with("rule ").then(|| kept.by.clone());
            for what in paid.chain(rule) {
                self.0.entry(what).or_default()[at].insert(id);
            }
        }
    }

    fn causes(self) -> Vec<Cause> {
        let changed = self.0.into_iter().filter(|(_, [before, now])| before != now);
        let mut causes: Vec<Cause> = changed
            .map(|(what, [before, now])| Cause {
                what,
                before: before.len(),
                now: now.len(),
                questions: before.symmetric_difference(&now).map(ToString::to_string).collect(),
            })
            .collect();
        // A stable sort: ties stay in the order of their names.
        causes.sort_by_key(|cause| {
            (cause.now > 0, cause.before > 0, std::cmp::Reverse(cause.questions.len()))
        });
        causes
    }
}

fn metrics(base: &Baseline, run: &Run, tolerance: f64) -> Vec<Metric> {
    let current = run.summary.metrics();
    let names: BTreeSet<&String> = base.metrics.keys().chain(current.keys()).collect();
    names
        .into_iter()
        .map(|name| {
            let (before, now) = (base.metrics.get(name).copied(), current.get(name).copied());
            let fell = match (before, now) {
                // 0.75 − 0.74 is a little more than 0.01 in binary.
                (Some(before), Some(now)) => before - now > tolerance + 1e-9,
                (Some(_), None) => true,
                (None, _) => false,
            };
            Metric { name: name.clone(), before, now, fell }
        })
        .collect()
}
