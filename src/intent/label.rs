//! From what a language model wrote to a label of the closed list, or to nothing.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::domain::IntentId;

/// The label that a model's answer names, where it is unambiguous.
///
/// Accepts the JSON that was asked for, also inside a code fence or between prose, with the label
/// in any case, or as a list of one. Everything else is `None`: a wrong guess costs more than a
/// second opinion from the classifier in this process.
pub(super) fn read(answer: &str, known: &BTreeSet<IntentId>) -> Option<IntentId> {
    let value = answer.match_indices('{').find_map(|(start, _)| {
        let mut values = serde_json::Deserializer::from_str(&answer[start..]).into_iter::<Value>();
        values.next()?.ok()
    })?;
    match value.get("intent")? {
        Value::String(label) => closest(label, known),
        Value::Array(labels) => match labels.as_slice() {
            [Value::String(label)] => closest(label, known),
            _ => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn closest(label: &str, known: &BTreeSet<IntentId>) -> Option<IntentId> {
    let label = label.trim().to_lowercase().replace(['-', ' '], "_");
    known.iter().find(|id| id.as_str() == label).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_read_where_it_is_unambiguous() {
        let known: BTreeSet<IntentId> =
            ["how", "yes_no"].iter().map(|id| IntentId::try_from(*id).expect("an id")).collect();
        for (answer, label) in [
            (r#"{"intent": "how"}"#, Some("how")),
            ("```json\n{\"intent\": \"how\"}\n```", Some("how")),
            (r#"Gern! Die Absicht {ist} klar: {"intent": "HOW"} – stimmt's?"#, Some("how")),
            (r#"{"intent": "Yes-No"}        "#, Some("yes_no")),
            (r#"{"intent": ["how"]}"#, Some("how")),
            (r#"{"intent": ["how", "yes_no"]}"#, None),
            (r#"{"intent": null}"#, None),
            (r#"{"intent": "anleitung"}"#, None),
            (r#"{"intent": "ho"#, None),
            (r#"{"label": "how"}"#, None),
            ("", None),
            ("how", None),
        ] {
            let read = read(answer, &known);
            assert_eq!(read.as_ref().map(IntentId::as_str), label, "{answer}");
        }
    }
}
