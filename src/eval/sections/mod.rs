//! Landscape of the compendium's sections that do not depend on any question: how much they say, and
//! how they stand to one another. The catalog's warnings and the content gaps share these.

mod neighbours;
mod spread;

use serde::Serialize;

pub use neighbours::Near;
pub use spread::{FEWEST, NOTABLE, OUTLYING, Spread, median};

use crate::analysis::words;
use crate::domain::Section;
use crate::pipeline::Pipeline;

/// A section that says less than two thirds of what is usual may be thin; where all sections are
/// about as long as another, a few words less are far out, but nobody misses them.
const THIN_SHARE: f64 = 2.0 / 3.0;
/// Lengths that differ by a tenth do not differ.
const LEAST_LENGTH_SCALE: f64 = 0.1;
/// Differences of outlier factors and of cosines below these are noise of the embedding.
const LEAST_FACTOR_SCALE: f64 = 0.01;
const LEAST_COSINE_SCALE: f64 = 0.005;

/// What was measured of one section.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SectionFigures {
    /// Words of its text.
    pub words: usize,
    /// The nearest other sections, at most ten, most alike first.
    pub neighbours: Vec<Near>,
    /// Local outlier factor: about 1 in company, above 1 apart; absent in small compendia.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlier_factor: Option<f64>,
}

/// What was measured of all sections.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Landscape {
    /// By ordinal.
    pub sections: Vec<SectionFigures>,
    /// Natural logarithm of the sections' words (lengths of texts are log-normal).
    pub log_words: Option<Spread>,
    /// Outlier factors.
    pub outlier_factors: Option<Spread>,
    /// Similarity of each section with its nearest neighbour.
    pub nearest: Option<Spread>,
}

/// How far out a section lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Beyond [`NOTABLE`].
    Notable,
    /// Beyond [`OUTLYING`].
    Outlying,
}

impl Grade {
    /// Of a score that is bad when it is high.
    pub fn of(score: f64) -> Option<Self> {
        if score >= OUTLYING {
            Some(Self::Outlying)
        } else if score >= NOTABLE {
            Some(Self::Notable)
        } else {
            None
        }
    }
}

impl Landscape {
    /// Of the pipeline's sections, from their plain vectors. Compares all pairs of sections.
    pub fn of(pipeline: &Pipeline) -> Self {
        Self::measure(pipeline.sections(), &pipeline.section_means())
    }

    /// Of sections and the mean vectors of their windows, both by ordinal.
    pub fn measure(sections: &[Section], means: &[Option<Vec<f32>>]) -> Self {
        let nearest = neighbours::nearest(means);
        let factors = neighbours::outlier_factors(&nearest);
        let words: Vec<usize> = sections.iter().map(|section| words(&section.text).len()).collect();
        let logs: Vec<f64> = words.iter().map(|words| log(*words)).collect();
        let known: Vec<f64> = factors.iter().copied().flatten().collect();
        let best: Vec<f64> =
            nearest.iter().filter_map(|row| row.first()).map(|near| near.similarity).collect();
        let rows = words.into_iter().zip(nearest).zip(factors);
        Self {
            sections: rows
                .map(|((words, neighbours), outlier_factor)| SectionFigures {
                    words,
                    neighbours,
                    outlier_factor,
                })
                .collect(),
            log_words: Spread::of(&logs, LEAST_LENGTH_SCALE),
            outlier_factors: Spread::of(&known, LEAST_FACTOR_SCALE),
            nearest: Spread::of(&best, LEAST_COSINE_SCALE),
        }
    }

    /// The usual number of words.
    pub fn usual_words(&self) -> Option<f64> {
        self.log_words.map(|spread| spread.median.exp())
    }

    /// Whether the section says much less than the others, and how much less.
    pub fn thin(&self, ordinal: u32) -> Option<Grade> {
        let spread = self.log_words?;
        let log = log(self.sections.get(ordinal as usize)?.words);
        Grade::of(-spread.score(log)).filter(|_| log - spread.median <= THIN_SHARE.ln())
    }

    /// Whether the section stands apart from all others, and how far.
    pub fn isolated(&self, ordinal: u32) -> Option<Grade> {
        let factor = self.sections.get(ordinal as usize)?.outlier_factor?;
        Grade::of(self.outlier_factors?.score(factor))
    }
}

fn log(words: usize) -> f64 {
    (words.max(1) as f64).ln()
}

#[cfg(test)]
mod tests;
