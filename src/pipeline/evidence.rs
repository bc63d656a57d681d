//! What speaks for the first hit.

use super::Pipeline;
use super::channels::{VectorHits, WordHits};
use super::route::{Routed, round};
use crate::domain::{Evidence, GroupScore};

impl Pipeline {
    /// The figures from which the probability of an answer is estimated.
    pub(super) fn evidence(
        &self,
        routed: &Routed,
        first: u32,
        vector: Option<&VectorHits>,
        lexical: Option<&WordHits>,
    ) -> Evidence {
        let mut evidence = Evidence::default();
        if let Some(found) = vector {
            let cosine = |ordinal| self.index.cosine(&found.plain, ordinal).ok().flatten();
            let strangers = self.index.strangers();
            let usual = strangers.overall;
            evidence.meaning = cosine(first)
                .map_or(0.0, |cosine| round((f64::from(cosine) - usual.mean) / usual.deviation));
            let nearest = found.hits.iter().filter_map(|(at, _)| Some((*at, cosine(*at)?)));
            evidence.standing = strangers.standing(nearest).map_or(0.0, round);
            let nearness = self.nearness(found, first);
            evidence.lead =
                round(nearness.map_or(0.0, |near| found.scale.background.evidence(near)));
            let guesses = self.index.classifier().guess(&routed.query, &found.plain);
            let unknown = guesses.iter().find(|guess| guess.intent.is_none());
            evidence.small_talk = round(unknown.map_or(0.0, |guess| guess.confidence));
        }
        let leads = |hits: &[(u32, f32)]| hits.first().is_some_and(|hit| hit.0 == first);
        if let Some(WordHits { found, scale }) = lexical {
            let score = found.hits.iter().find(|(ordinal, _)| *ordinal == first);
            evidence.lexical = round(score.map_or(0.0, |hit| scale.background.evidence(hit.1)));
            evidence.identifier = if !found.unknown_identifiers.is_empty() {
                -1.0
            } else if found.identifiers > 0 && leads(&found.hits) {
                1.0
            } else {
                0.0
            };
        }
        let question = routed.query.original();
        if let Ok(coverage) = self.index.lexical().coverage(question, first) {
            evidence.words = round(coverage.section);
            evidence.known_words = round(coverage.index);
        }
        let leading = [
            vector.is_some_and(|found| leads(&found.hits)),
            lexical.is_some_and(|found| leads(&found.found.hits)),
        ];
        evidence.first_in = leading.iter().filter(|leads| **leads).count() as f64;
        let group = self.index.section(first).group.as_ref();
        let paid = routed.groups.iter().find(|score| Some(&score.id) == group);
        evidence.group = paid.map_or(0.0, GroupScore::paid_by_words);
        evidence
    }
}
