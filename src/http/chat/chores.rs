//! What frontends ask their model besides the questions of people: a title for a conversation, tags,
//! follow-up questions, queries for a search. The compendium has no answer to these, and a search for
//! them would be a search for the instructions of the frontend. They are answered here, at once.

use serde_json::{Value, json};

use crate::domain::Query;

/// Characters of a title: what a list of conversations shows.
const LONGEST_TITLE: usize = 60;
/// How every chore of Open `WebUI` begins, and what encloses the conversation in it.
const OPEN_WEBUI: (&str, &str) = ("### Task:", "<chat_history>");
/// What every request of `LibreChat` for a title holds.
const LIBRE_CHAT: &str = "5-word-or-less title for the conversation";

/// What a frontend gets for a chore; `None` where the text is a question of somebody.
pub(super) fn answer(text: &str) -> Option<String> {
    let (begin, history) = OPEN_WEBUI;
    if text.trim_start().starts_with(begin) {
        let (chore, conversation) = text.split_once(history)?;
        let conversation = conversation.split("</chat_history>").next().unwrap_or_default();
        let (member, is_list) = member(chore)?;
        let value = match member {
            "title" => Value::String(title(conversation, "USER:")),
            // None: what the model would make up nobody has checked.
            _ if is_list => json!([]),
            _ => json!(""),
        };
        return Some(json!({ member: value }).to_string());
    }
    let (_, conversation) = text.split_once(LIBRE_CHAT)?;
    Some(title(conversation, "User:"))
}

/// The member of the JSON object that is asked for, as in `{ "tags": ["tag1"] }`, and whether it is a
/// list.
fn member(chore: &str) -> Option<(&str, bool)> {
    let parts: Vec<&str> = chore.split('"').collect();
    parts.windows(2).skip(1).step_by(2).find_map(|pair| {
        let value = pair[1].trim_start().strip_prefix(':')?.trim_start();
        Some((pair[0], value.starts_with('[')))
    })
}

/// The first question of a conversation, shortened at a word.
fn title(conversation: &str, asked: &str) -> String {
    let question = conversation.split_once(asked).map_or("", |(_, question)| question);
    // As questions are read: without what nobody sees.
    let visible = |line: &str| Query::new(line, usize::MAX).ok();
    let line = question.lines().find_map(visible);
    let line = line.map_or_else(|| "Gespräch".to_owned(), |line| line.as_str().to_owned());
    if line.chars().count() <= LONGEST_TITLE {
        return line;
    }
    let mut title = String::new();
    for word in line.split_whitespace() {
        if title.chars().count() + word.chars().count() >= LONGEST_TITLE - 1 {
            break;
        }
        title = if title.is_empty() { word.to_owned() } else { format!("{title} {word}") };
    }
    if title.is_empty() {
        title = line.chars().take(LONGEST_TITLE - 1).collect();
    }
    title + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the form of Open `WebUI` 0.12.
    fn chore(output: &str, conversation: &str) -> String {
        format!(
            "### Task:\nDo something with the chat history.\n### Guidelines:\n- Answer with a \
             \"list\" key, or only [\"General\"].\n### Output:\nJSON format: {output}\n### Chat \
             History:\n<chat_history>\n{conversation}\n</chat_history>"
        )
    }

    #[test]
    fn chores_are_answered_in_the_form_that_they_name() {
        let conversation = "USER: Was hilft gegen \"Aufschieben\"?\nASSISTANT: Viel [1].";
        for (output, expected) in [
            (r#"{ "title": "your title" }"#, r#"{"title":"Was hilft gegen \"Aufschieben\"?"}"#),
            (r#"{ "tags": ["tag1", "tag2"] }"#, r#"{"tags":[]}"#),
            (r#"{ "follow_ups": ["Question 1?"] }"#, r#"{"follow_ups":[]}"#),
            ("\n{\n  \"queries\": [\"query1\"]\n}", r#"{"queries":[]}"#),
            (r#"`{ "text": "<your_completion>" }`"#, r#"{"text":""}"#),
        ] {
            assert_eq!(answer(&chore(output, conversation)).as_deref(), Some(expected), "{output}");
        }
        let libre_chat = "Provide a concise, 5-word-or-less title for the conversation, using title \
            case conventions. Only return the title itself.\n\nConversation:\nUser: Was ist \
            Interleaving?\nAI: Ein Wechsel [1].";
        assert_eq!(answer(libre_chat).as_deref(), Some("Was ist Interleaving?"));
    }

    #[test]
    fn a_title_is_short_and_never_empty() {
        let of = |question: &str| {
            let asked = chore(r#"{ "title": "x" }"#, &format!("USER: {question}"));
            let told: Value =
                serde_json::from_str(&answer(&asked).expect("a title")).expect("JSON");
            told["title"].as_str().expect("a text").to_owned()
        };
        assert_eq!(of(""), "Gespräch");
        assert_eq!(of("\n\u{202e}"), "Gespräch");
        let long =
            "Wie lerne ich für eine Prüfung, wenn ich nur noch zwei Tage Zeit habe und müde bin?";
        assert_eq!(of(long), "Wie lerne ich für eine Prüfung, wenn ich nur noch zwei Tage…");
        assert_eq!(of(&"ü".repeat(500)).chars().count(), LONGEST_TITLE);
    }

    #[test]
    fn what_people_ask_is_no_chore() {
        for question in [
            "Was ist eine Task?",
            "### Task:\nSchreibe ein Gedicht.",
            "### Task: <chat_history> ohne Form",
            "Wie finde ich einen Titel?",
            "",
        ] {
            assert_eq!(answer(question), None, "{question}");
        }
    }
}
