//! Checks of the rule files that need more than one file: the examples of every rule, run through
//! the pipeline's own rule stage.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::{NormalisedQuery, Problem, Query};
use crate::normalise::normalise;
use crate::rules::{Example, Rule, RuleSet};

/// Longest example in characters.
const LONGEST: usize = 20_000;

/// What a rule did over a list of questions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Coverage {
    /// Questions that it decided.
    pub won: usize,
    /// Rules of a higher priority that decided instead, with the count.
    pub lost_to: BTreeMap<String, usize>,
    /// Questions that its `unless` called off.
    pub vetoed: usize,
    /// What would decide its questions if it were deleted: intent, or `nobody`.
    pub without_it: BTreeMap<String, usize>,
}

/// Runs all examples: a positive must be decided by its own rule, a negative must not.
pub fn examples(rules: &RuleSet) -> Vec<Problem> {
    let mut problems = Vec::new();
    for rule in rules.rules() {
        for example in &rule.positive {
            let Some(query) = read(example, &mut problems) else { continue };
            let outcome = rules.decide(&query);
            if outcome.won.as_ref().is_some_and(|won| won.rule.id == rule.id) {
                continue;
            }
            let why = match outcome.won {
                Some(won) => format!("rule `{}` ({}) decides it", won.rule.id, won.rule.place),
                None if outcome.vetoed.iter().any(|found| found.rule.id == rule.id) => {
                    "its own `unless` calls it off".to_owned()
                }
                None => "no rule matches it".to_owned(),
            };
            problems.push(problem(
                rule,
                example,
                "rule-positive-missed",
                &format!("{why}; the rules see `{}`", query.core()),
                "mend the pattern or the priority, or move the example",
            ));
        }
        for example in &rule.negative {
            let Some(query) = read(example, &mut problems) else { continue };
            if rules.decide(&query).won.is_some_and(|won| won.rule.id == rule.id) {
                problems.push(problem(
                    rule,
                    example,
                    "rule-negative-taken",
                    &format!("the rule decides it; it sees `{}`", query.core()),
                    "narrow the pattern, or name the exception in `unless`",
                ));
            }
        }
    }
    problems
}

/// What each rule does over the questions, by rule id; questions that can not be read are skipped.
pub fn coverage<'a>(
    rules: &RuleSet,
    questions: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<String, Coverage> {
    let mut report: BTreeMap<String, Coverage> =
        rules.rules().iter().map(|rule| (rule.id.to_string(), Coverage::default())).collect();
    for question in questions {
        let Ok(query) = Query::new(question, LONGEST) else { continue };
        let query = normalise(&query);
        let outcome = rules.decide(&query);
        for vetoed in &outcome.vetoed {
            report.entry(vetoed.rule.id.to_string()).or_default().vetoed += 1;
        }
        let Some(won) = outcome.won else { continue };
        let entry = report.entry(won.rule.id.to_string()).or_default();
        entry.won += 1;
        let next =
            outcome.lost.first().map_or_else(|| "nobody".into(), |n| n.rule.intent.to_string());
        *entry.without_it.entry(next).or_default() += 1;
        for lost in &outcome.lost {
            let entry = report.entry(lost.rule.id.to_string()).or_default();
            *entry.lost_to.entry(won.rule.id.to_string()).or_default() += 1;
        }
    }
    report
}

fn read(example: &Example, problems: &mut Vec<Problem>) -> Option<NormalisedQuery> {
    match Query::new(&example.question, LONGEST) {
        Ok(query) => Some(normalise(&query)),
        Err(error) => {
            problems.push(Problem {
                place: example.place.clone(),
                code: "rule-example-unreadable",
                message: error.to_string(),
                mend: "write a question".to_owned(),
            });
            None
        }
    }
}

fn problem(rule: &Rule, example: &Example, code: &'static str, why: &str, mend: &str) -> Problem {
    Problem {
        place: example.place.clone(),
        code,
        message: format!("`{}` of rule `{}`: {why}", example.question, rule.id),
        mend: mend.to_owned(),
    }
}
