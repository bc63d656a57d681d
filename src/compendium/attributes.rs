//! Attributes behind a heading: `{#stable-id group=… audience=… thema="a, b" .class}`.

use std::collections::{BTreeMap, BTreeSet};

/// What a heading says about its section.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    /// `#id`.
    pub(super) id: Option<String>,
    pub(super) group: Option<String>,
    pub(super) audience: Option<BTreeSet<String>>,
    pub(super) facets: BTreeMap<String, BTreeSet<String>>,
}

/// What is wrong with one attribute: its byte offset, the message, the mend.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) message: String,
    pub(super) mend: String,
}

/// Keys of other tools that say how a heading looks, not what it is about.
const LOOKS: [&str; 6] = ["style", "lang", "width", "height", "number", "toc"];

/// Keys that German editors write out of habit.
const IN_GERMAN: [(&str, &str); 6] = [
    ("gruppe", "group"),
    ("titel", "title"),
    ("facetten", "facets"),
    ("zielgruppe", "audience"),
    ("zielgruppen", "audience"),
    ("aktualisiert", "updated"),
];

/// The byte offset where a heading's attributes begin; `None` where braces are part of the title.
pub(super) fn start(heading: &str) -> Option<usize> {
    let heading = heading.trim_end().trim_end_matches('#').trim_end();
    if !heading.ends_with('}') || heading.ends_with("\\}") {
        return None;
    }
    let open = heading.rfind('{')?;
    if heading[..open].ends_with(['\\', '{', '$']) {
        return None;
    }
    let inside = heading[open + 1..heading.len() - 1].trim();
    let is_meant = inside.starts_with(['#', '.'])
        || inside == "-"
        || inside.contains('=')
        || inside.to_lowercase().starts_with("audience");
    is_meant.then_some(open)
}

/// Whether a title holds attributes that rule nothing there: without their end (`Preise
/// {audience="intern"`), or with something behind them (`Preise {audience=intern} {#preise}`).
pub(super) fn are_in(title: &str) -> bool {
    let mut open = title.split('{');
    let mut before = open.next().unwrap_or("");
    let mut is_doubled = false;
    open.any(|inside| {
        let is_brace = !is_doubled && !before.ends_with(['\\', '$']);
        is_doubled = inside.is_empty();
        before = inside;
        let inside = inside.trim().to_lowercase();
        let names = |keys: &[&str]| keys.iter().any(|key| inside.contains(key));
        is_brace
            && if inside.contains('}') {
                names(&["audience="])
            } else {
                inside.starts_with('#') || names(&["group=", "audience="])
            }
    })
}

/// The audiences of a section; none where it is for everybody. `alle` says what leaving it out says.
pub(super) fn for_whom(named: BTreeSet<String>) -> BTreeSet<String> {
    if named.contains("alle") { BTreeSet::new() } else { named }
}

/// Reads what stands between the braces.
pub(super) fn read(inside: &str) -> (Attributes, Vec<Fault>) {
    let mut found = Attributes::default();
    let mut faults = Vec::new();
    let mut fault = |offset: usize, message: String, mend: &str| {
        faults.push(Fault { offset, message, mend: mend.to_owned() });
    };
    for (offset, word) in words(inside) {
        if let Some(id) = word.strip_prefix('#') {
            if id.is_empty() || id.contains(['#', '"', '=', '/']) {
                fault(
                    offset,
                    format!("`{word}` is not an id"),
                    "write `#` and a name without spaces and without `#`",
                );
            } else if found.id.is_some() {
                fault(offset, format!("a second id `{word}`"), "keep one id");
            } else {
                found.id = Some(id.to_owned());
            }
            continue;
        }
        if word == "-" || (word.starts_with('.') && word.len() > 1) {
            continue;
        }
        let Some((key, value)) = word.split_once('=') else {
            fault(
                offset,
                format!("`{word}` is not an attribute"),
                "write `#id`, `.class` or `key=value`; a value with spaces needs quotes",
            );
            continue;
        };
        let Some(values) = values(value).filter(|_| !key.is_empty()) else {
            fault(
                offset,
                format!("`{word}` has no value that can be read"),
                "write `key=value` or `key=\"two words\"`",
            );
            continue;
        };
        match key {
            "group" if values.len() == 1 => found.group = values.into_iter().next(),
            "group" => fault(
                offset,
                format!("`{word}` names more than one group"),
                "a section has one group",
            ),
            "audience" => found.audience = Some(values),
            "id" => fault(
                offset,
                format!("`{word}` is not how an id is written"),
                "write `#` and the id",
            ),
            _ if key.starts_with("data-") || LOOKS.contains(&key) => {}
            _ => match misspelt(key, &["group", "audience"]) {
                Some(meant) => fault(
                    offset,
                    format!("unknown attribute `{key}`"),
                    &format!("did you mean `{meant}`?"),
                ),
                None => {
                    found.facets.insert(key.to_owned(), values);
                }
            },
        }
    }
    (found, faults)
}

