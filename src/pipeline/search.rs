//! The second half: embed, search both channels for the question and its parts, judge, show.

use super::answerable;
use super::channels::{Embedded, Speaking, VectorHits, WordHits, weights};
use super::facets::Raise;
use super::parts::merged;
use super::route::{Routed, round};
use super::{Pipeline, PipelineError, SearchRequest, Times};
use crate::domain::{
    Allowed, Answer, Evidence, Explanation, FacetMode, FusionTrace, Hit, Mode, PrefixedQuery,
    Profile,
};
use crate::embedding::EmbedError;
use crate::retrieval::fuse::Fused;

/// The best sections for one question, with what each channel said.
pub(super) struct Ranking {
    pub(super) best: Vec<Fused>,
    /// How many sections beside a hit are offered.
    pub(super) reach: usize,
    pub(super) vector: Option<VectorHits>,
    pub(super) lexical: Option<WordHits>,
}

/// What the channels found for one question.
pub(super) struct Heard {
    pub(super) vector: Option<VectorHits>,
    pub(super) lexical: Option<WordHits>,
    pub(super) speaking: Speaking,
}

impl Pipeline {
    pub(super) async fn found(
        &self,
        routed: Routed,
        request: &SearchRequest,
        allowed: Option<&Allowed>,
        times: &mut Times,
    ) -> Result<Answer, PipelineError> {
        let (mut asked, whole) = routed.asked();
        let embedded = self.all_embedded(&mut asked, request.mode).await?;
        times.stage("embed");
        let profiles = asked.iter().map(|question| self.profile(question).k);
        let k = request.k.or(profiles.max()).expect("the whole question is asked");
        let mut rankings = Vec::with_capacity(asked.len());
        for (question, embedded) in asked.iter_mut().zip(embedded) {
            rankings.push(self.ranking(question, embedded, (k, request), allowed, times)?);
        }
        let lists: Vec<&[Fused]> = rankings.iter().map(|ranking| &ranking.best[..]).collect();
        let chosen = merged(&lists, whole, k);
        let evidences: Vec<Option<Evidence>> = asked
            .iter()
            .zip(&rankings)
            .map(|(question, Ranking { best, vector, lexical, .. })| {
                let first = best.first()?.ordinal;
                Some(self.evidence(question, first, vector.as_ref(), lexical.as_ref()))
            })
            .collect();
        // The first hit of all is the first one of its part.
        let first = chosen.first().and_then(|(of, _)| evidences[*of]);
        // A question in parts is answered where one of its parts is; a comparison is not, where only
        // one of its things is known.
        let judged = evidences[..=whole].iter().flatten();
        let answered = judged.clone().any(|evidence| answerable::judge(evidence).0);
        times.stage("evidence");
        let explain = |of: usize, ordinal| {
            request.explain.then(|| self.explanation(&asked[of], ordinal, &rankings[of]))
        };
        let explanations: Vec<Option<Explanation>> =
            chosen.iter().map(|(of, fused)| explain(*of, fused.ordinal)).collect();
        let hits = self.shown(&asked, whole, &chosen, &rankings);
        let mut routed = asked.swap_remove(whole);
        for part in &asked[..whole] {
            routed.absorb(part);
        }
        routed.trace.evidence = first;
        let with_reasons = |(hit, explanation)| Hit { explanation, ..hit };
        let hits: Vec<Hit> = hits.into_iter().zip(explanations).map(with_reasons).collect();
        times.stage("snippets");
        // One channel alone, asked for or left over, has too little to judge by.
        let both = rankings.iter().all(|of| of.vector.is_some() && of.lexical.is_some());
        let confidence = first.as_ref().map_or(0.0, |evidence| answerable::judge(evidence).1);
        let mut answer = routed.answer();
        answer.answerable = both.then_some(answered);
        answer.confidence = both.then_some(round(confidence));
        answer.hits = Some(hits);
        Ok(answer)
    }

    pub(super) fn profile(&self, routed: &Routed) -> &Profile {
        self.intents.profile(routed.decision.intent.as_ref())
    }

