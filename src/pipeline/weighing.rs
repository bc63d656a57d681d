//! A door for learning weights: a question is searched once, and what the channels found is weighed as
//! often as one likes. Not reachable from outside the crate, and nothing that serves goes through it.

use super::channels::{Speaking, weights};
use super::facets::Raise;
use super::parts::merged;
use super::search::Heard;
use super::{Pipeline, PipelineError, Times};
use crate::domain::{FacetMode, Fusion, Mode, Profile, Query, SectionId};
use crate::retrieval::fuse::{Fused, Pool, Weights};

/// What the channels found for a question and for what it asks beside.
#[derive(Debug)]
pub(crate) struct Weighable {
    /// Name of the profile of the whole question.
    pub(crate) profile: String,
    whole: usize,
    lists: Vec<List>,
}

#[derive(Debug)]
struct List {
    pool: Pool,
    speaking: Speaking,
    raises: Vec<Raise>,
    profile: Profile,
}

impl Pipeline {
    /// Searches a question in both channels.
    ///
    /// # Errors
    /// As [`Pipeline::search`]; here a channel that fails is an error.
    pub(crate) async fn weighable(&self, query: &Query) -> Result<Weighable, PipelineError> {
        let mut times = Times::start();
        let (mut asked, whole) = self.routed(query, &mut times).await?.asked();
        let embedded = self.all_embedded(&mut asked, Mode::Hybrid).await?;
        let mut lists = Vec::with_capacity(asked.len());
        for (question, embedded) in asked.iter_mut().zip(embedded) {
            let narrowed = match self.facet_mode {
                FacetMode::Filter => self.narrowed(question, None),
                FacetMode::Boost | FacetMode::Off => None,
            };
            let allowed = narrowed.as_ref();
            let heard = self.heard(question, embedded, Mode::Hybrid, allowed, &mut times)?;
            let raises = self.raises(question, &heard, self.facet_mode);
            let Heard { vector: Some(vector), lexical: Some(lexical), speaking } = heard else {
                let why = format!("a channel failed: {}", question.trace.notes.join("; "));
                return Err(PipelineError::Request(why));
            };
            let pool = self.pool(Some(&vector), Some(&lexical));
            let profile = self.profile(question).clone();
            lists.push(List { pool, speaking, raises, profile });
        }
        Ok(Weighable { profile: lists[whole].profile.name.clone(), whole, lists })
    }

    /// The first `k` sections as a search would show them, with these weights instead of those of the
    /// profiles where any are given.
    pub(crate) fn weighed(
        &self,
        found: &Weighable,
        fusion: Fusion,
        instead: Option<Weights>,
        k: usize,
    ) -> Vec<&SectionId> {
        let ranked = |list: &List| {
            let weights = instead.unwrap_or_else(|| weights(&list.profile));
            let mut fused = list.pool.fused(fusion, list.speaking.weights(weights));
            Raise::all(&list.raises, &mut fused);
            self.diverse(&fused, k, &list.profile)
        };
        let ranked: Vec<Vec<Fused>> = found.lists.iter().map(ranked).collect();
        let lists: Vec<&[Fused]> = ranked.iter().map(Vec::as_slice).collect();
        let hits = merged(&lists, found.whole, k);
        hits.iter().map(|(_, hit)| &self.index.section(hit.ordinal).id).collect()
    }

    /// How the channels are fused.
    pub(crate) fn fusion(&self) -> Fusion {
        self.fusion
    }
}
