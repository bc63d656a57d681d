//! One question, searched in other ways: what the ways share is made once.

use std::collections::BTreeMap;

use super::super::channels::{
    LEXICAL_BACKGROUND, PREFIX_SHARE, Speaking, VectorHits, WordHits, prefix_share, weights,
};
use super::super::facets::Raise;
use super::super::route::Routed;
use super::super::{Pipeline, PipelineError};
use crate::domain::{
    FacetMode, GroupId, IntentId, Mode, NormalisedQuery, PrefixedQuery, Section, Vector,
};
use crate::embedding::{EmbedError, Passage};
use crate::groups::GroupModel;
use crate::indexing::{Draft, IndexError};
use crate::retrieval::fuse::{Fused, Scale, Weights};
use crate::retrieval::lexical::{LexicalIndex, LexicalRequest};

/// How deep a channel searches: as in a search.
const WINDOW: usize = 100;

/// What a trial does otherwise than the search.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) intent: Option<&'a IntentId>,
    pub(super) groups: &'a GroupModel,
    /// This group and no other, as certain as the guard ever is.
    pub(super) forced: Option<&'a GroupId>,
    pub(super) lexical: &'a LexicalIndex,
    /// The section with other text.
    pub(super) rewritten: Option<&'a Draft>,
    /// Other weights than those of the profile.
    pub(super) weights: Option<Weights>,
}

impl<'a> Setting<'a> {
    /// As the search does it.
    pub(super) fn usual(pipeline: &'a Pipeline, routed: &'a Routed) -> Self {
        Self {
            intent: routed.decision.intent.as_ref(),
            groups: &pipeline.groups,
            forced: None,
            lexical: pipeline.index.lexical(),
            rewritten: None,
            weights: None,
        }
    }
}

/// What a trial gave.
pub(super) struct Ordered {
    pub(super) fused: Vec<Fused>,
    /// The channels, best first.
    pub(super) by_vector: Vec<(u32, f32)>,
    pub(super) by_words: Vec<(u32, f32)>,
    /// The groups that were searched in, best first.
    pub(super) chosen: Vec<GroupId>,
    pub(super) weights: Weights,
}

impl Ordered {
    /// Rank of a section.
    pub(super) fn rank(&self, ordinal: u32) -> Option<usize> {
        self.fused.iter().position(|hit| hit.ordinal == ordinal).map(|at| at + 1)
    }

    /// How far a section that is first stands before the second; `None` where it is not first.
    pub(super) fn lead(&self, ordinal: u32) -> Option<f64> {
        let first = self.fused.first().filter(|hit| hit.ordinal == ordinal)?;
        Some(first.score - self.fused.get(1).map_or(0.0, |second| second.score))
    }
}

