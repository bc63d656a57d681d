//! A door for measurements: the same search with groups and prefix used otherwise. Not reachable
//! from outside the crate, and nothing that serves goes through it.

use std::collections::BTreeMap;

use super::channels::{PREFIX_SHARE, Speaking, VectorHits, WordHits, prefix_share, weights};
use super::route::Routed;
use super::{Pipeline, PipelineError, Times};
use crate::domain::{Allowed, GroupId, Mode, PrefixedQuery, Query, SectionId, Vector};
use crate::embedding::EmbedError;
use crate::retrieval::fuse;

/// How deep a ranking goes.
const DEPTH: usize = 10;

/// Which groups a plan uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// Those that were inferred, with the guard's trust in them.
    Inferred,
    /// The given one, trusted as much as the guard ever does.
    Right,
    /// The given wrong one, likewise.
    Wrong,
}

/// Where the prefix stands. `Query` and `Both` without a group are searched plain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sides {
    /// Nowhere.
    None,
    /// Before the question only.
    Query,
    /// Before the sections only.
    Document,
    /// Before both, and nothing else counts: `SG: A, B`.
    Both,
    /// The same with one vector a group; the best counts.
    BothEach,
    /// Beside the plain vectors, with the weight that the guard gives: what serves.
    Guarded,
    /// Plain vectors and so many deviations of evidence more for the sections of the groups.
    Boost(f64),
    /// Only sections of the groups; all where there is none.
    Filter,
}

/// One way to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    pub(crate) sides: Sides,
    pub(crate) told: Told,
}

/// What the plans found.
#[derive(Debug)]
pub(crate) struct Ranked {
    /// By plan and mode.
    pub(crate) rankings: Vec<Vec<Vec<SectionId>>>,
    /// Whether a group was inferred.
    pub(crate) inferred: bool,
}

/// A question that is searched in many ways: what they share is made once.
struct Probe<'a> {
    pipeline: &'a Pipeline,
    routed: Routed,
    words: Option<WordHits>,
    vectors: BTreeMap<String, Vector>,
}

impl Pipeline {
    /// The first ten sections of a question by each plan in each mode, in their order.
    ///
    /// # Errors
    /// As [`Pipeline::search`]; here a failing embedding is an error.
    pub(crate) async fn ranked(
        &self,
        query: &Query,
        right: &GroupId,
        wrong: &GroupId,
        plans: &[Plan],
        modes: &[Mode],
    ) -> Result<Ranked, PipelineError> {
        let mut routed = self.routed(query, &mut Times::start()).await?;
        let profile = self.intents.profile(routed.decision.intent.as_ref()).clone();
        let words = self.by_words(&mut routed, &profile, None);
        let mut probe = Probe { pipeline: self, routed, words, vectors: BTreeMap::new() };
        let mut rankings = Vec::with_capacity(plans.len());
        for plan in plans {
            let groups = match plan.told {
                Told::Inferred => probe.inferred(),
                Told::Right => vec![right.clone()],
                Told::Wrong => vec![wrong.clone()],
            };
            let found = probe.by_vector(*plan, &groups).await?;
            let inside = self.in_groups(&groups).filter(|_| plan.sides == Sides::Filter);
            let filtered =
                inside.and_then(|inside| self.by_words(&mut probe.routed, &profile, Some(&inside)));
            let words = filtered.as_ref().or(probe.words.as_ref());
            let of_mode = |mode: &Mode| probe.ranking(*plan, &groups, &found, words, *mode);
            rankings.push(modes.iter().map(of_mode).collect());
        }
        Ok(Ranked { rankings, inferred: !probe.inferred().is_empty() })
    }

    fn in_groups(&self, groups: &[GroupId]) -> Option<Allowed> {
        let among = |ordinal| {
            self.index.section(ordinal).group.as_ref().is_some_and(|group| groups.contains(group))
        };
        (!groups.is_empty()).then(|| Allowed::among(self.index.len(), among))
    }
}

impl Probe<'_> {
    fn inferred(&self) -> Vec<GroupId> {
        self.routed.prefixed.as_ref().map_or_else(Vec::new, |query| query.groups().to_vec())
    }

    async fn embed(&mut self, groups: &[GroupId]) -> Result<Vector, PipelineError> {
        let query = self
            .pipeline
            .template
            .prefix(&self.routed.query, groups)
            .unwrap_or_else(|| PrefixedQuery::plain(&self.routed.query));
        if let Some(known) = self.vectors.get(query.text()) {
            return Ok(known.clone());
        }
        let vector = match self.pipeline.embedder.embed_query(&query).await {
            Ok(vector) => vector,
            Err(EmbedError::Busy) => return Err(PipelineError::Busy),
            Err(error) => return Err(PipelineError::Request(error.to_string())),
        };
        self.vectors.insert(query.text().to_owned(), vector.clone());
        Ok(vector)
    }

    async fn by_vector(
        &mut self,
        plan: Plan,
        groups: &[GroupId],
    ) -> Result<VectorHits, PipelineError> {
        let plain = self.embed(&[]).await?;
        let (question, prefixed, share) = match plan.sides {
            Sides::Query => (self.embed(groups).await?, Vec::new(), 0.0),
            Sides::Document => (plain.clone(), vec![plain], 1.0),
            Sides::Both | Sides::BothEach | Sides::Guarded if !groups.is_empty() => {
                let mut prefixed = Vec::new();
                if plan.sides == Sides::BothEach {
                    for group in groups {
                        prefixed.push(self.embed(std::slice::from_ref(group)).await?);
                    }
                } else {
                    prefixed.push(self.embed(groups).await?);
                }
                let share = if plan.sides == Sides::Guarded { self.trust(plan.told) } else { 1.0 };
                (plain, prefixed, share)
            }
            Sides::None
            | Sides::Both
            | Sides::BothEach
            | Sides::Guarded
            | Sides::Boost(_)
            | Sides::Filter => (plain, Vec::new(), 0.0),
        };
        let allowed = self.pipeline.in_groups(groups).filter(|_| plan.sides == Sides::Filter);
        self.pipeline
            .nearest(question, prefixed, share, allowed.as_ref())
            .map_err(|error| PipelineError::Request(error.to_string()))
    }

    /// How much the prefixed vectors count under the guard.
    fn trust(&self, told: Told) -> f64 {
        match told {
            Told::Inferred => prefix_share(&self.routed.groups),
            Told::Right | Told::Wrong => PREFIX_SHARE,
        }
    }

    fn ranking(
        &self,
        plan: Plan,
        groups: &[GroupId],
        found: &VectorHits,
        words: Option<&WordHits>,
        mode: Mode,
    ) -> Vec<SectionId> {
        let index = &self.pipeline.index;
        let profile = self.pipeline.intents.profile(self.routed.decision.intent.as_ref());
        let words = words.filter(|_| mode == Mode::Hybrid);
        let weights = Speaking::of(mode, Some(found), words).weights(weights(profile));
        let pool = self.pipeline.pool(Some(found), words);
        let mut fused = pool.fused(self.pipeline.fusion, weights);
        let inside = self.pipeline.in_groups(groups);
        let is_inside =
            |ordinal: u32| inside.as_ref().is_some_and(|inside| inside.contains(ordinal));
        if let Sides::Boost(bonus) = plan.sides {
            fuse::raise(&mut fused, bonus, is_inside);
        }
        let chosen = self.pipeline.diverse(&fused, DEPTH, profile);
        chosen.iter().map(|hit| index.section(hit.ordinal).id.clone()).collect()
    }
}
