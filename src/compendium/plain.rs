//! Markdown as plain text, cut at its headings.
//!
//! Links and emphasis leave their text, images their alternative text, code stays, tables become
//! rows `a | b`, list items stand on lines of their own, paragraphs are parted by an empty line,
//! HTML tags and comments go. One pass over the parser's events; nothing recurses.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::attributes;
use super::inline::{END_OF_SPAN, Targets, clean, sheltered, visible};

/// One heading with the text up to the next one.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// 1–6; 0 is the text before the first heading.
    pub(super) level: u8,
    pub(super) title: String,
    /// Byte offset of the heading.
    pub(super) offset: usize,
    /// What stands between the braces behind the heading, with its byte offset.
    pub(super) attributes: Option<(usize, String)>,
    pub(super) text: String,
    /// Something stands there, though maybe nothing that can be read: an image without a text.
    pub(super) has_content: bool,
    notes: Vec<String>,
}

/// The parts of a document; the first one is always the text before the first heading.
pub(super) fn parts(markdown: &str, targets: &Targets) -> Vec<Part> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let mut writer = Writer::new(markdown, targets);
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        writer.event(event, range);
    }
    writer.finish()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Break {
    Line,
    Paragraph,
}

/// A footnote that is being read, and what to return to after it.
#[derive(Debug)]
struct OpenNote {
    label: String,
    text: String,
    has_content: bool,
    next: Break,
}

#[derive(Debug)]
struct Writer<'a> {
    markdown: &'a str,
    targets: &'a Targets,
    parts: Vec<Part>,
    /// Running text that is not yet part of a block.
    inline: String,
    /// What parts the next block from the one before.
    next: Break,
    /// Open lists: the number of the next item, where items are numbered.
    lists: Vec<Option<u64>>,
    /// Open quotes, items and notes: a heading inside of one is no section.
    containers: usize,
    /// `- ` or `1. `, until the item's first block is written.
    marker: String,
    /// The byte offset where the text of the current heading ends and its attributes begin.
    title_end: usize,
    in_title: bool,
    row: Option<Vec<String>>,
    html: Option<String>,
    code: Option<String>,
    /// The open footnote.
    note: Option<OpenNote>,
    notes: BTreeMap<String, (usize, String)>,
}

impl<'a> Writer<'a> {
    fn new(markdown: &'a str, targets: &'a Targets) -> Self {
        Self {
            markdown,
            targets,
            parts: vec![Part::default()],
            inline: String::new(),
            next: Break::Paragraph,
            lists: Vec::new(),
            containers: 0,
            marker: String::new(),
            title_end: usize::MAX,
            in_title: false,
            row: None,
            html: None,
            code: None,
            note: None,
            notes: BTreeMap::new(),
        }
    }

