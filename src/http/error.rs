//! Every error that the API can answer: stable code, status, English and German words.
//!
//! The body is problem JSON (RFC 9457) with the members `code` and `detail_de` added. Codes are
//! public and stay; messages may change. The German words are in [`super::german`].

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::{Refused, Role};
use crate::domain::{InvalidQuery, Problem};
use crate::pipeline::{PipelineError, UnknownValue};

/// Faults of one request that are told; who sends hundreds needs no list.
const MOST_FAULTS: usize = 5;

/// What went wrong with a request.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApiError {
    #[error("the question is empty")]
    EmptyQuestion,
    #[error("the question has {length} characters, at most {limit} are allowed")]
    QuestionTooLong { length: usize, limit: usize },
    #[error("the body is larger than {0} bytes")]
    BodyTooLarge(usize),
    #[error("the body did not arrive within {0} seconds")]
    BodyTooSlow(u64),
    #[error("the body is not a JSON object: {message}")]
    InvalidJson { message: String, line: usize, column: usize },
    #[error("the body has the wrong shape: {}", told(.0, |fault| &fault.detail, "more"))]
    InvalidBody(Vec<Fault>),
    #[error(transparent)]
    UnknownValue(UnknownValue),
    #[error("the content type is `{0}`, it must be application/json")]
    UnsupportedMediaType(String),
    #[error("{path} answers with {produced}, which the header Accept does not allow")]
    NotAcceptable { path: String, produced: String },
    #[error("{}", refusal(*.0))]
    Unauthorized(Refused),
    #[error("this needs a key with the role {needed} or above")]
    Forbidden { needed: Role },
    #[error("too many requests with this key; try again in {seconds} s")]
    RateLimited { seconds: u64 },
    #[error("there is no section `{0}`")]
    UnknownSection(String),
    #[error("there is no model `{0}`; the model is called `wegweiser`")]
    UnknownModel(String),
    #[error("pages of the origin {0} may not ask here; see `cors` in the settings")]
    ForeignOrigin(String),
    #[error("there is no run `{0}` of the catalog, or not any more")]
    UnknownRun(String),
    #[error("the catalog has no question about sections that this key may see")]
    CatalogEmpty,
    #[error("the data folder can not be read; the log says why")]
    Storage,
    #[error(
        "the question log is off, so feedback is not kept; `query_log` in wegweiser.yaml switches it on"
    )]
    NoQueryLog,
    #[error("there is no finding `{0}` in the report of the gaps, or not any more")]
    UnknownFinding(String),
    #[error("the finding `{0}` holds no question that the catalog could ask")]
    FindingWithoutQuestion(String),
    #[error("this needs a key that sees all sections: the catalog asks about all of them")]
    AudiencesTooFew,
    #[error("nothing was written, the catalog has problems: {}", first(.0))]
    CatalogInvalid(Vec<ProblemNote>),
    #[error("nothing was written, {0} can not be written; the log says why")]
    CatalogUnwritable(String),
    #[error("there is nothing at {0}; the endpoints are listed at /openapi.json")]
    NotFound(String),
    #[error("{path} does not take {method}; it takes {allowed}")]
    MethodNotAllowed { path: String, method: String, allowed: &'static str },
    #[error("the files can not be loaded; what was loaded before goes on serving: {}", first(.0))]
    FilesInvalid(Vec<ProblemNote>),
    #[error("the index is not ready yet: {0}")]
    NotReady(&'static str),
    #[error("too many questions are waiting; try again in a second")]
    Busy,
    #[error("the connection was closed while the answer was made, if only for sending")]
    HungUp,
    #[error("there was no answer within {0} seconds")]
    TooSlow(u64),
    #[error("no channel could search")]
    NoChannel,
}

/// One fault of a body, in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) detail: String,
    pub(super) detail_de: String,
}

impl Fault {
    pub(super) fn new(detail: String, detail_de: String) -> Self {
        Self { detail, detail_de }
    }
}

/// Something to mend in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct ProblemNote {
    /// `file:line:column`.
    pub(super) place: String,
    /// Stable code.
    pub(super) code: &'static str,
    /// What is wrong.
    pub(super) message: String,
    /// What to write instead.
    mend: String,
}

