//! How the scores of the channels become one order.

use serde::{Deserialize, Serialize};

/// How the scores of two channels are made comparable and added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fusion {
    /// Weighted sum of what lies above the background of the question.
    #[default]
    Linear,
    /// Weighted sum of scores between the lowest and the highest of the window (Fox and Shaw 1994).
    MinMax,
    /// Weighted sum of deviations from the mean of the window (Montague and Aslam 2001).
    ZScore,
    /// Reciprocal rank fusion, k = 60 (Cormack, Clarke and Büttcher 2009).
    Rrf,
}

impl Fusion {
    /// All, the default first.
    pub const ALL: [Self; 4] = [Self::Linear, Self::MinMax, Self::ZScore, Self::Rrf];

    /// The name in settings and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::MinMax => "min-max",
            Self::ZScore => "z-score",
            Self::Rrf => "rrf",
        }
    }
}
