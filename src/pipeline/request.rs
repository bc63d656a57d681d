//! What a caller may ask of a search.

use std::collections::{BTreeMap, BTreeSet};

use super::PipelineError;
use crate::domain::{Allowed, FacetMode, GroupId, Mode, Section, Warning, did_you_mean};
use crate::indexing::Index;

/// Most hits in one answer.
pub const MOST_HITS: usize = 100;

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
    /// What a customer or product in the question does; `None` leaves it to the settings.
    pub facet_mode: Option<FacetMode>,
}

/// A filter names something that no section has: a misspelling, most likely, that would leave nothing
/// to find.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{filter}: no section has `{value}`; {}", self.mend())]
pub struct UnknownValue {
    /// Path of the filter in a request, for example `filters.group`.
    pub filter: String,
    /// The value of the request, at most 100 characters of it.
    pub value: String,
    /// What was meant, most likely.
    pub meant: Option<String>,
    /// The first values that sections have.
    pub known: Vec<String>,
}

impl UnknownValue {
    /// Values that are listed where none is alike.
    const MOST_LISTED: usize = 10;

    fn check<'a>(
        filter: &str,
        wanted: impl IntoIterator<Item = &'a String>,
        known: &BTreeSet<&str>,
    ) -> Result<(), Self> {
        let unknown = wanted.into_iter().find(|value| !known.contains(value.as_str()));
        unknown.map_or(Ok(()), |value| {
            let value: String = value.chars().take(100).collect();
            Err(Self {
                filter: filter.to_owned(),
                meant: did_you_mean(&value, known.iter().copied()).map(ToOwned::to_owned),
                known: known.iter().take(Self::MOST_LISTED).map(ToString::to_string).collect(),
                value,
            })
        })
    }

    fn mend(&self) -> String {
        match &self.meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if self.known.is_empty() => "no section has any".to_owned(),
            None => format!("known are for example: {}", self.known.join(", ")),
        }
    }
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
    /// The sections that may be found (`None` is all), and what has no effect.
    pub(super) fn allowed(
        &self,
        index: &Index,
    ) -> Result<(Option<Allowed>, Vec<Warning>), PipelineError> {
        if self.k.is_some_and(|k| !(1..=MOST_HITS).contains(&k)) {
            return Err(PipelineError::Request(format!("`k` must be from 1 to {MOST_HITS}")));
        }
        if self.min_score.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(PipelineError::Request("`min_score` must be from 0 to 1".to_owned()));
        }
        let filters = &self.filters;
        if *filters == Filters::default() {
            return Ok((None, Vec::new()));
        }
        let warnings = filters.check(index)?;
        let allowed = Allowed::among(index.len(), |ordinal| filters.admit(index.section(ordinal)));
        Ok((Some(allowed), warnings))
    }
}

impl Filters {
    /// Whether sections have what is asked for. An audience that no section names is no fault: a
    /// frontend sends the audiences of its user, whether or not something is only for them.
    fn check(&self, index: &Index) -> Result<Vec<Warning>, UnknownValue> {
        let groups = index.groups().map(GroupId::as_str).collect();
        UnknownValue::check("filters.group", &self.groups, &groups)?;
        if !self.documents.is_empty() {
            let known = index.sections().iter().map(Section::document).collect();
            UnknownValue::check("filters.document", &self.documents, &known)?;
        }
        if !self.facets.is_empty() {
            let mut known: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            for (name, values) in index.sections().iter().flat_map(|section| &section.facets) {
                known.entry(name).or_default().extend(values.iter().map(String::as_str));
            }
            let names = known.keys().copied().collect();
            UnknownValue::check("filters.facets", self.facets.keys(), &names)?;
            for (name, values) in &self.facets {
                UnknownValue::check(
                    &format!("filters.facets.{name}"),
                    values,
                    &known[name.as_str()],
                )?;
            }
        }
        let is_known = |audience: &&String| {
            index.sections().iter().any(|section| section.audience.contains(*audience))
        };
        let unknown = self.audiences.iter().filter(|audience| !is_known(audience));
        Ok(unknown
            .map(|audience| Warning {
                code: "audience_unknown",
                value: audience.chars().take(100).collect(),
            })
            .collect())
    }

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
