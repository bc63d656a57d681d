//! What an editor should do next: one finding, with its reasons and its mend.
//!
//! Names and codes are English and stable; every text that an editor reads is German.

mod code;
mod evidence;
mod mend;
mod subject;

use serde::Serialize;

pub use code::{Code, Severity};
pub use evidence::{Evidence, number};
pub use mend::{Action, Mend};
pub use subject::{Named, Subject};

/// One gap: what it is, why, how bad, what to do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The same in every run as long as kind and subject are the same: `G-THIN:datei#abschnitt`.
    pub id: String,
    /// What kind.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// `reach` × weight of the severity: the order of the list.
    pub impact: f64,
    /// Questions concerned: of the catalog, or live ones with how often they were asked; at least 1.
    pub reach: f64,
    /// What it is about.
    pub subject: Subject,
    /// What is wrong, in one German sentence.
    pub message: String,
    /// Why, most telling first.
    pub evidence: Vec<Evidence>,
    /// What to do.
    pub mend: Mend,
}

impl Finding {
    /// A finding that concerns one question; see [`Finding::reaching`].
    pub fn new(
        code: Code,
        severity: Severity,
        subject: Subject,
        message: impl Into<String>,
        mend: Mend,
    ) -> Self {
        Self {
            id: format!("{code}:{}", subject.key()),
            code,
            severity,
            impact: severity.weight(),
            reach: 1.0,
            subject,
            message: message.into(),
            evidence: Vec::new(),
            mend,
        }
    }

    /// The same, concerning so many questions; fewer than one count as one.
    #[must_use]
    pub fn reaching(mut self, questions: f64) -> Self {
        self.reach = questions.max(1.0);
        self.impact = self.reach * self.severity.weight();
        self
    }

    /// The same with evidence.
    #[must_use]
    pub fn because(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        self.evidence.extend(evidence);
        self
    }
}

/// Most impact first; ties by severity, code and subject.
pub fn rank(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        b.impact
            .total_cmp(&a.impact)
            .then_with(|| b.severity.cmp(&a.severity))
            .then_with(|| a.id.cmp(&b.id))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(code: Code, severity: Severity, term: &str, reach: f64) -> Finding {
        let mend = Mend::new(Action::NewSection, "Schreiben.");
        Finding::new(code, severity, Subject::term(term), "Fehlt.", mend).reaching(reach)
    }

    #[test]
    fn the_list_begins_with_what_concerns_most_and_hurts_most() {
        let mut list = vec![
            finding(Code::OrphanTerm, Severity::Hint, "b", 2.0),
            finding(Code::Missing, Severity::Error, "c", 1.0),
            finding(Code::Unanswered, Severity::Warning, "d", 4.0),
            finding(Code::OrphanTerm, Severity::Hint, "a", 2.0),
        ];
        rank(&mut list);
        let ids: Vec<&str> = list.iter().map(|finding| finding.id.as_str()).collect();
        assert_eq!(ids, ["G-UNANSWERED:d", "G-MISSING:c", "G-ORPHAN-TERM:a", "G-ORPHAN-TERM:b"]);
    }
}
