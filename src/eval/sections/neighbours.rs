//! Which sections are near one another, and which stand apart.

use std::cmp::Ordering;

use serde::Serialize;

use crate::domain::dot;

/// Neighbours that decide whether a section stands apart. Breunig and others advise at least the
/// size of the smallest set that counts as company; with 3 to 10 the shipped compendium's planned
/// outlier comes first.
const COMPANY: usize = 5;
/// Neighbours that are kept for people.
const KEPT: usize = 10;
/// Cosine distances below this are equal for our purposes; keeps densities of copies finite.
const LEAST_DISTANCE: f64 = 1e-3;

/// Another section and how alike it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Near {
    /// Its ordinal.
    pub ordinal: u32,
    /// Mean cosine of its windows with those of the section, −1 to 1.
    pub similarity: f64,
}

/// For every section the nearest others, most alike first, ties by ordinal.
///
/// `means` are the mean vectors of the sections' windows, not scaled to length 1: their dot product
/// is the mean cosine over all pairs of windows (average linkage), which does not grow with the
/// number of windows as the cosine of scaled means does.
pub(super) fn nearest(means: &[Option<Vec<f32>>]) -> Vec<Vec<Near>> {
    let mut all: Vec<Vec<Near>> = vec![Vec::new(); means.len()];
    for (at, mean) in means.iter().enumerate() {
        for (other, theirs) in means.iter().enumerate().skip(at + 1) {
            let (Some(mean), Some(theirs)) = (mean, theirs) else { continue };
            let similarity = f64::from(dot(mean, theirs));
            all[at].push(Near { ordinal: other as u32, similarity });
            all[other].push(Near { ordinal: at as u32, similarity });
        }
        // A full row is only needed while it is sorted: memory stays linear.
        keep_best(&mut all[at]);
        if at % 64 == 63 {
            all.iter_mut().skip(at + 1).for_each(keep_best);
        }
    }
    all
}

fn keep_best(row: &mut Vec<Near>) {
    row.sort_by(order);
    row.truncate(KEPT);
}

fn order(a: &Near, b: &Near) -> Ordering {
    b.similarity.total_cmp(&a.similarity).then_with(|| a.ordinal.cmp(&b.ordinal))
}

/// How much sparser it is around a section than around its neighbours: the local outlier factor
/// (Breunig, Kriegel, Ng and Sander 2000) over cosine distance. About 1 in company, above 1 apart.
/// A person's life is far from everything in a compendium of methods, but not apart from the other
/// persons; that is why the distance alone says little.
///
/// Nothing for sections without a vector, nor where there are not enough sections.
pub(super) fn outlier_factors(nearest: &[Vec<Near>]) -> Vec<Option<f64>> {
    let distance = |near: &Near| (1.0 - near.similarity).max(LEAST_DISTANCE);
    let company = |at: usize| nearest[at].get(..COMPANY);
    let reach: Vec<Option<f64>> =
        (0..nearest.len()).map(|at| company(at)?.last().map(distance)).collect();
    let density = |at: usize| {
        let company = company(at)?;
        let far: Option<f64> = company
            .iter()
            .map(|near| Some(distance(near).max(reach[near.ordinal as usize]?)))
            .sum();
        Some(company.len() as f64 / far?)
    };
    let densities: Vec<Option<f64>> = (0..nearest.len()).map(density).collect();
    let factor = |at: usize| {
        let company = company(at)?;
        let around: Option<f64> = company.iter().map(|near| densities[near.ordinal as usize]).sum();
        Some(around? / company.len() as f64 / densities[at]?)
    };
    (0..nearest.len()).map(factor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Directions in degrees as unit vectors.
    fn means(degrees: &[f32]) -> Vec<Option<Vec<f32>>> {
        let unit = |angle: &f32| vec![angle.to_radians().cos(), angle.to_radians().sin()];
        degrees.iter().map(|angle| Some(unit(angle))).collect()
    }

    #[test]
    fn neighbours_are_those_of_a_full_comparison() {
        let degrees: Vec<f32> = (0..150u16).map(|at| f32::from(at * 37 % 150)).collect();
        let means = means(&degrees);
        let found = nearest(&means);
        for (at, row) in found.iter().enumerate() {
            let mut all: Vec<Near> = (0..means.len())
                .filter(|other| *other != at)
                .map(|other| {
                    let (low, high) = (at.min(other), at.max(other));
                    let pair = (means[low].as_ref(), means[high].as_ref());
                    let similarity = f64::from(dot(pair.0.expect("a"), pair.1.expect("b")));
                    Near { ordinal: other as u32, similarity }
                })
                .collect();
            all.sort_by(order);
            all.truncate(KEPT);
            assert_eq!(*row, all, "section {at}");
        }
    }

    #[test]
    fn the_one_beside_a_dense_crowd_stands_apart_and_a_loose_crowd_does_not() {
        let mut degrees: Vec<f32> = (0..12u8).map(f32::from).collect();
        degrees.extend((0..12u8).map(|at| 90.0 + 5.0 * f32::from(at)));
        degrees.push(25.0);
        let factors = outlier_factors(&nearest(&means(&degrees)));
        let apart = factors[24].expect("enough");
        for factor in &factors[..24] {
            assert!(factor.expect("enough") < 2.5, "{factors:?}");
        }
        assert!(apart > 5.0, "{apart}");
    }

    #[test]
    fn copies_and_few_sections_and_missing_vectors_give_no_nonsense() {
        let factors = outlier_factors(&nearest(&means(&[10.0; 12])));
        assert!(factors.iter().all(|factor| factor.is_some_and(|f| (f - 1.0).abs() < 1e-9)));
        for count in 0..=5 {
            let factors = outlier_factors(&nearest(&means(&vec![10.0; count])));
            assert_eq!(factors, vec![None; count]);
        }
        let mut some = means(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        some.push(None);
        let factors = outlier_factors(&nearest(&some));
        assert_eq!(factors.iter().flatten().count(), 7);
        assert_eq!(factors[7], None);
    }
}
