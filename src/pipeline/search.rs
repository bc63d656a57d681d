//! The second half: embed, search both channels for the question and its parts, judge, show.

use super::answerable;
use super::channels::{Embedded, VectorHits, WordHits, weights};
use super::parts::interleaved;
use super::route::{Routed, round};
use super::{Pipeline, PipelineError, SearchRequest, Times};
use crate::config::Fusion;
use crate::domain::{
    Allowed, Answer, Evidence, Explanation, FacetMode, FusionTrace, Mode, PrefixedQuery, Profile,
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

impl Pipeline {
    pub(super) async fn found(
        &self,
        mut routed: Routed,
        request: &SearchRequest,
        allowed: Option<&Allowed>,
        times: &mut Times,
    ) -> Result<Answer, PipelineError> {
        // The parts first: each is a question of its own, the whole only adds to them.
        let mut asked = std::mem::take(&mut routed.parts);
        asked.push(routed);
        let embedded = match request.mode {
            Mode::Hybrid | Mode::Vector => {
                let mut embedded = Vec::with_capacity(asked.len());
                for question in &mut asked {
                    embedded.push(self.embedded(question).await?);
                }
                embedded
            }
            Mode::Lexical => asked.iter().map(|_| None).collect(),
        };
        times.stage("embed");
        let profiles = asked.iter().map(|question| self.profile(question).k);
        let k = request.k.or(profiles.max()).expect("the whole question is asked");
        let mut rankings = Vec::with_capacity(asked.len());
        for (question, embedded) in asked.iter_mut().zip(embedded) {
            rankings.push(self.ranking(question, embedded, (k, request), allowed, times)?);
        }
        let lists: Vec<&[Fused]> = rankings.iter().map(|ranking| &ranking.best[..]).collect();
        let chosen = interleaved(&lists, k);
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
        // A question in parts is answered where one of its parts is.
        let answered = evidences.iter().flatten().any(|evidence| answerable::judge(evidence).0);
        times.stage("evidence");
        let explain = |of: usize, ordinal| {
            request.explain.then(|| self.explanation(&asked[of], ordinal, &rankings[of]))
        };
        let explanations: Vec<Option<Explanation>> =
            chosen.iter().map(|(of, fused)| explain(*of, fused.ordinal)).collect();
        let mut routed = asked.pop().expect("the whole question was pushed last");
        for part in &asked {
            routed.absorb(part);
        }
        routed.trace.evidence = first;
        let mut hits = self.shown(&routed, &chosen, &rankings);
        for (hit, explanation) in hits.iter_mut().zip(explanations) {
            hit.explanation = explanation;
        }
        times.stage("snippets");
        // One channel alone, asked for or left over, has too little to judge by.
        let both = rankings.iter().all(|of| of.vector.is_some() && of.lexical.is_some());
        let judged = routed.trace.evidence.filter(|_| both).as_ref().map(answerable::judge);
        let mut answer = routed.answer();
        answer.answerable = judged.map(|_| answered);
        answer.confidence = judged.map(|(_, confidence)| round(confidence));
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
        let mode = request.mode;
        let profile = self.profile(routed).clone();
        let facet_mode = request.facet_mode.unwrap_or(self.facet_mode);
        let narrowed = match facet_mode {
            FacetMode::Filter => self.narrowed(routed, allowed),
            FacetMode::Boost | FacetMode::Off => None,
        };
        let allowed = narrowed.as_ref().or(allowed);
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
        let weights = weights(&profile, mode, vector.as_ref(), lexical.as_ref());
        let mut fused = self.fused(vector.as_ref(), lexical.as_ref(), weights);
        if vector.is_some() && lexical.is_some() {
            self.raised_by_name(routed, &mut fused);
        }
        if facet_mode == FacetMode::Boost {
            self.raised(routed, &mut fused);
        }
        let best = self.diverse(&fused, k, &profile);
        routed.trace.fusion = Some(FusionTrace {
            method: match self.fusion {
                Fusion::Linear => "linear",
                Fusion::Rrf => "rrf",
            },
            vector: weights.vector,
            lexical: weights.lexical,
            prefix_share: round(vector.as_ref().map_or(0.0, |found| found.prefix_share)),
        });
        times.stage("fuse");
        Ok(Ranking { best, reach: profile.neighbours, vector, lexical })
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
