//! A question on its way: typed, normalised, prefixed. Each stage takes the type of the one before.

use super::GroupId;

/// A question as it was asked: not empty, not too long, composed (NFC), without NUL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query(String);

/// Why a text can not be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidQuery {
    /// Only white space, control or format characters.
    #[error("the question is empty")]
    Empty,
    /// Longer than the limit, in characters.
    #[error("the question has {length} characters, at most {limit} are allowed")]
    TooLong {
        /// Characters in the question.
        length: usize,
        /// The limit in force.
        limit: usize,
    },
}

impl Query {
    /// Takes a question of at most `limit` characters, ligatures counted by their letters.
    ///
    /// Control characters become blanks; bidirectional and other invisible format characters go,
    /// except the joiners that emoji and some scripts need.
    ///
    /// # Errors
    /// [`InvalidQuery::Empty`] where nothing visible is left, [`InvalidQuery::TooLong`] above the limit.
    pub fn new(text: &str, limit: usize) -> Result<Self, InvalidQuery> {
        use unicode_normalization::UnicodeNormalization;
        // Some characters stand for a whole sentence and are taken apart later: count what comes out.
        let length = text.nfkc().count();
        if length > limit {
            return Err(InvalidQuery::TooLong { length, limit });
        }
        let visible: String = text
            .nfc()
            .filter(|c| !is_invisible(*c))
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let trimmed = visible.trim_matches(|c: char| c.is_whitespace() || is_joiner(c));
        if trimmed.is_empty() { Err(InvalidQuery::Empty) } else { Ok(Self(trimmed.to_owned())) }
    }

    /// The question.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Soft hyphen, zero-width space, bidi marks and isolates, word joiner, BOM.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// A question with the views that rules and groups look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalisedQuery {
    original: String,
    folded: String,
    core: String,
}

impl NormalisedQuery {
    /// Only `normalise` makes these.
    pub(crate) fn new(query: &Query, folded: String, core: String) -> Self {
        Self { original: query.as_str().to_owned(), folded, core }
    }

    /// The same question to the rules, another text to the search.
    pub(crate) fn searched_as(self, original: &str) -> Self {
        Self { original: original.to_owned(), ..self }
    }

    /// What was asked, for embedding and display.
    pub fn original(&self) -> &str {
        &self.original
    }

    /// Lower case, ä→ae ö→oe ü→ue ß→ss, quotations masked, frequent misspellings mended,
    /// without what the question itself calls off (`nicht …, sondern`).
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// The folded question without greeting, politeness frame and leading subordinate clause.
    pub fn core(&self) -> &str {
        &self.core
    }
}

/// A question as it is embedded: with the groups' prefix, or knowingly without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefixedQuery {
    prefix: String,
    text: String,
    groups: Vec<GroupId>,
}

impl PrefixedQuery {
    /// The question without a prefix: no group showed enough evidence, or the plain vectors are searched.
    pub fn plain(query: &NormalisedQuery) -> Self {
        Self { prefix: String::new(), text: query.original.clone(), groups: Vec::new() }
    }

    /// Only the prefix template makes these.
    pub(crate) fn new(prefix: String, query: &NormalisedQuery, groups: Vec<GroupId>) -> Self {
        let text = format!("{prefix}{}", query.original);
        Self { prefix, text, groups }
    }

    /// The prefix as one line, for display; empty for a plain question.
    pub fn prefix(&self) -> String {
        self.prefix.trim().to_owned()
    }

    /// Prefix and question.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The groups in the prefix; empty for a plain question.
    pub fn groups(&self) -> &[GroupId] {
        &self.groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_composed_and_visible() {
        let query =
            Query::new("\u{202e} Mu\u{308}tzen\u{0}bestellen\u{feff}?\n", 100).expect("visible");
        assert_eq!(query.as_str(), "Mützen bestellen?");
    }

    #[test]
    fn a_question_of_nothing_is_refused() {
        for nothing in ["", " \t\n", "\u{0}\u{0}", "\u{200b}\u{feff}", "\u{200d}"] {
            assert_eq!(Query::new(nothing, 10), Err(InvalidQuery::Empty), "{nothing:?}");
        }
    }

    #[test]
    fn the_limit_counts_characters() {
        assert!(Query::new(&"ä".repeat(10), 10).is_ok());
        assert!(Query::new(&"\u{fdfa}".repeat(10), 100).is_err(), "each is 18 characters");
        assert_eq!(
            Query::new(&"ä".repeat(11), 10),
            Err(InvalidQuery::TooLong { length: 11, limit: 10 })
        );
    }
}
