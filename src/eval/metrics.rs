//! Recall at k and mean reciprocal rank, as the field defines them for one right section a question.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analysis::Analyzer;
use crate::domain::Section;

/// Ranks of the right sections, from 1; `None` where it was not among the first ten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ranks(Vec<Option<usize>>);

/// Figures over a set of questions, each 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scores {
    /// Number of questions.
    pub n: usize,
    /// Share of questions whose section is first.
    #[serde(rename = "r@1")]
    pub recall_at_1: f64,
    /// Share of questions whose section is among the first five.
    #[serde(rename = "r@5")]
    pub recall_at_5: f64,
    /// Share of questions whose section is among the first ten.
    #[serde(rename = "r@10")]
    pub recall_at_10: f64,
    /// Mean of 1/rank, 0 beyond rank 10 (Voorhees 1999).
    #[serde(rename = "mrr@10")]
    pub mrr_at_10: f64,
}

impl Ranks {
    /// Takes the rank of one question's right section.
    pub fn push(&mut self, rank: Option<usize>) {
        self.0.push(rank);
    }

    /// The figures; all 0 for no question.
    pub fn scores(&self) -> Scores {
        let n = self.0.len();
        let share = |sum: f64| if n == 0 { 0.0 } else { (sum / n as f64 * 1e4).round() / 1e4 };
        let recall =
            |k: usize| share(self.0.iter().flatten().filter(|rank| **rank <= k).count() as f64);
        let reciprocal = self.0.iter().flatten().filter(|rank| **rank <= 10);
        Scores {
            n,
            recall_at_1: recall(1),
            recall_at_5: recall(5),
            recall_at_10: recall(10),
            mrr_at_10: share(reciprocal.map(|rank| 1.0 / *rank as f64).sum()),
        }
    }
}

/// How much of a question's wording stands in its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Overlap {
    /// Less than a quarter of the words: the question paraphrases.
    Low,
    /// A quarter to a half.
    Mid,
    /// More than half: the question was written from the text.
    High,
}

/// Share of the question's distinct stems of four letters and more that occur in title or text.
pub fn overlap(analyzer: &Analyzer, question: &str, section: &Section) -> Overlap {
    let stems = |text: &str| -> BTreeSet<String> {
        analyzer.analyse(text).into_iter().map(|analysed| analysed.word.stem).collect()
    };
    let mut asked = stems(question);
    asked.retain(|stem| stem.chars().count() >= 4 || stem.contains(|c: char| c.is_ascii_digit()));
    let mut told = stems(&section.title);
    told.extend(stems(&section.text));
    let shared = asked.intersection(&told).count() as f64;
    let share = if asked.is_empty() { 0.0 } else { shared / asked.len() as f64 };
    if share < 0.25 {
        Overlap::Low
    } else if share <= 0.5 {
        Overlap::Mid
    } else {
        Overlap::High
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_follow_their_definitions() {
        let mut ranks = Ranks::default();
        for rank in [Some(1), Some(2), Some(10), None] {
            ranks.push(rank);
        }
        let scores = ranks.scores();
        assert_eq!(
            (scores.recall_at_1, scores.recall_at_5, scores.recall_at_10),
            (0.25, 0.5, 0.75)
        );
        assert!((scores.mrr_at_10 - (1.0 + 0.5 + 0.1) / 4.0).abs() < 1e-9);
        assert_eq!(Ranks::default().scores().n, 0);
    }
}
