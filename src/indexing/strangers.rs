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
        let sample: Vec<&Vector> = examples.iter().step_by(every).collect();
        let to_all = |windows: &Vec<&Vector>| sample.iter().map(|q| nearest(windows, q)).collect();
        let cosines: Vec<Vec<f32>> = sections.iter().map(to_all).collect();
        let mut strangers: Vec<usize> = (0..sample.len()).collect();
        let (mut found, mut best) = Self::of(&cosines, &strangers);
        for _ in 0..ROUNDS {
            if strangers.len() < FEWEST {
                break;
            }
            let mut sorted = best.clone();
            sorted.sort_by(f64::total_cmp);
            // The median and the 16th percentile are one deviation apart; the upper half may hold
            // the compendium's own.
            let (Some(median), Some(low)) =
                (sorted.get(sorted.len() / 2), sorted.get(sorted.len() * 16 / 100))
            else {
                break;
            };
            let most = median + OWN * (median - low);
            let kept = strangers.iter().zip(&best).filter(|(_, best)| **best <= most);
            strangers = kept.map(|(stranger, _)| *stranger).collect();
            (found, best) = Self::of(&cosines, &strangers);
        }
        found
    }

    /// The figures over some strangers, given by their place in each section's cosines, and the
    /// standing of the best section of each.
    fn of(cosines: &[Vec<f32>], strangers: &[usize]) -> (Self, Vec<f64>) {
        if strangers.len() < FEWEST || cosines.is_empty() {
            let sections = vec![USUAL; cosines.len()];
            return (Self { overall: USUAL, sections, best: USUAL_BEST }, Vec::new());
        }
        let (mut all, mut sections) = (Moments::default(), Vec::with_capacity(cosines.len()));
        for section in cosines {
            let mut own = Moments::default();
            for stranger in strangers {
                let cosine = f64::from(section[*stranger]);
                own.add(cosine);
                all.add(cosine);
            }
            sections.push(own.background());
        }
        let mut found = Self { overall: all.background(), sections, best: USUAL_BEST };
        let mut moments = Moments::default();
        let mut best = Vec::with_capacity(strangers.len());
        for stranger in strangers {
            let of_stranger = (0..).zip(cosines.iter().map(|section| section[*stranger]));
            let standing = found.highest(of_stranger).unwrap_or(f64::NEG_INFINITY);
            moments.add(standing);
            best.push(standing);
        }
        found.best = moments.background();
        (found, best)
    }

    /// The highest cosine, in deviations of its section.
    fn highest(&self, cosines: impl Iterator<Item = (u32, f32)>) -> Option<f64> {
        let standings = cosines.filter_map(|(ordinal, cosine)| {
            let background = self.sections.get(ordinal as usize)?;
            Some((f64::from(cosine) - background.mean) / background.deviation)
        });
        standings.max_by(f64::total_cmp)
    }

    /// How far the best of some sections, given with their cosines, stands out above the best
    /// sections of strangers: in standard deviations of these; 0 is a stranger's usual best.
    pub fn standing(&self, cosines: impl Iterator<Item = (u32, f32)>) -> Option<f64> {
        let best = self.highest(cosines)?;
        Some((best - self.best.mean) / self.best.deviation)
    }
}

fn nearest(windows: &[&Vector], question: &Vector) -> f32 {
    windows.iter().map(|window| window.cosine(question)).fold(-1.0, f32::max)
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
