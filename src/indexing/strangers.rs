//! How sections stand to questions that have nothing to do with them: the measure of what a cosine means.
//!
//! Cosines of one embedding model lie close together (e5: .72 to .88), and some sections are near to
//! everything (hubs; Radovanović, Nanopoulos and Ivanović 2010). So a cosine is read against those of
//! the same section with *strangers*: labelled examples of the intents, which ask of everything under
//! the sun, without those that the compendium itself could answer.

use serde::{Deserialize, Serialize};

use super::index::plain_cosine;
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
/// So many of the nearest strangers tell how near a section is to everything.
const NEAREST: usize = 10;
const USUAL: Background = Background { mean: 0.78, deviation: 0.02 };
const USUAL_BEST: Background = Background { mean: 1.5, deviation: 0.8 };

/// Cosines with strangers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Strangers {
    /// Of all sections together.
    pub overall: Background,
    /// Of each section.
    sections: Vec<Background>,
    /// Mean of each section's highest cosines with strangers, less that of all sections.
    hubness: Vec<f32>,
    /// Of the best section of each stranger, in deviations of that section.
    best: Background,
}

/// The vectors of one section.
pub(super) struct SectionVectors<'a> {
    /// Of its windows.
    pub(super) windows: Vec<&'a Vector>,
    /// Of all of it.
    pub(super) whole: Vec<&'a Vector>,
}

impl SectionVectors<'_> {
    fn cosine(&self, question: &Vector) -> f32 {
        plain_cosine(nearest(&self.windows, question), nearest(&self.whole, question))
    }
}

impl Strangers {
    /// Measures `sections` against `examples`.
    pub(super) fn measure(sections: &[SectionVectors<'_>], examples: &[Vector]) -> Self {
        let every = examples.len().div_ceil(MOST_STRANGERS).max(1);
        let sample: Vec<&Vector> = examples.iter().step_by(every).collect();
        let to_all =
            |section: &SectionVectors<'_>| sample.iter().map(|q| section.cosine(q)).collect();
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
            let hubness = vec![0.0; cosines.len()];
            return (Self { overall: USUAL, sections, hubness, best: USUAL_BEST }, Vec::new());
        }
        let (mut all, mut sections) = (Moments::default(), Vec::with_capacity(cosines.len()));
        let mut hubness = Vec::with_capacity(cosines.len());
        for section in cosines {
            let mut own = Moments::default();
            for stranger in strangers {
                let cosine = f64::from(section[*stranger]);
                own.add(cosine);
                all.add(cosine);
            }
            sections.push(own.background());
            hubness.push(highest_mean(strangers.iter().map(|stranger| section[*stranger])));
        }
        // Against the usual section, so that nearness stays on the scale of cosines.
        let usual = hubness.iter().sum::<f32>() / hubness.len() as f32;
        for own in &mut hubness {
            *own -= usual;
        }
        let mut found = Self { overall: all.background(), sections, hubness, best: USUAL_BEST };
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

    /// How much nearer than the usual section one is to questions that have nothing to do with it:
    /// by the mean cosine with the nearest ten of them; −.1 to .1 for e5, and 0 for every section
    /// where there are too few to tell.
    pub fn hubness(&self, ordinal: u32) -> f32 {
        self.hubness.get(ordinal as usize).copied().unwrap_or_default()
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

/// Mean of the [`NEAREST`] highest.
fn highest_mean(cosines: impl Iterator<Item = f32>) -> f32 {
    let mut cosines: Vec<f32> = cosines.collect();
    cosines.sort_by(|a, b| b.total_cmp(a));
    cosines.truncate(NEAREST);
    cosines.iter().sum::<f32>() / cosines.len().max(1) as f32
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

    fn whole(section: &Vector) -> SectionVectors<'_> {
        SectionVectors { windows: vec![section], whole: vec![section] }
    }

    /// Strangers all around one direction, sections beside it.
    fn measured() -> (Strangers, [Vector; 2]) {
        let examples: Vec<Vector> = (0..100)
            .map(|at| vector([1.0, (at % 10) as f32 / 10.0, (at % 7) as f32 / 10.0]))
            .collect();
        let sections = [vector([0.2, 1.0, 0.0]), vector([0.2, 0.0, 1.0])];
        let vectors: Vec<_> = sections.iter().map(whole).collect();
        (Strangers::measure(&vectors, &examples), sections)
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
        let strangers = Strangers::measure(&[whole(&section)], &[]);
        assert_eq!(strangers.overall, USUAL);
        assert!(strangers.hubness(0).abs() < f32::EPSILON);
    }

    #[test]
    fn a_section_that_is_near_to_everything_is_a_hub() {
        let examples: Vec<Vector> =
            (0..40).map(|at| vector([1.0, (at % 8) as f32 / 8.0, (at % 5) as f32 / 5.0])).collect();
        let (hub, aside) = (vector([1.0, 0.4, 0.4]), vector([0.0, 1.0, -0.5]));
        let strangers = Strangers::measure(&[whole(&hub), whole(&aside)], &examples);
        assert!(strangers.hubness(0) > strangers.hubness(1) + 0.3);
    }
}
