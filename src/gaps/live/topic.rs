//! A topic that readers ask for and do not get.

use serde::Serialize;

use super::sift::{Bad, Failure};
use crate::gaps::{Action, Code, Evidence, Finding, Mend, Severity, Subject};

/// Example questions in a finding.
const EXAMPLES: usize = 5;

/// A topic of badly answered questions, and what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Topic {
    /// Its most telling terms, for people; unique among the topics that are to be written. Of a section
    /// that is withheld its title.
    pub label: String,
    /// What it is about: the label, or the section that is withheld.
    pub subject: Subject,
    /// How often it was asked for and answered badly.
    pub failed: usize,
    /// How often that was because the answer said that it is none.
    pub refused: usize,
    /// How often a reader said that it did not help.
    pub unhelpful: usize,
    /// Its wordings, most often first.
    pub questions: Vec<Bad>,
    /// The section that shall answer it, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The proposal.
    pub mend: Mend,
    /// What speaks for the proposal, most telling first.
    pub evidence: Vec<Evidence>,
}

impl Topic {
    /// How bad it is: what is refused leaves readers with nothing, an answer that does not help leads
    /// them astray, and what is not of the compendium's field is no fault of it.
    pub fn severity(&self) -> Severity {
        if self.mend.action == Action::OutOfScope {
            Severity::Hint
        } else if self.mend.action == Action::ReleaseSection {
            // An answer is there; that it is not for everybody may be meant so.
            Severity::Warning
        } else if 2 * self.refused >= self.failed {
            Severity::Error
        } else {
            Severity::Warning
        }
    }

    /// How often it was asked for × how bad that was, summed over the wordings: joining two topics
    /// adds their impacts.
    pub fn impact(&self) -> f64 {
        let severity = |bad: &Bad| match (self.mend.action, bad.failure) {
            (Action::OutOfScope, _) => Severity::Hint,
            (Action::ReleaseSection, _) | (_, Failure::Unhelpful | Failure::Unsure) => {
                Severity::Warning
            }
            (_, Failure::Refused) => Severity::Error,
        };
        self.questions.iter().map(|bad| bad.failed as f64 * severity(bad).weight()).sum()
    }

    /// The topic as a finding.
    pub fn finding(&self) -> Finding {
        let Self { label, failed, refused, unhelpful, .. } = self;
        let unanswered = 2 * refused >= *failed;
        let code = if self.mend.action == Action::ReleaseSection {
            Code::Withheld
        } else if unanswered {
            Code::Unanswered
        } else {
            Code::BadAnswer
        };
        let message = match (unanswered, self.mend.action) {
            (_, Action::ReleaseSection) => format!(
                "„{label}“ antwortet auf das, was {failed}-mal gefragt wurde, ist aber für die \
                 Fragenden nicht sichtbar."
            ),
            (_, Action::OutOfScope) => {
                format!("„{label}“ wird gefragt, gehört aber nicht zum Thema des Kompendiums.")
            }
            (true, _) => format!(
                "„{label}“ wurde {failed}-mal gefragt und {refused}-mal ohne Antwort gelassen."
            ),
            (false, _) if *unhelpful > 0 => format!(
                "Antworten zu „{label}“ waren {failed}-mal schlecht, {unhelpful}-mal nach dem Urteil \
                 der Fragenden."
            ),
            (false, _) => {
                format!("Bei „{label}“ war der erste Treffer {failed}-mal eher falsch als richtig.")
            }
        };
        let examples = self.questions.iter().take(EXAMPLES).map(|bad| Evidence::Question {
            id: None,
            text: bad.question.clone(),
            count: bad.failed,
            outcome: outcome(bad.failure).to_owned(),
        });
        let subject = self.subject.clone();
        let finding = Finding::new(code, self.severity(), subject, message, self.mend.clone())
            .reaching(*failed as f64)
            .because(self.evidence.iter().cloned().chain(examples));
        Finding { impact: self.impact(), ..finding }
    }
}

fn outcome(failure: Failure) -> &'static str {
    match failure {
        Failure::Refused => "ohne Antwort",
        Failure::Unhelpful => "hat nicht geholfen",
        Failure::Unsure => "erster Treffer unsicher",
    }
}
