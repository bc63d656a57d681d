//! The second half: embed, search both channels, fuse, show.

use futures_util::future::try_join_all;

use super::answerable;
use super::parts::interleaved;
use super::route::{Routed, round};
use super::{Pipeline, PipelineError, SearchRequest, Times};
use crate::config::Fusion;
use crate::domain::{
    Allowed, Answer, ChannelScore, Channels, Explanation, FusionTrace, GroupScore, Hit, Mode,
    Neighbour, PrefixedQuery, Profile, Reason, Vector,
};
use crate::embedding::EmbedError;
use crate::retrieval::diversity::diversify;
use crate::retrieval::fuse::{self, Background, Candidate, Fused, Weights};
use crate::retrieval::lexical::{LexicalHits, LexicalRequest};
use crate::retrieval::vector::VectorError;

/// How deep each channel searches, whatever the number of hits asked for: scores must not depend
/// on `k`.
const WINDOW: usize = 100;
/// Hits among which a list may be made diverse, beyond those asked for.
pub(super) const DIVERSITY_POOL: usize = 20;
/// BM25 scores of sections that share a word with the question and nothing else, for collections
/// too small to show it themselves (measured on the development sets).
const LEXICAL_BACKGROUND: Background = Background { mean: 0.0, deviation: 4.0 };
/// Share of the prefixed vectors where the groups are certain: the most at which a wrong group costs
/// no development set more than 5 % of its reciprocal rank (decision 0007).
pub(super) const PREFIX_SHARE: f64 = 0.25;
/// Margin between the chosen groups and the next one at which the groups count as certain: a phrase.
const CERTAIN_MARGIN: f64 = 2.5;

/// What the vector channel found: cosines of the window, best first, and of any other section.
pub(super) struct VectorHits {
    pub(super) hits: Vec<(u32, f32)>,
    pub(super) background: Background,
    pub(super) plain: Vector,
    prefixed: Vec<Vector>,
    prefix_share: f64,
}

/// What the lexical channel found.
pub(super) struct WordHits {
    pub(super) found: LexicalHits,
    pub(super) background: Background,
}

/// A question embedded plain and with its prefix.
struct Embedded {
    plain: Vector,
    prefixed: Option<Vector>,
}

