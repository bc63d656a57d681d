//! The first half: what is asked and where to look.

use std::sync::OnceLock;

use super::{Pipeline, PipelineError, Times};
use crate::domain::{
    Answer, Decision, Facet, GroupAnswer, GroupScore, GroupTrace, IntentAnswer, IntentGuess,
    IntentId, NormalisedQuery, PrefixedQuery, Query, RuleTrace, Source, Trace, Vector,
};
use crate::embedding::EmbedError;
use crate::intent::{Guess, UNSURE};
use crate::normalise::{normalise, parts};
use crate::retrieval::lexical::DocumentNames;
use crate::rules::{Match, Outcome};

/// How many guesses of the classifier the trace shows.
const GUESSES: usize = 3;

/// A question that knows how and where to search.
pub(super) struct Routed {
    pub(super) query: NormalisedQuery,
    pub(super) decision: Decision,
    /// All groups, best first.
    pub(super) groups: Vec<GroupScore>,
    /// The question with the prefix of its groups; `None` without evidence.
    pub(super) prefixed: Option<PrefixedQuery>,
    /// Embedding of the plain question, where the classifier needed it.
    pub(super) plain: Option<Vector>,
    pub(super) degraded: Vec<String>,
    /// What of the house's vocabulary the question names.
    pub(super) facets: Vec<Facet>,
    /// Which documents it names; `None` inside where the index could not say.
    pub(super) document_names: OnceLock<Option<DocumentNames>>,
    /// Found by the lexical channel.
    pub(super) similar_identifiers: Vec<String>,
    pub(super) trace: Trace,
    /// The parts of a question that asks several things at once; else empty.
    pub(super) parts: Vec<Routed>,
    /// The things that it compares, where they are searched one by one; else empty.
    pub(super) items: Vec<Routed>,
}

impl Pipeline {
    pub(super) async fn routed(
        &self,
        query: &Query,
        times: &mut Times,
    ) -> Result<Routed, PipelineError> {
        let query = normalise(query);
        let parts = parts(&query);
        times.stage("normalise");
        if parts.is_empty() {
            return Ok(self.with_items(self.routed_one(query, times).await?));
        }
        let whole = self.routed_one(query, times).await?;
        // One after the other: a question must not compete with itself for the places of the model.
        let mut routed = Vec::with_capacity(parts.len());
        for part in parts {
            routed.push(self.routed_one(part, &mut Times::start()).await?);
        }
        Ok(self.joined(whole, routed))
    }

    /// Intent and groups of one question.
    async fn routed_one(
        &self,
        query: NormalisedQuery,
        times: &mut Times,
    ) -> Result<Routed, PipelineError> {
        let mut degraded = Vec::new();
        let mut trace = Trace { core: query.core().to_owned(), ..Trace::default() };

        let outcome = self.rules.decide(&query);
        trace.rules = rule_traces(&outcome);
        let by_rule = outcome.won.as_ref().map(|won| Decision {
            intent: Some(won.rule.intent.clone()),
            source: Source::Rule,
            confidence: 1.0,
            rule: Some((won.rule.id.clone(), won.rule.place.clone())),
            also: Vec::new(),
        });
        times.stage("rules");

        let mut plain = None;
        let decision = match by_rule {
            Some(decision) => decision,
            None => match self.by_llm(&query, &mut degraded, &mut trace).await {
                Some(decision) => decision,
                None => self.by_classifier(&query, &mut plain, &mut degraded, &mut trace).await?,
            },
        };
        times.stage("intent");

        let intent = decision.intent.as_ref();
        let groups = self.known_groups(&query, intent);
        trace.groups = groups.iter().map(group_trace).collect();
        let prefixed = self.template.prefix(&query, &self.groups.chosen(&groups));
        trace.profile = self.intents.profile(decision.intent.as_ref()).name.clone();
        times.stage("groups");
        let facets = self.taxonomy.find(query.original());
        let similar_identifiers = Vec::new();
        Ok(Routed {
            query,
            decision,
            groups,
            prefixed,
            plain,
            degraded,
            facets,
            document_names: OnceLock::new(),
            similar_identifiers,
            trace,
            parts: Vec::new(),
            items: Vec::new(),
        })
    }

    /// The groups of a question. One without sections is nowhere to search: a foreign compendium has
    /// its own groups.
    pub(super) fn known_groups(
        &self,
        query: &NormalisedQuery,
        intent: Option<&IntentId>,
    ) -> Vec<GroupScore> {
        let mut groups = self.groups.infer(query, intent, self.analyzer());
        groups.retain(|group| self.index.has_group(&group.id));
        groups
    }

