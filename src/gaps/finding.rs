//! What an editor should do next: one finding, with its reasons and its mend.
//!
//! Names and codes are English and stable; every text that an editor reads is German.

use std::fmt;

use serde::Serialize;

use crate::domain::{Place, Section};

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
    pub const ALL: [Self; 14] = [
        Self::Missing,
        Self::Unanswered,
        Self::BadAnswer,
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

/// A section as reports name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Section id.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Semantic group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Where the heading stands.
    pub place: Place,
}

impl From<&Section> for Named {
    fn from(section: &Section) -> Self {
        Self {
            id: section.id.to_string(),
            title: section.title.clone(),
            group: section.group.as_ref().map(ToString::to_string),
            place: section.place.clone(),
        }
    }
}

/// What a finding is about: sections, a term or topic, or a group; at least one of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Subject {
    /// The sections to work on, the one to begin with first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Named>,
    /// A term of the compendium's field, or the label of a topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// A semantic group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

impl Subject {
    /// One section.
    pub fn section(section: &Section) -> Self {
        Self { sections: vec![section.into()], ..Self::default() }
    }

    /// Several sections, the one to begin with first.
    pub fn sections<'a>(sections: impl IntoIterator<Item = &'a Section>) -> Self {
        Self { sections: sections.into_iter().map(Named::from).collect(), ..Self::default() }
    }

    /// A term or topic.
    pub fn term(term: impl Into<String>) -> Self {
        Self { term: Some(term.into()), ..Self::default() }
    }

    /// A group.
    pub fn group(group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..Self::default() }
    }

    /// What makes it this subject: section ids, else the term, else the group.
    pub fn key(&self) -> String {
        if !self.sections.is_empty() {
            let ids: Vec<&str> = self.sections.iter().map(|named| named.id.as_str()).collect();
            return ids.join("+");
        }
        self.term.as_ref().or(self.group.as_ref()).cloned().unwrap_or_default()
    }

    /// For people: titles, else the term, else the group's name with blanks.
    pub fn german(&self) -> String {
        if !self.sections.is_empty() {
            let titles: Vec<String> =
                self.sections.iter().map(|named| format!("„{}“", named.title)).collect();
            return titles.join(" und ");
        }
        match (&self.term, &self.group) {
            (Some(term), _) => term.clone(),
            (None, group) => group.as_deref().unwrap_or_default().replace('_', " "),
        }
    }
}

/// What speaks for a finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Evidence {
    /// A figure, beside what is usual in this compendium.
    Figure {
        /// What was measured, in German with its unit: `Wörter`.
        what: String,
        /// Its value.
        value: f64,
        /// The compendium's median, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        usual: Option<f64>,
        /// The bound that was crossed.
        #[serde(skip_serializing_if = "Option::is_none")]
        bound: Option<f64>,
    },
    /// A question that was asked.
    Question {
        /// Its id in the catalog; absent for a live one.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The question; personal data is masked.
        text: String,
        /// How often it was asked.
        count: usize,
        /// What became of it, in German.
        outcome: String,
    },
    /// Another section.
    Section {
        /// Which.
        section: Named,
        /// What it has to do with it, in German.
        role: String,
    },
    /// A passage of a section.
    Quote {
        /// Id of the section.
        section: String,
        /// The passage, as plain text.
        text: String,
    },
    /// Words.
    Words {
        /// What they have in common, in German.
        what: String,
        /// The words, most telling first.
        words: Vec<String>,
    },
}

impl Evidence {
    /// A figure without a bound.
    pub fn figure(what: impl Into<String>, value: f64, usual: Option<f64>) -> Self {
        Self::Figure { what: what.into(), value, usual, bound: None }
    }

    /// One line for reports.
    pub fn german(&self) -> String {
        match self {
            Self::Figure { what, value, usual, bound } => {
                let usual = usual.map(|usual| format!("üblich sind {}", number(usual)));
                let bound = bound.map(|bound| format!("Grenze {}", number(bound)));
                let beside: Vec<String> = [usual, bound].into_iter().flatten().collect();
                let beside = if beside.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", beside.join(", "))
                };
                format!("{what}: {}{beside}", number(*value))
            }
            Self::Question { id, text, count, outcome } => {
                let id = id.as_ref().map(|id| format!(" [{id}]")).unwrap_or_default();
                let times = if *count > 1 { format!("{count} × ") } else { String::new() };
                format!("{times}„{text}“{id}: {outcome}")
            }
            Self::Section { section, role } => {
                format!("„{}“ ({}): {role}", section.title, section.id)
            }
            Self::Quote { section, text } => format!("{section}: „{text}“"),
            Self::Words { what, words } => format!("{what}: {}", words.join(", ")),
        }
    }
}

