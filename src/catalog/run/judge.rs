//! An answer against what the catalog expects of it.

use super::outcome::{Code, DecidingRule, Finding, Found, Outcome, Verdict};
use crate::catalog::{Expected, Origin, Question, Status};
use crate::domain::{Answer, GroupTrace, Hit, Payment, Reason, SectionId, Source};
use crate::eval::metrics::Overlap;

/// A right section must be among so many.
pub(super) const WITHIN: usize = 5;
/// A first hit that leads its rival by less than this share of its score won by a hair: one in
/// twenty of the shipped catalog's first hits does. A constant, so that a question's verdict does
/// not hang on the other questions of the run.
pub(crate) const HAIR: f64 = 0.03;
/// Below this the first hit of an answer is more likely wrong than right. What readers asked counts as
/// answered badly there, in the question log as in the catalog: a gap that they found must not close
/// with an answer that would open it.
pub(crate) const UNSURE: f64 = 0.5;
/// Below this the classifier itself thinks that it is more likely wrong than right; on the shipped
/// catalog it is right in a third of these cases, above in three quarters.
const LOW_CONFIDENCE: f64 = 0.5;

/// What the compendium says of a question's right section.
#[derive(Debug, Clone, Default)]
pub(super) struct Target {
    /// Its group.
    pub(super) group: Option<String>,
    /// How much of the question's wording stands in it.
    pub(super) overlap: Option<Overlap>,
    /// What makes it weak whatever is asked, with the reason.
    pub(super) weak: Vec<(Code, String)>,
}

/// Judges one answer.
pub(super) fn judge(question: &Question, target: &Target, answer: &Answer) -> Outcome {
    let case = Case::new(question, target, answer);
    let mut outcome = blank(question);
    outcome.rank = case.rank();
    outcome.margin = case.margin();
    outcome.intent.clone_from(&answer.intent.id);
    outcome.source = answer.intent.source;
    outcome.intent_confidence = answer.intent.confidence;
    outcome.rule = case.rule();
    outcome.groups = answer.groups.iter().map(|group| group.id.clone()).collect();
    outcome.expected_group.clone_from(&case.group);
    outcome.payments =
        answer.trace.groups.iter().filter(|group| !group.paid.is_empty()).cloned().collect();
    outcome.first = case.hits.first().map(found);
    outcome.answerable = answer.answerable;
    outcome.overlap = target.overlap;
    outcome.degraded.clone_from(&answer.degraded);
    let findings = [
        case.missing(outcome.rank),
        case.refused(),
        case.unsure(),
        case.answered_off_topic(),
        case.late(outcome.rank),
        case.wrong_group(),
        case.wrong_intent(),
        case.by_a_hair(outcome.margin),
        case.fallback(),
    ];
    outcome.findings = findings.into_iter().flatten().collect();
    outcome.findings.extend(case.weak(target));
    outcome.verdict = worst(&outcome.findings);
    settled(question, outcome)
}

fn settled(question: &Question, outcome: Outcome) -> Outcome {
    match question.status {
        Status::Settled => outcome,
        Status::Open => outcome.into_ticket(),
    }
}

/// A question that can not be asked: these sections are not in the compendium.
pub(super) fn orphan(question: &Question, unknown: &[&SectionId]) -> Outcome {
    let names: Vec<String> = unknown.iter().map(|id| format!("`{id}`")).collect();
    let finding = Finding {
        code: Code::UnknownSection,
        reason: format!("not in the compendium: {}", names.join(", ")),
        rival: None,
        rule: None,
        misled_by: Vec::new(),
    };
    let mut outcome = blank(question);
    outcome.verdict = finding.code.verdict();
    outcome.findings.push(finding);
    settled(question, outcome)
}

fn blank(question: &Question) -> Outcome {
    Outcome {
        id: question.id.clone(),
        question: question.question.clone(),
        place: question.place.clone(),
        tier: question.tier.clone(),
        expected: question.right().map(ToString::to_string).collect(),
        in_parts: matches!(question.expected, Expected::Sections(_)),
        any: question.expected == Expected::Answered,
        ticket: None,
        verdict: Verdict::Pass,
        findings: Vec::new(),
        rank: None,
        margin: None,
        intent: "unknown".to_owned(),
        expected_intent: question.intent.clone(),
        source: Source::Default,
        intent_confidence: 0.0,
        rule: None,
        groups: Vec::new(),
        expected_group: None,
        payments: Vec::new(),
        first: None,
        answerable: None,
        overlap: None,
        degraded: Vec::new(),
    }
}

fn worst(findings: &[Finding]) -> Verdict {
    findings.iter().map(|finding| finding.code.verdict()).max().unwrap_or(Verdict::Pass)
}

/// A question beside its answer.
struct Case<'a> {
    question: &'a Question,
    answer: &'a Answer,
    hits: &'a [Hit],
    /// Group of the right section: that of the label, else that of the compendium.
    group: Option<String>,
}

