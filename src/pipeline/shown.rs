//! Hits for people: snippets, neighbours, and where the scores come from.

use super::Pipeline;
use super::route::{Routed, round};
use super::search::Ranking;
use crate::domain::{ChannelScore, Channels, Explanation, Hit, Neighbour};
use crate::retrieval::fuse::Fused;

impl Pipeline {
    /// Where the score of a section comes from.
    pub(super) fn explanation(
        &self,
        routed: &Routed,
        ordinal: u32,
        Ranking { vector, lexical, .. }: &Ranking,
    ) -> Explanation {
        let vector = vector.as_ref();
        let vector = vector.and_then(|found| {
            Some(found.scale.background.evidence(self.nearness(found, ordinal)?))
        });
        let terms = match lexical {
            Some(_) => {
                let request = self.by_words_request(routed, self.profile(routed), None);
                self.index.lexical().explain(&request, ordinal).unwrap_or_default()
            }
            None => Vec::new(),
        };
        let sum: f32 = terms.iter().map(|term| term.score).sum();
        let lexical = lexical
            .as_ref()
            .filter(|_| sum > 0.0)
            .map(|words| words.scale.background.evidence(sum));
        Explanation {
            vector_evidence: vector.map(round),
            lexical_evidence: lexical.map(round),
            terms,
        }
    }

    /// The hits for people; the number beside each is the position of its question and ranking.
    pub(super) fn shown(
        &self,
        asked: &[Routed],
        whole: usize,
        hits: &[(usize, Fused)],
        rankings: &[Ranking],
    ) -> Vec<Hit> {
        let channel = |hits: &[(u32, f32)], ordinal: u32| {
            hits.iter()
                .position(|(found, _)| *found == ordinal)
                .map(|at| ChannelScore { rank: at + 1, score: round(f64::from(hits[at].1)) })
        };
        let highlighter = self.index.lexical().highlighter(asked[whole].query.original());
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
                    facets: section.facets.clone(),
                    score: round(fused.score),
                    snippet: highlighter.snippet(&section.text).html,
                    neighbours: neighbours.into_iter().map(neighbour).collect(),
                    explanation: None,
                    found_for: (*of > whole).then(|| asked[*of].query.original().to_owned()),
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