impl From<&Problem> for ProblemNote {
    fn from(problem: &Problem) -> Self {
        let Problem { place, code, message, mend } = problem;
        Self { place: place.to_string(), code, message: message.clone(), mend: mend.clone() }
    }
}

/// Body of an error (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ProblemBody {
    /// Always `about:blank`: `code` tells the kind.
    r#type: &'static str,
    /// Name of the status.
    title: String,
    /// HTTP status.
    status: u16,
    /// Stable code, for example `question_empty`.
    code: &'static str,
    /// What went wrong and what to do, in English.
    detail: String,
    /// The same in German.
    detail_de: String,
    /// What to mend in the files, where they can not be loaded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ProblemNote>,
}

impl ApiError {
    fn code(&self) -> (&'static str, StatusCode) {
        match self {
            Self::EmptyQuestion => ("question_empty", StatusCode::BAD_REQUEST),
            Self::QuestionTooLong { .. } => ("question_too_long", StatusCode::PAYLOAD_TOO_LARGE),
            Self::BodyTooLarge(_) => ("body_too_large", StatusCode::PAYLOAD_TOO_LARGE),
            Self::BodyTooSlow(_) => ("body_too_slow", StatusCode::REQUEST_TIMEOUT),
            Self::InvalidJson { .. } => ("invalid_json", StatusCode::BAD_REQUEST),
            Self::InvalidBody(_) => ("invalid_body", StatusCode::UNPROCESSABLE_ENTITY),
            Self::UnknownValue(_) => ("filter_unknown", StatusCode::UNPROCESSABLE_ENTITY),
            Self::UnsupportedMediaType(_) => {
                ("unsupported_media_type", StatusCode::UNSUPPORTED_MEDIA_TYPE)
            }
            Self::NotAcceptable { .. } => ("not_acceptable", StatusCode::NOT_ACCEPTABLE),
            Self::Unauthorized(Refused::NoKey) => ("key_missing", StatusCode::UNAUTHORIZED),
            Self::Unauthorized(Refused::WrongKey) => ("key_invalid", StatusCode::UNAUTHORIZED),
            Self::Unauthorized(Refused::NotLocal) => ("not_local", StatusCode::FORBIDDEN),
            Self::Forbidden { .. } => ("role_too_low", StatusCode::FORBIDDEN),
            Self::RateLimited { .. } => ("rate_limited", StatusCode::TOO_MANY_REQUESTS),
            Self::UnknownSection(_) => ("section_unknown", StatusCode::NOT_FOUND),
            Self::UnknownModel(_) => ("model_unknown", StatusCode::NOT_FOUND),
            Self::ForeignOrigin(_) => ("origin_foreign", StatusCode::FORBIDDEN),
            Self::UnknownRun(_) => ("run_unknown", StatusCode::NOT_FOUND),
            Self::CatalogEmpty => ("catalog_empty", StatusCode::CONFLICT),
            Self::Storage => ("storage_failed", StatusCode::SERVICE_UNAVAILABLE),
            Self::UnknownFinding(_) => ("finding_unknown", StatusCode::NOT_FOUND),
            Self::FindingWithoutQuestion(_) => ("finding_without_question", StatusCode::CONFLICT),
            Self::AudiencesTooFew => ("audiences_too_few", StatusCode::FORBIDDEN),
            Self::CatalogInvalid(_) => ("catalog_invalid", StatusCode::CONFLICT),
            Self::CatalogUnwritable(_) => ("catalog_unwritable", StatusCode::CONFLICT),
            Self::NotFound(_) => ("not_found", StatusCode::NOT_FOUND),
            Self::MethodNotAllowed { .. } => ("method_not_allowed", StatusCode::METHOD_NOT_ALLOWED),
            Self::NoQueryLog => ("query_log_off", StatusCode::CONFLICT),
            Self::FilesInvalid(_) => ("files_invalid", StatusCode::CONFLICT),
            Self::NotReady(_) => ("not_ready", StatusCode::SERVICE_UNAVAILABLE),
            Self::Busy => ("busy", StatusCode::SERVICE_UNAVAILABLE),
            Self::HungUp => ("hung_up", StatusCode::SERVICE_UNAVAILABLE),
            Self::TooSlow(_) => ("too_slow", StatusCode::SERVICE_UNAVAILABLE),
            Self::NoChannel => ("no_channel", StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// The body, also as one answer of several.
    pub(super) fn body(&self) -> ProblemBody {
        let (code, status) = self.code();
        ProblemBody {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            code,
            detail: self.to_string(),
            detail_de: self.german(),
            problems: if let Self::FilesInvalid(problems) | Self::CatalogInvalid(problems) = self {
                problems.clone()
            } else {
                Vec::new()
            },
        }
    }
}

impl ApiError {
    /// The body with the member `error` of OpenAI's API added.
    pub(super) fn chat_body(&self) -> String {
        let (code, status) = self.code();
        let kind = match status.as_u16() {
            401 => "authentication_error",
            403 => "permission_error",
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        let mut body = serde_json::to_value(self.body()).expect("plain data");
        body["error"] = serde_json::json!({
            "message": self.german(), "type": kind, "param": null, "code": code,
        });
        body.to_string()
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.code().1
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        if let Self::MethodNotAllowed { allowed, .. } = self {
            response.insert_header((ALLOW, *allowed));
        }
        if let Self::Unauthorized(Refused::NoKey | Refused::WrongKey) = self {
            response.insert_header((WWW_AUTHENTICATE, "Bearer"));
        }
        if let Self::RateLimited { seconds } = self {
            response.insert_header((RETRY_AFTER, HeaderValue::from(*seconds)));
        } else if self.status_code() == StatusCode::SERVICE_UNAVAILABLE {
            response.insert_header((RETRY_AFTER, "1"));
        }
        let text = serde_json::to_string(&self.body()).expect("plain data");
        response.content_type("application/problem+json").body(text)
    }
}

/// The first faults in one sentence, and how many there are beyond.
pub(super) fn told(faults: &[Fault], words: fn(&Fault) -> &str, more: &str) -> String {
    let first: Vec<&str> = faults.iter().take(MOST_FAULTS).map(words).collect();
    let beyond = faults.len().saturating_sub(MOST_FAULTS);
    let rest = if beyond > 0 { format!("; {beyond} {more}") } else { String::new() };
    format!("{}{rest}", first.join("; "))
}

/// The first problem that somebody can mend: that nothing was loaded, which comes before all, is none.
pub(super) fn to_mend(problems: &[ProblemNote]) -> Option<&ProblemNote> {
    let places = problems.iter().find(|problem| problem.code != "compendium-not-loaded");
    places.or(problems.first())
}

/// The first problem of files, or for callers who may not see all sections where to read them.
fn first(problems: &[ProblemNote]) -> String {
    to_mend(problems).map_or_else(
        || {
            "the log names the problems, and so does this endpoint to a key of all audiences"
                .to_owned()
        },
        |problem| format!("{}: {}", problem.place, problem.message),
    )
}

fn refusal(refused: Refused) -> &'static str {
    match refused {
        Refused::NoKey => "this needs a key: send it as `Authorization: Bearer wgw_…`",
        Refused::WrongKey => "this key is not valid, or not any more",
        Refused::NotLocal => {
            "without keys only this machine itself may ask, under its own name and not through a \
             proxy; create keys with `wegweiser keys create`, or start with --allow-anonymous"
        }
    }
}

impl From<InvalidQuery> for ApiError {
    fn from(error: InvalidQuery) -> Self {
        match error {
            InvalidQuery::Empty => Self::EmptyQuestion,
            InvalidQuery::TooLong { length, limit } => Self::QuestionTooLong { length, limit },
        }
    }
}

impl From<PipelineError> for ApiError {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Busy => Self::Busy,
            PipelineError::NoChannel => Self::NoChannel,
            PipelineError::UnknownValue(unknown) => Self::UnknownValue(unknown),
            // What bodies may hold was checked when they were read.
            PipelineError::Request(cause) => {
                let german =
                    "die Anfrage ist nicht erfüllbar; den Grund nennt „detail“ auf Englisch";
                Self::InvalidBody(vec![Fault::new(cause, german.to_owned())])
            }
        }
    }
}
