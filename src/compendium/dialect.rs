//! What Quarto and Pandoc write beyond Markdown, turned into Markdown line by line.
//!
//! `:::` fences become empty lines (a callout's title becomes a paragraph), captions become
//! paragraphs, cell options and page breaks go, grid and multi-line tables become pipe tables. What
//! stands inside a line is left to `inline`.

use super::table;

/// Markdown with the file line of each of its lines.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    pub(super) text: String,
    /// File line (from 1) of each line of `text`.
    pub(super) lines: Vec<usize>,
}

impl Markdown {
    fn push(&mut self, line: &str, number: usize) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(number);
    }
}

/// Translates a body whose first line is line `first` of its file.
pub(super) fn translate(body: &str, first: usize) -> Markdown {
    let lines: Vec<&str> = body.split('\n').collect();
    let mut out = Markdown { text: String::with_capacity(body.len() + 64), lines: Vec::new() };
    let mut fence: Option<Fence> = None;
    // A heading that opens a callout is the callout's title, not a section.
    let mut opens_callout = false;
    let mut after_table = false;
    let mut at = 0;
    while at < lines.len() {
        let (line, number) = (lines[at], first + at);
        at += 1;
        if let Some(open) = &mut fence {
            let is_option = open.fresh && line.trim_start().starts_with("#| ");
            open.fresh &= is_option;
            if open.is_closed_by(line) {
                fence = None;
            }
            out.push(if is_option { "" } else { line }, number);
            continue;
        }
        fence = Fence::opened_by(line);
        let trimmed = line.trim();
        if fence.is_some() {
            out.push(line, number);
        } else if trimmed.starts_with(":::") {
            out.push("", number);
            if let Some(title) = title_of(trimmed) {
                out.push(title, number);
                out.push("", number);
            }
            opens_callout = trimmed.contains("callout");
            continue;
        } else if table::is_grid(line)
            && lines.get(at).is_some_and(|next| next.trim_start().starts_with('|'))
        {
            let (rows, taken) = table::grid(&lines[at - 1..]);
            for row in &rows {
                out.push(row, number);
            }
            at += taken - 1;
            after_table = true;
            continue;
        } else if let Some((rows, taken)) = ruled_table(&lines, at - 1) {
            for row in &rows {
                out.push(row, number);
            }
            at += taken - 1;
            after_table = true;
            continue;
        } else if let Some(caption) = caption_of(trimmed, after_table) {
            out.push("", number);
            out.push(caption, number);
            out.push("", number);
        } else if matches!(trimmed, "\\newpage" | "\\pagebreak" | "\\clearpage") {
            out.push("", number);
        } else if opens_callout && line.starts_with('#') {
            out.push(trimmed.trim_start_matches('#').trim(), number);
            out.push("", number);
        } else {
            out.push(line, number);
        }
        if !trimmed.is_empty() {
            opens_callout = false;
            after_table = trimmed.starts_with('|');
        }
    }
    out
}

/// A multi-line table at its first rule, or a simple table at its header line.
fn ruled_table(lines: &[&str], at: usize) -> Option<(Vec<String>, usize)> {
    let is_start = table::is_rule(lines[at])
        || (!lines[at].trim().is_empty()
            && lines.get(at + 1).is_some_and(|next| table::columns(next).is_some()));
    is_start.then(|| table::ruled(&lines[at..])).flatten()
}

/// The `title="…"` of a `::: {…}` line.
fn title_of(line: &str) -> Option<&str> {
    let title = line.split_once("title=")?.1;
    let quote = title.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let title = title[1..].split(quote).next()?.trim();
    (!title.is_empty()).then_some(title)
}

/// The text of a `: caption {#tbl-id}` line; without an id only right after a table.
fn caption_of(line: &str, after_table: bool) -> Option<&str> {
    let text = line.strip_prefix(": ")?.trim_start_matches([':', ' ']);
    match text.rsplit_once('{') {
        Some((caption, attributes)) if attributes.starts_with('#') && attributes.ends_with('}') => {
            Some(caption.trim())
        }
        _ => after_table.then_some(text),
    }
}

/// An open code block.
#[derive(Debug)]
struct Fence {
    sign: char,
    length: usize,
    /// Nothing but cell options came yet.
    fresh: bool,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        // A fence may stand in a quote or behind the sign of a list item.
        let line = line.trim_start_matches([' ', '\t', '>']);
        let line = line.strip_prefix(['-', '*', '+']).map_or(line, str::trim_start);
        let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = line.chars().take_while(|c| *c == sign).count();
        let is_inline = sign == '`' && line[length..].contains('`');
        (length >= 3 && !is_inline).then_some(Self { sign, length, fresh: true })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim_start_matches([' ', '\t', '>']).trim_end();
        line.len() >= self.length && line.chars().all(|c| c == self.sign)
    }
}
