//! What kind of answer is asked for, and who decided it.

use serde::{Deserialize, Serialize};

use super::{IntentId, Place, RuleId};

/// The intent of a question with its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The intent; `None` is `unknown`, which has no group bias and the neutral profile.
    pub intent: Option<IntentId>,
    /// Who decided.
    pub source: Source,
    /// Probability that the intent is right, 0 to 1; a rule is certain. Of `unknown`: that the text is
    /// no question of any intent; 0 where nobody could judge it.
    pub confidence: f64,
    /// The winning rule with its place in the file.
    pub rule: Option<(RuleId, Place)>,
    /// Further intents of a multi-part question, in the order of its parts.
    pub also: Vec<IntentId>,
}

/// Who decided an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A shortcut rule.
    Rule,
    /// llama3 via Ollama.
    Llm,
    /// The classifier in this process.
    Classifier,
    /// Nobody: the intent is `unknown`.
    Default,
}

impl Source {
    /// Name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Llm => "llm",
            Self::Classifier => "classifier",
            Self::Default => "default",
        }
    }
}
