//! What a request may hold, read by hand so that every fault gets its own code.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, web};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::error::ApiError;
use crate::domain::{Answer, Mode, WhyNot};
use crate::pipeline::{Filters, SearchRequest};

/// A question of the longest allowed length needs at most twelve bytes a character in JSON
/// (`\ud83d\ude00`); filters fit into the rest.
pub(super) const BODY_LIMIT: usize = 256 * 1024;
/// A body that takes longer than this is not being sent any more.
const BODY_TIME_LIMIT: Duration = Duration::from_secs(10);

/// Body of `POST /v1/route`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RouteBody {
    /// A German question; at most 2,000 characters unless configured otherwise.
    #[schema(example = "Welchen Nutzen hat verteiltes Lernen?")]
    pub question: String,
    /// Accepted for symmetry with a search; a route always explains itself.
    #[serde(default, rename = "explain")]
    pub _explain: bool,
}

/// Body of `POST /v1/search`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchBody {
    /// A German question; at most 2,000 characters unless configured otherwise.
    #[schema(example = "Welchen Nutzen hat verteiltes Lernen?")]
    pub question: String,
    /// How many hits, 1 to 100; without it the intent's profile decides.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub k: Option<usize>,
    /// Which channels search.
    #[serde(default)]
    pub mode: Mode,
    /// Which sections may be found at all.
    #[serde(default)]
    pub filters: FilterBody,
    /// Whether every hit says where its score comes from.
    #[serde(default)]
    pub explain: bool,
}

/// Body of `POST /v1/explain`: that of a search, and a section to ask about.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExplainBody {
    /// A German question; at most 2,000 characters unless configured otherwise.
    #[schema(example = "Welchen Nutzen hat verteiltes Lernen?")]
    pub question: String,
    /// How many hits, 1 to 100; without it the intent's profile decides.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub k: Option<usize>,
    /// Which channels search.
    #[serde(default)]
    pub mode: Mode,
    /// Which sections may be found at all.
    #[serde(default)]
    pub filters: FilterBody,
    /// Accepted for symmetry with a search; an explanation always explains.
    #[serde(default, rename = "explain")]
    pub _explain: bool,
    /// The section that should have been first; the answer then has `why_not`.
    #[serde(default)]
    #[schema(example = "wirkung-und-entwicklung#nutzen-des-verteilten-lernens")]
    pub section: Option<String>,
    /// Whether small changes are tried that would make the section the first hit; takes longer.
    #[serde(default = "yes")]
    pub changes: bool,
}

fn yes() -> bool {
    true
}

/// Body of an explanation.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExplainedAnswer {
    /// The answer, with where every score comes from.
    #[serde(flatten)]
    pub answer: Answer,
    /// Why the section is not the first hit; absent where none was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<WhyNot>,
}

/// Which sections may be found. Several values of one filter are alternatives.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FilterBody {
    /// Semantic groups.
    #[serde(default)]
    pub group: OneOrMany,
    /// Facets by name; a section must satisfy each.
    #[serde(default)]
    pub facets: BTreeMap<String, OneOrMany>,
    /// Documents: the part of the section id before the `#`.
    #[serde(default)]
    pub document: OneOrMany,
    /// Audiences; sections that name none are for everybody.
    #[serde(default)]
    pub audience: OneOrMany,
}

/// A value or a list of values.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(String),
    Many(BTreeSet<String>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        Self::Many(BTreeSet::new())
    }
}

impl From<OneOrMany> for BTreeSet<String> {
    fn from(values: OneOrMany) -> Self {
        match values {
            OneOrMany::One(value) => BTreeSet::from([value]),
            OneOrMany::Many(values) => values,
        }
    }
}

impl SearchBody {
    pub(super) fn request(self) -> (String, SearchRequest) {
        let filters = Filters {
            groups: self.filters.group.into(),
            facets: self
                .filters
                .facets
                .into_iter()
                .map(|(name, values)| (name, values.into()))
                .collect(),
            documents: self.filters.document.into(),
            audiences: self.filters.audience.into(),
        };
        let request = SearchRequest { k: self.k, mode: self.mode, filters, explain: self.explain };
        (self.question, request)
    }
}

/// Reads a JSON body within its limits.
pub(super) async fn read<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<T, ApiError> {
    let content_type =
        request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = content_type.split(';').next().unwrap_or("").trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(ApiError::UnsupportedMediaType(content_type.chars().take(100).collect()));
    }
    let body = tokio::time::timeout(BODY_TIME_LIMIT, payload.to_bytes_limited(BODY_LIMIT))
        .await
        .map_err(|_| ApiError::BodyTooSlow(BODY_TIME_LIMIT.as_secs()))?
        .map_err(|_| ApiError::BodyTooLarge(BODY_LIMIT))?
        .map_err(|error| ApiError::InvalidJson(error.to_string()))?;
    serde_json::from_slice(&body).map_err(|error| {
        if error.is_data() {
            ApiError::InvalidBody(error.to_string())
        } else {
            ApiError::InvalidJson(error.to_string())
        }
    })
}
