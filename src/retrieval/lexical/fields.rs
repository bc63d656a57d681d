//! `title^3 path^2 text` → boosts.

use std::fmt;
use std::str::FromStr;

use crate::domain::suggestion;

const NAMES: [&str; 6] = ["title", "path", "text", "symbols", "synonyms", "inherited"];
/// Boost of identifiers where the line does not name them.
const SYMBOLS: f32 = 2.0;
/// Boost of synonyms where the line does not name them. A word itself counts in several fields and by
/// its 4-grams; a synonym has only this one.
const SYNONYMS: f32 = 2.0;
/// Boost of what a section has from its document where the line does not name it. A word of the
/// section's own counts in several fields and by its 4-grams, in sum more than this; and a section
/// that says it itself inherits it, too, so of two the one that says it comes first.
const INHERITED: f32 = 3.0;

/// How much a match in each field counts: `title^3 path^2 text`.
///
/// Of `title`, `path` and `text` only those that are named are searched. Identifiers, synonyms and what
/// a section inherits are searched unless their boost is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldBoosts {
    /// Heading.
    pub title: f32,
    /// Headings above.
    pub path: f32,
    /// Body.
    pub text: f32,
    /// Identifiers of title and body.
    pub symbols: f32,
    /// Other words for what title and body say.
    pub synonyms: f32,
    /// Identifiers and names of the whole document.
    pub inherited: f32,
}

/// Why a text names no fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidFields {
    /// A field that does not exist.
    #[error("unknown field `{field}`; {mend}")]
    Unknown {
        /// What was written.
        field: String,
        /// What to write.
        mend: String,
    },
    /// A boost that is no number from 0 to 100.
    #[error("the boost `{0}` is not a number from 0 to 100")]
    Boost(String),
    /// No field at all.
    #[error("no field is named")]
    Empty,
}

impl FromStr for FieldBoosts {
    type Err = InvalidFields;

    fn from_str(text: &str) -> Result<Self, InvalidFields> {
        let mut boosts = Self {
            title: 0.0,
            path: 0.0,
            text: 0.0,
            symbols: SYMBOLS,
            synonyms: SYNONYMS,
            inherited: INHERITED,
        };
        for entry in text.split_whitespace() {
            let (name, boost) = entry.split_once('^').unwrap_or((entry, "1"));
            let value: f32 = boost
                .parse()
                .ok()
                .filter(|value| (0.0..=100.0).contains(value))
                .ok_or_else(|| InvalidFields::Boost(boost.to_owned()))?;
            match name {
                "title" => boosts.title = value,
                "path" => boosts.path = value,
                "text" => boosts.text = value,
                "symbols" => boosts.symbols = value,
                "synonyms" => boosts.synonyms = value,
                "inherited" => boosts.inherited = value,
                _ => {
                    let mend = suggestion(name, "known", NAMES.into_iter());
                    return Err(InvalidFields::Unknown { field: name.to_owned(), mend });
                }
            }
        }
        if boosts.title + boosts.path + boosts.text > 0.0 {
            Ok(boosts)
        } else {
            Err(InvalidFields::Empty)
        }
    }
}

impl fmt::Display for FieldBoosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, path, text, symbols, synonyms, inherited } = self;
        write!(
            f,
            "title^{title} path^{path} text^{text} symbols^{symbols} synonyms^{synonyms} inherited^{inherited}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_one_line() {
        let boosts: FieldBoosts = "title^3 path^0.5 text".parse().expect("known fields");
        assert_eq!(boosts.to_string(), "title^3 path^0.5 text^1 symbols^2 synonyms^2 inherited^3");
        assert_eq!(boosts.to_string().parse(), Ok(boosts));
    }

    #[test]
    fn what_is_no_field_is_told() {
        let parse = |text: &str| text.parse::<FieldBoosts>().expect_err(text).to_string();
        assert_eq!(parse("titel^3"), "unknown field `titel`; did you mean `title`?");
        assert_eq!(parse("title^NaN"), "the boost `NaN` is not a number from 0 to 100");
        assert_eq!(parse(""), "no field is named");
    }
}
