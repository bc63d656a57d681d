//! Finding more than the first problem of a file.
//!
//! The parser stops at its first error. The faulty part is then blanked out and the text is parsed
//! again: only the key where the key itself is the fault, the whole list entry otherwise. Blanking
//! these can not cause problems that were not there, as long as the list keeps another entry; where
//! that can not be had, the search ends.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_yaml::Error;
use serde_yaml::granit_parser::{Event, Parser};

use super::{explain::explain, options};
use crate::domain::{Place, Problem, Problems};

/// Problems shown for one file; more would not be read.
const MOST_PROBLEMS: usize = 50;
/// Bytes parsed again in the search, so that a large faulty file costs seconds at most.
const MOST_WORK: usize = 64 << 20;

/// Every problem that can be told apart, beginning with the one already known.
pub(super) fn all_problems<T: DeserializeOwned>(file: &str, text: &str, first: &Error) -> Problems {
    let mut found = accidental_comments(file, text);
    let problem = explain(file, text, first);
    let mut lines: Vec<&str> = text.split('\n').collect();
    let mut goes_on = blank_out(&mut lines, &problem);
    found.push(problem);
    // The size counts once per round; an empty text is not read again.
    let mut work = text.len();
    while goes_on && found.len() < MOST_PROBLEMS && work < MOST_WORK {
        work += text.len();
        let rest = lines.join("\n");
        let Err(next) = serde_yaml::from_str_with_options::<T>(&rest, options()) else { break };
        let problem = explain(file, text, &next);
        if lines.get(problem.place.line - 1).is_some_and(|line| line.is_empty()) {
            break;
        }
        goes_on = blank_out(&mut lines, &problem);
        found.push(problem);
    }
    // A slip of punctuation further down is seen by a reader that accepts any keys and types.
    let syntax = serde_yaml::from_str_with_options::<IgnoredAny>(text, options()).err();
    if let Some(problem) = syntax.map(|error| explain(file, text, &error))
        && !found.iter().any(|known| known.place.line == problem.place.line)
    {
        found.push(problem);
    }
    found.sort();
    found.dedup();
    Problems::check(found).expect_err("the first problem is always in the list")
}

/// Texts that lose their end to a comment without a space after the `#`: `pattern: c #1`.
pub(super) fn accidental_comments(file: &str, text: &str) -> Vec<Problem> {
    let suspicious = |line: &str| {
        line.match_indices(" #")
            .any(|(at, _)| line[at + 2..].starts_with(|c: char| !c.is_whitespace() && c != '#'))
    };
    if !text.lines().any(suspicious) {
        return Vec::new();
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let mut found = Vec::new();
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        let Event::Comment(comment, _) = event else { continue };
        let (line, column) = (span.start.line(), span.start.col());
        let before: String =
            lines.get(line - 1).map_or(String::new(), |l| l.chars().take(column).collect());
        if before.trim().is_empty()
            || !comment.starts_with(|c: char| !c.is_whitespace() && c != '#')
        {
            continue;
        }
        found.push(Problem {
            place: Place { file: file.to_owned(), line, column: column + 1 },
            code: "yaml-comment",
            message: format!("`#{}` is a comment here and is not read", comment.trim_end()),
            mend: "put the text in quotes; a comment has a space after the `#`".to_owned(),
        });
    }
    found
}

/// Blanks the faulty part; `false` when nothing can be blanked without doing harm.
fn blank_out(lines: &mut [&str], problem: &Problem) -> bool {
    let at = problem.place.line - 1;
    match problem.code {
        "yaml-unknown-key" | "yaml-duplicate-key" if is_own_line(lines[at]) => {
            let end = block_end(lines, at);
            has_sibling(lines, at, end) && blank(lines, at, end)
        }
        "yaml-syntax" | "yaml-too-large" | "yaml-empty-file" => false,
        _ => match enclosing_entries(lines, at).last() {
            Some(start) => {
                let end = block_end(lines, start);
                has_sibling(lines, start, end) && blank(lines, start, end)
            }
            None => false,
        },
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// A key with nothing else in front: neither an entry's first key nor inside braces.
fn is_own_line(line: &str) -> bool {
    !line.trim_start().starts_with(['-', '{', '[', '?'])
}

fn is_entry(line: &str) -> bool {
    let line = line.trim_start();
    line == "-" || line.starts_with("- ")
}

/// The line after the block that starts at `start`.
fn block_end(lines: &[&str], start: usize) -> usize {
    let depth = indent(lines[start]);
    let zero_list = !is_entry(lines[start]);
    (start + 1..lines.len())
        .find(|&at| {
            let line = lines[at];
            let inside =
                indent(line) > depth || (zero_list && indent(line) == depth && is_entry(line));
            !is_blank(line) && !inside
        })
        .unwrap_or(lines.len())
}

/// The lines where the list entries around `at` start, innermost first.
pub(super) fn enclosing_entries<'a>(
    lines: &'a [&str],
    at: usize,
) -> impl Iterator<Item = usize> + 'a {
    let mut depth = usize::MAX;
    (0..=at).rev().filter(move |&above| {
        let line = lines[above];
        if above < at && (is_blank(line) || indent(line) >= depth) {
            return false;
        }
        depth = indent(line);
        is_entry(line)
    })
}

/// Whether the list or map keeps another member when `start..end` is gone.
fn has_sibling(lines: &[&str], start: usize, end: usize) -> bool {
    let depth = indent(lines[start]);
    let entry = is_entry(lines[start]);
    let is_sibling =
        |line: &&&str| !is_blank(line) && indent(line) == depth && is_entry(line) == entry;
    let outside = |line: &&str| {
        !is_blank(line)
            && (indent(line) < depth || (entry && indent(line) == depth && !is_entry(line)))
    };
    let above = lines[..start].iter().rev().take_while(|line| !outside(line));
    let below = lines[end..].iter().take_while(|line| !outside(line));
    // The first key of an entry stands on the entry's own line, two to the left.
    let first_key = !entry
        && lines[..start]
            .iter()
            .rev()
            .find(|line| outside(line))
            .is_some_and(|line| is_entry(line) && line.trim() != "-");
    first_key || above.chain(below).any(|line| is_sibling(&line))
}

fn blank(lines: &mut [&str], start: usize, end: usize) -> bool {
    lines[start..end].fill("");
    true
}
