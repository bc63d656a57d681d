//! A parser error as a [`Problem`]: what is wrong and what to write instead.

use serde_yaml::{Error, MessageFormatter, UserMessageFormatter};

use super::rescue::enclosing_entries;
use crate::domain::{Place, Problem, did_you_mean};

/// The problem behind a parser error; `text` is what was parsed.
pub(super) fn explain(file: &str, text: &str, error: &Error) -> Problem {
    let mut place = place(file, text, error);
    let line = text.split('\n').nth(place.line - 1).unwrap_or("").trim_end();
    let (code, message, mend) = wording(line, error);
    if code == "yaml-missing-key" {
        place = start_of_entry(text, place);
    }
    Problem { place, code, message, mend }
}

/// The first key of the list entry that `place` lies in: the parser tells a missing key at the last one
/// that is there, where nobody looks for it.
fn start_of_entry(text: &str, place: Place) -> Place {
    let lines: Vec<&str> = text.split('\n').collect();
    let Some(start) = enclosing_entries(&lines, place.line - 1).next() else { return place };
    let line = lines[start];
    let before = line.len() - line.trim_start().trim_start_matches(['-', ' ']).len();
    Place { line: start + 1, column: before + 1, ..place }
}

fn place(file: &str, text: &str, error: &Error) -> Place {
    let at = error.location().filter(|at| at.line() > 0);
    let Some(at) = at else { return Place::start_of(file) };
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).max(1);
    // The end of the text may be reported one line after the last one.
    let line = number(at.line()).min(text.split('\n').count());
    Place { file: file.to_owned(), line, column: number(at.column()) }
}

/// Code, message and mend.
#[expect(clippy::wildcard_enum_match_arm, reason = "the parser's error list is open")]
fn wording(line: &str, error: &Error) -> (&'static str, String, String) {
    match error {
        Error::AliasError { error, .. } => wording(line, error),
        Error::SerdeUnknownField { field, expected, .. } => (
            "yaml-unknown-key",
            format!("unknown key `{field}`"),
            suggestion(field, expected, "the keys here are"),
        ),
        Error::SerdeUnknownVariant { variant, expected, .. } => (
            "yaml-unknown-value",
            format!("`{variant}` is not one of the values that are known here"),
            suggestion(variant, expected, "the values are"),
        ),
        Error::SerdeMissingField { field, .. } => (
            "yaml-missing-key",
            format!("the key `{field}` is missing"),
            format!("add a line `{field}: …`"),
        ),
        Error::DuplicateMappingKey { key, .. } => (
            "yaml-duplicate-key",
            match key {
                Some(key) => format!("the key `{key}` is written twice"),
                None => "a key is written twice".to_owned(),
            },
            "keep one of the two".to_owned(),
        ),
        Error::MergeKeyNotAllowed { .. } => (
            "yaml-merge-key",
            "`<<` is not understood here".to_owned(),
            "write the keys out".to_owned(),
        ),
        Error::NullIntoString { .. } => (
            "yaml-empty-value",
            "a text is expected, but nothing is written".to_owned(),
            "write the text, or leave the whole line out".to_owned(),
        ),
        Error::Eof { .. } => (
            "yaml-empty-file",
            "there is nothing in this file".to_owned(),
            "write at least its first key".to_owned(),
        ),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => (
            "yaml-too-large",
            format!("more than a file written by people needs: {}", text_of(error)),
            "split the file, and write repeated parts out instead of `*alias`".to_owned(),
        ),
        Error::InvalidBooleanStrict { .. } => (
            "yaml-wrong-type",
            "neither `true` nor `false`".to_owned(),
            "write `true` or `false`".to_owned(),
        ),
        Error::SerdeInvalidType { unexpected, expected, .. }
        | Error::SerdeInvalidValue { unexpected, expected, .. } => {
            ("yaml-wrong-type", format!("found {unexpected}, expected {expected}"), quoting(line))
        }
        Error::Unexpected { expected, .. } => unexpected(line, expected),
        Error::InvalidScalar { ty, .. } => {
            ("yaml-wrong-type", format!("this is not a valid {ty}"), String::new())
        }
        Error::NonFiniteFloat { value, .. } => {
            ("yaml-not-finite", format!("`{value}` is not a finite number"), finite())
        }
        // Raised by our own types (`Finite`, identifiers) while the value was read.
        Error::Message { msg, .. } if msg.ends_with("is not a finite number") => {
            ("yaml-not-finite", msg.clone(), finite())
        }
        Error::Message { msg, .. } => ("yaml-invalid-value", msg.clone(), String::new()),
        _ if text_of(error).contains("recursion limit") => (
            "yaml-too-large",
            "brackets are nested more deeply than a file written by people needs".to_owned(),
            "close the brackets".to_owned(),
        ),
        _ => ("yaml-syntax", format!("not valid YAML: {}", text_of(error)), syntax_mend(line)),
    }
}

fn unexpected(line: &str, expected: &str) -> (&'static str, String, String) {
    let (what, mend) = match expected {
        "sequence start" => ("a list", "write `- …` lines or `[…, …]`".to_owned()),
        "mapping start" => ("keys with values", "write `key: value` lines".to_owned()),
        "string scalar" => ("a text", "write one text, not a list and not keys".to_owned()),
        other => (other, quoting(line)),
    };
    ("yaml-wrong-type", format!("expected {what}"), mend)
}

/// The parser's own words, in one line and without the place.
fn text_of(error: &Error) -> String {
    UserMessageFormatter.format_message(error).replace('\n', " ")
}

fn finite() -> String {
    "write a number such as `1.5`".to_owned()
}

fn suggestion(word: &str, known: &[&'static str], lead: &str) -> String {
    match did_you_mean(word, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!(
            "{lead} {}",
            known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        ),
    }
}

fn quoting(line: &str) -> String {
    match key_and_value(line) {
        Some((key, value))
            if !value.is_empty() && !value.starts_with(['"', '\'', '[', '{', '|', '>']) =>
        {
            format!("for a text, write it in quotes: `{key}: {}`", quoted(value))
        }
        _ => String::new(),
    }
}

/// The two slips that people make: tabs, and a colon inside a text.
fn syntax_mend(line: &str) -> String {
    let indent = &line[..line.len() - line.trim_start().len()];
    if indent.contains('\t') {
        return "indent with spaces, not with tabs".to_owned();
    }
    match key_and_value(line) {
        Some((key, value))
            if !value.starts_with(['"', '\''])
                && (value.contains(": ") || value.ends_with(':')) =>
        {
            format!("put the text in quotes: `{key}: {}`", quoted(value))
        }
        Some((key, value))
            if value.starts_with(['*', '&', '!', '%', '@', '`', '|', '>'])
                || (value.len() > 1 && value.starts_with(['[', '{'])) =>
        {
            format!(
                "a text that starts with `{}` needs quotes: `{key}: {}`",
                &value[..1],
                quoted(value)
            )
        }
        _ => "check quotes, brackets and the indentation of this line and the one above".to_owned(),
    }
}

fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let entry = line.trim_start();
    let entry = entry.strip_prefix("- ").map_or(entry, str::trim_start);
    let (key, value) = entry.split_once(": ")?;
    Some((key, value.trim()))
}

/// Single quotes: nothing inside them needs an escape but the quote itself.
fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}
