//! What a request may hold.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::error::{ApiError, Fault, ProblemBody};
use super::fields::{Body, Object};
use super::guard;
use crate::domain::{Answer, FacetMode, Mode, WhyNot};
use crate::pipeline::{Filters, MOST_HITS, SearchRequest};
use crate::query_log::Rating;

/// A question of the longest allowed length needs at most twelve bytes a character in JSON
/// (`\ud83d\ude00`); filters and a batch fit into the rest.
pub(super) const BODY_LIMIT: usize = 256 * 1024;
/// Questions in one batch.
pub(super) const MOST_QUESTIONS: usize = 32;

/// Body of `POST /v1/route`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(super) struct RouteBody {
    /// A German question; at most 2,000 characters unless configured otherwise.
    #[schema(example = "Welchen Nutzen hat verteiltes Lernen?", pattern = r"\S")]
    pub question: String,
    /// Accepted for symmetry with a search; a route always explains itself.
    #[serde(default, rename = "explain")]
    pub _explain: bool,
}

/// Body of `POST /v1/search`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(super) struct SearchBody {
    /// A German question; at most 2,000 characters unless configured otherwise.
    #[schema(example = "Welchen Nutzen hat verteiltes Lernen?", pattern = r"\S")]
    pub question: String,
    /// How many hits, 1 to 100; without it the intent's profile decides.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub k: Option<usize>,
    /// Hits with a lower score are left out, 0 to 1; the scale is the same in all modes.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1)]
    pub min_score: Option<f64>,
    /// Which channels search.
    #[serde(default)]
    pub mode: Mode,
    /// Which sections may be found at all.
    #[serde(default)]
    pub filters: FilterBody,
    /// Whether every hit says where its score comes from.
    #[serde(default)]
    pub explain: bool,
    /// What a customer or product that the question names does; without it the settings decide.
    #[serde(default)]
    pub facet_mode: Option<FacetMode>,
}

/// Body of `POST /v1/explain`: that of a search, and a section to ask about.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(super) struct ExplainBody {
    /// A German question; at most 2,000 characters unless configured otherwise.
    #[schema(example = "Welchen Nutzen hat verteiltes Lernen?", pattern = r"\S")]
    pub question: String,
    /// How many hits, 1 to 100; without it the intent's profile decides.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub k: Option<usize>,
    /// Hits with a lower score are left out, 0 to 1; the scale is the same in all modes.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1)]
    pub min_score: Option<f64>,
    /// Which channels search.
    #[serde(default)]
    pub mode: Mode,
    /// Which sections may be found at all.
    #[serde(default)]
    pub filters: FilterBody,
    /// Accepted for symmetry with a search; an explanation always explains.
    #[serde(default)]
    pub explain: bool,
    /// The section that should have been first; the answer then has `why_not`. For the role `qa` and
    /// above.
    #[serde(default)]
    #[schema(example = "wirkung-und-entwicklung#nutzen-des-verteilten-lernens")]
    pub section: Option<String>,
    /// Whether small changes are tried that would make the section the first hit, which takes longer;
    /// yes where it is left out.
    #[serde(default)]
    pub changes: Option<bool>,
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

/// Which sections may be found. Several values of one filter are alternatives. A group, facet or
/// document that no section has is an error; an audience that no section names is a warning.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
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
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(super) enum OneOrMany {
    One(String),
    Many(BTreeSet<String>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        Self::Many(BTreeSet::new())
    }
}

/// Body of `POST /v1/search/batch`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(super) struct BatchBody {
    /// Searches, each as for `POST /v1/search`; all are answered from the same state of the files.
    #[schema(min_items = 1, max_items = 32)]
    pub questions: Vec<SearchBody>,
}

/// The answers of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchAnswer {
    /// One for each question, in their order.
    pub answers: Vec<BatchEntry>,
}

/// An answer, or what was wrong with the question.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum BatchEntry {
    /// As from `POST /v1/search`.
    Answer(Box<Answer>),
    /// As in an error of `POST /v1/search`.
    Problem(ProblemBody),
}

/// A question with its search.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) question: String,
    pub(super) request: SearchRequest,
}

impl Asked {
    fn read(mut object: Object, faults: &mut Vec<Fault>) -> Self {
        let asked = Self::fields(&mut object, faults);
        object.end(faults);
        asked
    }

    fn fields(object: &mut Object, faults: &mut Vec<Fault>) -> Self {
        let question = object.text("question", faults);
        let k = object.count("k", 1..=MOST_HITS, faults);
        let min_score = object.share("min_score", faults);
        let modes =
            [("hybrid", Mode::Hybrid), ("vector", Mode::Vector), ("lexical", Mode::Lexical)];
        let mode = object.choice("mode", &modes, faults);
        let filters = object.object("filters", faults).map(|object| filters(object, faults));
        let explain = object.flag("explain", faults);
        let facet_modes =
            [("filter", FacetMode::Filter), ("boost", FacetMode::Boost), ("off", FacetMode::Off)];
        let facet_mode = object.optional_choice("facet_mode", &facet_modes, faults);
        let filters = filters.unwrap_or_default();
        let request = SearchRequest { k, min_score, mode, filters, explain, facet_mode };
        Self { question, request }
    }
}

