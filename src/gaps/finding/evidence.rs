//! What speaks for a finding.

use serde::Serialize;

use super::Named;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_germans_write_them() {
        let written: Vec<String> = [0.5, 12.0, 3.256, -0.001].map(number).to_vec();
        assert_eq!(written, ["0,5", "12", "3,26", "0"]);
        let figure = Evidence::figure("Wörter", 12.0, Some(95.5));
        assert_eq!(figure.german(), "Wörter: 12 (üblich sind 95,5)");
    }
}