/// A number as German readers write it: decimal comma, at most two decimals.
pub fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    let plain = format!("{rounded}").replace('.', ",");
    if plain == "-0" { "0".to_owned() } else { plain }
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Write a new section.
    NewSection,
    /// Add to a section.
    ExtendSection,
    /// Let one section absorb another.
    MergeSections,
    /// Say what parts two sections.
    TellApart,
    /// Name another group in the section's head, or the missing words in `rules/groups.yaml`.
    ChangeGroup,
    /// Revise what is written.
    Revise,
    /// Settle which of two statements holds.
    Reconcile,
    /// Link a section with others, or move or delete it.
    Connect,
    /// Add a synonym to `rules/synonyms.yaml`.
    AddSynonym,
    /// Add a rule to `rules/shortcuts.yaml`.
    AddRule,
    /// Nothing in the compendium: not its topic.
    OutOfScope,
}

/// The suggested mend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mend {
    /// What to do.
    pub action: Action,
    /// The same in German, concrete enough to begin: names sections, files, words.
    pub text: String,
    /// Id of the section to change, where it is not the subject's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The group that fits: of a new section, or to be named instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Points that a new section should cover, in German.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<String>,
}

impl Mend {
    /// An action with its text.
    pub fn new(action: Action, text: impl Into<String>) -> Self {
        Self { action, text: text.into(), section: None, group: None, outline: Vec::new() }
    }
}

/// One gap: what it is, why, how bad, what to do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The same in every run as long as kind and subject are the same: `G-THIN:datei#abschnitt`.
    pub id: String,
    /// What kind.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// `reach` × weight of the severity: the order of the list.
    pub impact: f64,
    /// Questions concerned: of the catalog, or live ones with how often they were asked; at least 1.
    pub reach: f64,
    /// What it is about.
    pub subject: Subject,
    /// What is wrong, in one German sentence.
    pub message: String,
    /// Why, most telling first.
    pub evidence: Vec<Evidence>,
    /// What to do.
    pub mend: Mend,
}

impl Finding {
    /// A finding that concerns one question; see [`Finding::reaching`].
    pub fn new(
        code: Code,
        severity: Severity,
        subject: Subject,
        message: impl Into<String>,
        mend: Mend,
    ) -> Self {
        Self {
            id: format!("{code}:{}", subject.key()),
            code,
            severity,
            impact: severity.weight(),
            reach: 1.0,
            subject,
            message: message.into(),
            evidence: Vec::new(),
            mend,
        }
    }

    /// The same, concerning so many questions; fewer than one count as one.
    #[must_use]
    pub fn reaching(mut self, questions: f64) -> Self {
        self.reach = questions.max(1.0);
        self.impact = self.reach * self.severity.weight();
        self
    }

    /// The same with evidence.
    #[must_use]
    pub fn because(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        self.evidence.extend(evidence);
        self
    }
}

/// Most impact first; ties by severity, code and subject.
pub fn rank(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        b.impact
            .total_cmp(&a.impact)
            .then_with(|| b.severity.cmp(&a.severity))
            .then_with(|| a.id.cmp(&b.id))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(code: Code, severity: Severity, term: &str, reach: f64) -> Finding {
        let mend = Mend::new(Action::NewSection, "Schreiben.");
        Finding::new(code, severity, Subject::term(term), "Fehlt.", mend).reaching(reach)
    }

    #[test]
    fn the_list_begins_with_what_concerns_most_and_hurts_most() {
        let mut list = vec![
            finding(Code::OrphanTerm, Severity::Hint, "b", 2.0),
            finding(Code::Missing, Severity::Error, "c", 1.0),
            finding(Code::Unanswered, Severity::Warning, "d", 4.0),
            finding(Code::OrphanTerm, Severity::Hint, "a", 2.0),
        ];
        rank(&mut list);
        let ids: Vec<&str> = list.iter().map(|finding| finding.id.as_str()).collect();
        assert_eq!(ids, ["G-UNANSWERED:d", "G-MISSING:c", "G-ORPHAN-TERM:a", "G-ORPHAN-TERM:b"]);
    }

    #[test]
    fn numbers_are_written_as_germans_write_them() {
        let written: Vec<String> = [0.5, 12.0, 3.256, -0.001].map(number).to_vec();
        assert_eq!(written, ["0,5", "12", "3,26", "0"]);
        let figure = Evidence::figure("Wörter", 12.0, Some(95.5));
        assert_eq!(figure.german(), "Wörter: 12 (üblich sind 95,5)");
    }

    #[test]
    fn codes_are_the_same_in_json_and_in_text() {
        for code in Code::ALL {
            let json = serde_json::to_string(&code).expect("a string");
            assert_eq!(json, format!("\"{code}\""));
        }
    }
}