/// The best sections for one question, with what each channel said.
struct Ranking {
    best: Vec<Fused>,
    /// How many sections beside a hit are offered.
    reach: usize,
    vector: Option<VectorHits>,
    lexical: Option<WordHits>,
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
                try_join_all(asked.iter_mut().map(|question| self.embedded(question))).await?
            }
            Mode::Lexical => asked.iter().map(|_| None).collect(),
        };
        times.stage("embed");
        let profiles = asked.iter().map(|question| self.profile(question).k);
        let k = request.k.or(profiles.max()).expect("the whole question is asked");
        let mut rankings = Vec::with_capacity(asked.len());
        for (question, embedded) in asked.iter_mut().zip(embedded) {
            rankings.push(self.ranking(question, embedded, (k, request.mode), allowed, times)?);
        }
        let lists: Vec<&[Fused]> = rankings.iter().map(|ranking| &ranking.best[..]).collect();
        let chosen = interleaved(&lists, k);
        let evidence = chosen.first().map(|(of, first)| {
            let Ranking { vector, lexical, .. } = &rankings[*of];
            self.evidence(&asked[*of], first.ordinal, vector.as_ref(), lexical.as_ref())
        });
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
        routed.trace.evidence = evidence;
        let mut hits = self.shown(&routed, &chosen, &rankings);
        for (hit, explanation) in hits.iter_mut().zip(explanations) {
            hit.explanation = explanation;
        }
        times.stage("snippets");
        // One channel alone, asked for or left over, has too little to judge by.
        let both = rankings.iter().all(|of| of.vector.is_some() && of.lexical.is_some());
        let judged = routed.trace.evidence.filter(|_| both).as_ref().map(answerable::judge);
        let mut answer = routed.answer();
        answer.answerable = judged.map(|(answerable, _)| answerable);
        answer.confidence = judged.map(|(_, confidence)| round(confidence));
        answer.hits = Some(hits);
        Ok(answer)
    }

    fn profile(&self, routed: &Routed) -> &Profile {
        self.intents.profile(routed.decision.intent.as_ref())
    }

    /// Searches both channels for one question and fuses what they found.
    fn ranking(
        &self,
        routed: &mut Routed,
        embedded: Option<Embedded>,
        (k, mode): (usize, Mode),
        allowed: Option<&Allowed>,
        times: &mut Times,
    ) -> Result<Ranking, PipelineError> {
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
        let weights = weights(&profile, mode, vector.as_ref(), lexical.as_ref());
        let fused = self.fused(vector.as_ref(), lexical.as_ref(), weights);
        let pool = &fused[..fused.len().min(k + DIVERSITY_POOL)];
        let best = diversify(pool, k, profile.diversity, |a, b| self.index.similarity(a, b));
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
        let plain_query = PrefixedQuery::plain(&routed.query);
        let plain = async {
            match routed.plain.take() {
                Some(vector) => Ok(vector),
                None => self.embedder.embed_query(&plain_query).await,
            }
        };
        let prefixed = async {
            match &routed.prefixed {
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

    fn by_vector(
        &self,
        routed: &mut Routed,
        embedded: Embedded,
        allowed: Option<&Allowed>,
    ) -> Option<VectorHits> {
        let Embedded { plain, prefixed } = embedded;
        let prefixed: Vec<Vector> = prefixed.into_iter().collect();
        let share = if prefixed.is_empty() { 0.0 } else { prefix_share(&routed.groups) };
        match self.nearest(plain, prefixed, share, allowed) {
            Ok(found) => Some(found),
            Err(error) => {
                tracing::error!(error = %error, "the vector index failed");
                routed.degraded.push("vector".to_owned());
                routed.trace.notes.push("the vector index failed; found by words only".to_owned());
                None
            }
        }
    }

    /// The sections nearest to a question, see [`crate::indexing::Index::cosine`].
    pub(super) fn nearest(
        &self,
        plain: Vector,
        prefixed: Vec<Vector>,
        prefix_share: f64,
        allowed: Option<&Allowed>,
    ) -> Result<VectorHits, VectorError> {
        let nearest =
            |allowed| self.index.nearest(&plain, &prefixed, prefix_share, WINDOW, allowed);
        let hits = nearest(allowed)?;
        let all = if allowed.is_some() { &nearest(None)? } else { &hits };
        let scores = all.iter().map(|(_, score)| *score);
        let background = Background::of(scores, self.index.strangers().overall);
        Ok(VectorHits { hits, background, plain, prefixed, prefix_share })
    }

    pub(super) fn by_words(
        &self,
        routed: &mut Routed,
        profile: &Profile,
        allowed: Option<&Allowed>,
    ) -> Option<WordHits> {
        let search =
            |allowed| self.index.lexical().search(&self.by_words_request(routed, profile, allowed));
        let found = search(allowed).and_then(|found| {
            let all = if allowed.is_some() { &search(None)? } else { &found };
            let scores = all.hits.iter().map(|(_, score)| *score);
            let background = Background::of(scores, LEXICAL_BACKGROUND);
            Ok(WordHits { found, background })
        });
        match found {
            Ok(found) => {
                if found.found.terms == 0 {
                    let note = "the question has no word to search for; found by meaning only";
                    routed.trace.notes.push(note.to_owned());
                }
                routed.similar_identifiers.clone_from(&found.found.similar_identifiers);
                Some(found)
            }
            Err(error) => {
                tracing::error!(error = %error, "the lexical index failed");
                routed.degraded.push("lexical".to_owned());
                let note = "the lexical index failed; found by meaning only";
                routed.trace.notes.push(note.to_owned());
                None
            }
        }
    }

    fn by_words_request<'a>(
        &'a self,
        routed: &'a Routed,
        profile: &Profile,
        allowed: Option<&'a Allowed>,
    ) -> LexicalRequest<'a> {
        let fields = &self.fields[&profile.name];
        LexicalRequest { question: routed.query.original(), fields, allowed, limit: WINDOW }
    }

    /// Where the score of a section comes from.
    fn explanation(
        &self,
        routed: &Routed,
        ordinal: u32,
        Ranking { vector, lexical, .. }: &Ranking,
    ) -> Explanation {
        let vector = vector.as_ref();
        let vector =
            vector.and_then(|found| Some(found.background.evidence(self.cosine(found, ordinal)?)));
        let terms = match lexical {
            Some(_) => {
                let request = self.by_words_request(routed, self.profile(routed), None);
                self.index.lexical().explain(&request, ordinal).unwrap_or_default()
            }
            None => Vec::new(),
        };
        let sum: f32 = terms.iter().map(|term| term.score).sum();
        let lexical =
            lexical.as_ref().filter(|_| sum > 0.0).map(|words| words.background.evidence(sum));
        Explanation {
            vector_evidence: vector.map(round),
            lexical_evidence: lexical.map(round),
            terms,
        }
    }

    pub(super) fn fused(
        &self,
        vector: Option<&VectorHits>,
        lexical: Option<&WordHits>,
        weights: Weights,
    ) -> Vec<Fused> {
        let by_vector = vector.map_or(&[][..], |found| &found.hits);
        let by_words = lexical.map_or(&[][..], |words| &words.found.hits);
        match self.fusion {
            Fusion::Linear => {
                let mut candidates: Vec<Candidate> = by_vector
                    .iter()
                    .map(|(ordinal, cosine)| Candidate {
                        ordinal: *ordinal,
                        vector: Some(*cosine),
                        lexical: None,
                    })
                    .collect();
                candidates.sort_by_key(|candidate| candidate.ordinal);
                let mut only_words = Vec::new();
                for (ordinal, score) in by_words {
                    match candidates.binary_search_by_key(ordinal, |candidate| candidate.ordinal) {
                        Ok(at) => candidates[at].lexical = Some(*score),
                        Err(_) => only_words.push(Candidate {
                            ordinal: *ordinal,
                            vector: vector.and_then(|found| self.cosine(found, *ordinal)),
                            lexical: Some(*score),
                        }),
                    }
                }
                candidates.extend(only_words);
                let nothing = LEXICAL_BACKGROUND; // of a channel that found nothing: never read
                let vector = vector.map_or(nothing, |found| found.background);
                let lexical = lexical.map_or(nothing, |words| words.background);
                fuse::linear(&candidates, vector, lexical, weights)
            }
            Fusion::Rrf => {
                let order = |hits: &[(u32, f32)]| -> Vec<u32> {
                    hits.iter().map(|(ordinal, _)| *ordinal).collect()
                };
                fuse::reciprocal_rank(&order(by_vector), &order(by_words), weights)
            }
        }
    }

    pub(super) fn cosine(&self, found: &VectorHits, ordinal: u32) -> Option<f32> {
        self.index.cosine(&found.plain, &found.prefixed, found.prefix_share, ordinal).ok().flatten()
    }

    /// The hits for people; the number beside each is the position of its ranking.
    fn shown(&self, routed: &Routed, hits: &[(usize, Fused)], rankings: &[Ranking]) -> Vec<Hit> {
        let channel = |hits: &[(u32, f32)], ordinal: u32| {
            hits.iter()
                .position(|(found, _)| *found == ordinal)
                .map(|at| ChannelScore { rank: at + 1, score: round(f64::from(hits[at].1)) })
        };
        let highlighter = self.index.lexical().highlighter(routed.query.original());
        let neighbour = |ordinal| {
            let section = self.index.section(ordinal);
            Neighbour { id: section.id.to_string(), title: section.title.clone() }
        };
        hits.iter()
            .enumerate()
            .map(|(at, (of, fused))| {
                let Ranking { reach, vector, lexical, .. } = &rankings[*of];
                let section = self.index.section(fused.ordinal);
                let neighbours = self.index.neighbours(fused.ordinal, *reach);
                Hit {
                    rank: at + 1,
                    id: section.id.to_string(),
                    title: section.title.clone(),
                    path: section.path.clone(),
                    group: section.group.as_ref().map(ToString::to_string),
                    score: round(fused.score),
                    snippet: highlighter.snippet(&section.text).html,
                    neighbours: neighbours.into_iter().map(neighbour).collect(),
                    explanation: None,
                    channels: Channels {
                        vector: vector.as_ref().and_then(|v| channel(&v.hits, fused.ordinal)),
                        lexical: lexical
                            .as_ref()
                            .and_then(|words| channel(&words.found.hits, fused.ordinal)),
                    },
                }
            })
            .collect()
    }
}

