//! What is wrong in a file that a person wrote, and what to write instead.

use std::fmt;

/// A place in a file. Lines and columns count from 1; columns count characters, not bytes.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Place {
    /// Path as the user gave it, with forward slashes.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The first character of a file: for problems that concern the file as a whole.
    pub fn start_of(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: 1, column: 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One thing to mend: where, what is wrong, what to write.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// Stable code for scripts, for example `rule-unknown-intent`. Messages may change, codes do not.
    pub code: &'static str,
    /// What is wrong, offending value in backticks.
    pub message: String,
    /// What to write instead.
    pub mend: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.place, self.message, self.code)?;
        if self.mend.is_empty() { Ok(()) } else { write!(f, "\n  mend: {}", self.mend) }
    }
}

/// Everything that is wrong with the files that were read, in file order; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// `Err` with all problems in file order when there are any.
    pub fn check(mut found: Vec<Problem>) -> Result<(), Problems> {
        if found.is_empty() {
            return Ok(());
        }
        found.sort();
        Err(Problems(found))
    }

    /// The problems in file order.
    pub fn list(&self) -> &[Problem] {
        &self.0
    }

    /// The problems, to be joined with those of other files.
    pub fn into_list(self) -> Vec<Problem> {
        self.0
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Problems(vec![problem])
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        writeln!(f, "{count} {} to mend:", if count == 1 { "problem" } else { "problems" })?;
        for (at, problem) in self.0.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// What to write instead of `word`: the name that was probably meant, else all names, led by
/// `known_are` (for example `known intents`).
pub fn suggestion<'a>(
    word: &str,
    known_are: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> String {
    did_you_mean(word, known.clone()).map_or_else(
        || format!("{known_are}: {}", known.collect::<Vec<_>>().join(", ")),
        |name| format!("did you mean `{name}`?"),
    )
}

/// The known name closest to `word`, where it is close enough to be meant.
///
/// Closeness is the Jaro-Winkler similarity (Winkler 1990) of the lower-cased names, at least 0.85.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&word, &name.to_lowercase()), name))
        .filter(|(similarity, _)| *similarity >= 0.85)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|(_, name)| name)
}
