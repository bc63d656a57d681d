//! How sections stand to questions that have nothing to do with them: the measure of what a cosine means.
//!
//! Cosines of one embedding model lie close together (e5: .72 to .88), and some sections are near to
//! everything (hubs; Radovanović, Nanopoulos and Ivanović 2010). So a cosine is read against those of
//! the same section with *strangers*: labelled examples of the intents, which ask of everything under
//! the sun, without those that the compendium itself could answer.

use serde::{Deserialize, Serialize};

use crate::domain::Vector;
use crate::retrieval::fuse::Background;

/// Some hundred questions settle the second digit.
const MOST_STRANGERS: usize = 400;
/// Rounds in which examples that belong to the compendium are left out.
const ROUNDS: usize = 2;
/// An example belongs to the compendium where its best section stands out by so many deviations.
const OWN: f64 = 2.0;
/// Fewer strangers say nothing; figures of the built-in model on its demo compendium stand in.
const FEWEST: usize = 30;
const USUAL: Background = Background { mean: 0.78, deviation: 0.02 };
const USUAL_BEST: Background = Background { mean: 1.5, deviation: 0.8 };

/// Cosines with strangers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Strangers {
    /// Of all sections together.
    pub overall: Background,
    /// Of each section.
    sections: Vec<Background>,
    /// Of the best section of each stranger, in deviations of that section.
    best: Background,
}

impl Strangers {
    /// Measures `sections`, each with the vectors of its windows, against `examples`.
    pub fn measure(sections: &[Vec<&Vector>], examples: &[Vector]) -> Self {
        let every = examples.len().div_ceil(MOST_STRANGERS).max(1);
        let mut strangers: Vec<&Vector> = examples.iter().step_by(every).collect();
        let mut found = Self::of(sections, &strangers);
        for _ in 0..ROUNDS {
            let best: Vec<f64> = strangers.iter().map(|q| found.best_of(sections, q)).collect();
            let mut sorted = best.clone();
            sorted.sort_by(f64::total_cmp);
            if sorted.len() < FEWEST {
                break;
            }
            // The median and the 16th percentile are one deviation apart; the upper half may hold
            // the compendium's own.
            let (median, low) = (sorted[sorted.len() / 2], sorted[sorted.len() * 16 / 100]);
            let most = median + OWN * (median - low);
            let kept = strangers.iter().zip(&best).filter(|(_, best)| **best <= most);
            strangers = kept.map(|(question, _)| *question).collect();
            found = Self::of(sections, &strangers);
        }
        found
    }

    fn of(sections: &[Vec<&Vector>], strangers: &[&Vector]) -> Self {
        if strangers.len() < FEWEST || sections.is_empty() {
            let sections = vec![USUAL; sections.len()];
            return Self { overall: USUAL, sections, best: USUAL_BEST };
        }
        let (mut all, mut each) = (Moments::default(), Vec::with_capacity(sections.len()));
        for windows in sections {
            let mut own = Moments::default();
            for question in strangers {
                let cosine = nearest(windows, question);
                own.add(cosine);
                all.add(cosine);
            }
            each.push(own.background());
        }
        let mut found = Self { overall: all.background(), sections: each, best: USUAL_BEST };
        let mut best = Moments::default();
        for question in strangers {
            best.add(found.best_of(sections, question));
        }
        found.best = best.background();
        found
    }

    fn best_of(&self, sections: &[Vec<&Vector>], question: &Vector) -> f64 {
        let standings = sections.iter().zip(&self.sections).map(|(windows, background)| {
            (nearest(windows, question) - background.mean) / background.deviation
        });
        standings.fold(f64::NEG_INFINITY, f64::max)
    }

    /// How far the best of some sections, given with their cosines, stands out above the best
    /// sections of strangers: in standard deviations of these; 0 is a stranger's usual best.
    pub fn standing(&self, cosines: impl Iterator<Item = (u32, f32)>) -> Option<f64> {
        let standings = cosines.filter_map(|(ordinal, cosine)| {
            let background = self.sections.get(ordinal as usize)?;
            Some((f64::from(cosine) - background.mean) / background.deviation)
        });
        let best = standings.max_by(f64::total_cmp)?;
        Some((best - self.best.mean) / self.best.deviation)
    }
}

fn nearest(windows: &[&Vector], question: &Vector) -> f64 {
    let cosines = windows.iter().map(|window| f64::from(window.cosine(question)));
    cosines.fold(-1.0, f64::max)
}

/// Count, sum and sum of squares.
#[derive(Default)]
struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn background(&self) -> Background {
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(0.0);
        Background { mean, deviation: variance.sqrt().max(1e-3) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(values: [f32; 3]) -> Vector {
        Vector::new(values.to_vec()).expect("a vector")
    }

    /// Strangers all around one direction, sections beside it.
    fn measured() -> (Strangers, [Vector; 2]) {
        let examples: Vec<Vector> = (0..100)
            .map(|at| vector([1.0, (at % 10) as f32 / 10.0, (at % 7) as f32 / 10.0]))
            .collect();
        let sections = [vector([0.2, 1.0, 0.0]), vector([0.2, 0.0, 1.0])];
        let windows: Vec<Vec<&Vector>> = sections.iter().map(|section| vec![section]).collect();
        (Strangers::measure(&windows, &examples), sections)
    }

    #[test]
    fn a_question_of_the_compendium_stands_out_and_a_stranger_does_not() {
        let (strangers, sections) = measured();
        let standing = |question: &Vector| {
            let cosines = (0..).zip(&sections).map(|(at, s)| (at, s.cosine(question)));
            strangers.standing(cosines).expect("two sections")
        };
        assert!(standing(&vector([0.2, 1.0, 0.1])) > 2.0);
        assert!(standing(&vector([1.0, 0.4, 0.3])) < 1.0);
        assert_eq!(strangers.standing(std::iter::empty()), None);
    }

    #[test]
    fn without_examples_usual_figures_stand_in() {
        let section = vector([1.0, 0.0, 0.0]);
        let strangers = Strangers::measure(&[vec![&section]], &[]);
        assert_eq!(strangers.overall, USUAL);
    }
}
