//! Copies in memory with one word or one rule more: what an edit would do, before anybody makes it.

use std::sync::Arc;

use super::{Pipeline, PipelineError};
use crate::domain::{IntentId, Place, RuleId, Section};
use crate::retrieval::lexical::{LexicalError, LexicalIndex};
use crate::rules::{Rule, Scope, pattern};

impl Pipeline {
    /// A copy with one more entry under `finds` of the synonyms: texts with `told` are also found by
    /// `asked`. Builds a keyword index in memory.
    ///
    /// # Errors
    /// The keyword index can not be built.
    pub(crate) async fn with_synonym(
        self: &Arc<Self>,
        asked: &str,
        told: &str,
    ) -> Result<Self, PipelineError> {
        let analyzer = self.analyzer().with_synonym(asked, told);
        let build = move |sections: &[Section], inherited: &[Vec<String>]| {
            LexicalIndex::in_memory(sections, inherited, &analyzer)
        };
        let lexical = self.keyword_index(build).await?;
        Ok(Self { index: self.index.with_lexical(lexical), ..self.as_ref().clone() })
    }

    /// A copy with one more rule, which decides the intent of what no other rule decides: its priority,
    /// which comes with it, is below all others.
    ///
    /// # Errors
    /// The pattern is none, or the rules together are too large.
    pub(crate) fn with_rule(
        &self,
        intent: &IntentId,
        written: &str,
    ) -> Result<(Self, i32), PipelineError> {
        let failed = |error: &dyn std::error::Error| PipelineError::Request(error.to_string());
        let lowest = self.rules.rules().iter().map(|rule| rule.priority).min();
        let priority = lowest.map_or(0, |lowest| lowest.saturating_sub(1));
        let rule = Rule {
            id: RuleId::try_from("auf_probe").expect("a name"),
            intent: intent.clone(),
            scope: Scope::Core,
            priority,
            pattern: pattern(written).map_err(|error| failed(&error))?,
            unless: None,
            reason: String::new(),
            positive: Vec::new(),
            negative: Vec::new(),
            place: Place::start_of("auf-probe.yaml"),
        };
        let rules = Arc::new(self.rules.with(rule).map_err(|error| failed(&error))?);
        Ok((Self { rules, ..self.clone() }, priority))
    }

    /// A keyword index over the sections, built on a thread that may block.
    pub(super) async fn keyword_index(
        self: &Arc<Self>,
        build: impl FnOnce(&[Section], &[Vec<String>]) -> Result<LexicalIndex, LexicalError>
        + Send
        + 'static,
    ) -> Result<LexicalIndex, PipelineError> {
        let pipeline = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || {
            let inherited = pipeline.index.inherited().map_err(|error| error.to_string())?;
            build(pipeline.index.sections(), &inherited).map_err(|error| error.to_string())
        });
        task.await
            .map_err(|error| PipelineError::Request(error.to_string()))?
            .map_err(PipelineError::Request)
    }
}