/// A question with the vectors that were made for it.
pub(super) struct Bench<'a> {
    pipeline: &'a Pipeline,
    query: NormalisedQuery,
    /// What of it is embedded.
    meant: NormalisedQuery,
    raises: Vec<Raise>,
    mode: Mode,
    pub(super) target: u32,
    vectors: BTreeMap<String, Vector>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        pipeline: &'a Pipeline,
        routed: &mut Routed,
        (mode, facet_mode): (Mode, FacetMode),
        target: u32,
    ) -> Self {
        let rest = pipeline.without_document_names(routed);
        let query = routed.query.clone();
        let meant = rest.unwrap_or_else(|| query.clone());
        let raises = pipeline.raises(routed, mode == Mode::Hybrid, facet_mode);
        Self { pipeline, query, meant, raises, mode, target, vectors: BTreeMap::new() }
    }

    pub(super) fn section(&self) -> &'a Section {
        self.pipeline.index.section(self.target)
    }

    /// The order that a setting gives; filters are left out.
    pub(super) async fn order(&mut self, setting: &Setting<'_>) -> Result<Ordered, PipelineError> {
        let pipeline = self.pipeline;
        let mut scores = setting.groups.infer(&self.query, setting.intent, pipeline.analyzer());
        scores.retain(|group| pipeline.index.has_group(&group.id));
        let chosen = match setting.forced {
            Some(group) => vec![group.clone()],
            None => setting.groups.chosen(&scores),
        };
        let profile = pipeline.intents.profile(setting.intent);
        let vector = if self.mode == Mode::Lexical {
            None
        } else {
            let plain = self.embedded(PrefixedQuery::plain(&self.meant)).await?;
            let mut prefixed = Vec::new();
            if let Some(query) = pipeline.template.prefix(&self.meant, &chosen) {
                prefixed.push(self.embedded(query).await?);
            }
            let share = match (prefixed.is_empty(), setting.forced) {
                (true, _) => 0.0,
                (false, Some(_)) => PREFIX_SHARE,
                (false, None) => prefix_share(&scores),
            };
            let failed = |error: crate::retrieval::vector::VectorError| {
                PipelineError::Request(error.to_string())
            };
            let found = pipeline.nearest(plain, prefixed, share, None).map_err(failed)?;
            Some(self.moved(found, setting.rewritten))
        };
        let lexical = if self.mode == Mode::Vector {
            None
        } else {
            let fields = &pipeline.fields[&profile.name];
            let question = self.query.original();
            let request = LexicalRequest { question, fields, allowed: None, limit: WINDOW };
            let found = setting.lexical.search(&request);
            let found = found.map_err(|error| PipelineError::Request(error.to_string()))?;
            let scores = found.hits.iter().map(|(_, score)| *score);
            let scale = Scale::of(scores, LEXICAL_BACKGROUND);
            Some(WordHits { found, scale })
        };
        let speaking = Speaking::of(self.mode, vector.as_ref(), lexical.as_ref());
        let weights = setting.weights.unwrap_or_else(|| speaking.weights(weights(profile)));
        let pool = pipeline.pool(vector.as_ref(), lexical.as_ref());
        let mut fused = pool.fused(pipeline.fusion, weights);
        Raise::all(&self.raises, &mut fused);
        Ok(Ordered {
            fused,
            by_vector: vector.map(|found| found.hits).unwrap_or_default(),
            by_words: lexical.map(|words| words.found.hits).unwrap_or_default(),
            chosen,
            weights,
        })
    }

    /// The hits with the nearness of the rewritten section in the place of its own.
    fn moved(&self, mut found: VectorHits, rewritten: Option<&Draft>) -> VectorHits {
        let nearness = rewritten.and_then(|draft| {
            let VectorHits { plain, prefixed, prefix_share, .. } = &found;
            let index = &self.pipeline.index;
            index.nearness_of(plain, prefixed, *prefix_share, self.target, draft)
        });
        let Some(nearness) = nearness else { return found };
        found.hits.retain(|(ordinal, _)| *ordinal != self.target);
        found.hits.push((self.target, nearness));
        found.hits.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        found
    }

    async fn embedded(&mut self, query: PrefixedQuery) -> Result<Vector, PipelineError> {
        if let Some(known) = self.vectors.get(query.text()) {
            return Ok(known.clone());
        }
        let vector = self.pipeline.embedder.embed_query(&query).await.map_err(failed)?;
        self.vectors.insert(query.text().to_owned(), vector.clone());
        Ok(vector)
    }

    /// The vectors of the section under another title.
    pub(super) async fn rewritten(&self, title: &str) -> Result<Draft, PipelineError> {
        let embedder = &self.pipeline.embedder;
        let section = self.section();
        let unread = |error: IndexError| PipelineError::Request(error.to_string());
        let head = self.pipeline.index.head(self.target).map_err(unread)?;
        let prefixed = self.pipeline.template.of_section(section.group.as_ref()) + &head;
        Ok(Draft {
            windows: self.embedded_all(embedder.windows(&head, title, &section.text)).await?,
            prefixed: self.embedded_all(embedder.windows(&prefixed, title, &section.text)).await?,
            whole: self.embedded_all(embedder.whole(title, &section.text)).await?,
        })
    }

    async fn embedded_all(&self, passages: Vec<Passage>) -> Result<Vec<Vector>, PipelineError> {
        let mut vectors = Vec::with_capacity(passages.len());
        for passage in passages {
            vectors.push(self.pipeline.embedder.embed_passage(&passage).await.map_err(failed)?);
        }
        Ok(vectors)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn failed(error: EmbedError) -> PipelineError {
    if matches!(error, EmbedError::Busy) {
        return PipelineError::Busy;
    }
    PipelineError::Request(error.to_string())
}
