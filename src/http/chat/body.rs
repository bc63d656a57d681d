//! Reads the body of a chat request as tolerantly as OpenAI's API does.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::error::{ApiError, Fault};

/// The name of the one model there is.
pub(super) const MODEL: &str = "wegweiser";

/// What of a chat request has an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    /// The text of the last message of the user.
    pub(super) question: String,
    pub(super) stream: bool,
    /// Whether a stream ends with the usage.
    pub(super) include_usage: bool,
}

impl Asked {
    /// Reads the fields of a body. What is unknown is ignored: frontends send temperatures, tools and
    /// whatever comes next.
    ///
    /// # Errors
    /// All faults at once, or an unknown model.
    pub(super) fn read(mut fields: BTreeMap<String, Value>) -> Result<Self, ApiError> {
        let mut faults = Vec::new();
        match fields.remove("model") {
            None | Some(Value::Null) => {}
            Some(Value::String(model)) if model == MODEL => {}
            Some(Value::String(model)) => {
                return Err(ApiError::UnknownModel(crate::ollama::printable(&model, 100)));
            }
            Some(_) => faults.push(wrong("model", "a text", "ein Text")),
        }
        let stream = match fields.remove("stream") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(stream)) => stream,
            Some(_) => {
                faults.push(wrong("stream", "true or false", "true oder false"));
                false
            }
        };
        let options = fields.remove("stream_options");
        let include_usage = options.is_some_and(|options| options["include_usage"] == true);
        let question = match fields.remove("messages") {
            Some(Value::Array(messages)) if !messages.is_empty() => question(messages, &mut faults),
            _ => {
                faults.push(wrong("messages", "a list of messages", "eine Liste von Nachrichten"));
                String::new()
            }
        };
        if faults.is_empty() {
            Ok(Self { question, stream, include_usage })
        } else {
            Err(ApiError::InvalidBody(faults))
        }
    }
}

/// The text of the last message whose role is `user`; what stands before and behind it is history.
fn question(messages: Vec<Value>, faults: &mut Vec<Fault>) -> String {
    let mut last = None;
    for (nth, message) in messages.into_iter().enumerate() {
        let at = format!("messages[{nth}]");
        let Value::Object(mut message) = message else {
            faults.push(wrong(&at, "an object", "ein Objekt"));
            continue;
        };
        match message.get("role") {
            Some(Value::String(role)) if role == "user" => {
                last = message.remove("content").map(|content| (at, content));
            }
            Some(Value::String(_)) => {}
            _ => faults.push(wrong(&format!("{at}.role"), "a text", "ein Text")),
        }
    }
    let Some((at, content)) = last else {
        faults.push(Fault::new(
            "`messages` must hold a message with the role `user` and a `content`".to_owned(),
            "„messages“ muss eine Nachricht mit der Rolle „user“ und einem „content“ enthalten"
                .to_owned(),
        ));
        return String::new();
    };
    let text = match content {
        Value::String(text) => Some(text),
        Value::Array(parts) => {
            let texts: Option<Vec<String>> = parts
                .into_iter()
                .map(
                    |part| {
                        if let Value::Object(part) = part { Some(part_text(part)) } else { None }
                    },
                )
                .collect();
            texts.map(|texts| texts.join("\n"))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    };
    text.unwrap_or_else(|| {
        let at = format!("{at}.content");
        faults.push(wrong(&at, "a text or a list of parts", "ein Text oder eine Liste von Teilen"));
        String::new()
    })
}

/// The text of a part; pictures, sounds and files have none.
fn part_text(mut part: Map<String, Value>) -> String {
    if let Some(Value::String(text)) = part.remove("text") { text } else { String::new() }
}

fn wrong(at: &str, form: &str, form_de: &str) -> Fault {
    Fault::new(format!("`{at}` must be {form}"), format!("„{at}“ muss {form_de} sein"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(body: Value) -> Result<Asked, ApiError> {
        let Value::Object(fields) = body else { panic!("an object") };
        Asked::read(fields.into_iter().collect())
    }

    #[test]
    fn the_last_message_of_the_user_is_the_question() {
        let asked = read(json!({
            "model": "wegweiser", "temperature": 2, "tools": [], "unbekannt": {"x": 1}, "stream": null,
            "messages": [
                {"role": "system", "content": "Sei ein Pirat."},
                {"role": "user", "content": "Erste Frage?"},
                {"role": "assistant", "content": null, "tool_calls": []},
                {"role": "user", "content": [
                    {"type": "text", "text": "Zweite"},
                    {"type": "image_url", "image_url": {"url": "data:"}},
                    {"type": "text", "text": "Frage?"}
                ]},
                {"role": "assistant", "content": "Ich fange schon an:"},
            ],
        }))
        .expect("a question");
        let question = "Zweite\n\nFrage?".to_owned();
        assert_eq!(asked, Asked { question, stream: false, include_usage: false });
    }

    #[test]
    fn all_faults_are_told_at_once() {
        let told = |body: Value| read(body).expect_err("faults").to_string();
        let text = told(json!({"model": 1, "stream": "ja", "messages": [7, {"role": 1}]}));
        for fault in ["`model`", "`stream`", "`messages[0]`", "`messages[1].role`", "role `user`"] {
            assert!(text.contains(fault), "{fault}: {text}");
        }
        assert!(told(json!({})).contains("`messages` must be a list"));
        assert!(told(json!({"messages": []})).contains("`messages` must be a list"));
        let content =
            |content: Value| told(json!({"messages": [{"role": "user", "content": content}]}));
        for wrong in [json!(1), json!({}), json!(["x"]), Value::Null] {
            assert!(content(wrong).contains("`messages[0].content` must be a text"));
        }
        assert!(told(json!({"model": "gpt-4", "messages": []})).contains("no model `gpt-4`"));
    }
}
