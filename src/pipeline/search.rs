//! The second half: embed, search both channels, fuse, show.

use super::answerable;
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
/// Share of the prefixed vectors where the groups are certain.
pub(super) const PREFIX_SHARE: f64 = 0.5;
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

impl Pipeline {
    pub(super) async fn found(
        &self,
        mut routed: Routed,
        request: &SearchRequest,
        allowed: Option<&Allowed>,
        times: &mut Times,
    ) -> Result<Answer, PipelineError> {
        let profile = self.intents.profile(routed.decision.intent.as_ref()).clone();
        let vector = match request.mode {
            Mode::Hybrid | Mode::Vector => self.by_vector(&mut routed, allowed, times).await?,
            Mode::Lexical => None,
        };
        let lexical = match request.mode {
            Mode::Hybrid | Mode::Lexical => self.by_words(&mut routed, &profile, allowed),
            Mode::Vector => None,
        };
        times.stage("lexical");
        if vector.is_none() && lexical.is_none() {
            return Err(PipelineError::NoChannel);
        }
        let weights = weights(&profile, request.mode, vector.as_ref(), lexical.as_ref());
        let k = request.k.unwrap_or(profile.k);
        let fused = self.fused(vector.as_ref(), lexical.as_ref(), weights);
        let pool = &fused[..fused.len().min(k + DIVERSITY_POOL)];
        let chosen = diversify(pool, k, profile.diversity, |a, b| self.index.similarity(a, b));
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
        routed.trace.evidence = chosen
            .first()
            .map(|first| self.evidence(&routed, first.ordinal, vector.as_ref(), lexical.as_ref()));
        times.stage("evidence");
        let mut hits =
            self.shown(&routed, &chosen, profile.neighbours, vector.as_ref(), lexical.as_ref());
        if request.explain {
            for (hit, fused) in hits.iter_mut().zip(&chosen) {
                let ordinal = fused.ordinal;
                hit.explanation = Some(self.explanation(
                    &routed,
                    &profile,
                    ordinal,
                    vector.as_ref(),
                    lexical.as_ref(),
                ));
            }
        }
        times.stage("snippets");
        // One channel alone, asked for or left over, has too little to judge by.
        let both = vector.is_some() && lexical.is_some();
        let judged = routed.trace.evidence.filter(|_| both).as_ref().map(answerable::judge);
        let mut answer = routed.answer();
        answer.answerable = judged.map(|(answerable, _)| answerable);
        answer.confidence = judged.map(|(_, confidence)| round(confidence));
        answer.hits = Some(hits);
        Ok(answer)
    }

    /// Embeds the question plain and with its prefix, at the same time, and searches both indexes.
    async fn by_vector(
        &self,
        routed: &mut Routed,
        allowed: Option<&Allowed>,
        times: &mut Times,
    ) -> Result<Option<VectorHits>, PipelineError> {
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
        let embedded = tokio::try_join!(plain, prefixed);
        times.stage("embed");
        let (plain, prefixed) = match embedded {
            Ok(vectors) => vectors,
            Err(EmbedError::Busy) => return Err(PipelineError::Busy),
            Err(error) => {
                tracing::warn!(error = %error, "the vector channel is out");
                routed.degraded.push("vector".to_owned());
                routed.trace.notes.push(format!("{error}; found by words only"));
                return Ok(None);
            }
        };
        let prefixed: Vec<Vector> = prefixed.into_iter().collect();
        let share = if prefixed.is_empty() { 0.0 } else { prefix_share(&routed.groups) };
        let found = self.nearest(plain, prefixed, share, allowed);
        times.stage("vector");
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) => {
                tracing::error!(error = %error, "the vector index failed");
                routed.degraded.push("vector".to_owned());
                routed.trace.notes.push("the vector index failed; found by words only".to_owned());
                Ok(None)
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
        profile: &Profile,
        ordinal: u32,
        vector: Option<&VectorHits>,
        lexical: Option<&WordHits>,
    ) -> Explanation {
        let vector =
            vector.and_then(|found| Some(found.background.evidence(self.cosine(found, ordinal)?)));
        let terms = match lexical {
            Some(_) => {
                let request = self.by_words_request(routed, profile, None);
                self.index.lexical().explain(&request, ordinal).unwrap_or_default()
            }
            None => Vec::new(),
        };
        let sum: f32 = terms.iter().map(|term| term.score).sum();
        let lexical = lexical.filter(|_| sum > 0.0).map(|words| words.background.evidence(sum));
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

    fn shown(
        &self,
        routed: &Routed,
        chosen: &[Fused],
        reach: usize,
        vector: Option<&VectorHits>,
        lexical: Option<&WordHits>,
    ) -> Vec<Hit> {
        let channel = |hits: &[(u32, f32)], ordinal: u32| {
            hits.iter()
                .position(|(found, _)| *found == ordinal)
                .map(|at| ChannelScore { rank: at + 1, score: round(f64::from(hits[at].1)) })
        };
        let highlighter = self.index.lexical().highlighter(routed.query.original());
        chosen
            .iter()
            .enumerate()
            .map(|(at, fused)| {
                let section = self.index.section(fused.ordinal);
                let snippet = highlighter.snippet(&section.text);
                Hit {
                    rank: at + 1,
                    id: section.id.to_string(),
                    title: section.title.clone(),
                    path: section.path.clone(),
                    group: section.group.as_ref().map(ToString::to_string),
                    score: round(fused.score),
                    snippet: snippet.html,
                    neighbours: self
                        .index
                        .neighbours(fused.ordinal, reach)
                        .into_iter()
                        .map(|ordinal| {
                            let section = self.index.section(ordinal);
                            Neighbour { id: section.id.to_string(), title: section.title.clone() }
                        })
                        .collect(),
                    explanation: None,
                    channels: Channels {
                        vector: vector.and_then(|found| channel(&found.hits, fused.ordinal)),
                        lexical: lexical
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
