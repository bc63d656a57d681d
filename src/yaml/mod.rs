//! The one door to YAML: strict, bounded, and with places that a person can go to.
//!
//! - A key that is written twice, an unknown key (where the type denies them), `<<`, an alias bomb
//!   and a text that ends in an accidental comment (`pattern: c #1`) are problems, never surprises.
//! - Scalars that are read into a `String` stay as written: `1.10` is not `1.1`, `on` is not `true`.
//! - [`Located`] keeps the place of any value, for checks that need the whole file first.
//! - All problems of a file are found in one run, as far as YAML allows: see `rescue`.

mod explain;
mod rescue;

use std::fmt;

use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use serde_yaml::{Budget, MergeKeyPolicy, Options, Spanned};

use crate::domain::{Place, Problems};

/// Nodes in one file. A catalog of 20,000 questions has about 260,000.
const MOST_NODES: usize = 2_000_000;
/// Nesting in one file. Ours need six levels; the parser recurses once per level.
const MOST_LEVELS: usize = 32;

/// Reads a text that starts at line `first_line` of the file named `file`.
///
/// A byte order mark and Windows line ends are accepted.
///
/// # Errors
/// All problems that can be told apart, in the order of the file.
///
/// ```
/// #[derive(serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Rule { id: String }
///
/// let rule: Rule = wegweiser::yaml::read("rules/a.yaml", "id: eins", 1)?;
/// assert_eq!(rule.id, "eins");
/// let problems = wegweiser::yaml::read::<Rule>("rules/a.yaml", "idd: eins", 1).err();
/// # assert!(problems.is_some());
/// # Ok::<(), wegweiser::domain::Problems>(())
/// ```
pub fn read<T: DeserializeOwned>(file: &str, text: &str, first_line: usize) -> Result<T, Problems> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Empty lines in front make every line number right, also those inside `Located`.
    let shifted;
    let text = if first_line > 1 {
        shifted = "\n".repeat(first_line - 1) + text;
        &shifted
    } else {
        text
    };
    match serde_yaml::from_str_with_options::<T>(text, options()) {
        Ok(value) => match rescue::accidental_comments(file, text) {
            found if found.is_empty() => Ok(value),
            found => Problems::check(found).map(|()| value),
        },
        Err(first) => Err(rescue::all_problems::<T>(file, text, &first)),
    }
}

fn options() -> Options {
    let mut budget = Budget::default();
    budget.max_nodes = MOST_NODES;
    budget.max_events = 2 * MOST_NODES;
    budget.max_depth = MOST_LEVELS;
    budget.max_documents = 1;
    let mut options = Options::default();
    options.budget = Some(budget);
    options.alias_limits.max_total_replayed_events = 10_000;
    options.strict_booleans = true;
    options.merge_keys = MergeKeyPolicy::Error;
    options.leading_zero_numbers_as_strings = true;
    options.underscored_numbers_as_strings = true;
    options.with_snippet = false;
    options.emit_comments = false;
    options
}

/// A value with the place where it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl<T> Located<T> {
    /// The place of the value in the named file.
    pub fn place(&self, file: &str) -> Place {
        Place { file: file.to_owned(), line: self.line, column: self.column }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        // Inside an untagged or flattened type the place is lost; the start of the file is honest.
        let at = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).max(1);
        Ok(Self {
            value: spanned.value,
            line: at(spanned.referenced.line()),
            column: at(spanned.referenced.column()),
        })
    }
}

/// A number that is neither `.nan` nor `.inf`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Finite(f64);

impl Finite {
    /// The number; always finite.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Finite {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if number.is_finite() {
            Ok(Self(number))
        } else {
            Err(de::Error::custom(format_args!("`{number}` is not a finite number")))
        }
    }
}

/// One text or a list of texts: `audience: alle` is the same as `audience: [alle]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OneOrMany(pub Vec<String>);

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Texts;

        impl<'de> Visitor<'de> for Texts {
            type Value = OneOrMany;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<OneOrMany, E> {
                Ok(OneOrMany(vec![text.to_owned()]))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<OneOrMany, E> {
                Ok(OneOrMany(vec![number.to_string()]))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<OneOrMany, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element::<String>()? {
                    texts.push(text);
                }
                Ok(OneOrMany(texts))
            }
        }

        deserializer.deserialize_any(Texts)
    }
}

#[cfg(test)]
mod tests;
