//! Front matter that rules nothing, because it does not stand at the very start.
//!
//! A document whose `audience` is overlooked is shown to everybody. So what looks like front matter
//! and is read as text is a problem, not text.

use super::attributes::misspelt;
use super::front::KEYS;
use super::source::Source;
use crate::domain::{Place, Problem};

/// The first key of ours that stands before the first heading of `text`, which begins at line
/// `first` of its file and is not front matter.
///
/// `audience` is one anywhere there, the other keys only in what looks like a block of YAML: a line
/// `Titel: …` is text.
pub(super) fn find(source: &Source, text: &str, first: usize) -> Option<Problem> {
    let mut block = Block::None;
    let mut code: Option<&str> = None;
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_matches(is_invisible);
        if let Some(fence) = code {
            code = Some(fence).filter(|fence| !trimmed.starts_with(fence));
            continue;
        }
        code = ["```", "~~~"]
            .into_iter()
            .find(|fence| trimmed.strip_prefix(fence).is_some_and(|info| !info.contains('`')));
        if code.is_some() || trimmed.is_empty() {
            continue;
        }
        if is_fence(trimmed) {
            block = if block == Block::None { Block::Yaml } else { Block::None };
            continue;
        }
        if trimmed.starts_with('#') {
            match block {
                // A heading below a rule, or a comment above a key: as text it would be lost.
                Block::Yaml | Block::Commented => block = Block::Commented,
                Block::None | Block::Text => return None,
            }
            continue;
        }
        let found = key(trimmed);
        if let Some(key) = found
            && (is_audience(key) || (block == Block::Yaml && is_ours(key)))
        {
            let column = line.chars().take_while(|c| is_invisible(*c)).count() + 1;
            return Some(Problem {
                place: Place { file: source.file.clone(), line: first + at, column },
                code: "front-matter-not-first",
                message: format!("`{key}` is not in the front matter and rules nothing here"),
                mend: "put `---` at the very start of the file, with no empty line and no blank \
                       before it, then the keys, then `---` again"
                    .to_owned(),
            });
        }
        let is_yaml = found.is_some() || line.starts_with([' ', '\t']) || line.starts_with('-');
        if block != Block::None && !is_yaml {
            block = Block::Text;
        }
    }
    None
}

/// What follows a `---` that is not the first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// None is open.
    None,
    /// Only what YAML could be.
    Yaml,
    /// The same, and a line with `#`: it may as well be a heading.
    Commented,
    /// Text: the `---` was a rule.
    Text,
}

/// Whether a key says who may see a document, in any case.
pub(super) fn is_audience(key: &str) -> bool {
    key.eq_ignore_ascii_case("audience")
}

fn is_ours(key: &str) -> bool {
    KEYS.contains(&key) || misspelt(key, &KEYS).is_some()
}

/// The key of a line `key: value`, or `key = value` as TOML has it; quotes go.
fn key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once([':', '='])?;
    Some(key.trim_matches(|c| is_invisible(c) || matches!(c, '"' | '\'')))
}

/// `---`, also with dashes that a word processor made of it, and `+++`.
fn is_fence(line: &str) -> bool {
    let is_long = line.chars().count() >= 3 || line.contains('\u{2014}');
    is_long
        && (line.chars().all(|c| matches!(c, '-' | '\u{2010}'..='\u{2015}'))
            || line.chars().all(|c| c == '+'))
}

/// White space, and signs that stand for nothing: a second byte order mark, a zero width space.
fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}')
}
