//! The tools `search` and `fetch` in the shape that chat products expect of a knowledge base.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::web;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::error::ApiError;
use super::super::peer::{self, Peer};
use super::super::state::State;
use super::super::{search, wire};
use crate::access::Caller;
use crate::chat;
use crate::domain::{Section, SectionId};
use crate::pipeline::SearchRequest;
use crate::telemetry::RequestSpan;

/// What a model is told about this server.
const INSTRUCTIONS: &str = "Wegweiser searches a German knowledge base. Call `search` with a whole \
    German question, then `fetch` the sections that matter, answer only from their text, and cite \
    their `url`. If `answerable` is false, the knowledge base has no answer: say so.";

/// Who asks, and how addresses begin for him; part of each request.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    pub(super) caller: Caller,
    pub(super) base: String,
    pub(super) request_id: String,
    /// The SDK works on in a task of its own, which outlives the request where its client hangs up.
    pub(super) span: RequestSpan,
    pub(super) peer: Option<Peer>,
}

/// Answers the protocol's questions about tools.
#[derive(Clone)]
pub(in super::super) struct Tools {
    state: web::Data<State>,
}

/// What `search` finds.
#[derive(Debug, Serialize)]
struct SearchResults {
    results: Vec<Found>,
    /// Whether the knowledge base can answer the question; absent where nobody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    answerable: Option<bool>,
}

#[derive(Debug, Serialize)]
struct Found {
    id: String,
    title: String,
    url: String,
}

/// What `fetch` gives.
#[derive(Debug, Serialize)]
struct FetchResult {
    id: String,
    title: String,
    text: String,
    url: String,
    /// Texts by name: `document`, `path`, `group`, `updated`, and the facets as `facet:…`.
    metadata: BTreeMap<String, String>,
}

impl Tools {
    pub(super) fn new(state: web::Data<State>) -> Self {
        Self { state }
    }

    async fn search(&self, asking: &Asking, query: String) -> Result<SearchResults, ApiError> {
        let pipeline = self.state.pipeline(&asking.caller)?;
        let asked = wire::Asked { question: query, request: SearchRequest::default() };
        let found = asking.span.around(search::answered(&self.state, &pipeline, &asked));
        let answer = tokio::select! {
            found = found => found?.answer,
            // Nobody hears what is said here.
            () = peer::gone(asking.peer.clone()) => return Err(ApiError::Busy),
        };
        self.state.keep(&asking.caller, "mcp", &answer, &asking.request_id);
        let results = answer.hits.into_iter().flatten().map(|hit| Found {
            url: chat::url(&asking.base, &hit.id),
            id: hit.id,
            title: hit.title,
        });
        Ok(SearchResults { results: results.collect(), answerable: answer.answerable })
    }

    fn fetch(&self, asking: &Asking, id: &str) -> Result<FetchResult, ApiError> {
        let pipeline = self.state.pipeline(&asking.caller)?;
        let unknown = || ApiError::UnknownSection(crate::ollama::printable(id, 200));
        let wanted = SectionId::try_from(id).map_err(|_| unknown())?;
        let section = pipeline.section(&wanted).ok_or_else(unknown)?;
        Ok(FetchResult {
            id: section.id.to_string(),
            title: section.title.clone(),
            text: section.text.clone(),
            url: chat::url(&asking.base, section.id.as_str()),
            metadata: metadata(section),
        })
    }
}

fn metadata(section: &Section) -> BTreeMap<String, String> {
    let mut metadata = BTreeMap::from([("document".to_owned(), section.document().to_owned())]);
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            metadata.insert(name.to_owned(), value);
        }
    };
    put("path", Some(section.path.join(" › ")));
    put("group", section.group.as_ref().map(ToString::to_string));
    put("updated", section.updated.clone());
    for (name, values) in &section.facets {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        put(&format!("facet:{name}"), Some(values.join(", ")));
    }
    metadata
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let version = env!("CARGO_PKG_VERSION");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("wegweiser", version))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let asking = context
            .extensions
            .get::<http1::request::Parts>()
            .and_then(|parts| parts.extensions.get::<Asking>())
            .ok_or_else(|| ErrorData::internal_error("the request has no caller", None))?;
        let text = |name: &str| {
            request.arguments.as_ref().and_then(|of| of.get(name)).and_then(Value::as_str)
        };
        let result = match &*request.name {
            "search" => match text("query") {
                Some(query) => told(self.search(asking, query.to_owned()).await),
                None => no_text("query"),
            },
            "fetch" => match text("id") {
                Some(id) => told(self.fetch(asking, id)),
                None => no_text("id"),
            },
            other => {
                let name = crate::ollama::printable(other, 100);
                let message = format!("there is no tool `{name}`; there are `search` and `fetch`");
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        Ok(result.into())
    }

    /// What the SDK takes for no method that it knows: also a known one with parameters of another shape.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let shape = match request.method.as_str() {
            "tools/call" => "{\"name\": \"search\" or \"fetch\", \"arguments\": {…}}",
            "initialize" => {
                "{\"protocolVersion\": text, \"capabilities\": {…}, \"clientInfo\": {\"name\": text, \
                 \"version\": text}}"
            }
            _ => return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        };
        let message = format!("`params` of {} must be {shape}", request.method);
        Err(ErrorData::invalid_params(message, None))
    }
}

/// A result as structured content and as JSON text; an error as a text that a model can act on.
fn told<T: Serialize>(outcome: Result<T, ApiError>) -> CallToolResult {
    match outcome {
        Ok(result) => CallToolResult::structured(serde_json::to_value(result).expect("plain data")),
        Err(error) => refused(&error.to_string(), &error.german()),
    }
}

fn no_text(name: &str) -> CallToolResult {
    refused(&format!("`{name}` must be a text"), &format!("„{name}“ muss ein Text sein."))
}

fn refused(english: &str, german: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(format!("{english}\n{german}"))])
}

fn tools() -> Vec<Tool> {
    let annotations = |title: &str| {
        ToolAnnotations::with_title(title).read_only(true).idempotent(true).open_world(false)
    };
    let search = Tool::new(
        "search",
        "Finds the sections of the German knowledge base that answer a question, best first. Ask a \
         whole German question. `answerable: false` means that the knowledge base has no answer and \
         the results are only the nearest sections.",
        object(json!({
            "type": "object",
            "properties": {"query": {"type": "string", "description": "A German question"}},
            "required": ["query"],
        })),
    )
    .with_raw_output_schema(object(json!({
        "type": "object",
        "properties": {
            "results": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"}, "title": {"type": "string"}, "url": {"type": "string"},
                },
                "required": ["id", "title", "url"],
            }},
            "answerable": {"type": "boolean"},
        },
        "required": ["results"],
    })))
    .with_annotations(annotations("Wissenssammlung durchsuchen"));
    let fetch = Tool::new(
        "fetch",
        "Gives the whole text of a section by the `id` that `search` told, with its address for citing.",
        object(json!({
            "type": "object",
            "properties": {"id": {"type": "string", "description": "Section id"}},
            "required": ["id"],
        })),
    )
    .with_raw_output_schema(object(json!({
        "type": "object",
        "properties": {
            "id": {"type": "string"}, "title": {"type": "string"}, "text": {"type": "string"},
            "url": {"type": "string"},
            "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["id", "title", "text", "url", "metadata"],
    })))
    .with_annotations(annotations("Abschnitt lesen"));
    vec![search, fetch]
}

fn object(schema: Value) -> Arc<JsonObject> {
    if let Value::Object(object) = schema { Arc::new(object) } else { Arc::default() }
}