/// The name that a similar word stands for. Stricter than [`crate::domain::did_you_mean`], because
/// any other word is allowed: same first letter, at most two letters of difference.
/// A known name in another case is misspelt, too: what rules who may see a text is never skipped.
pub(super) fn misspelt<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if known.contains(&word) {
        return None;
    }
    let word = word.to_lowercase();
    if let Some((_, meant)) = IN_GERMAN.iter().find(|(german, _)| word == *german) {
        return known.iter().copied().find(|name| name == meant);
    }
    known.iter().copied().find(|name| {
        word.chars().next() == name.chars().next() && strsim::osa_distance(&word, name) <= 2
    })
}

/// Words with their byte offsets; quotes keep spaces together.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let (mut start, mut quote) = (None, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                start.get_or_insert(at);
            }
            (None, _) if c.is_whitespace() => {
                if let Some(from) = start.take() {
                    words.push((from, &text[from..at]));
                }
            }
            _ => {
                start.get_or_insert(at);
            }
        }
    }
    words.extend(start.map(|from| (from, &text[from..])));
    words
}

/// `a`, `"a b"` or `"a, b"`; `None` when there is nothing or a quote is not closed.
fn values(text: &str) -> Option<BTreeSet<String>> {
    let bare = match text.chars().next()? {
        quote @ ('"' | '\'') => text[1..].strip_suffix(quote)?,
        _ => text,
    };
    let values: BTreeSet<String> = bare
        .split(',')
        .map(str::trim)
        .filter(|value| !value.is_empty())
        .map(str::to_owned)
        .collect();
    (!values.is_empty()).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_that_rule_nothing_in_a_title_are_noticed() {
        for title in [
            "Preise {audience=\"intern\"",
            "Preise {#preise",
            "Preise {group=Kosten",
            "Preise {Audience=intern",
            "Preise {audience=intern} {#preise}",
            "{audience=intern} Preise",
        ] {
            assert!(are_in(title), "{title}");
        }
        for title in ["Preise", "Mengen {a, b}", "Formel \\{#x", "Was {ist das", "{#x} Preise"] {
            assert!(!are_in(title), "{title}");
        }
    }

    #[test]
    fn an_audience_in_another_spelling_is_a_fault_and_no_facet() {
        for inside in
            ["#x Audience=leitung", "AUDIENCE=leitung", "zielgruppen=leitung", "audience:leitung"]
        {
            let (found, faults) = read(inside);
            assert_eq!((faults.len(), found.facets.len()), (1, 0), "{inside}");
        }
        assert_eq!(start("Preise {Audience: leitung}"), Some(7));
        let (found, faults) = read("Thema=Lernen");
        assert_eq!((faults.len(), found.facets.len()), (0, 1), "a facet has any name");
    }

    #[test]
    fn everybody_is_no_audience_of_its_own() {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        assert!(for_whom(names(&["alle"])).is_empty());
        assert_eq!(for_whom(names(&["intern"])).len(), 1);
    }
}
