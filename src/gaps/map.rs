//! The compendium as a map: every section a point, near means alike.

use std::collections::BTreeMap;

use serde::Serialize;

use super::finding::{Code, Finding, Severity};
use crate::domain::{Section, dot};

/// Side of the map; points lie within 0 and this.
const SIDE: f64 = 1_000.0;
/// Every pair is looked at in every round; larger compendia get their principal components.
const MOST: usize = 1_500;
/// Fewer points have no neighbourhoods to keep.
const FEWEST: usize = 8;
/// Neighbours that a point counts with, softly; the usual value.
const PERPLEXITY: f64 = 30.0;
/// Rounds in all, and those at first in which clusters are pulled together by [`EXAGGERATION`].
const ROUNDS: usize = 500;
const EARLY: usize = 150;
const EXAGGERATION: f64 = 12.0;

/// A section on the map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// Section id.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Semantic group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// From the left, 0 to 1000.
    pub x: f64,
    /// From above, 0 to 1000.
    pub y: f64,
    /// The worst of its findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// The codes of its findings, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<Code>,
}

/// The points of all sections in their order; a section without a vector lies in the middle.
pub(super) fn points(
    sections: &[Section],
    means: &[Option<Vec<f32>>],
    findings: &[Finding],
) -> Vec<Point> {
    let mut by_section: BTreeMap<&str, Vec<(Severity, Code)>> = BTreeMap::new();
    for finding in findings {
        for named in &finding.subject.sections {
            by_section.entry(&named.id).or_default().push((finding.severity, finding.code));
        }
    }
    let places = places(means);
    sections
        .iter()
        .zip(places)
        .map(|(section, (x, y))| {
            let found = by_section.get(section.id.as_str()).map_or(&[][..], Vec::as_slice);
            let mut codes: Vec<Code> = found.iter().map(|(_, code)| *code).collect();
            codes.sort_unstable();
            codes.dedup();
            Point {
                id: section.id.to_string(),
                title: section.title.clone(),
                group: section.group.as_ref().map(ToString::to_string),
                x,
                y,
                severity: found.iter().map(|(severity, _)| *severity).max(),
                codes,
            }
        })
        .collect()
}

/// Where each section lies.
fn places(means: &[Option<Vec<f32>>]) -> Vec<(f64, f64)> {
    let there: Vec<(usize, Vec<f32>)> = means
        .iter()
        .enumerate()
        .filter_map(|(at, mean)| Some((at, scaled(mean.as_ref()?))))
        .collect();
    let vectors: Vec<&[f32]> = there.iter().map(|(_, vector)| vector.as_slice()).collect();
    let start = principal(&vectors);
    let found = if (FEWEST..=MOST).contains(&vectors.len()) {
        by_neighbours(&vectors, start)
    } else {
        start
    };
    let mut places = vec![(SIDE / 2.0, SIDE / 2.0); means.len()];
    for ((at, _), place) in there.iter().zip(on_paper(&found)) {
        places[*at] = place;
    }
    places
}

fn scaled(mean: &[f32]) -> Vec<f32> {
    let length = dot(mean, mean).sqrt().max(f32::MIN_POSITIVE);
    mean.iter().map(|value| value / length).collect()
}

/// Fits the points into the square, both axes on one scale.
fn on_paper(points: &[[f64; 2]]) -> Vec<(f64, f64)> {
    const MARGIN: f64 = 30.0;
    let range = |axis: usize| {
        let values = points.iter().map(|point| point[axis]);
        let (low, high) = values
            .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        (low, high)
    };
    let (x, y) = (range(0), range(1));
    let widest = (x.1 - x.0).max(y.1 - y.0);
    let scale = if widest > 1e-12 { (SIDE - 2.0 * MARGIN) / widest } else { 0.0 };
    let place = |value: f64, (low, high): (f64, f64)| {
        let middle = f64::midpoint(low, high);
        (((value - middle) * scale + SIDE / 2.0) * 10.0).round() / 10.0
    };
    points.iter().map(|point| (place(point[0], x), place(point[1], y))).collect()
}