    fn part(&mut self) -> &mut Part {
        self.parts.last_mut().expect("there is a part from the start")
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if range.start >= self.title_end && !matches!(event, Event::End(TagEnd::Heading(_))) {
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => {
                if let Some(code) = &mut self.code {
                    code.push_str(&text);
                } else {
                    let keep = if range.end > self.title_end && text.len() == range.len() {
                        &text[..self.title_end - range.start]
                    } else {
                        &text
                    };
                    self.inline.push_str(&visible(keep));
                }
            }
            Event::Code(code) => {
                self.inline.push_str(&sheltered(&code));
                self.inline.push(END_OF_SPAN);
            }
            Event::InlineMath(math) | Event::DisplayMath(math) => {
                self.inline.push_str(&sheltered(&math));
            }
            Event::Html(html) => match &mut self.html {
                Some(block) => block.push_str(&html),
                None => self.inline.push_str(&visible(&without_tags(&html))),
            },
            Event::InlineHtml(tag) => {
                if tag.starts_with("<br") {
                    self.inline.push('\n');
                }
            }
            Event::FootnoteReference(label) => self.part().notes.push(label.into_string()),
            Event::SoftBreak => self.inline.push(' '),
            Event::HardBreak => self.inline.push('\n'),
            Event::Rule => self.flush(),
            Event::TaskListMarker(done) => self.inline.push_str(if done { "☑ " } else { "☐ " }),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "emphasis and the like leave their text alone"
    )]
    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => self.start_heading(level, range),
            Tag::BlockQuote(_) => {
                self.flush();
                self.containers += 1;
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                // Raw blocks (`{=html}`) are written for one output format, not for readers.
                let is_raw = matches!(&kind, CodeBlockKind::Fenced(info) if info.starts_with("{="));
                self.html = is_raw.then(String::new);
                self.code = Some(String::new());
            }
            Tag::HtmlBlock => {
                self.flush();
                self.html = Some(String::new());
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                self.containers += 1;
                self.marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
            }
            Tag::FootnoteDefinition(label) => {
                self.flush();
                self.containers += 1;
                if self.note.is_none() {
                    let next = self.next;
                    let part = self.part();
                    let text = std::mem::take(&mut part.text);
                    let has_content = part.has_content;
                    self.note =
                        Some(OpenNote { label: label.into_string(), text, has_content, next });
                }
            }
            Tag::Table(_) => {
                self.flush();
                self.next = if self.lists.is_empty() { Break::Paragraph } else { Break::Line };
            }
            Tag::TableHead | Tag::TableRow => self.row = Some(Vec::new()),
            Tag::Image { .. } => self.part().has_content = true,
            Tag::Paragraph => self.flush(),
            _ => {}
        }
    }

    fn start_heading(&mut self, level: HeadingLevel, range: Range<usize>) {
        self.flush();
        let source = self.markdown[range.clone()].trim_end();
        // Under a setext heading there is a line of signs.
        let source = match source.rsplit_once('\n') {
            Some((title, _)) if !source.starts_with('#') => title,
            _ => source,
        };
        let attributes = attributes::start(source).map(|open| {
            let close = source.rfind('}').unwrap_or(source.len());
            (range.start + open + 1, source[open + 1..close].to_owned())
        });
        self.title_end = attributes.as_ref().map_or(usize::MAX, |(at, _)| at - 1);
        if self.containers == 0 {
            self.in_title = true;
            self.next = Break::Paragraph;
            self.parts.push(Part {
                level: level as u8,
                offset: range.start,
                attributes,
                ..Part::default()
            });
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "emphasis and the like leave their text alone"
    )]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.title_end = usize::MAX;
                if self.in_title {
                    self.in_title = false;
                    let title = clean(&std::mem::take(&mut self.inline), self.targets);
                    self.part().title = title.split_whitespace().collect::<Vec<_>>().join(" ");
                } else {
                    self.flush();
                }
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.containers -= 1;
            }
            TagEnd::Item => {
                self.flush();
                self.marker.clear();
                self.containers -= 1;
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                if self.lists.is_empty() {
                    self.next = Break::Paragraph;
                }
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                if self.html.take().is_none() {
                    self.block(visible(&code).trim_start_matches('\n').trim_end());
                }
            }
            TagEnd::HtmlBlock => {
                let html = self.html.take().unwrap_or_default();
                let text = without_tags(&html);
                self.inline.push_str(&visible(&text));
                self.flush();
            }
            TagEnd::TableCell => {
                let cell = clean(&std::mem::take(&mut self.inline), self.targets);
                if let Some(row) = &mut self.row {
                    row.push(cell.replace('\n', " "));
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                let row = self.row.take().unwrap_or_default();
                if row.iter().any(|cell| !cell.is_empty()) {
                    self.block(&row.join(" | "));
                    self.next = Break::Line;
                }
            }
            TagEnd::Table => {
                self.next = if self.lists.is_empty() { Break::Paragraph } else { Break::Line }
            }
            TagEnd::FootnoteDefinition => {
                self.flush();
                self.containers -= 1;
                if let Some(open) = self.note.take() {
                    let part = self.part();
                    part.has_content = open.has_content;
                    let text = std::mem::replace(&mut part.text, open.text);
                    let at = self.parts.len() - 1;
                    self.notes.entry(open.label).or_insert((at, text));
                    self.next = open.next;
                }
            }
            TagEnd::Link | TagEnd::Image => self.inline.push(END_OF_SPAN),
            TagEnd::Paragraph => self.flush(),
            _ => {}
        }
    }

    /// Writes the running text as a block.
    fn flush(&mut self) {
        if self.in_title || self.inline.is_empty() {
            return;
        }
        let text = clean(&std::mem::take(&mut self.inline), self.targets);
        self.block(&text);
    }

    fn block(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let marker = std::mem::take(&mut self.marker);
        let next = self.next;
        self.next = if self.lists.is_empty() { Break::Paragraph } else { Break::Line };
        let part = self.part();
        part.has_content = true;
        if !part.text.is_empty() {
            part.text.push_str(if next == Break::Line { "\n" } else { "\n\n" });
        }
        part.text.push_str(&marker);
        part.text.push_str(text);
    }

    /// Puts each footnote to the first section that refers to it, or leaves it where it stands.
    fn finish(mut self) -> Vec<Part> {
        self.flush();
        for part in &mut self.parts {
            for label in std::mem::take(&mut part.notes) {
                if let Some((_, text)) = self.notes.remove(&label) {
                    append(part, &text);
                }
            }
        }
        for (at, text) in self.notes.into_values() {
            append(&mut self.parts[at], &text);
        }
        self.parts
    }
}

fn append(part: &mut Part, text: &str) {
    if !part.text.is_empty() && !text.is_empty() {
        part.text.push_str("\n\n");
    }
    part.text.push_str(text);
}

/// The text between the tags of an HTML block; comments, scripts and styles go.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        text.push_str(&rest[..open]);
        rest = &rest[open..];
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.get(..7).is_some_and(|tag| tag.eq_ignore_ascii_case("<script")) {
            "</script>"
        } else if rest.get(..6).is_some_and(|tag| tag.eq_ignore_ascii_case("<style")) {
            "</style>"
        } else {
            ">"
        };
        let Some(at) = rest.find(end) else {
            rest = "";
            break;
        };
        // Tags part words: `<td>a</td><td>b</td>`.
        text.push(' ');
        rest = &rest[at + end.len()..];
    }
    text.push_str(rest);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    ENTITIES.iter().fold(
        text,
        |text, (entity, sign)| if text.contains('&') { text.replace(entity, sign) } else { text },
    )
}

/// The entities of German texts; `&amp;` last, so that nothing is decoded twice.
const ENTITIES: [(&str, &str); 12] = [
    ("&nbsp;", " "),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&auml;", "ä"),
    ("&ouml;", "ö"),
    ("&uuml;", "ü"),
    ("&Auml;", "Ä"),
    ("&Ouml;", "Ö"),
    ("&Uuml;", "Ü"),
    ("&szlig;", "ß"),
    ("&amp;", "&"),
];
