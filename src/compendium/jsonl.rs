//! `sections.jsonl`: one section a line, made by another program.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::document::{Draft, Name};
use super::inline::visible;
use super::source::Source;
use crate::domain::{Place, Problem};

/// Our keys of a line; others are skipped.
#[derive(Debug, Deserialize)]
struct Line {
    section_id: String,
    title: String,
    text: String,
    group: Option<String>,
    /// Not read, but never skipped: the section would be shown to everybody.
    #[serde(alias = "Audience", alias = "AUDIENCE")]
    audience: Option<IgnoredAny>,
}

pub(super) fn read(
    source: &Source,
    problems: &mut Vec<Problem>,
    notices: &mut Vec<Problem>,
) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (at, line) in source.text.split('\n').enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let place = Place { file: source.file.clone(), line: at + 1, column: 1 };
        match serde_json::from_str::<Line>(line) {
            Ok(Line { audience: Some(IgnoredAny), .. }) => problems.push(Problem {
                place,
                code: "jsonl-audience",
                message: "a line can not say who may see its section".to_owned(),
                mend:
                    "write the section as Markdown, where `audience` rules, or take the key away: \
                       then everybody may see it"
                        .to_owned(),
            }),
            Ok(read) => drafts.push(draft(source, read, place)),
            Err(error) => problems.push(problem(line, place, &error)),
        }
    }
    if drafts.is_empty() && source.text.trim().is_empty() {
        notices.push(Problem {
            place: Place::start_of(&source.file),
            code: "compendium-empty-file",
            message: "this file is empty".to_owned(),
            mend: "write one section a line".to_owned(),
        });
    }
    drafts
}

fn draft(source: &Source, line: Line, place: Place) -> Draft {
    let text = |text: &str| visible(text).replace("\r\n", "\n").trim().to_owned();
    Draft {
        document: source.document.clone(),
        name: Name::Whole(line.section_id),
        title: text(&line.title).split_whitespace().collect::<Vec<_>>().join(" "),
        path: Vec::new(),
        text: text(&line.text),
        group: line
            .group
            .filter(|group| !group.trim().is_empty())
            .map(|group| (group, place.clone())),
        facets: BTreeMap::new(),
        audience: BTreeSet::new(),
        updated: None,
        place,
        has_children: false,
        has_content: false,
    }
}

fn problem(line: &str, mut place: Place, error: &serde_json::Error) -> Problem {
    // serde_json counts bytes.
    let bytes = line.len().min(error.column().saturating_sub(1));
    let start = String::from_utf8_lossy(&line.as_bytes()[..bytes]);
    place.column = start.chars().count() + 1;
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(text, _)| text);
    let (code, mend) = if message.starts_with("missing field") {
        ("jsonl-missing-key", "every line needs `section_id`, `title` and `text`")
    } else {
        (
            "jsonl-syntax",
            "write one JSON object a line: {\"section_id\": …, \"title\": …, \"text\": …}",
        )
    };
    Problem {
        place,
        code,
        message: message.replace("missing field", "missing key"),
        mend: mend.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Kind;
    use super::*;

    #[test]
    fn an_audience_of_a_line_is_never_overlooked() {
        let line = |audience: &str| {
            format!("{{\"section_id\": \"a#b\", \"title\": \"T\", \"text\": \"x\"{audience}}}")
        };
        let told = |text: String| {
            let file = "sections.jsonl".to_owned();
            let source = Source { document: file.clone(), file, text, kind: Kind::Lines };
            let (mut problems, mut notices) = (Vec::new(), Vec::new());
            let drafts = read(&source, &mut problems, &mut notices).len();
            (drafts, problems.iter().map(|problem| problem.code).collect::<Vec<_>>())
        };
        for audience in [", \"audience\": [\"leitung\"]", ", \"Audience\": \"leitung\""] {
            assert_eq!(told(line(audience)), (0, vec!["jsonl-audience"]), "{audience}");
        }
        for sound in ["", ", \"audience\": null", ", \"author\": \"x\""] {
            assert_eq!(told(line(sound)), (1, vec![]), "{sound}");
        }
    }
}
