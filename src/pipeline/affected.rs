//! Which questions another state can answer otherwise, told without embedding any of them.

use super::Pipeline;
use crate::domain::{IntentId, NormalisedQuery, Query};
use crate::normalise::{normalise, parts};
use crate::rules::Outcome;

impl Pipeline {
    /// Whether a question can come out otherwise in `after`, a pipeline over the same index with the
    /// same intents, and other shortcut rules or groups.
    ///
    /// Rules and groups reach an answer through the rule that wins and through the scores of the
    /// groups, of the question and of each of its parts. Where no rule wins, classifier or llama3
    /// decide as before, but what is not known here: the groups then have to agree for every intent.
    pub(crate) fn can_answer_otherwise(&self, after: &Self, query: &Query) -> bool {
        let query = normalise(query);
        let parts = parts(&query);
        std::iter::once(&query).chain(&parts).any(|asked| !self.routes_like(after, asked))
    }

    fn routes_like(&self, after: &Self, query: &NormalisedQuery) -> bool {
        let (before, now) = (self.rules.decide(query), after.rules.decide(query));
        if winner(&before) != winner(&now) {
            return false;
        }
        let same = |intent: Option<&IntentId>| {
            self.known_groups(query, intent) == after.known_groups(query, intent)
        };
        match winner(&now) {
            Some((_, intent)) => same(Some(intent)),
            None => same(None) && self.intents.iter().all(|(intent, _)| same(Some(intent))),
        }
    }
}

/// Id and intent of the rule that decides.
fn winner<'a>(outcome: &Outcome<'a>) -> Option<(&'a str, &'a IntentId)> {
    outcome.won.as_ref().map(|won| (won.rule.id.as_str(), &won.rule.intent))
}
