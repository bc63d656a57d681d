//! The two channels of one question, and their fusion.

use super::Pipeline;
use super::route::Routed;
use crate::domain::{Allowed, GroupScore, Mode, Profile, Vector};
use crate::retrieval::diversity::diversify;
use crate::retrieval::fuse::{Background, Candidate, Fused, Pool, Scale, Weights};
use crate::retrieval::lexical::{LexicalHits, LexicalRequest};
use crate::retrieval::vector::VectorError;

/// How deep each channel searches, whatever the number of hits asked for: scores must not depend
/// on `k`.
const WINDOW: usize = 100;
/// Hits among which a list may be made diverse, beyond those asked for.
const DIVERSITY_POOL: usize = 20;
/// BM25 scores of sections that share a word with the question and nothing else, for collections
/// too small to show it themselves (measured on the development sets).
pub(super) const LEXICAL_BACKGROUND: Background = Background { mean: 0.0, deviation: 4.0 };
/// Share of the prefixed vectors where the groups are certain: a wrong group then costs the
/// paraphrases less than 5 % of their reciprocal rank; the right one brings less than it could
/// (decision 0007).
pub(super) const PREFIX_SHARE: f64 = 0.25;
/// Margin between the chosen groups and the next one at which the groups count as certain: a phrase.
const CERTAIN_MARGIN: f64 = 2.5;

/// A question embedded plain and with its prefix.
pub(super) struct Embedded {
    pub(super) plain: Vector,
    pub(super) prefixed: Option<Vector>,
}

/// What the vector channel found: nearness of the window, best first, and of any other section.
pub(super) struct VectorHits {
    pub(super) hits: Vec<(u32, f32)>,
    pub(super) scale: Scale,
    pub(super) plain: Vector,
    pub(super) prefixed: Vec<Vector>,
    pub(super) prefix_share: f64,
}

/// What the lexical channel found.
pub(super) struct WordHits {
    pub(super) found: LexicalHits,
    pub(super) scale: Scale,
}

impl WordHits {
    pub(super) fn is_empty(&self) -> bool {
        self.found.hits.is_empty()
    }
}

impl Pipeline {
    pub(super) fn by_vector(
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

    /// The sections nearest to a question, see [`crate::indexing::Index::nearness`].
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
        let scale = Scale::of(scores, self.index.strangers().overall);
        Ok(VectorHits { hits, scale, plain, prefixed, prefix_share })
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
            let scale = Scale::of(scores, LEXICAL_BACKGROUND);
            Ok(WordHits { found, scale })
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

    pub(super) fn by_words_request<'a>(
        &'a self,
        routed: &'a Routed,
        profile: &Profile,
        allowed: Option<&'a Allowed>,
    ) -> LexicalRequest<'a> {
        let fields = &self.fields[&profile.name];
        LexicalRequest { question: routed.query.original(), fields, allowed, limit: WINDOW }
    }

    /// What the channels found, to be weighed. Sections that only words found get their cosine, too.
    pub(super) fn pool(&self, vector: Option<&VectorHits>, lexical: Option<&WordHits>) -> Pool {
        let by_vector = vector.map_or(&[][..], |found| &found.hits);
        let by_words = lexical.map_or(&[][..], |words| &words.found.hits);
        let mut candidates: Vec<Candidate> = (1..)
            .zip(by_vector)
            .map(|(rank, (ordinal, cosine))| Candidate {
                ordinal: *ordinal,
                vector: Some(*cosine),
                vector_rank: Some(rank),
                ..Candidate::default()
            })
            .collect();
        candidates.sort_by_key(|candidate| candidate.ordinal);
        let mut only_words = Vec::new();
        for (rank, (ordinal, score)) in (1..).zip(by_words) {
            let said = |candidate| Candidate {
                lexical: Some(*score),
                lexical_rank: Some(rank),
                ..candidate
            };
            match candidates.binary_search_by_key(ordinal, |candidate| candidate.ordinal) {
                Ok(at) => candidates[at] = said(candidates[at]),
                Err(_) => only_words.push(said(Candidate {
                    ordinal: *ordinal,
                    vector: vector.and_then(|found| self.nearness(found, *ordinal)),
                    ..Candidate::default()
                })),
            }
        }
        candidates.extend(only_words);
        let nothing = || Scale::of(std::iter::empty(), LEXICAL_BACKGROUND);
        Pool {
            candidates,
            vector: vector.map_or_else(nothing, |found| found.scale),
            lexical: lexical.map_or_else(nothing, |words| words.scale),
        }
    }

    /// The best of an order, made diverse where the profile wants it.
    pub(super) fn diverse(&self, fused: &[Fused], k: usize, profile: &Profile) -> Vec<Fused> {
        let pool = &fused[..fused.len().min(k + DIVERSITY_POOL)];
        diversify(pool, k, profile.diversity, |a, b| self.index.similarity(a, b))
    }

    pub(super) fn nearness(&self, found: &VectorHits, ordinal: u32) -> Option<f32> {
        self.index
            .nearness(&found.plain, &found.prefixed, found.prefix_share, ordinal)
            .ok()
            .flatten()
    }
}

/// Which channels have something to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Speaking {
    pub(crate) vector: bool,
    pub(crate) lexical: bool,
}

impl Speaking {
    pub(super) fn of(mode: Mode, vector: Option<&VectorHits>, lexical: Option<&WordHits>) -> Self {
        // Function words are no evidence beside meaning, but all there is where only words search.
        let heard = |words: &WordHits| words.found.terms > 0 || mode == Mode::Lexical;
        Self { vector: vector.is_some(), lexical: lexical.is_some_and(heard) }
    }

    /// The weights of those that have something to say.
    pub(crate) fn weights(self, weights: Weights) -> Weights {
        Weights {
            vector: if self.vector { weights.vector } else { 0.0 },
            lexical: if self.lexical { weights.lexical } else { 0.0 },
        }
    }
}

/// The weights that a profile gives to the channels.
pub(crate) fn weights(profile: &Profile) -> Weights {
    Weights { vector: profile.vector, lexical: profile.lexical }
}

/// How much the prefixed vectors count: all of [`PREFIX_SHARE`] where the chosen groups lead the
/// next one by a phrase, nothing where they are level with it. Words must speak for the groups: the
/// intent's bias alone does not move the search.
pub(super) fn prefix_share(groups: &[GroupScore]) -> f64 {
    let score = |at: usize| groups.get(at).map_or(0.0, |group| group.score);
    let words = groups.first().map_or(0.0, GroupScore::paid_by_words);
    let margin = (score(0) - score(2)).min(words.max(0.0) * 2.0);
    PREFIX_SHARE * (margin / CERTAIN_MARGIN).clamp(0.0, 1.0)
}
