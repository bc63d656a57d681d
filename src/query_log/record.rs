//! What stands in the log.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::mask::mask;
use crate::domain::{Answer, Audiences, SectionId, Source, hex};

/// How many hits of an answer are kept.
const HITS: usize = 5;

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Line<R> {
    /// When it was written, `YYYY-MM-DDTHH:MM:SSZ`.
    pub(super) time: String,
    #[serde(flatten)]
    pub(super) record: R,
}

/// What a line of the log says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Record {
    /// A question with its answer.
    Question(Asked),
    /// What a reader made of an answer.
    Outcome(Feedback),
    /// So many records were lost because the queue was full.
    Dropped {
        /// How many since the last such line.
        count: u64,
    },
}

/// A question with what was answered. Holds nothing of who asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Number of the request; outcomes name it.
    pub request_id: String,
    /// The question, see [`mask`].
    pub question: String,
    /// Intent id, or `unknown`.
    pub intent: String,
    /// Who decided the intent.
    pub source: Source,
    /// Groups that were searched, best first.
    pub groups: Vec<String>,
    /// Whether the answer said that it is one; absent for a route and where one channel searched alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answerable: Option<bool>,
    /// Probability that the first hit was right, 0 to 1; absent like `answerable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Ids of the first hits, best first.
    pub hits: Vec<String>,
    /// What was not available for the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
    /// Which sections whoever asked could see: without them nobody can say whether the answer was bad
    /// or the section hidden. Lines from before there was this field count as asked over everything.
    #[serde(default = "everything")]
    pub audiences: Audiences,
}

const fn everything() -> Audiences {
    Audiences::All
}

impl Asked {
    /// What the log keeps of an answer to somebody with these audiences.
    pub fn of(answer: &Answer, audiences: &Audiences, request_id: &str) -> Self {
        let hits = answer.hits.iter().flatten().take(HITS);
        Self {
            request_id: harmless(request_id),
            question: mask(&answer.question),
            intent: answer.intent.id.clone(),
            source: answer.intent.source,
            groups: answer.groups.iter().map(|group| group.id.clone()).collect(),
            answerable: answer.answerable,
            confidence: answer.confidence,
            hits: hits.map(|hit| hit.id.clone()).collect(),
            degraded: answer.degraded.clone(),
            audiences: audiences.clone(),
        }
    }
}

/// A question with who asked it, for the audit of questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Audited {
    /// Who asked: `name (key id)`, `local` or `anonymous`.
    pub by: String,
    /// How: `route`, `search`, `batch`, `explain`, `chat` or `mcp`.
    pub action: &'static str,
    /// Number of the request.
    pub request_id: String,
    /// The question, see [`mask`].
    pub question: String,
    /// Ids of all hits, best first: what the caller was shown.
    pub hits: Vec<String>,
}

impl Audited {
    /// What the audit keeps of an answer.
    pub fn of(answer: &Answer, request_id: &str, by: &str, action: &'static str) -> Self {
        Self {
            by: by.to_owned(),
            action,
            request_id: harmless(request_id),
            question: mask(&answer.question),
            hits: answer.hits.iter().flatten().map(|hit| hit.id.clone()).collect(),
        }
    }
}

/// What a reader made of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// Number of the request with the question.
    pub request_id: String,
    /// The section that was meant; absent where the answer as a whole was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionId>,
    /// What they made of it.
    pub rating: Rating,
}

impl Feedback {
    /// An outcome as it is written.
    pub fn new(request_id: &str, section: Option<SectionId>, rating: Rating) -> Self {
        Self { request_id: harmless(request_id), section, rating }
    }
}

/// What a reader made of an answer, or of one of its sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    /// It answered the question.
    Helpful,
    /// It did not.
    Unhelpful,
    /// It was opened: a sign of interest, not of help.
    Clicked,
}

/// A caller may number requests with whatever it likes, an address or a telephone number included:
/// such a number is kept as its digest, which still finds the outcomes.
fn harmless(request_id: &str) -> String {
    if mask(request_id) == request_id {
        return request_id.to_owned();
    }
    format!("sha256:{}", &hex(&Sha256::digest(request_id.as_bytes()))[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_number_that_reaches_a_person_is_kept_as_its_digest() {
        let harmless_ones = ["1-1", "550e8400-e29b-41d4-a716-446655440000", "meine-17"];
        for id in harmless_ones {
            assert_eq!(harmless(id), id);
        }
        let digest = harmless("eva@example.org/17");
        assert!(digest.starts_with("sha256:") && digest.len() == 23, "{digest}");
        assert_eq!(Feedback::new("eva@example.org/17", None, Rating::Clicked).request_id, digest);
    }

    #[test]
    fn a_line_says_its_kind() {
        let record = Record::Outcome(Feedback::new("1-1", None, Rating::Unhelpful));
        let line = serde_json::to_string(&record).expect("plain data");
        assert_eq!(line, r#"{"kind":"outcome","request_id":"1-1","rating":"unhelpful"}"#);
    }
}
