//! Front matter: what a document says about all of its sections.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use super::attributes::misspelt;
use super::source::Source;
use super::stray;
use crate::domain::{Place, Problem};
use crate::yaml::{self, Located, OneOrMany};

pub(super) const KEYS: [&str; 5] = ["title", "group", "facets", "audience", "updated"];

/// What is known about a document before its first heading.
#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) title: Option<String>,
    pub(super) group: Option<(String, Place)>,
    pub(super) facets: BTreeMap<String, BTreeSet<String>>,
    pub(super) audience: BTreeSet<String>,
    pub(super) updated: Option<String>,
}

/// The front matter, the rest of the text and the line where the rest begins.
pub(super) fn split<'a>(
    source: &'a Source,
    problems: &mut Vec<Problem>,
) -> (Front, &'a str, usize) {
    let Some(inside) = opened(&source.text) else {
        problems.extend(stray::find(source, &source.text, 1));
        return (Front::default(), &source.text, 1);
    };
    let mut at = source.text.len() - inside.len();
    for (number, line) in inside.split_inclusive('\n').enumerate() {
        if matches!(line.trim_end(), "---" | "...") {
            let yaml = &source.text[source.text.len() - inside.len()..at];
            let body = &source.text[at + line.len()..];
            problems.extend(stray::find(source, body, number + 3));
            return (read(source, yaml, problems), body, number + 3);
        }
        at += line.len();
    }
    problems.push(Problem {
        place: Place::start_of(&source.file),
        code: "front-matter-unclosed",
        message: "the front matter that begins here has no end".to_owned(),
        mend: "write a line `---` after the last key".to_owned(),
    });
    (Front::default(), "", 1)
}

/// What follows the opening `---`. A rule with an empty line after it is a rule, unless a key
/// follows all the same.
fn opened(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('\n')?;
    if first.trim_end() != "---" {
        return None;
    }
    let next = rest.lines().next().unwrap_or("");
    let content = rest.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let is_key = content.split_once(':').is_some_and(|(key, value)| {
        key.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
            && (value.is_empty() || value.starts_with(' '))
    });
    (!next.trim().is_empty() || is_key).then_some(rest)
}

fn read(source: &Source, yaml: &str, problems: &mut Vec<Problem>) -> Front {
    if yaml.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Front::default();
    }
    match yaml::read::<Keys>(&source.file, yaml, 2) {
        Ok(keys) => check(source, keys, problems),
        Err(found) => {
            problems.extend(found.into_list());
            Front::default()
        }
    }
}

fn check(source: &Source, keys: Keys, problems: &mut Vec<Problem>) -> Front {
    for key in keys.other {
        if let Some(meant) = misspelt(&key.value, &KEYS) {
            problems.push(Problem {
                place: key.place(&source.file),
                code: "front-matter-unknown-key",
                message: format!("unknown key `{}`", key.value),
                mend: format!("did you mean `{meant}`?"),
            });
        }
    }
    if let Some(updated) = keys.updated.as_ref().filter(|updated| !is_date(&updated.value)) {
        problems.push(Problem {
            place: updated.place(&source.file),
            code: "front-matter-date",
            message: format!("`{}` is not a day", updated.value),
            mend: "write year, month and day, for example `2025-03-31`".to_owned(),
        });
    }
    let mut fault = |place: Place, code: &'static str, message: &str, mend: &str| {
        problems.push(Problem { place, code, message: message.to_owned(), mend: mend.to_owned() });
    };
    let texts = |list: OneOrMany| -> BTreeSet<String> {
        list.0.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
    };
    let facets = keys.facets.map(|facets| (facets.place(&source.file), facets.value));
    if let Some((place, named)) = &facets
        && let Some(name) = named.keys().find(|name| stray::is_audience(name))
    {
        fault(
            place.clone(),
            "front-matter-audience",
            &format!("`{name}` is not a facet"),
            "write `audience: …` at the start of its line; below `facets` it hides nothing",
        );
    }
    let audience = keys.audience.map(|named| (named.place(&source.file), texts(named.value)));
    if let Some((place, _)) = audience.as_ref().filter(|(_, named)| named.is_empty()) {
        fault(
            place.clone(),
            "front-matter-audience",
            "`audience` names nobody",
            "name who may see the document, for example `audience: [leitung]`, or leave the line \
             out: then everybody may",
        );
    }
    Front {
        title: keys.title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty()),
        group: keys.group.map(|group| (group.value.clone(), group.place(&source.file))),
        facets: facets
            .into_iter()
            .flat_map(|(_, named)| named)
            .map(|(name, values)| (name, texts(values)))
            .collect(),
        audience: audience.map(|(_, named)| named).unwrap_or_default(),
        updated: keys.updated.map(|updated| updated.value),
    }
}

/// `YYYY-MM-DD`, a day that exists in the Gregorian calendar.
pub(super) fn is_date(text: &str) -> bool {
    let digits = |part: &str, length: usize| -> Option<u32> {
        (part.len() == length && part.bytes().all(|b| b.is_ascii_digit()))
            .then(|| part.parse().ok())
            .flatten()
    };
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (
        parts.next().and_then(|part| digits(part, 4)),
        parts.next().and_then(|part| digits(part, 2)),
        parts.next().and_then(|part| digits(part, 2)),
        parts.next(),
    ) else {
        return false;
    };
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Our keys; those of other tools are skipped, but kept by name to find misspelt ones.
#[derive(Debug, Default)]
struct Keys {
    title: Option<String>,
    group: Option<Located<String>>,
    facets: Option<Located<BTreeMap<String, OneOrMany>>>,
    audience: Option<Located<OneOrMany>>,
    updated: Option<Located<String>>,
    other: Vec<Located<String>>,
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("keys with values, such as `title: …`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Keys::default();
                while let Some(key) = map.next_key::<Located<String>>()? {
                    match key.value.as_str() {
                        "title" => keys.title = map.next_value()?,
                        "group" => keys.group = Some(map.next_value()?),
                        "facets" => keys.facets = Some(map.next_value()?),
                        // `audience:` with nothing behind it is an error, not everybody.
                        "audience" => keys.audience = Some(map.next_value()?),
                        "updated" => keys.updated = Some(map.next_value()?),
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            keys.other.push(key);
                        }
                    }
                }
                Ok(keys)
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}
