//! `POST /mcp`: the Model Context Protocol over streamable HTTP, for chat products and agents.
//!
//! The protocol is the official SDK's (`rmcp`): versions, methods, errors, headers. Its HTTP part is a
//! plain function from request to response, so nothing but the types of `http` 1 stands between it and
//! actix. There is no session and no stream: every request is answered by one JSON body, GET and DELETE
//! by 405, as the specification allows. What the specification asks of servers besides is done here as
//! for the rest of the API: keys, limits, and the origin of pages.

mod tools;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, HeaderName, HeaderValue, ORIGIN};
use actix_web::{HttpRequest, HttpResponse, web};
use http_body_util::{BodyExt, Full};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;

use super::error::{ApiError, ProblemBody};
use super::openapi::QuestionErrors;
use super::request_id;
use super::state::State;
use super::wire::{BODY_LIMIT, bytes};
use crate::access::Caller;
use crate::telemetry::RequestSpan;
use tools::{Asking, Tools};

/// The protocol with our tools.
pub(super) type Service = StreamableHttpService<Tools, NeverSessionManager>;

pub(super) fn service(state: web::Data<State>) -> Service {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        // Both are checked here, as for every other address.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let tools = move || Ok(Tools::new(state.clone()));
    StreamableHttpService::new(tools, NeverSessionManager::default().into(), config)
}

/// Body of `POST /mcp`: a request or notification of JSON-RPC 2.0.
#[derive(Debug, utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the form; the SDK reads it")]
pub(super) struct McpRequest {
    /// Always `2.0`.
    #[schema(example = "2.0", pattern = r"^2\.0$")]
    jsonrpc: String,
    /// A number or a text; absent from a notification.
    #[schema(value_type = McpId, required = false, example = 1)]
    id: McpId,
    /// What is wanted.
    #[schema(example = "tools/list")]
    method: String,
    /// What belongs to the method, for example `name` and `arguments` to `tools/call`.
    #[schema(value_type = Object, required = false)]
    params: serde_json::Value,
}

/// What ties an answer to its request.
#[derive(Debug, serde::Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the form; the SDK reads it")]
pub(super) enum McpId {
    Number(i64),
    Text(String),
}

/// Answer of JSON-RPC 2.0: a result or an error.
#[derive(Debug, utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the form; the SDK writes it")]
pub(super) struct McpReply {
    /// Always `2.0`.
    #[schema(example = "2.0")]
    jsonrpc: String,
    /// That of the request; null where it could not be read.
    #[schema(required = true)]
    id: Option<McpId>,
    /// What the method gives.
    #[schema(value_type = Object, required = false)]
    result: serde_json::Value,
    /// What went wrong: `code` and `message`.
    #[schema(value_type = Object, required = false)]
    error: serde_json::Value,
}

/// The Model Context Protocol (streamable HTTP, without sessions): tools `search` and `fetch`.
#[utoipa::path(post, path = "/mcp", request_body = McpRequest, responses(
    QuestionErrors,
    (status = 200, description = "The answer to a request", body = McpReply),
    (status = 202, description = "A notification was taken"),
    (status = 400, description = "No message of JSON-RPC 2.0, or `invalid_json`: the body broke off",
        content((McpReply = "application/json"), (ProblemBody = "application/problem+json"))),
))]
pub(super) async fn mcp(
    service: web::Data<Service>,
    state: web::Data<State>,
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    own_origin(&request, &state)?;
    let body = bytes(&request, payload, BODY_LIMIT).await?;
    let mut asked = http1::Request::post("/mcp");
    for (name, value) in request.headers() {
        if *name != ACCEPT {
            asked = asked.header(name.as_str(), value.as_bytes());
        }
    }
    let sent = body.clone();
    let asked = asked
        // Answers are JSON; that the caller takes it was checked before.
        .header("accept", "application/json, text/event-stream")
        .extension(Asking {
            caller,
            base: state.base(&request),
            request_id: request_id::of(&request),
            span: RequestSpan::current(),
            peer: request.conn_data().cloned(),
        })
        .body(Full::new(body))
        .map_err(|error| ApiError::InvalidJson {
            message: error.to_string(),
            line: 1,
            column: 1,
        })?;
    let (head, body) = service.handle(asked).await.into_parts();
    // The SDK says 415 to what it can not read; that it is called JSON was checked before.
    if head.status == http1::StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return Ok(unreadable(&sent));
    }
    let body = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(never) => match never {},
    };
    let status = StatusCode::from_u16(head.status.as_u16()).expect("a status is a status");
    let mut response = HttpResponse::build(status);
    for (name, value) in &head.headers {
        let name = HeaderName::from_bytes(name.as_str().as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_bytes())) {
            response.insert_header((name, value));
        }
    }
    Ok(response.body(body))
}

/// The error of JSON-RPC 2.0 (section 5.1) for what is no JSON, or no message.
fn unreadable(body: &[u8]) -> HttpResponse {
    let (code, message) = match serde_json::from_slice::<serde::de::IgnoredAny>(body) {
        Ok(_) => (-32600, "Invalid Request".to_owned()),
        Err(error) => (-32700, format!("Parse error: {error}")),
    };
    let error = json!({"code": code, "message": message});
    HttpResponse::BadRequest().json(json!({"jsonrpc": "2.0", "id": null, "error": error}))
}

/// Pages may ask only from the configured origins: a page that rebinds its name to this machine's
/// address sends its own. Programs send none.
fn own_origin(request: &HttpRequest, state: &State) -> Result<(), ApiError> {
    let Some(origin) = request.headers().get(ORIGIN) else { return Ok(()) };
    if state.origins().iter().any(|known| known == origin) {
        return Ok(());
    }
    let shown = String::from_utf8_lossy(origin.as_bytes());
    Err(ApiError::ForeignOrigin(crate::ollama::printable(&shown, 100)))
}