fn filters(mut object: Object, faults: &mut Vec<Fault>) -> Filters {
    let filters = Filters {
        groups: object.texts("group", faults),
        facets: object.named_texts("facets", faults),
        documents: object.texts("document", faults),
        audiences: object.texts("audience", faults),
    };
    object.end(faults);
    filters
}

/// The question of a [`RouteBody`].
pub(super) async fn read_question(
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<String, ApiError> {
    let mut object = read(request, payload, BODY_LIMIT).await?;
    let mut faults = Vec::new();
    let question = object.text("question", &mut faults);
    object.flag("explain", &mut faults);
    object.end(&mut faults);
    sound(question, faults)
}

/// A [`SearchBody`].
pub(super) async fn read_search(
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<Asked, ApiError> {
    let mut faults = Vec::new();
    let asked = Asked::read(read(request, payload, BODY_LIMIT).await?, &mut faults);
    sound(asked, faults)
}

/// An [`ExplainBody`]: the search, the section, and whether changes are tried.
pub(super) async fn read_explain(
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<(Asked, Option<String>, bool), ApiError> {
    let mut object = read(request, payload, BODY_LIMIT).await?;
    let mut faults = Vec::new();
    let mut asked = Asked::fields(&mut object, &mut faults);
    asked.request.explain = true;
    let section = object.optional_text("section", &mut faults);
    let changes = object.optional_flag("changes", &mut faults).unwrap_or(true);
    object.end(&mut faults);
    sound((asked, section, changes), faults)
}

/// A body of `POST /v1/gaps/promote`: the id of a finding.
pub(super) async fn read_promote(
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<String, ApiError> {
    let mut object = read(request, payload, BODY_LIMIT).await?;
    let mut faults = Vec::new();
    let finding = object.text("finding", &mut faults);
    object.end(&mut faults);
    sound(finding, faults)
}

/// What a reader made of an answer.
#[derive(Debug)]
pub(super) struct Rated {
    pub(super) request_id: String,
    pub(super) section: Option<String>,
    pub(super) rating: Rating,
}

/// Longest number of a request, as in the header `X-Request-Id`.
const LONGEST_REQUEST_ID: usize = 64;

/// A body of `POST /v1/feedback`.
pub(super) async fn read_feedback(
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<Rated, ApiError> {
    let mut object = read(request, payload, BODY_LIMIT).await?;
    let mut faults = Vec::new();
    let request_id = object.text("request_id", &mut faults);
    let printable = request_id.chars().all(|c| c.is_ascii_graphic() || c == ' ');
    if request_id.trim().is_empty() || request_id.len() > LONGEST_REQUEST_ID || !printable {
        faults.push(Fault::new(
            format!(
                "`request_id` must be 1 to {LONGEST_REQUEST_ID} printable characters, as in the \
                 header X-Request-Id of the answer"
            ),
            format!(
                "„request_id“ muss 1 bis {LONGEST_REQUEST_ID} druckbare Zeichen haben, wie in der \
                 Kopfzeile X-Request-Id der Antwort"
            ),
        ));
    }
    let section = object.optional_text("section", &mut faults);
    let rating = match object.text("rating", &mut faults).as_str() {
        "helpful" => Rating::Helpful,
        "clicked" => Rating::Clicked,
        other => {
            if other != "unhelpful" {
                faults.push(Fault::new(
                    "`rating` must be helpful, unhelpful or clicked".to_owned(),
                    "„rating“ muss helpful, unhelpful oder clicked sein".to_owned(),
                ));
            }
            Rating::Unhelpful
        }
    };
    object.end(&mut faults);
    sound(Rated { request_id, section, rating }, faults)
}

/// A [`BatchBody`].
pub(super) async fn read_batch(
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<Vec<Asked>, ApiError> {
    let mut object = read(request, payload, BODY_LIMIT).await?;
    let mut faults = Vec::new();
    let objects = object.objects("questions", 1..=MOST_QUESTIONS, &mut faults);
    let asked = objects.into_iter().map(|object| Asked::read(object, &mut faults)).collect();
    object.end(&mut faults);
    sound(asked, faults)
}

pub(super) fn sound<T>(read: T, faults: Vec<Fault>) -> Result<T, ApiError> {
    if faults.is_empty() { Ok(read) } else { Err(ApiError::InvalidBody(faults)) }
}

/// Reads a JSON object of at most `most` bytes.
pub(super) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    most: usize,
) -> Result<Object, ApiError> {
    let invalid = |message: String, line, column| ApiError::InvalidJson { message, line, column };
    let body = bytes(request, payload, most).await?;
    let body: Body = serde_json::from_slice(&body)
        .map_err(|error| invalid(error.to_string(), error.line(), error.column()))?;
    Ok(Object::body(body))
}

/// Reads a body that says it is JSON, of at most `most` bytes.
pub(super) async fn bytes(
    request: &HttpRequest,
    payload: web::Payload,
    most: usize,
) -> Result<web::Bytes, ApiError> {
    let content_type =
        request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = content_type.split(';').next().unwrap_or("").trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(ApiError::UnsupportedMediaType(content_type.chars().take(100).collect()));
    }
    let limit = guard::state(request).limits.body;
    tokio::time::timeout(limit, payload.to_bytes_limited(most))
        .await
        .map_err(|_| ApiError::BodyTooSlow(limit.as_secs()))?
        .map_err(|_| ApiError::BodyTooLarge(most))?
        .map_err(|error| ApiError::InvalidJson { message: error.to_string(), line: 1, column: 1 })
}
