//! "Why not section X?": what went against a section, and the smallest change that would turn it.
//!
//! A stage went against a section where the section would stand better had the stage decided
//! otherwise; every such claim, and every change that is offered, is tried: on copies of what the
//! search uses, never on files.

mod changes;
mod stages;
mod trial;

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::{Pipeline, PipelineError, SearchRequest, Times};
use crate::domain::{Query, SectionId, WhyNot};
use trial::{Bench, Setting};

/// How deep a rank is looked for.
const DEPTH: usize = 100;
/// A trial builds keyword indexes: one at a time is enough for people who ask why.
static TRYING: Semaphore = Semaphore::const_new(1);

impl Pipeline {
    /// Why a section is not the first hit of a question, and which small changes would make it so.
    ///
    /// A question in parts is looked at as a whole. With `changes` false nothing is changed on trial,
    /// which takes a few searches; with it, a keyword index is built in memory for each change.
    ///
    /// # Errors
    /// [`PipelineError::Busy`] where another trial runs; [`PipelineError::Request`] where there is no
    /// such section.
    pub async fn why_not(
        self: &Arc<Self>,
        query: &Query,
        request: &SearchRequest,
        section: &SectionId,
        changes: bool,
    ) -> Result<WhyNot, PipelineError> {
        let unknown = || PipelineError::Request(format!("there is no section `{section}`"));
        let target = self.index.ordinal(section).ok_or_else(unknown)?;
        let permit = TRYING.try_acquire().map_err(|_| PipelineError::Busy)?;
        let (allowed, _) = request.allowed(&self.index)?;
        let deep = SearchRequest { k: Some(DEPTH), explain: false, ..request.clone() };
        let answer = self.search(query, &deep).await?.answer;
        let hits = answer.hits.unwrap_or_default();
        let rank = hits.iter().find(|hit| hit.id == section.as_str()).map(|hit| hit.rank);
        let first = hits.first().map(|hit| hit.id.clone());

        let mut routed = self.routed(query, &mut Times::start()).await?;
        let facet_mode = request.facet_mode.unwrap_or(self.facet_mode);
        let mut bench = Bench::new(self, &mut routed, (request.mode, facet_mode), target);
        let excluded = allowed.as_ref().is_some_and(|allowed| !allowed.contains(target));
        let usual = bench.order(&Setting::usual(self, &routed)).await?;
        let stages = stages::verdicts(self, &mut bench, &routed, &usual, excluded).await?;
        let against = stages.iter().find(|verdict| verdict.against).map(|verdict| verdict.stage);
        let is_first = rank == Some(1);
        let (mut found, mut tried) = (Vec::new(), 0);
        if changes && !is_first && !excluded {
            (found, tried) = changes::changes(self, &mut bench, &routed).await?;
        }
        drop(permit);
        let own = self.index.section(target);
        let mut why = WhyNot {
            section: section.to_string(),
            title: own.title.clone(),
            rank,
            first,
            stages,
            against: against.filter(|_| !is_first),
            changes: found,
            tried,
            german: String::new(),
        };
        why.german = self.in_words(&why, excluded, changes);
        Ok(why)
    }

    /// The whole of it in German.
    fn in_words(&self, why: &WhyNot, excluded: bool, asked_for_changes: bool) -> String {
        let title = &why.title;
        if why.rank == Some(1) {
            return format!("„{title}“ ist der erste Treffer.");
        }
        let mut sentences = vec![match why.rank {
            Some(rank) => format!("„{title}“ steht auf Rang {rank}."),
            None => format!("„{title}“ ist nicht unter den ersten {DEPTH} Treffern."),
        }];
        let first = why.first.as_deref().and_then(|id| SectionId::try_from(id).ok());
        if let Some(first) = first.and_then(|id| self.section(&id)) {
            sentences.push(format!("Vorn steht „{}“.", first.title));
        }
        sentences.push(match why.stages.iter().find(|verdict| verdict.against) {
            Some(verdict) => format!("Zuerst dagegen sprach: {}", verdict.german),
            None => "Keine Stufe hat für sich allein gegen ihn entschieden.".to_owned(),
        });
        if !why.changes.is_empty() {
            sentences.push("Erprobt, bringt ihn auf Rang 1:".to_owned());
            sentences.extend(why.changes.iter().map(|change| change.german.clone()));
        } else if asked_for_changes && !excluded {
            sentences.push(format!(
                "Keine der {} erprobten kleinen Änderungen bringt ihn auf Rang 1: Der Abschnitt \
                 sagt zu wenig zu dieser Frage, oder ein anderer beantwortet sie besser.",
                why.tried
            ));
        }
        sentences.join(" ")
    }
}
