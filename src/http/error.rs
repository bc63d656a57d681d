//! Every error that the API can answer: stable code, status, English and German words.
//!
//! The body is problem JSON (RFC 9457) with the members `code` and `detail_de` added. Codes are
//! public and stay; messages may change.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::InvalidQuery;
use crate::pipeline::PipelineError;

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
    #[error("the body is not JSON: {0}")]
    InvalidJson(String),
    #[error("the body has the wrong shape: {0}")]
    InvalidBody(String),
    #[error("the content type is `{0}`, it must be application/json")]
    UnsupportedMediaType(String),
    #[error("there is no section `{0}`")]
    UnknownSection(String),
    #[error(
        "the question log is off, so feedback is not kept; `query_log` in wegweiser.yaml switches it on"
    )]
    NoQueryLog,
    #[error("there is nothing at {0}; the endpoints are listed at /openapi.json")]
    NotFound(String),
    #[error("{path} does not take {method}; it takes {allowed}")]
    MethodNotAllowed { path: String, method: String, allowed: &'static str },
    #[error("the index is not ready yet: {0}")]
    NotReady(String),
    #[error("all places of the embedding model are taken; try again in a second")]
    Busy,
    #[error("no channel could search")]
    NoChannel,
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
}

impl ApiError {
    fn code(&self) -> (&'static str, StatusCode) {
        match self {
            Self::EmptyQuestion => ("question_empty", StatusCode::BAD_REQUEST),
            Self::QuestionTooLong { .. } => ("question_too_long", StatusCode::PAYLOAD_TOO_LARGE),
            Self::BodyTooLarge(_) => ("body_too_large", StatusCode::PAYLOAD_TOO_LARGE),
            Self::BodyTooSlow(_) => ("body_too_slow", StatusCode::REQUEST_TIMEOUT),
            Self::InvalidJson(_) => ("invalid_json", StatusCode::BAD_REQUEST),
            Self::InvalidBody(_) => ("invalid_body", StatusCode::UNPROCESSABLE_ENTITY),
            Self::UnsupportedMediaType(_) => {
                ("unsupported_media_type", StatusCode::UNSUPPORTED_MEDIA_TYPE)
            }
            Self::UnknownSection(_) => ("section_unknown", StatusCode::NOT_FOUND),
            Self::NoQueryLog => ("query_log_off", StatusCode::CONFLICT),
            Self::NotFound(_) => ("not_found", StatusCode::NOT_FOUND),
            Self::MethodNotAllowed { .. } => ("method_not_allowed", StatusCode::METHOD_NOT_ALLOWED),
            Self::NotReady(_) => ("not_ready", StatusCode::SERVICE_UNAVAILABLE),
            Self::Busy => ("busy", StatusCode::SERVICE_UNAVAILABLE),
            Self::NoChannel => ("no_channel", StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    fn german(&self) -> String {
        match self {
            Self::EmptyQuestion => "Die Frage ist leer.".to_owned(),
            Self::QuestionTooLong { length, limit } => {
                format!("Die Frage hat {length} Zeichen, erlaubt sind höchstens {limit}.")
            }
            Self::BodyTooLarge(limit) => {
                format!("Die Anfrage ist größer als {limit} Bytes.")
            }
            Self::BodyTooSlow(seconds) => {
                format!("Die Anfrage kam nicht innerhalb von {seconds} Sekunden an.")
            }
            Self::InvalidJson(cause) => format!("Die Anfrage ist kein JSON: {cause}"),
            Self::InvalidBody(cause) => format!("Die Anfrage hat die falsche Form: {cause}"),
            Self::UnsupportedMediaType(found) => {
                format!("Der Inhaltstyp ist „{found}“, er muss application/json sein.")
            }
            Self::UnknownSection(id) => format!("Es gibt keinen Abschnitt „{id}“."),
            Self::NoQueryLog => "Das Fragenprotokoll ist aus, Rückmeldungen werden nicht \
                 aufgehoben; `query_log` in wegweiser.yaml schaltet es ein."
                .to_owned(),
            Self::NotFound(path) => {
                format!("Unter {path} gibt es nichts; /openapi.json nennt alle Adressen.")
            }
            Self::MethodNotAllowed { path, method, allowed } => {
                format!("{path} nimmt {method} nicht an, sondern {allowed}.")
            }
            Self::NotReady(what) => format!("Der Index ist noch nicht bereit: {what}"),
            Self::Busy => {
                "Alle Plätze des Modells sind belegt; bitte in einer Sekunde noch einmal."
                    .to_owned()
            }
            Self::NoChannel => "Kein Suchkanal steht zur Verfügung.".to_owned(),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.code().1
    }

    fn error_response(&self) -> HttpResponse {
        let (code, status) = self.code();
        let mut response = HttpResponse::build(status);
        match self {
            Self::NotReady(_) | Self::Busy => {
                response.insert_header((RETRY_AFTER, "1"));
            }
            Self::MethodNotAllowed { allowed, .. } => {
                response.insert_header((ALLOW, *allowed));
            }
            Self::EmptyQuestion
            | Self::QuestionTooLong { .. }
            | Self::BodyTooLarge(_)
            | Self::BodyTooSlow(_)
            | Self::InvalidJson(_)
            | Self::InvalidBody(_)
            | Self::UnsupportedMediaType(_)
            | Self::UnknownSection(_)
            | Self::NoQueryLog
            | Self::NotFound(_)
            | Self::NoChannel => {}
        }
        let body = ProblemBody {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            code,
            detail: self.to_string(),
            detail_de: self.german(),
        };
        let text = serde_json::to_string(&body).expect("plain data");
        response.content_type("application/problem+json").body(text)
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
            PipelineError::Request(cause) => Self::InvalidBody(cause),
        }
    }
}
