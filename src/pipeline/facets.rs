//! A question that names a customer or a product: filtered or raised by it.

use std::collections::{BTreeMap, BTreeSet};

use super::Pipeline;
use super::route::Routed;
use crate::analysis::{is_function_word, words};
use crate::domain::{Allowed, Facet, NormalisedQuery, Query, Section};
use crate::normalise::normalise;
use crate::retrieval::fuse::{self, Fused};

/// Deviations of evidence that a section gets for each facet that the question names: a good hit
/// stands out by about four, the same paragraph of another customer by no less.
const RAISE: f64 = 2.0;

/// Deviations for a section of the documents that the question names, all of its names together.
const RAISE_BY_NAME: f64 = 4.0;

/// Ids by facet: values of one facet are alternatives.
type Wanted<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

impl Pipeline {
    /// The sections that carry what the question names. Where none does, the facets are taken one by
    /// one, and where still none does, the filter is dropped; a note says so.
    pub(super) fn narrowed(
        &self,
        routed: &mut Routed,
        allowed: Option<&Allowed>,
    ) -> Option<Allowed> {
        let facets = routed.facets.clone();
        let wanted = wanted(&facets);
        if wanted.is_empty() {
            return None;
        }
        let single = wanted.iter().map(|(facet, ids)| BTreeMap::from([(*facet, ids.clone())]));
        let mut tries = vec![wanted.clone()];
        if wanted.len() > 1 {
            tries.extend(single);
        }
        for (at, wanted) in tries.iter().enumerate() {
            let found = Allowed::among(self.index.len(), |ordinal| {
                allowed.is_none_or(|allowed| allowed.contains(ordinal))
                    && count(self.index.section(ordinal), wanted) == wanted.len()
            });
            if found.count() > 0 {
                let widened = if at > 0 { "; no section has all that was named" } else { "" };
                let sections = found.count();
                let note = format!("filtered by {}: {sections} sections{widened}", said(wanted));
                routed.trace.notes.push(note);
                return Some(found);
            }
        }
        let note = format!("no section has {}; searched without this filter", said(&wanted));
        routed.trace.notes.push(note);
        None
    }

    /// The question without the identifiers and names that say which document is meant. They are
    /// strings without meaning: left in, they draw the embedding to the letterhead that writes them
    /// out. `None` where there are none, or nothing else is asked.
    pub(super) fn without_document_names(&self, routed: &mut Routed) -> Option<NormalisedQuery> {
        let question = routed.query.original();
        let fields = &self.fields[&self.profile(routed).name];
        let spans = self.index.lexical().document_names(question, fields).ok()?.spans;
        if spans.is_empty() {
            return None;
        }
        let inside = |at: usize| spans.iter().any(|(start, end)| (*start..*end).contains(&at));
        let letters = question.chars().enumerate();
        let rest: String = letters.map(|(at, c)| if inside(at) { ' ' } else { c }).collect();
        let names_something = words(&rest)
            .iter()
            .any(|word| word.folded.chars().count() > 2 && !is_function_word(&word.folded));
        let rest: Vec<&str> = rest
            .split_whitespace()
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .collect();
        let rest = Query::new(&rest.join(" "), usize::MAX).ok().filter(|_| names_something)?;
        let note = format!("embedded without the names of documents: {}", rest.as_str());
        routed.trace.notes.push(note);
        Some(normalise(&rest))
    }

    /// Raises the sections of the documents that the question names. The embedding does not know of
    /// them, and its weight would bring the same paragraph of another document.
    pub(super) fn raised_by_name(&self, routed: &Routed, fused: &mut [Fused]) {
        let (question, fields) =
            (routed.query.original(), &self.fields[&self.profile(routed).name]);
        // A failing index was told where it searched.
        let Ok(names) = self.index.lexical().document_names(question, fields) else { return };
        let mut shares: Vec<f64> = names.sections.values().copied().collect();
        shares.sort_by(f64::total_cmp);
        // What leads to most comes on top of what leads to less.
        let mut before = 0.0;
        shares.dedup();
        for share in shares {
            let further = RAISE_BY_NAME * (share - before);
            fuse::raise(fused, further, |ordinal| {
                names.sections.get(&ordinal).is_some_and(|own| *own >= share)
            });
            before = share;
        }
    }

    /// Raises the sections that carry what the question names.
    pub(super) fn raised(&self, routed: &mut Routed, fused: &mut [Fused]) {
        let facets = routed.facets.clone();
        let wanted = wanted(&facets);
        let mut raised = 0;
        for (facet, ids) in &wanted {
            let one = BTreeMap::from([(*facet, ids.clone())]);
            let carries = |ordinal: u32| count(self.index.section(ordinal), &one) > 0;
            raised += fused.iter().filter(|hit| carries(hit.ordinal)).count();
            fuse::raise(fused, RAISE, carries);
        }
        if !wanted.is_empty() {
            let note = match raised {
                0 => format!("no section that was found has {}", said(&wanted)),
                _ => format!("raised by {}", said(&wanted)),
            };
            routed.trace.notes.push(note);
        }
    }
}

fn wanted(facets: &[Facet]) -> Wanted<'_> {
    let mut wanted: Wanted<'_> = BTreeMap::new();
    for Facet { facet, id, .. } in facets {
        wanted.entry(facet).or_default().insert(id);
    }
    wanted
}

/// How many of the facets a section carries.
fn count(section: &Section, wanted: &Wanted<'_>) -> usize {
    let carries = |(facet, ids): &(&&str, &BTreeSet<&str>)| {
        let own = section.facets.get(**facet);
        own.is_some_and(|own| ids.iter().any(|id| own.contains(*id)))
    };
    wanted.iter().filter(carries).count()
}

fn said(wanted: &Wanted<'_>) -> String {
    let each = wanted.iter().map(|(facet, ids)| {
        format!("{facet} {}", ids.iter().copied().collect::<Vec<_>>().join(" or "))
    });
    each.collect::<Vec<_>>().join(" and ")
}