/// Weights of the channels that searched.
pub(super) fn weights(
    profile: &Profile,
    mode: Mode,
    vector: Option<&VectorHits>,
    lexical: Option<&WordHits>,
) -> Weights {
    Weights {
        vector: if vector.is_some() { profile.vector } else { 0.0 },
        lexical: match lexical {
            // Function words are no evidence beside meaning, but all there is where only words search.
            Some(words) if words.found.terms > 0 || mode == Mode::Lexical => profile.lexical,
            Some(_) | None => 0.0,
        },
    }
}

/// How much the prefixed vectors count: all of [`PREFIX_SHARE`] where the chosen groups lead the
/// next one by a phrase, nothing where they are level with it. Words must speak for the groups: the
/// intent's bias alone does not move the search.
pub(super) fn prefix_share(groups: &[GroupScore]) -> f64 {
    let score = |at: usize| groups.get(at).map_or(0.0, |group| group.score);
    let words: f64 = groups.first().map_or(0.0, |group| {
        group
            .payments
            .iter()
            .filter(|payment| payment.reason != Reason::Bias)
            .map(|payment| payment.amount)
            .sum()
    });
    let margin = (score(0) - score(2)).min(words.max(0.0) * 2.0);
    PREFIX_SHARE * (margin / CERTAIN_MARGIN).clamp(0.0, 1.0)
}
