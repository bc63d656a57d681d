//! Several questions asked at once, and the things that a question compares: one route from those of
//! the parts, one list from all their hits.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::Pipeline;
use super::route::{Routed, intent_answer};
use crate::domain::{GroupId, ItemTrace, PartTrace, Trace};
use crate::groups::CHOSEN;
use crate::normalise::compared;
use crate::retrieval::fuse::Fused;

impl Pipeline {
    /// The whole question with what its parts ask: their intents beside its own, and the best group
    /// of each part before further groups of the whole.
    pub(super) fn joined(&self, mut whole: Routed, mut parts: Vec<Routed>) -> Routed {
        if whole.decision.intent.is_none()
            && let Some(part) = parts.iter().find(|part| part.decision.intent.is_some())
        {
            whole.decision = part.decision.clone();
            whole.trace.profile.clone_from(&part.trace.profile);
        }
        for part in &mut parts {
            // `Was zahlt Hoffmann, und wann wird geliefert?` asks both of Hoffmann.
            if part.facets.is_empty() {
                part.facets.clone_from(&whole.facets);
            }
        }
        for part in &parts {
            let intent = part.decision.intent.iter();
            let also = &mut whole.decision.also;
            let new = intent
                .filter(|id| whole.decision.intent.as_ref() != Some(id) && !also.contains(id));
            let new: Vec<_> = new.cloned().collect();
            also.extend(new);
            whole.trace.parts.push(PartTrace {
                question: part.query.original().to_owned(),
                intent: intent_answer(&part.decision),
                groups: part.chosen().map(|group| group.id.to_string()).collect(),
            });
            whole.absorb(part);
        }
        let first = parts.iter().filter_map(|part| part.chosen().next());
        let mut wanted: Vec<&GroupId> = Vec::new();
        for group in first.chain(whole.chosen()) {
            if wanted.len() < CHOSEN && !wanted.contains(&&group.id) {
                wanted.push(&group.id);
            }
        }
        let best_first = whole.groups.iter().map(|group| &group.id);
        let chosen: Vec<GroupId> = best_first.filter(|id| wanted.contains(id)).cloned().collect();
        whole.prefixed = self.template.prefix(&whole.query, &chosen);
        whole.parts = parts;
        whole
    }

    /// A comparison with the things it compares: each is searched for itself, where the profile says so.
    pub(super) fn with_items(&self, mut whole: Routed) -> Routed {
        if !self.profile(&whole).per_item {
            return whole;
        }
        for query in compared(&whole.query) {
            let groups = self.known_groups(&query, whole.decision.intent.as_ref());
            let prefixed = self.template.prefix(&query, &self.groups.chosen(&groups));
            let item = Routed {
                decision: whole.decision.clone(),
                groups,
                prefixed,
                plain: None,
                degraded: Vec::new(),
                facets: self.taxonomy.find(query.original()),
                document_names: OnceLock::new(),
                similar_identifiers: Vec::new(),
                trace: Trace::default(),
                parts: Vec::new(),
                items: Vec::new(),
                query,
            };
            whole.trace.items.push(ItemTrace {
                question: item.query.original().to_owned(),
                groups: item.chosen().map(|group| group.id.to_string()).collect(),
            });
            whole.items.push(item);
        }
        whole
    }
}

impl Routed {
    /// All that is searched for, and the position of the whole question in it.
    ///
    /// Parts come first: each is a question of its own, the whole only adds to them. What a
    /// comparison compares comes behind it: the best section may speak of all.
    pub(super) fn asked(mut self) -> (Vec<Self>, usize) {
        let mut asked = std::mem::take(&mut self.parts);
        let items = std::mem::take(&mut self.items);
        let whole = asked.len();
        asked.push(self);
        asked.extend(items);
        (asked, whole)
    }

    /// Takes over what was not available for a part.
    pub(super) fn absorb(&mut self, part: &Self) {
        for degraded in &part.degraded {
            if !self.degraded.contains(degraded) {
                self.degraded.push(degraded.clone());
            }
        }
        for identifier in &part.similar_identifiers {
            if !self.similar_identifiers.contains(identifier) {
                self.similar_identifiers.push(identifier.clone());
            }
        }
        for note in &part.trace.notes {
            if !self.trace.notes.contains(note) {
                self.trace.notes.push(note.clone());
            }
        }
    }
}

/// The lists of all that was asked, see [`Routed::asked`]: parts and whole in turn, and of each thing
/// that is compared its best section behind the best of the whole, which often speaks of all. More of
/// them would push the whole's own hits out of sight.
pub(super) fn merged(lists: &[&[Fused]], whole: usize, k: usize) -> Vec<(usize, Fused)> {
    let shown =
        |(at, list): (usize, &&[Fused])| if at > whole { list.len().min(1) } else { list.len() };
    let lengths = lists.iter().enumerate().map(shown);
    let lists: Vec<&[Fused]> =
        lists.iter().zip(lengths).map(|(list, length)| &list[..length]).collect();
    interleaved(&lists, k)
}

/// The lists in turn, each section once, at most `k`: position in `lists`, and the hit. By their
/// scores alone, one part could push all hits of another out of sight; so the turn decides, and no
/// hit shows a higher score than the one above it. A single list stays as it is.
fn interleaved(lists: &[&[Fused]], k: usize) -> Vec<(usize, Fused)> {
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or_default();
    let mut seen = BTreeSet::new();
    let mut hits: Vec<(usize, Fused)> = Vec::with_capacity(k);
    for rank in 0..longest {
        for (at, list) in lists.iter().enumerate() {
            let Some(hit) = list.get(rank).filter(|hit| seen.insert(hit.ordinal)) else { continue };
            let above = hits.last().filter(|_| lists.len() > 1);
            let most = above.map_or(f64::INFINITY, |(_, above)| above.score);
            hits.push((at, Fused { score: hit.score.min(most), ..*hit }));
        }
    }
    hits.truncate(k);
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(ordinal: u32, score: f64) -> Fused {
        Fused { ordinal, score }
    }

    #[test]
    fn each_part_has_its_best_hit_in_front() {
        let one = [hit(1, 0.9), hit(2, 0.8), hit(3, 0.7)];
        let other = [hit(7, 0.5), hit(1, 0.4), hit(8, 0.3)];
        let hits = interleaved(&[&one, &other], 4);
        let order: Vec<(usize, u32)> = hits.iter().map(|(at, hit)| (*at, hit.ordinal)).collect();
        assert_eq!(order, [(0, 1), (1, 7), (0, 2), (0, 3)]);
        assert!(hits.windows(2).all(|pair| pair[0].1.score >= pair[1].1.score));
        assert!(interleaved(&[], 3).is_empty());
    }

    #[test]
    fn each_thing_that_is_compared_adds_its_best_section_and_no_more() {
        let whole = [hit(1, 0.9), hit(2, 0.8), hit(3, 0.7)];
        let (one, other) = ([hit(1, 0.9), hit(4, 0.8)], [hit(7, 0.95), hit(8, 0.9)]);
        let hits = merged(&[&whole, &one, &other], 0, 5);
        let order: Vec<(usize, u32)> = hits.iter().map(|(at, hit)| (*at, hit.ordinal)).collect();
        assert_eq!(order, [(0, 1), (2, 7), (0, 2), (0, 3)]);
        assert!(hits.windows(2).all(|pair| pair[0].1.score >= pair[1].1.score));
    }
}
