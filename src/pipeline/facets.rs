//! A question that names a customer or a product: filtered or raised by it.

use std::collections::{BTreeMap, BTreeSet};

use super::Pipeline;
use super::route::Routed;
use crate::analysis::{is_function_word, words};
use crate::domain::{Allowed, Facet, FacetMode, NormalisedQuery, Query, Section};
use crate::normalise::normalise;
use crate::retrieval::fuse::{self, Fused};
use crate::retrieval::lexical::DocumentNames;

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
        let spans = &self.document_names(routed)?.spans;
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

    /// What of a question says which documents are meant, and their sections; looked up once. `None`
    /// where the index can not be read, which is told where it searches.
    fn document_names<'a>(&self, routed: &'a Routed) -> Option<&'a DocumentNames> {
        let names = routed.document_names.get_or_init(|| {
            let fields = &self.fields[&self.profile(routed).name];
            self.index.lexical().document_names(routed.query.original(), fields).ok()
        });
        names.as_ref()
    }

    /// What raises sections in the fusion: the documents that the question names, where `both` channels
    /// searched, and the facets.
    pub(super) fn raises(&self, routed: &Routed, both: bool, mode: FacetMode) -> Vec<Raise> {
        let mut raises = Vec::new();
        if both {
            raises.extend(self.raises_by_name(routed));
        }
        if mode == FacetMode::Boost {
            raises.extend(self.raises_by_facet(routed));
        }
        raises
    }

    /// The embedding does not know of the documents that a question names, and its weight would bring
    /// the same paragraph of another one.
    fn raises_by_name(&self, routed: &Routed) -> Vec<Raise> {
        let Some(names) = self.document_names(routed) else { return Vec::new() };
        let mut shares: Vec<f64> = names.sections.values().copied().collect();
        shares.sort_by(f64::total_cmp);
        shares.dedup();
        // What leads to most comes on top of what leads to less.
        let mut before = 0.0;
        let raise = |share: f64| {
            let named = names.sections.iter().filter(|(_, own)| **own >= share);
            let by = RAISE_BY_NAME * (share - std::mem::replace(&mut before, share));
            Raise { by, sections: named.map(|(ordinal, _)| *ordinal).collect() }
        };
        shares.into_iter().map(raise).collect()
    }

    fn raises_by_facet(&self, routed: &Routed) -> Vec<Raise> {
        let wanted = wanted(&routed.facets);
        let one = |(facet, ids): (&&'_ str, &BTreeSet<&'_ str>)| {
            let one = BTreeMap::from([(*facet, ids.clone())]);
            let sections = self.index.sections();
            let carries = (0..).zip(sections).filter(|(_, section)| count(section, &one) > 0);
            Raise { by: RAISE, sections: carries.map(|(ordinal, _)| ordinal).collect() }
        };
        wanted.iter().map(one).collect()
    }

    /// Says which facets raised sections, and where none of those that were found carries any.
    pub(super) fn tell_facets(routed: &mut Routed, raises: &[Raise], fused: &[Fused]) {
        let wanted = wanted(&routed.facets);
        if wanted.is_empty() {
            return;
        }
        let by_facet = &raises[raises.len().saturating_sub(wanted.len())..];
        let carried = |hit: &Fused| by_facet.iter().any(|raise| raise.raises(hit.ordinal));
        let note = if fused.iter().any(carried) {
            format!("raised by {}", said(&wanted))
        } else {
            format!("no section that was found has {}", said(&wanted))
        };
        routed.trace.notes.push(note);
    }
}

/// Sections that are raised in the fusion, and by how many deviations of evidence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Raise {
    by: f64,
    sections: BTreeSet<u32>,
}

impl Raise {
    fn raises(&self, ordinal: u32) -> bool {
        self.sections.contains(&ordinal)
    }

    /// One raise after the other.
    pub(super) fn all(raises: &[Self], fused: &mut [Fused]) {
        for raise in raises {
            fuse::raise(fused, raise.by, |ordinal| raise.raises(ordinal));
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