    async fn by_llm(
        &self,
        query: &NormalisedQuery,
        degraded: &mut Vec<String>,
        trace: &mut Trace,
    ) -> Option<Decision> {
        match self.llm.as_ref()?.classify(query).await {
            Ok(intent) => Some(Decision {
                intent,
                source: Source::Llm,
                confidence: 1.0,
                rule: None,
                also: Vec::new(),
            }),
            Err(error) => {
                tracing::warn!(error = %error, "the classifier in this process decides instead");
                degraded.push("llm".to_owned());
                trace.notes.push(format!("{error}; the classifier in this process decided"));
                None
            }
        }
    }

    pub(super) async fn by_classifier(
        &self,
        query: &NormalisedQuery,
        plain: &mut Option<Vector>,
        degraded: &mut Vec<String>,
        trace: &mut Trace,
    ) -> Result<Decision, PipelineError> {
        let unknown = |confidence| Decision {
            intent: None,
            source: Source::Default,
            confidence,
            rule: None,
            also: Vec::new(),
        };
        let vector = match self.embedder.embed_query(&PrefixedQuery::plain(query)).await {
            Ok(vector) => vector,
            Err(EmbedError::Busy) => return Err(PipelineError::Busy),
            Err(error) => {
                tracing::warn!(error = %error, "no embedding, so the intent stays unknown");
                degraded.push("classifier".to_owned());
                trace.notes.push(format!("{error}; the intent stays unknown"));
                return Ok(unknown(0.0));
            }
        };
        let guesses = self.index.classifier().guess(query, &vector);
        *plain = Some(vector);
        trace.classifier = guesses.iter().take(GUESSES).map(guess_trace).collect();
        Ok(match guesses.first() {
            Some(Guess { intent: Some(intent), confidence }) if *confidence >= UNSURE => Decision {
                intent: Some(intent.clone()),
                source: Source::Classifier,
                confidence: round(*confidence),
                rule: None,
                also: Vec::new(),
            },
            // Unknown by its own right, or because nothing else is likely enough: what is shown is
            // how likely `unknown` itself is right.
            _ => {
                let itself = guesses.iter().find(|guess| guess.intent.is_none());
                unknown(itself.map_or(0.0, |guess| round(guess.confidence)))
            }
        })
    }
}

impl Routed {
    /// The groups that are searched, best first.
    pub(super) fn chosen(&self) -> impl Iterator<Item = &GroupScore> {
        let chosen = self.prefixed.as_ref().map_or(&[][..], |prefixed| prefixed.groups());
        self.groups.iter().filter(|group| chosen.contains(&group.id))
    }

    /// The answer of a route; a search adds its hits.
    pub(super) fn answer(self) -> Answer {
        let groups = self
            .chosen()
            .map(|group| GroupAnswer { id: group.id.to_string(), score: group.score })
            .collect();
        Answer {
            question: self.query.original().to_owned(),
            intent: intent_answer(&self.decision),
            groups,
            facets: self.facets,
            prefix: self.prefixed.as_ref().map(PrefixedQuery::prefix),
            answerable: None,
            confidence: None,
            warnings: Vec::new(),
            degraded: self.degraded,
            similar_identifiers: self.similar_identifiers,
            hits: None,
            trace: self.trace,
        }
    }
}

pub(super) fn intent_answer(decision: &Decision) -> IntentAnswer {
    IntentAnswer {
        id: decision.intent.as_ref().map_or("unknown", IntentId::as_str).to_owned(),
        source: decision.source,
        rule: decision.rule.as_ref().map(|(id, _)| id.to_string()),
        confidence: decision.confidence,
        also: decision.also.iter().map(ToString::to_string).collect(),
    }
}

/// Four decimals: enough to read, too few to show a platform's last bits.
pub(super) fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

fn rule_traces(outcome: &Outcome<'_>) -> Vec<RuleTrace> {
    let with = |matches: &[Match<'_>], outcome: &'static str| -> Vec<RuleTrace> {
        matches
            .iter()
            .map(|found| RuleTrace {
                id: found.rule.id.to_string(),
                intent: found.rule.intent.to_string(),
                priority: found.rule.priority,
                place: found.rule.place.to_string(),
                outcome,
                matched: found.passage.to_string(),
            })
            .collect()
    };
    [
        with(outcome.won.as_slice(), "won"),
        with(&outcome.lost, "lost"),
        with(&outcome.vetoed, "vetoed"),
    ]
    .concat()
}

fn group_trace(group: &GroupScore) -> GroupTrace {
    GroupTrace { id: group.id.to_string(), score: round(group.score), paid: group.payments.clone() }
}

fn guess_trace(guess: &Guess) -> IntentGuess {
    IntentGuess {
        id: guess.intent.as_ref().map_or("unknown", IntentId::as_str).to_owned(),
        confidence: round(guess.confidence),
    }
}
