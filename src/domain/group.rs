//! Where to search: semantic groups with the reasons for their scores.

use std::fmt;

use serde::Serialize;

use super::GroupId;

/// A group with its score and everything that was paid into it.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupScore {
    /// The group.
    pub id: GroupId,
    /// Sum of the payments.
    pub score: f64,
    /// What was paid, in the order of the question, the bias last.
    pub payments: Vec<Payment>,
}

/// One reason for a group's score.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Payment {
    /// What paid.
    pub reason: Reason,
    /// The listed word or phrase, or the intent.
    pub what: String,
    /// The passage of the question, as `[start, end)` in Unicode scalar values; absent for a bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<usize>>)]
    pub at: Option<(usize, usize)>,
    /// How much; a negated word pays nothing and is listed with 0.
    pub amount: f64,
}

impl GroupScore {
    /// What words and phrases of the question paid; the intent's bias is left out.
    pub fn paid_by_words(&self) -> f64 {
        let payments = self.payments.iter().filter(|payment| payment.reason != Reason::Bias);
        payments.fold(0.0, |sum, payment| sum + payment.amount)
    }
}

impl fmt::Display for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, what, amount, .. } = self;
        match reason {
            Reason::Word => write!(f, "“{what}” {amount:+?}"),
            Reason::Phrase => write!(f, "phrase “{what}” {amount:+?}"),
            Reason::Bias => write!(f, "intent {what} {amount:+?}"),
            Reason::Negated => write!(f, "“{what}” is negated"),
        }
    }
}

/// What kind of evidence pays into a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// A word of the group's list.
    Word,
    /// A phrase of the group's list.
    Phrase,
    /// The intent's bias.
    Bias,
    /// A listed word under a negation: seen, not paid.
    Negated,
}
