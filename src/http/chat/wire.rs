//! The forms of OpenAI's chat API, as far as they say something here.

use serde::Serialize;
use utoipa::ToSchema;

use crate::chat::{Reply, Source};
use crate::domain::Answer;

/// Body of `POST /v1/chat/completions`. Further fields of OpenAI's API are accepted and have no effect.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(in super::super) struct ChatBody {
    /// `wegweiser`.
    #[schema(example = "wegweiser")]
    pub model: Option<String>,
    /// The last message with the role `user` is the question; the others are ignored.
    #[schema(min_items = 1)]
    pub messages: Vec<MessageBody>,
    /// Whether the answer comes piece by piece as server-sent events.
    pub stream: Option<bool>,
    /// What a stream tells besides.
    pub stream_options: Option<StreamOptions>,
}

/// A message of a conversation.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(in super::super) struct MessageBody {
    /// `user`, `system`, `assistant`, …
    #[schema(example = "user")]
    pub role: String,
    /// A text, or parts of which those with a `text` count.
    pub content: Option<ContentBody>,
}

/// Text of a message.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(in super::super) enum ContentBody {
    /// The text.
    Text(String),
    /// Parts.
    Parts(Vec<PartBody>),
}

/// Part of a message.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct PartBody {
    /// `text`; others are ignored.
    pub r#type: Option<String>,
    /// The text.
    pub text: Option<String>,
}

/// What a stream tells besides.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(in super::super) struct StreamOptions {
    /// Whether the last event before `[DONE]` holds the usage.
    pub include_usage: Option<bool>,
}

/// An answer, or with `object: "chat.completion.chunk"` a piece of one.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct Completion {
    /// Different for every request.
    pub(super) id: String,
    /// `chat.completion` or `chat.completion.chunk`.
    pub(super) object: &'static str,
    /// Seconds since 1970.
    pub(super) created: u64,
    /// `wegweiser`.
    pub(super) model: &'static str,
    /// One; none in the event with the usage.
    pub(super) choices: Vec<Choice>,
    /// Tokens that the language model read and wrote; 0 where sections are quoted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<Usage>,
    /// What OpenAI's API has no place for; in a stream, in the last event of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wegweiser: Option<Details>,
}

/// The answer.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct Choice {
    /// 0.
    pub(super) index: u32,
    /// The answer; absent from a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<ChatMessage>,
    /// A piece of it; only in a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delta: Option<ChatMessage>,
    /// Always null.
    pub(super) logprobs: Option<()>,
    /// `stop`, or `length` where the model did not come to its end; null before the end of a stream.
    pub(super) finish_reason: Option<&'static str>,
}

/// A text, and what it cites.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(in super::super) struct ChatMessage {
    /// `assistant`; absent from later pieces of a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<&'static str>,
    /// German Markdown with citations like `[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<String>,
    /// The cited sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotations: Option<Vec<Annotation>>,
}

/// A citation in the form of OpenAI's web search.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct Annotation {
    /// `url_citation`.
    r#type: &'static str,
    /// What is cited.
    url_citation: UrlCitation,
}

/// A cited section.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct UrlCitation {
    /// Where its number first stands in the text: first character.
    start_index: usize,
    /// The character behind it.
    end_index: usize,
    /// Heading.
    title: String,
    /// Where to read it.
    url: String,
}

/// Tokens of the language model.
#[derive(Debug, Default, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names are OpenAI's")]
pub(in super::super) struct Usage {
    /// Read.
    prompt_tokens: u64,
    /// Written.
    completion_tokens: u64,
    /// Both.
    total_tokens: u64,
}

/// What OpenAI's API has no place for.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct Details {
    /// `llm`, `quotation` (no model, or its answer did not hold), or `refusal`.
    author: &'static str,
    /// As in a search.
    answerable: Option<bool>,
    /// As in a search.
    confidence: Option<f64>,
    /// What was not available, as in a search.
    degraded: Vec<String>,
    /// The cited sections; for a refusal the nearest ones.
    sources: Vec<SourceBody>,
}

/// A cited section.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct SourceBody {
    /// Its number in the text.
    number: usize,
    /// Section id.
    id: String,
    /// Heading.
    title: String,
    /// Where to read it.
    url: String,
}

/// Answer of `GET /v1/models`.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct Models {
    /// `list`.
    pub(super) object: &'static str,
    /// One.
    pub(super) data: Vec<Model>,
}

/// A model.
#[derive(Debug, Serialize, ToSchema)]
pub(in super::super) struct Model {
    /// `wegweiser`.
    pub(super) id: &'static str,
    /// `model`.
    pub(super) object: &'static str,
    /// Always 0: it is made of files that change.
    pub(super) created: u64,
    /// `wegweiser`.
    pub(super) owned_by: &'static str,
}

impl Usage {
    pub(super) fn of(reply: &Reply) -> Self {
        let (prompt_tokens, completion_tokens) = (reply.tokens_read, reply.tokens_written);
        let total_tokens = prompt_tokens.saturating_add(completion_tokens);
        Self { prompt_tokens, completion_tokens, total_tokens }
    }
}

impl Details {
    pub(super) fn of(reply: &Reply, found: &Answer) -> Self {
        let source = |source: &Source| {
            let Source { number, id, title, url, .. } = source.clone();
            SourceBody { number, id, title, url }
        };
        Self {
            author: reply.author.name(),
            answerable: found.answerable,
            confidence: found.confidence,
            degraded: found.degraded.clone(),
            sources: reply.sources.iter().map(source).collect(),
        }
    }
}

impl Annotation {
    pub(super) fn of(reply: &Reply) -> Vec<Self> {
        let cited = reply.sources.iter().filter_map(|Source { number, title, url, .. }| {
            let mark = format!("[{number}]");
            let start_index = reply.text[..reply.text.find(&mark)?].chars().count();
            let end_index = start_index + mark.len();
            let (title, url) = (title.clone(), url.clone());
            let url_citation = UrlCitation { start_index, end_index, title, url };
            Some(Self { r#type: "url_citation", url_citation })
        });
        cited.collect()
    }
}
