//! From what a language model wrote to a label of the closed list, or to nothing.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Intents;
use crate::analysis;
use crate::domain::IntentId;

/// The label of texts that are no question of any intent.
pub(super) const UNKNOWN: &str = "unknown";

/// A model's answer names no label, several, or one that is not on the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unclear;

/// The closed list with all its names.
#[derive(Debug, Clone)]
pub(super) struct Labels(BTreeMap<String, Option<IntentId>>);

impl Labels {
    pub(super) fn new(intents: &Intents) -> Self {
        let names = intents.iter().flat_map(|(id, intent)| {
            let called = intent.also_called.iter().map(String::as_str);
            called.chain([id.as_str()]).map(|name| (fold(name), Some(id.clone())))
        });
        let unknown = [UNKNOWN, "unbekannt"].map(|name| (name.to_owned(), None));
        Self(unknown.into_iter().chain(names).collect())
    }

    /// The label that an answer names, where it is unambiguous; `None` is `unknown`.
    ///
    /// Accepts the JSON that was asked for, also inside a code fence, between prose or without its
    /// last brace, with the label in any case, in German, alone in a list, or as the whole answer.
    /// A wrong guess costs more than a second opinion from the classifier in this process.
    pub(super) fn read(&self, answer: &str) -> Result<Option<IntentId>, Unclear> {
        let whole = answer.trim_matches(|c: char| !c.is_alphanumeric());
        if let Ok(label) = self.named(whole) {
            return Ok(label);
        }
        agreed(objects(answer).iter().map(|object| self.of(object)))
    }

    fn of(&self, value: &Value) -> Result<Option<IntentId>, Unclear> {
        match value {
            Value::String(name) => self.named(name),
            Value::Array(values) => agreed(values.iter().map(|value| self.of(value))),
            Value::Object(members) => {
                let intent = members.iter().find(|(name, _)| name.eq_ignore_ascii_case("intent"));
                let only = members.iter().next().filter(|_| members.len() == 1);
                intent.or(only).map_or(Err(Unclear), |(_, value)| self.of(value))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Err(Unclear),
        }
    }

    fn named(&self, name: &str) -> Result<Option<IntentId>, Unclear> {
        self.0.get(&fold(name)).cloned().ok_or(Unclear)
    }
}

/// The one label of all; an unclear one among them makes all unclear.
fn agreed(
    mut labels: impl Iterator<Item = Result<Option<IntentId>, Unclear>>,
) -> Result<Option<IntentId>, Unclear> {
    let first = labels.next().ok_or(Unclear)??;
    if labels.all(|label| label.as_ref() == Ok(&first)) { Ok(first) } else { Err(Unclear) }
}

/// One spelling of a label: `Ja/Nein`, `ja-nein` and `ja_nein` are one.
pub(super) fn fold(name: &str) -> String {
    let words = analysis::fold(name);
    let words: Vec<&str> =
        words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("_")
}

/// The JSON objects of a text, one after the other; braces of prose are none.
fn objects(text: &str) -> Vec<Value> {
    let mut objects = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        rest = &rest[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let next = match values.next() {
            Some(Ok(value)) => {
                objects.push(value);
                values.byte_offset()
            }
            Some(Err(error)) if error.is_eof() => {
                // Cut: whole where only the last brace is missing.
                objects.extend(serde_json::from_str::<Value>(&format!("{rest}}}")).ok());
                1
            }
            Some(Err(_)) | None => 1,
        };
        rest = &rest[next..];
    }
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTENTS: &str = "
profiles:
  neutral: {k: 6, vector: 0.8, lexical: 0.2, fields: 'title text'}
intents:
  how: {profile: neutral, description: 'Vorgehen', also_called: [Anleitung], examples: []}
  why: {profile: neutral, description: 'Grund', also_called: [Begründung], examples: []}
  yes_no: {profile: neutral, description: 'Ja oder Nein', also_called: [Ja/Nein], examples: []}
unknown_examples: []
";

    #[test]
    fn a_label_is_read_where_it_is_unambiguous() {
        let labels = Labels::new(&Intents::load("intents.yaml", INTENTS).expect("fine"));
        for (answer, label) in [
            (r#"{"intent": "how"}"#, "how"),
            (r#"{"Intent": " HOW. "}"#, "how"),
            ("```json\n{\"intent\": \"how\"}\n```", "how"),
            (r#"Gern! Die Absicht {ist} klar: {"intent": "HOW"} – stimmt's?"#, "how"),
            (r#"{"intent": "Yes-No"}        "#, "yes_no"),
            (r#"{"intent": "ja / nein"}"#, "yes_no"),
            (r#"{"intent": "Begründung"}"#, "why"),
            (r#"{"absicht": "BEGRUENDUNG"}"#, "why"),
            (r#"{"intent": ["how"]}"#, "how"),
            (r#"{"intent": {"name": "how"}}"#, "how"),
            (r#"{"intent": "how", "confidence": 0.9}"#, "how"),
            (r#"{"intent": "how"} {"intent": "Anleitung"}"#, "how"),
            (r#"{"intent": "how""#, "how"),
            ("\"how\"\n", "how"),
            ("Begründung.", "why"),
            (r#"{"intent": "Unknown"}"#, UNKNOWN),
            (r#"{"intent": ["how", "yes_no"]}"#, "unclear"),
            (r#"{"intent": []}"#, "unclear"),
            (r#"{"intent": "how"} oder {"intent": "why"}"#, "unclear"),
            (r#"{"intent": "how"} oder {"intent": null}"#, "unclear"),
            (r#"{"intent": null}"#, "unclear"),
            (r#"{"intent": 7}"#, "unclear"),
            (r#"{"intent": ""}"#, "unclear"),
            (r#"{"intent": "banane"}"#, "unclear"),
            (r#"{"intent": "how, why"}"#, "unclear"),
            (r#"{"intent": "ho"#, "unclear"),
            (r#"{"first": "how", "second": "why"}"#, "unclear"),
            ("Die Absicht ist how", "unclear"),
            ("", "unclear"),
            ("{}", "unclear"),
        ] {
            let read = match labels.read(answer) {
                Ok(Some(id)) => id.to_string(),
                Ok(None) => UNKNOWN.to_owned(),
                Err(Unclear) => "unclear".to_owned(),
            };
            assert_eq!(read, label, "{answer}");
        }
    }

    #[test]
    fn a_name_of_two_intents_is_a_problem() {
        for twice in ["Anleitung", "HOW"] {
            let text = INTENTS.replace("[Begründung]", &format!("[{twice}]"));
            let problems = Intents::load("intents.yaml", &text).expect_err("one problem");
            let told: Vec<String> =
                problems.list().iter().map(|p| format!("{} {}", p.code, p.message)).collect();
            assert_eq!(told, [format!("intent-name-twice `{twice}` names `how` and `why`")]);
        }
    }
}