impl<'a> Case<'a> {
    fn new(question: &'a Question, target: &Target, answer: &'a Answer) -> Self {
        let group = match question.expected {
            Expected::Section { .. } => question.group.clone().or_else(|| target.group.clone()),
            Expected::Sections(_) | Expected::Answered | Expected::Refused => None,
        };
        Self { question, answer, hits: answer.hits.as_deref().unwrap_or_default(), group }
    }

    fn is_right(&self, hit: &Hit) -> bool {
        self.question.right().any(|id| id.as_str() == hit.id)
    }

    fn rank_of(&self, section: &SectionId) -> Option<usize> {
        self.hits.iter().find(|hit| hit.id == section.as_str()).map(|hit| hit.rank)
    }

    fn rank(&self) -> Option<usize> {
        match &self.question.expected {
            Expected::Section { .. } => {
                self.hits.iter().find(|hit| self.is_right(hit)).map(|hit| hit.rank)
            }
            Expected::Sections(all) => {
                let ranks: Option<Vec<usize>> = all.iter().map(|id| self.rank_of(id)).collect();
                ranks?.into_iter().max()
            }
            Expected::Answered | Expected::Refused => None,
        }
    }

    fn rival(&self) -> Option<&'a Hit> {
        self.hits.iter().find(|hit| !self.is_right(hit))
    }

    /// Absent where the first hit is wrong or has no rival.
    fn margin(&self) -> Option<f64> {
        let first = self.hits.first().filter(|hit| self.is_right(hit))?;
        Some(round(first.score - self.rival()?.score))
    }

    fn rule(&self) -> Option<DecidingRule> {
        let won = self.answer.trace.rules.iter().find(|rule| rule.outcome == "won")?;
        let (id, place, matched) = (won.id.clone(), won.place.clone(), won.matched.clone());
        Some(DecidingRule { id, place, matched })
    }

    fn trace(&self, group: &str) -> Option<&'a GroupTrace> {
        self.answer.trace.groups.iter().find(|trace| trace.id == group)
    }

    /// What paid for the first group, where that is a wrong one.
    fn misled_by(&self) -> Vec<Payment> {
        let Some(first) = self.answer.groups.first() else { return Vec::new() };
        if self.group.as_ref().is_none_or(|group| *group == first.id) {
            return Vec::new();
        }
        let paid = self.trace(&first.id).map(|trace| trace.paid.clone()).unwrap_or_default();
        paid.into_iter().filter(|payment| payment.reason != Reason::Negated).collect()
    }

    fn finding(&self, code: Code, reason: String) -> Finding {
        let rival = self.rival().map(found);
        Finding { code, reason, rival, rule: self.rule(), misled_by: self.misled_by() }
    }

    fn missing(&self, rank: Option<usize>) -> Option<Finding> {
        let reason = match &self.question.expected {
            Expected::Answered | Expected::Refused => return None,
            Expected::Section { section, .. } => match rank {
                Some(rank) if rank <= WITHIN => return None,
                Some(rank) => format!("`{section}` is only at rank {rank}"),
                None => format!("`{section}` is not among the first {}", self.hits.len()),
            },
            Expected::Sections(all) => {
                let late = |id: &&SectionId| self.rank_of(id).is_none_or(|rank| rank > WITHIN);
                let late: Vec<String> =
                    all.iter().filter(late).map(|id| format!("`{id}`")).collect();
                if late.is_empty() {
                    return None;
                }
                format!("not among the first {WITHIN}: {}", late.join(", "))
            }
        };
        Some(self.finding(Code::Missing, format!("{reason}; first is {}", self.first())))
    }

    fn refused(&self) -> Option<Finding> {
        let wrong =
            self.question.expected != Expected::Refused && self.answer.answerable == Some(false);
        let sure = self.answer.confidence.unwrap_or_default();
        wrong.then(|| {
            let reason = format!(
                "said to be unanswerable; the first hit is right with probability {sure:.2}"
            );
            Finding { misled_by: Vec::new(), ..self.finding(Code::Refused, reason) }
        })
    }

    /// What readers asked, and any section may answer, must be answered with more than a guess.
    fn unsure(&self) -> Option<Finding> {
        let Question { expected, origin, .. } = self.question;
        let asked = *expected == Expected::Answered && *origin == Origin::Live;
        let answered = self.answer.answerable != Some(false);
        let sure = self.answer.confidence.filter(|sure| asked && answered && *sure < UNSURE)?;
        let reason = format!(
            "answered with {}, but that is right with probability {sure:.2} only, less than {UNSURE}",
            self.first()
        );
        Some(Finding { misled_by: Vec::new(), ..self.finding(Code::Refused, reason) })
    }

    /// Not judged where the answer does not say whether it is one.
    fn answered_off_topic(&self) -> Option<Finding> {
        let wrong =
            self.question.expected == Expected::Refused && self.answer.answerable == Some(true);
        let sure = self.answer.confidence.unwrap_or_default();
        wrong.then(|| {
            let first = self.first();
            let reason = format!("answered with {first}, right with probability {sure:.2}");
            self.finding(Code::AnsweredOffTopic, reason)
        })
    }

    fn late(&self, rank: Option<usize>) -> Option<Finding> {
        let rank = rank.filter(|rank| (2..=WITHIN).contains(rank))?;
        if !matches!(self.question.expected, Expected::Section { .. }) {
            return None;
        }
        let score = self.hits.get(rank - 1).map_or(0.0, |hit| hit.score);
        let reason = format!("rank {rank} ({score:.2}) behind {}", self.first());
        Some(self.finding(Code::Rank, reason))
    }

    fn wrong_group(&self) -> Option<Finding> {
        let (group, first) = (self.group.as_ref()?, self.answer.groups.first()?);
        if *group == first.id {
            return None;
        }
        let paid = |group: &str| {
            let paid = self.trace(group).map(|trace| trace.paid.as_slice()).unwrap_or_default();
            let paid: Vec<String> = paid.iter().map(ToString::to_string).collect();
            if paid.is_empty() { "nothing".to_owned() } else { paid.join(", ") }
        };
        let reason = format!(
            "first group {} instead of {group}: paid {}; to the right one {}",
            first.id,
            paid(&first.id),
            paid(group)
        );
        Some(Finding { rival: None, ..self.finding(Code::Group, reason) })
    }

    fn wrong_intent(&self) -> Option<Finding> {
        let expected = self.question.intent.as_ref()?;
        let decided = &self.answer.intent;
        let reason = if *expected == decided.id {
            let also = self.question.also.as_ref()?;
            if also == expected || decided.also.contains(also) {
                return None;
            }
            format!("the second part's intent {also} was not seen")
        } else {
            let others =
                self.answer.trace.classifier.iter().filter(|guess| guess.id != decided.id).take(2);
            let others: Vec<String> =
                others.map(|guess| format!("{} {:.2}", guess.id, guess.confidence)).collect();
            let then = if others.is_empty() { "" } else { ", then " };
            format!(
                "{} instead of {expected}: {}{then}{}",
                decided.id,
                self.decider(),
                others.join(", ")
            )
        };
        Some(Finding { rival: None, misled_by: Vec::new(), ..self.finding(Code::Intent, reason) })
    }

    fn by_a_hair(&self, margin: Option<f64>) -> Option<Finding> {
        let (first, rival) = (self.hits.first()?, self.rival()?);
        let one = matches!(self.question.expected, Expected::Section { .. });
        let margin = margin.filter(|margin| one && *margin < HAIR * first.score)?;
        let reason = format!("only {margin:.3} ahead of `{}` ({:.2})", rival.id, rival.score);
        Some(Finding { rule: None, ..self.finding(Code::Margin, reason) })
    }

    fn fallback(&self) -> Option<Finding> {
        let intent = &self.answer.intent;
        let unsure = match intent.source {
            Source::Rule | Source::Llm => false,
            Source::Classifier => intent.confidence < LOW_CONFIDENCE,
            Source::Default => true,
        };
        let wrong = unsure && self.question.expected != Expected::Refused;
        wrong.then(|| {
            let reason = format!("no rule for the intent: {}", self.decider());
            let finding = self.finding(Code::Fallback, reason);
            Finding { rival: None, misled_by: Vec::new(), ..finding }
        })
    }

    /// The question is not to blame, nor are rules and groups: only who writes the section can help.
    fn weak(&self, target: &Target) -> Vec<Finding> {
        let weak = target.weak.iter().map(|(code, reason)| Finding {
            rival: None,
            rule: None,
            misled_by: Vec::new(),
            ..self.finding(*code, reason.clone())
        });
        weak.collect()
    }

    fn decider(&self) -> String {
        let intent = &self.answer.intent;
        match (intent.source, self.rule()) {
            (Source::Rule, Some(DecidingRule { id, place, matched })) => {
                format!("rule `{id}` ({place}) matched “{matched}”")
            }
            (Source::Rule, None) => "a rule".to_owned(),
            (Source::Llm, _) => "llama3".to_owned(),
            (Source::Classifier, _) => format!("classifier {:.2}", intent.confidence),
            (Source::Default, _) => {
                format!("nobody decided, the classifier's best has {:.2}", intent.confidence)
            }
        }
    }

    fn first(&self) -> String {
        self.hits
            .first()
            .map_or_else(|| "nothing".to_owned(), |hit| format!("`{}` ({:.2})", hit.id, hit.score))
    }
}

fn found(hit: &Hit) -> Found {
    Found {
        section: hit.id.clone(),
        title: hit.title.clone(),
        group: hit.group.clone(),
        rank: hit.rank,
        score: hit.score,
    }
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