    /// Searches both channels for one question and fuses what they found.
    fn ranking(
        &self,
        routed: &mut Routed,
        embedded: Option<Embedded>,
        (k, request): (usize, &SearchRequest),
        allowed: Option<&Allowed>,
        times: &mut Times,
    ) -> Result<Ranking, PipelineError> {
        let profile = self.profile(routed).clone();
        let facet_mode = request.facet_mode.unwrap_or(self.facet_mode);
        let narrowed = match facet_mode {
            FacetMode::Filter => self.narrowed(routed, allowed),
            FacetMode::Boost | FacetMode::Off => None,
        };
        let allowed = narrowed.as_ref().or(allowed);
        let heard = self.heard(routed, embedded, request.mode, allowed, times)?;
        let Heard { vector, lexical, speaking } = heard;
        let both = vector.is_some() && lexical.is_some();
        let raises = self.raises(routed, both, facet_mode);
        let weights = speaking.weights(weights(&profile));
        let pool = self.pool(vector.as_ref(), lexical.as_ref());
        let mut fused = pool.fused(self.fusion, weights);
        Raise::all(&raises, &mut fused);
        if facet_mode == FacetMode::Boost {
            Self::tell_facets(routed, &raises, &fused);
        }
        if let Some(least) = request.min_score {
            fused.retain(|hit| round(hit.score) >= least);
        }
        let best = self.diverse(&fused, k, &profile);
        routed.trace.fusion = Some(FusionTrace {
            method: self.fusion.as_str(),
            vector: weights.vector,
            lexical: weights.lexical,
            prefix_share: round(vector.as_ref().map_or(0.0, |found| found.prefix_share)),
        });
        times.stage("fuse");
        Ok(Ranking { best, reach: profile.neighbours, vector, lexical })
    }

    /// Searches both channels for one question.
    pub(super) fn heard(
        &self,
        routed: &mut Routed,
        embedded: Option<Embedded>,
        mode: Mode,
        allowed: Option<&Allowed>,
        times: &mut Times,
    ) -> Result<Heard, PipelineError> {
        let profile = self.profile(routed).clone();
        let vector = embedded.and_then(|embedded| self.by_vector(routed, embedded, allowed));
        times.stage("vector");
        let lexical = match mode {
            Mode::Hybrid | Mode::Lexical => self.by_words(routed, &profile, allowed),
            Mode::Vector => None,
        };
        times.stage("lexical");
        if vector.is_none() && lexical.is_none() {
            return Err(PipelineError::NoChannel);
        }
        let speaking = Speaking::of(mode, vector.as_ref(), lexical.as_ref());
        let silent = lexical.as_ref().is_some_and(|words| words.found.terms == 0);
        if silent && (!speaking.lexical || lexical.as_ref().is_some_and(WordHits::is_empty)) {
            routed.degraded.push("lexical".to_owned());
        }
        Ok(Heard { vector, lexical, speaking })
    }

    /// Embeds all questions where the mode needs it, one after the other: a question must not compete
    /// with itself for the places of the model.
    pub(super) async fn all_embedded(
        &self,
        asked: &mut [Routed],
        mode: Mode,
    ) -> Result<Vec<Option<Embedded>>, PipelineError> {
        let mut embedded = Vec::with_capacity(asked.len());
        for question in asked {
            embedded.push(match mode {
                Mode::Hybrid | Mode::Vector => self.embedded(question).await?,
                Mode::Lexical => None,
            });
        }
        Ok(embedded)
    }

    /// Embeds the question plain and with its prefix, at the same time.
    async fn embedded(&self, routed: &mut Routed) -> Result<Option<Embedded>, PipelineError> {
        let rest = self.without_document_names(routed);
        let plain_query = PrefixedQuery::plain(rest.as_ref().unwrap_or(&routed.query));
        let known = routed.plain.take().filter(|_| rest.is_none());
        let again = match (&routed.prefixed, &rest) {
            (Some(prefixed), Some(rest)) => self.template.prefix(rest, prefixed.groups()),
            _ => None,
        };
        let plain = async {
            match known {
                Some(vector) => Ok(vector),
                None => self.embedder.embed_query(&plain_query).await,
            }
        };
        let prefixed = async {
            match again.as_ref().or(routed.prefixed.as_ref()) {
                Some(query) => self.embedder.embed_query(query).await.map(Some),
                None => Ok(None),
            }
        };
        match tokio::try_join!(plain, prefixed) {
            Ok((plain, prefixed)) => Ok(Some(Embedded { plain, prefixed })),
            Err(EmbedError::Busy) => Err(PipelineError::Busy),
            Err(error) => {
                tracing::warn!(error = %error, "the vector channel is out");
                routed.degraded.push("vector".to_owned());
                routed.trace.notes.push(format!("{error}; found by words only"));
                Ok(None)
            }
        }
    }
}
