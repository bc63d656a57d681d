//! Examples as rows of few numbers: the Cholesky factor of their Gram matrix.
//!
//! A linear model with an L2 penalty only sees the inner products of its examples (the representer
//! theorem, Schölkopf et al. 2001). Rows with the same inner products in as many dimensions as
//! there are examples teach it the same, and the number of surface features costs nothing.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, Slice};

use super::features::{self, Sparse};

/// Columns factored at once; the rest of the work is left to matrix products.
const BLOCK: usize = 64;
/// Added to the diagonal, so that two equal examples do not make the matrix singular.
const RIDGE: f64 = 1e-6;

/// Inner products of all pairs of surface features.
pub(super) fn of_surfaces(rows: &[Sparse]) -> Array2<f64> {
    let mut having: Vec<Vec<(usize, f64)>> = vec![Vec::new(); features::WIDTH];
    for (at, row) in rows.iter().enumerate() {
        for (bucket, value) in row {
            having[*bucket].push((at, *value));
        }
    }
    let count = rows.len();
    let mut products = vec![0.0; count * count];
    for (at, row) in rows.iter().enumerate() {
        let of_row = &mut products[at * count..(at + 1) * count];
        for (bucket, value) in row {
            for (other, theirs) in &having[*bucket] {
                of_row[*other] += value * theirs;
            }
        }
    }
    Array2::from_shape_vec((count, count), products).expect("a square")
}

/// The lower triangular `L` with `L · Lᵀ = gram` (plus [`RIDGE`] on the diagonal). `gram` must be a
/// Gram matrix: symmetric and positive semi-definite.
pub(super) fn cholesky(mut gram: Array2<f64>) -> Array2<f64> {
    let size = gram.nrows();
    gram.diag_mut().mapv_inplace(|value| value + RIDGE);
    for start in (0..size).step_by(BLOCK) {
        let end = (start + BLOCK).min(size);
        let corner = corner(part(&gram, start..end, start..end));
        // The panel below: P := P · C⁻ᵀ.
        let panel = part(&gram, end..size, start..end).dot(&inverse(&corner).t());
        let rest = panel.dot(&panel.t());
        let mut trailing = part_mut(&mut gram, end..size, end..size);
        trailing -= &rest;
        part_mut(&mut gram, start..end, start..end).assign(&corner);
        part_mut(&mut gram, end..size, start..end).assign(&panel);
        part_mut(&mut gram, start..end, end..size).fill(0.0);
    }
    gram
}

/// `L⁻ᵀ · right`: what a model on the rows of `L` weighs each example with.
pub(super) fn weights_of_examples(lower: &Array2<f64>, right: &Array2<f64>) -> Array2<f64> {
    let (size, classes) = right.dim();
    let mut solved = right.clone();
    for start in (0..size).step_by(BLOCK).collect::<Vec<_>>().into_iter().rev() {
        let end = (start + BLOCK).min(size);
        let later = part(&solved, end..size, 0..classes);
        let later = part(lower, end..size, start..end).t().dot(&later);
        let known = &part(&solved, start..end, 0..classes) - &later;
        let corner = part(lower, start..end, start..end).to_owned();
        part_mut(&mut solved, start..end, 0..classes).assign(&inverse(&corner).t().dot(&known));
    }
    solved
}

fn part(matrix: &Array2<f64>, rows: Range<usize>, columns: Range<usize>) -> ArrayView2<'_, f64> {
    let mut part = matrix.view();
    part.slice_axis_inplace(Axis(0), Slice::from(rows));
    part.slice_axis_inplace(Axis(1), Slice::from(columns));
    part
}

fn part_mut(
    matrix: &mut Array2<f64>,
    rows: Range<usize>,
    columns: Range<usize>,
) -> ArrayViewMut2<'_, f64> {
    let mut part = matrix.view_mut();
    part.slice_axis_inplace(Axis(0), Slice::from(rows));
    part.slice_axis_inplace(Axis(1), Slice::from(columns));
    part
}

/// The factor of a small matrix.
fn corner(matrix: ArrayView2<'_, f64>) -> Array2<f64> {
    let size = matrix.nrows();
    let mut lower = Array2::<f64>::zeros((size, size));
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|at| lower[[row, at]] * lower[[column, at]]).sum();
            let rest = matrix[[row, column]] - known;
            lower[[row, column]] = if row == column {
                rest.max(RIDGE * RIDGE).sqrt()
            } else {
                rest / lower[[column, column]]
            };
        }
    }
    lower
}

/// The inverse of a small lower triangular matrix.
fn inverse(lower: &Array2<f64>) -> Array2<f64> {
    let size = lower.nrows();
    let mut inverse = Array2::<f64>::zeros((size, size));
    for column in 0..size {
        for row in column..size {
            let known: f64 = (column..row).map(|at| lower[[row, at]] * inverse[[at, column]]).sum();
            let unit = if row == column { 1.0 } else { 0.0 };
            inverse[[row, column]] = (unit - known) / lower[[row, row]];
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic rows that look like anything.
    fn rows(count: usize, width: usize) -> Array2<f64> {
        Array2::from_shape_fn((count, width), |(row, column)| {
            ((row * 31 + column * 17 + row * column) as f64).sin()
        })
    }

    #[test]
    fn the_factor_has_the_inner_products_of_the_rows() {
        let rows = rows(150, 200);
        let gram = rows.dot(&rows.t());
        let lower = cholesky(gram.clone());
        let error = (&lower.dot(&lower.t()) - &gram).mapv(f64::abs).fold(0.0_f64, |a, b| a.max(*b));
        assert!(error < 1e-5, "{error}");
        assert!(lower[[0, 149]].abs() < f64::EPSILON);
    }

    #[test]
    fn a_model_on_the_factor_is_a_model_on_the_rows() {
        let rows = rows(130, 200);
        let lower = cholesky(rows.dot(&rows.t()));
        let weights = Array2::from_shape_fn((130, 2), |(row, column)| (row + column) as f64);
        let on_rows = rows.t().dot(&weights_of_examples(&lower, &weights));
        let error = (&rows.dot(&on_rows) - &lower.dot(&weights)).mapv(f64::abs);
        assert!(error.iter().all(|error| *error < 1e-2), "{error}");
    }

    #[test]
    fn equal_examples_do_not_stop_the_training() {
        let gram = Array2::from_elem((70, 70), 1.0);
        assert!(cholesky(gram).iter().all(|value| value.is_finite()));
    }

    #[test]
    fn surfaces_are_compared_by_what_they_share() {
        let gram = of_surfaces(&[vec![(0, 0.6), (5, 0.8)], vec![(5, 1.0)], vec![(7, 1.0)]]);
        assert!((gram[[0, 1]] - 0.8).abs() < 1e-12);
        assert!((gram[[0, 0]] - 1.0).abs() < 1e-12);
        assert!(gram[[1, 2]].abs() < 1e-12);
    }
}
