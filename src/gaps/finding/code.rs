//! What kind of gap it is, and how bad.

use std::fmt;

use serde::Serialize;

/// How bad it is for readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth a look when one is there anyway.
    Hint,
    /// Readers may be led to the wrong section, or to too little.
    Warning,
    /// Readers get nothing, or something false.
    Error,
}

impl Severity {
    /// What one question counts that is concerned: the second factor of [`Finding::impact`].
    pub fn weight(self) -> f64 {
        match self {
            Self::Hint => 1.0,
            Self::Warning => 3.0,
            Self::Error => 9.0,
        }
    }

    /// In reports.
    pub fn german(self) -> &'static str {
        match self {
            Self::Hint => "Hinweis",
            Self::Warning => "Warnung",
            Self::Error => "Fehler",
        }
    }
}

/// What kind of gap it is. The codes are stable: scripts and tickets name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Code {
    /// A topic of the catalog that no section answers.
    #[serde(rename = "G-MISSING")]
    Missing,
    /// A topic of live questions that no section answers.
    #[serde(rename = "G-UNANSWERED")]
    Unanswered,
    /// A topic of live questions whose answers did not help.
    #[serde(rename = "G-BAD-ANSWER")]
    BadAnswer,
    /// A section answers live questions of people who may not see it.
    #[serde(rename = "G-WITHHELD")]
    Withheld,
    /// No question leads to the section.
    #[serde(rename = "G-NEVER-FOUND")]
    NeverFound,
    /// The section answers its own questions far less often than other sections do.
    #[serde(rename = "G-RARELY-FOUND")]
    RarelyFound,
    /// Another section answers the section's own questions better.
    #[serde(rename = "G-CANNIBALISED")]
    Cannibalised,
    /// Two sections state different numbers for the same thing.
    #[serde(rename = "G-CONFLICT")]
    Conflict,
    /// Two sections say nearly the same.
    #[serde(rename = "G-TWINS")]
    Twins,
    /// Too little text for its title.
    #[serde(rename = "G-THIN")]
    Thin,
    /// No other section is near it.
    #[serde(rename = "G-ISOLATED")]
    Isolated,
    /// The text looks like another group than its own.
    #[serde(rename = "G-WRONG-GROUP")]
    WrongGroup,
    /// Used in questions, explained nowhere.
    #[serde(rename = "G-ORPHAN-TERM")]
    OrphanTerm,
    /// Not revised for long, or bound to years that are over.
    #[serde(rename = "G-OUTDATED")]
    Outdated,
    /// A group with far fewer or far more sections than the others.
    #[serde(rename = "G-IMBALANCE")]
    Imbalance,
}

impl Code {
    /// All codes, in the order of the documentation.
    pub const ALL: [Self; 15] = [
        Self::Missing,
        Self::Unanswered,
        Self::BadAnswer,
        Self::Withheld,
        Self::NeverFound,
        Self::RarelyFound,
        Self::Cannibalised,
        Self::Conflict,
        Self::Twins,
        Self::Thin,
        Self::Isolated,
        Self::WrongGroup,
        Self::OrphanTerm,
        Self::Outdated,
        Self::Imbalance,
    ];

    /// For example `G-THIN`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "G-MISSING",
            Self::Unanswered => "G-UNANSWERED",
            Self::BadAnswer => "G-BAD-ANSWER",
            Self::Withheld => "G-WITHHELD",
            Self::NeverFound => "G-NEVER-FOUND",
            Self::RarelyFound => "G-RARELY-FOUND",
            Self::Cannibalised => "G-CANNIBALISED",
            Self::Conflict => "G-CONFLICT",
            Self::Twins => "G-TWINS",
            Self::Thin => "G-THIN",
            Self::Isolated => "G-ISOLATED",
            Self::WrongGroup => "G-WRONG-GROUP",
            Self::OrphanTerm => "G-ORPHAN-TERM",
            Self::Outdated => "G-OUTDATED",
            Self::Imbalance => "G-IMBALANCE",
        }
    }

    /// In reports.
    pub fn german(self) -> &'static str {
        match self {
            Self::Missing => "Thema fehlt",
            Self::Unanswered => "Ohne Antwort",
            Self::BadAnswer => "Schlecht beantwortet",
            Self::Withheld => "Nicht freigegeben",
            Self::NeverFound => "Nie gefunden",
            Self::RarelyFound => "Selten gefunden",
            Self::Cannibalised => "Verdrängt",
            Self::Conflict => "Widerspruch",
            Self::Twins => "Doppelt",
            Self::Thin => "Dünn",
            Self::Isolated => "Einzelgänger",
            Self::WrongGroup => "Falsche Gruppe",
            Self::OrphanTerm => "Begriff ohne Erklärung",
            Self::Outdated => "Veraltet",
            Self::Imbalance => "Schiefe Gruppe",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_same_in_json_and_in_text() {
        for code in Code::ALL {
            let json = serde_json::to_string(&code).expect("a string");
            assert_eq!(json, format!("\"{code}\""));
        }
    }
}
