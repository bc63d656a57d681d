//! One Markdown document as drafts of its sections.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::front::{self, Front};
use super::inline::{Targets, clean};
use super::source::{Kind, Source};
use super::{attributes, dialect, plain, slug};
use crate::domain::{Place, Problem};

/// A section before its id is settled.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) document: String,
    pub(super) name: Name,
    pub(super) title: String,
    pub(super) path: Vec<String>,
    pub(super) text: String,
    pub(super) group: Option<(String, Place)>,
    pub(super) facets: BTreeMap<String, BTreeSet<String>>,
    pub(super) audience: BTreeSet<String>,
    pub(super) updated: Option<String>,
    pub(super) place: Place,
    /// A heading without a text is worth a notice, unless it only holds others together.
    pub(super) has_children: bool,
    pub(super) has_content: bool,
}

/// Where a section's id comes from.
#[derive(Debug)]
pub(super) enum Name {
    /// The heading; numbered where another heading of the document has the same slug.
    Heading,
    /// `{#id}` behind the heading.
    Explicit(String),
    /// The whole id, from `sections.jsonl`.
    Whole(String),
}

/// What a heading hands down to the headings below it.
#[derive(Debug, Clone)]
struct Inherited {
    level: u8,
    title: Option<String>,
    group: Option<(String, Place)>,
    facets: BTreeMap<String, BTreeSet<String>>,
    audience: BTreeSet<String>,
}

impl Inherited {
    /// Whether everybody who sees a section for `audience` may see this heading above it, too. Else
    /// its title stays out of the section's path.
    fn may_be_seen_with(&self, audience: &BTreeSet<String>) -> bool {
        self.audience.is_empty() || (!audience.is_empty() && audience.is_subset(&self.audience))
    }
}

/// Reads one document; with problems in it, its drafts are not to be used.
pub(super) fn read(
    source: &Source,
    targets: &Targets,
    problems: &mut Vec<Problem>,
    notices: &mut Vec<Problem>,
) -> Vec<Draft> {
    if source.text.trim().is_empty() {
        notices.push(Problem {
            place: Place::start_of(&source.file),
            code: "compendium-empty-file",
            message: "this file is empty".to_owned(),
            mend: "write a heading and a text, or delete the file".to_owned(),
        });
        return Vec::new();
    }
    let (front, body, first_line) = front::split(source, problems);
    let markdown = dialect::translate(body, first_line);
    let mut parts = plain::parts(&markdown.text, targets);
    let title = front
        .title
        .clone()
        .or_else(|| {
            parts
                .iter()
                .find(|part| part.level == 1 && !part.title.is_empty())
                .map(|part| part.title.clone())
        })
        .unwrap_or_else(|| slug::readable(&source.document));
    // Text above the document's own heading belongs to it.
    if parts.get(1).is_some_and(|part| part.level == 1 && part.title == title) {
        let before = parts.remove(0);
        parts[0].has_content |= before.has_content;
        if !before.text.is_empty() {
            let after = std::mem::replace(&mut parts[0].text, before.text);
            if !after.is_empty() {
                parts[0].text.push_str("\n\n");
                parts[0].text.push_str(&after);
            }
        }
    } else if parts[0].text.is_empty() && !parts[0].has_content {
        parts.remove(0);
    }
    drafts(source, &front, &title, &markdown, parts, problems)
}

