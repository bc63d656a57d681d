//! What a run of the catalog says of one question.

use serde::{Deserialize, Serialize};

use crate::domain::{GroupTrace, Payment, Place, Source};
use crate::eval::metrics::Overlap;

/// The worst of a question's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Nothing to say.
    Pass,
    /// Answered, but not as it should be, or by luck.
    Warn,
    /// Not answered, or answered where it must be refused.
    Fail,
}

impl Verdict {
    /// `PASS`, `WARN`, `FAIL`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
        }
    }
}

/// What can be wrong with a question. The codes are stable: scripts and baselines name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Code {
    /// No right section among the first five.
    #[serde(rename = "F-MISSING")]
    Missing,
    /// The answer says that nothing answers the question, but a section does; or what readers asked
    /// is answered with no more than a guess.
    #[serde(rename = "F-REFUSED")]
    Refused,
    /// The question must be refused, but was answered.
    #[serde(rename = "F-ANSWERED-OFFTOPIC")]
    AnsweredOffTopic,
    /// A section that the catalog expects is not in the compendium.
    #[serde(rename = "F-UNKNOWN-SECTION")]
    UnknownSection,
    /// A right section is only at rank 2 to 5.
    #[serde(rename = "W-RANK")]
    Rank,
    /// The first inferred group is another than that of the right section.
    #[serde(rename = "W-GROUP")]
    Group,
    /// Another intent was decided, or a further part's intent was not seen.
    #[serde(rename = "W-INTENT")]
    Intent,
    /// Won by a hair: the next change may turn it.
    #[serde(rename = "W-MARGIN")]
    Margin,
    /// No rule decided the intent, and the classifier was not sure.
    #[serde(rename = "W-FALLBACK")]
    Fallback,
    /// The right section stands apart from all others.
    #[serde(rename = "W-ISOLATED")]
    Isolated,
    /// The right section says much less than the others.
    #[serde(rename = "W-THIN")]
    Thin,
}

impl Code {
    /// All codes, failures first.
    pub const ALL: [Self; 11] = [
        Self::Missing,
        Self::Refused,
        Self::AnsweredOffTopic,
        Self::UnknownSection,
        Self::Rank,
        Self::Group,
        Self::Intent,
        Self::Margin,
        Self::Fallback,
        Self::Isolated,
        Self::Thin,
    ];

    /// For example `W-RANK`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "F-MISSING",
            Self::Refused => "F-REFUSED",
            Self::AnsweredOffTopic => "F-ANSWERED-OFFTOPIC",
            Self::UnknownSection => "F-UNKNOWN-SECTION",
            Self::Rank => "W-RANK",
            Self::Group => "W-GROUP",
            Self::Intent => "W-INTENT",
            Self::Margin => "W-MARGIN",
            Self::Fallback => "W-FALLBACK",
            Self::Isolated => "W-ISOLATED",
            Self::Thin => "W-THIN",
        }
    }

    /// What it makes of the question.
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Missing | Self::Refused | Self::AnsweredOffTopic | Self::UnknownSection => {
                Verdict::Fail
            }
            Self::Rank
            | Self::Group
            | Self::Intent
            | Self::Margin
            | Self::Fallback
            | Self::Isolated
            | Self::Thin => Verdict::Warn,
        }
    }
}

/// One thing that is wrong with a question, with everything that is to blame for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What.
    pub code: Code,
    /// Why, in one English sentence.
    pub reason: String,
    /// The best section that is not right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<Found>,
    /// The shortcut rule that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<DecidingRule>,
    /// The words and phrases that paid for a wrong group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub misled_by: Vec<Payment>,
}

/// A section that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Section id.
    pub section: String,
    /// Its heading.
    pub title: String,
    /// Its semantic group.
    pub group: Option<String>,
    /// From 1.
    pub rank: usize,
    /// Fused score, 0 to 1.
    pub score: f64,
}

/// The shortcut rule that decided an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecidingRule {
    /// Rule id.
    pub id: String,
    /// `file:line:column`.
    pub place: String,
    /// The matching passage of the normalised question.
    pub matched: String,
}

/// What became of a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ticket {
    /// The question still fails.
    Open,
    /// The question passes: its `status: open` may go, and from then on it guards the answer.
    Closed,
}

/// A question with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// Id in the catalog.
    pub id: String,
    /// The question.
    pub question: String,
    /// Where it stands.
    pub place: Place,
    /// Its tier.
    pub tier: String,
    /// The right sections; empty where it must be refused.
    pub expected: Vec<String>,
    /// Whether all of the expected sections must be found, not one of them.
    pub in_parts: bool,
    /// Whether any section will do, as long as the answer says that it is one.
    pub any: bool,
    /// What became of the gap, for a question that is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<Ticket>,
    /// The worst of the findings; of a gap `WARN` at most, because it fails no run.
    pub verdict: Verdict,
    /// What is wrong, failures first.
    pub findings: Vec<Finding>,
    /// Rank of the first right section, of the last one for a question in parts; `None` beyond
    /// ten.
    pub rank: Option<usize>,
    /// Score of the first hit less that of its best rival, where the first hit is right.
    pub margin: Option<f64>,
    /// The decided intent, or `unknown`.
    pub intent: String,
    /// The intent that the catalog expects.
    pub expected_intent: Option<String>,
    /// Who decided.
    pub source: Source,
    /// How sure, 0 to 1.
    pub intent_confidence: f64,
    /// The rule, where one decided.
    pub rule: Option<DecidingRule>,
    /// The inferred groups, at most two, best first.
    pub groups: Vec<String>,
    /// The group of the right section.
    pub expected_group: Option<String>,
    /// Everything that was paid to any group, best first.
    pub payments: Vec<GroupTrace>,
    /// The first hit.
    pub first: Option<Found>,
    /// Whether the answer says that a section answers the question.
    pub answerable: Option<bool>,
    /// How much of the question's wording stands in its section.
    pub overlap: Option<Overlap>,
    /// What was not available for this answer, for example `vector`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
}

impl Outcome {
    /// What a line of a report begins with: the verdict, or what became of the gap, which is counted by
    /// itself.
    pub fn label(&self) -> &'static str {
        match self.ticket {
            None => self.verdict.as_str(),
            Some(Ticket::Open) => "OPEN",
            Some(Ticket::Closed) => "CLOSED",
        }
    }

    /// The codes of the findings, sorted.
    pub fn codes(&self) -> Vec<Code> {
        let mut codes: Vec<Code> = self.findings.iter().map(|finding| finding.code).collect();
        codes.sort_unstable();
        codes
    }

    /// Whether the question must be refused.
    pub fn to_refuse(&self) -> bool {
        self.expected.is_empty() && !self.any
    }

    /// The same, where the question is a gap: what fails is still open and is no failure of the run,
    /// what does not is closed.
    pub(super) fn into_ticket(mut self) -> Self {
        self.ticket =
            Some(if self.verdict == Verdict::Fail { Ticket::Open } else { Ticket::Closed });
        self.verdict = self.verdict.min(Verdict::Warn);
        self
    }

    /// Whether a section was looked for: not where the catalog names one that does not exist.
    pub fn was_asked(&self) -> bool {
        !self.findings.iter().any(|finding| finding.code == Code::UnknownSection)
    }
}