/// The first two principal components, by power iteration from a fixed start.
fn principal(vectors: &[&[f32]]) -> Vec<[f64; 2]> {
    let Some(width) = vectors.first().map(|vector| vector.len()) else { return Vec::new() };
    let mut centre = vec![0.0_f64; width];
    for vector in vectors {
        for (sum, value) in centre.iter_mut().zip(*vector) {
            *sum += f64::from(*value) / vectors.len() as f64;
        }
    }
    let mut rows: Vec<Vec<f64>> = vectors
        .iter()
        .map(|vector| vector.iter().zip(&centre).map(|(v, c)| f64::from(*v) - c).collect())
        .collect();
    let mut points = vec![[0.0; 2]; vectors.len()];
    for axis in 0..2 {
        // No direction is orthogonal to all data by accident: the entries are all different.
        let mut direction: Vec<f64> = (0..width).map(|at| 1.0 + (at as f64 * 0.7).sin()).collect();
        for _ in 0..100 {
            let mut next = vec![0.0; width];
            for row in &rows {
                let along = inner(row, &direction);
                for (sum, value) in next.iter_mut().zip(row) {
                    *sum += along * value;
                }
            }
            let length = inner(&next, &next).sqrt();
            if length < 1e-12 {
                break;
            }
            direction = next.into_iter().map(|value| value / length).collect();
        }
        let length = inner(&direction, &direction).sqrt().max(f64::MIN_POSITIVE);
        for (row, point) in rows.iter_mut().zip(&mut points) {
            let along = inner(row, &direction) / length;
            point[axis] = along;
            for (value, part) in row.iter_mut().zip(&direction) {
                *value -= along * part / length;
            }
        }
    }
    points
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// t-SNE (van der Maaten and Hinton 2008), begun with the principal components (Kobak and Berens
/// 2019), so that nothing is left to chance and far clusters keep their places. Neighbours on the
/// map are neighbours in meaning; distances between clusters say little.
fn by_neighbours(vectors: &[&[f32]], start: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let n = vectors.len();
    let affinities = affinities(vectors);
    let spread = (start.iter().map(|point| point[0] * point[0]).sum::<f64>() / n as f64).sqrt();
    let shrink = if spread > 1e-12 { 1e-4 / spread } else { 0.0 };
    // Copies lie on one point, where nothing would part them: a fixed tiny ring does.
    let nudged = |(at, [x, y]): (usize, [f64; 2])| {
        let angle = at as f64;
        [x.mul_add(shrink, 1e-6 * angle.cos()), y.mul_add(shrink, 1e-6 * angle.sin())]
    };
    let mut points: Vec<[f64; 2]> = start.into_iter().enumerate().map(nudged).collect();
    let mut speed = vec![[0.0_f64; 2]; n];
    let mut gains = vec![[1.0_f64; 2]; n];
    let rate = (n as f64 / EXAGGERATION).max(50.0);
    for round in 0..ROUNDS {
        let (pull, momentum) = if round < EARLY { (EXAGGERATION, 0.5) } else { (1.0, 0.8) };
        let slopes = slopes(&points, &affinities, pull);
        for at in 0..n {
            for axis in 0..2 {
                let slope = slopes[at][axis];
                let same = (slope > 0.0) == (speed[at][axis] > 0.0);
                let gain = if same { gains[at][axis] * 0.8 } else { gains[at][axis] + 0.2 };
                gains[at][axis] = gain.max(0.01);
                speed[at][axis] = momentum * speed[at][axis] - rate * gains[at][axis] * slope;
                points[at][axis] += speed[at][axis];
            }
        }
    }
    points
}

/// The gradient of the Kullback-Leibler divergence.
fn slopes(points: &[[f64; 2]], affinities: &[f64], pull: f64) -> Vec<[f64; 2]> {
    let n = points.len();
    let near = |a: usize, b: usize| {
        let (x, y) = (points[a][0] - points[b][0], points[a][1] - points[b][1]);
        (1.0 / (1.0 + x * x + y * y), x, y)
    };
    let mut total = 0.0;
    for a in 0..n {
        for b in a + 1..n {
            total += 2.0 * near(a, b).0;
        }
    }
    let mut slopes = vec![[0.0; 2]; n];
    for a in 0..n {
        for b in a + 1..n {
            let (close, x, y) = near(a, b);
            let force = 4.0 * (pull * affinities[a * n + b] - close / total) * close;
            slopes[a][0] += force * x;
            slopes[a][1] += force * y;
            slopes[b][0] -= force * x;
            slopes[b][1] -= force * y;
        }
    }
    slopes
}

/// Joint probabilities of neighbours: each point's Gaussian is as wide as its perplexity wants.
fn affinities(vectors: &[&[f32]]) -> Vec<f64> {
    let n = vectors.len();
    let perplexity = PERPLEXITY.min((n as f64 - 1.0) / 3.0).max(1.0);
    let mut own = vec![0.0; n * n];
    for at in 0..n {
        let distances: Vec<f64> = vectors
            .iter()
            .map(|other| f64::from(2.0 - 2.0 * dot(vectors[at], other)).max(0.0))
            .collect();
        let row = gaussian(&distances, at, perplexity.ln());
        own[at * n..(at + 1) * n].copy_from_slice(&row);
    }
    let mut joint = vec![0.0; n * n];
    for a in 0..n {
        for b in 0..n {
            joint[a * n + b] = ((own[a * n + b] + own[b * n + a]) / (2.0 * n as f64)).max(1e-12);
        }
    }
    joint
}

/// Probabilities of the neighbours of one point with this entropy, by bisection of the width.
fn gaussian(distances: &[f64], own: usize, entropy: f64) -> Vec<f64> {
    let (mut low, mut high, mut narrow) = (0.0, f64::INFINITY, 1.0);
    let nearest = distances.iter().enumerate().filter(|(at, _)| *at != own).map(|(_, d)| *d);
    let nearest = nearest.fold(f64::INFINITY, f64::min);
    let mut row = vec![0.0; distances.len()];
    for _ in 0..64 {
        let (mut sum, mut weighed) = (0.0, 0.0);
        for (at, distance) in distances.iter().enumerate() {
            let far = distance - nearest;
            row[at] = if at == own { 0.0 } else { (-narrow * far).exp() };
            sum += row[at];
            weighed += row[at] * far;
        }
        let found = sum.ln() + narrow * weighed / sum;
        for value in &mut row {
            *value /= sum;
        }
        if (found - entropy).abs() < 1e-5 {
            break;
        }
        if found > entropy {
            low = narrow;
            narrow = if high.is_finite() { f64::midpoint(low, high) } else { narrow * 2.0 };
        } else {
            high = narrow;
            narrow = f64::midpoint(low, high);
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three heaps of directions.
    fn heaps(each: usize) -> Vec<Option<Vec<f32>>> {
        (0..3 * each)
            .map(|at| {
                let mut vector = vec![0.1_f32; 6];
                vector[at % 3] = 1.0;
                vector[3 + at % 3] = 0.2 * (at as f32 * 1.3).sin();
                Some(vector)
            })
            .collect()
    }

    #[test]
    fn neighbours_in_meaning_are_neighbours_on_the_map() {
        let places = places(&heaps(15));
        let distance =
            |a: usize, b: usize| (places[a].0 - places[b].0).hypot(places[a].1 - places[b].1);
        for at in 0..45 {
            let nearest = (0..45)
                .filter(|other| *other != at)
                .min_by(|a, b| distance(at, *a).total_cmp(&distance(at, *b)))
                .expect("others");
            assert_eq!(nearest % 3, at % 3, "{places:?}");
        }
        assert_eq!(places, super::places(&heaps(15)), "the same every time");
        assert!(places.iter().all(|(x, y)| (0.0..=SIDE).contains(x) && (0.0..=SIDE).contains(y)));
    }

    #[test]
    fn few_sections_copies_and_missing_vectors_have_a_place() {
        for count in [0, 1, 2, 5, 9] {
            let copies = vec![Some(vec![0.5_f32, 0.5, 0.1]); count];
            let places = places(&copies);
            assert_eq!(places.len(), count);
            assert!(places.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{places:?}");
        }
        let mut some = heaps(4);
        some[3] = None;
        assert_eq!(places(&some)[3], (500.0, 500.0));
    }
}
