//! What a caller may ask of a search.

use std::collections::{BTreeMap, BTreeSet};

use super::PipelineError;
use crate::domain::{Allowed, GroupId, Mode, Section, suggestion};
use crate::indexing::Index;

/// Most hits in one answer.
const MOST_HITS: usize = 100;

/// A search without its question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchRequest {
    /// How many hits, 1 to [`MOST_HITS`]; `None` leaves it to the intent's profile.
    pub k: Option<usize>,
    /// Hits with a lower score are left out, 0 to 1; `None` shows all.
    pub min_score: Option<f64>,
    /// Which channels search.
    pub mode: Mode,
    /// Which sections may be found.
    pub filters: Filters,
    /// Whether hits explain their lexical score.
    pub explain: bool,
}

/// Filters: values of one filter are alternatives, different filters must all hold. Empty: no filter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filters {
    /// Semantic groups.
    pub groups: BTreeSet<String>,
    /// Facets by name.
    pub facets: BTreeMap<String, BTreeSet<String>>,
    /// Documents: the part of the section id before the `#`.
    pub documents: BTreeSet<String>,
    /// Audiences; sections that name none are for everybody.
    pub audiences: BTreeSet<String>,
}

impl SearchRequest {
    /// The sections that may be found; `None` is all.
    pub(super) fn allowed(&self, index: &Index) -> Result<Option<Allowed>, PipelineError> {
        if self.k.is_some_and(|k| !(1..=MOST_HITS).contains(&k)) {
            return Err(PipelineError::Request(format!("`k` must be from 1 to {MOST_HITS}")));
        }
        if self.min_score.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(PipelineError::Request("`min_score` must be from 0 to 1".to_owned()));
        }
        let filters = &self.filters;
        if *filters == Filters::default() {
            return Ok(None);
        }
        for group in &filters.groups {
            let known = index.groups().map(GroupId::as_str);
            if known.clone().all(|name| name != group) {
                let mend = suggestion(group, "known groups", known);
                return Err(PipelineError::Request(format!(
                    "filters.group: there is no group `{group}`; {mend}"
                )));
            }
        }
        let allowed = Allowed::among(index.len(), |ordinal| filters.admit(index.section(ordinal)));
        Ok(Some(allowed))
    }
}

impl Filters {
    fn admit(&self, section: &Section) -> bool {
        let in_group = self.groups.is_empty()
            || section.group.as_ref().is_some_and(|group| self.groups.contains(group.as_str()));
        let in_document = self.documents.is_empty() || self.documents.contains(section.document());
        let for_them = self.audiences.is_empty()
            || section.audience.is_empty()
            || !section.audience.is_disjoint(&self.audiences);
        in_group
            && in_document
            && for_them
            && self.facets.iter().all(|(name, wanted)| {
                wanted.is_empty()
                    || section.facets.get(name).is_some_and(|values| !values.is_disjoint(wanted))
            })
    }
}