fn drafts(
    source: &Source,
    front: &Front,
    title: &str,
    markdown: &dialect::Markdown,
    parts: Vec<plain::Part>,
    problems: &mut Vec<Problem>,
) -> Vec<Draft> {
    let mut lines = Lines { file: &source.file, markdown, offset: 0, line: 0 };
    let mut open = vec![Inherited {
        level: 0,
        title: Some(title.to_owned()),
        group: front.group.clone(),
        facets: front.facets.clone(),
        audience: attributes::for_whom(front.audience.clone()),
    }];
    let levels: Vec<u8> = parts.iter().map(|part| part.level).collect();
    let mut drafts = Vec::with_capacity(parts.len());
    for (at, part) in parts.into_iter().enumerate() {
        let is_preamble = part.level == 0;
        let is_title = at == 0 && part.level == 1 && part.title == title;
        let place = lines.place(part.offset);
        while part.level > 0 && open.last().is_some_and(|above| above.level >= part.level) {
            open.pop();
        }
        let above = open.last().expect("the document stays open");
        let mut own =
            Inherited { level: part.level, title: Some(part.title.clone()), ..above.clone() };
        let mut name = Name::Heading;
        if attributes::are_in(&part.title) {
            problems.push(Problem {
                place: place.clone(),
                code: "heading-brace",
                message: format!("the attributes in `{}` do not end the heading", part.title),
                mend: "write one `{…}` at the end of the heading, with its `}`; until then the \
                       attributes are part of the title and rule nothing"
                    .to_owned(),
            });
        }
        if let Some((offset, inside)) = &part.attributes {
            let (found, faults) = attributes::read(inside);
            let inside_place = |offset: usize| Place {
                column: place.column + markdown.text[part.offset..offset].chars().count(),
                ..place.clone()
            };
            problems.extend(faults.into_iter().map(|fault| Problem {
                place: inside_place(offset + fault.offset),
                code: "heading-attribute",
                message: fault.message,
                mend: fault.mend,
            }));
            own.group = found.group.map(|group| (group, inside_place(*offset))).or(own.group);
            own.audience = found.audience.map_or(own.audience, attributes::for_whom);
            own.facets.extend(found.facets);
            name = found.id.map_or(Name::Heading, Name::Explicit);
        }
        let path = if is_preamble || is_title {
            Vec::new()
        } else {
            let above = open.iter().filter(|above| above.may_be_seen_with(&own.audience));
            above.filter_map(|above| above.title.clone()).collect()
        };
        drafts.push(Draft {
            document: source.document.clone(),
            name,
            title: if part.title.is_empty() { title.to_owned() } else { part.title },
            path,
            text: part.text,
            group: own.group.clone(),
            facets: own.facets.clone(),
            audience: own.audience.clone(),
            updated: front.updated.clone(),
            place,
            has_children: levels.get(at + 1).is_some_and(|next| *next > part.level),
            has_content: part.has_content,
        });
        if !is_preamble {
            // The document's own heading is in every path already, as the document's title.
            own.title = own.title.filter(|own| !is_title && !own.is_empty());
            open.push(own);
        }
    }
    drafts
}

/// Places of ascending byte offsets, found in one walk.
#[derive(Debug)]
struct Lines<'a> {
    file: &'a str,
    markdown: &'a dialect::Markdown,
    offset: usize,
    line: usize,
}

impl Lines<'_> {
    fn place(&mut self, offset: usize) -> Place {
        let text = &self.markdown.text;
        self.line += text[self.offset..offset].matches('\n').count();
        self.offset = offset;
        let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        Place {
            file: self.file.to_owned(),
            line: self.markdown.lines.get(self.line).copied().unwrap_or(1),
            column: text[line_start..offset].chars().count() + 1,
        }
    }
}

static TARGET: LazyLock<Regex> = LazyLock::new(|| {
    let text = r"(?m)^[ >]*(?:#{1,6}[ \t]+(?<heading>.*?)|!\[(?<image>.*)\]\([^()\n]*\)|:+[ :]*(?<caption>.*?))[ \t]*\{#(?<id>[\w-]+)[^}\n]*\}[ \t]*$";
    Regex::new(text).expect("a constant pattern, compiled in the tests")
});

/// What `@sec-…`, `@fig-…` and `@tbl-…` refer to in any file of the compendium.
pub(super) fn targets(sources: &[Source]) -> Targets {
    let nothing = Targets::new();
    let mut targets = Targets::new();
    for source in sources.iter().filter(|source| source.kind == Kind::Markdown) {
        for found in TARGET.captures_iter(&source.text) {
            let title = ["heading", "image", "caption"].iter().find_map(|name| found.name(name));
            let title = clean(
                &title.map_or("", |title| title.as_str()).replace(['*', '`', '\\'], ""),
                &nothing,
            );
            if !title.is_empty() {
                targets.entry(found["id"].to_owned()).or_insert(title);
            }
        }
    }
    targets
}
