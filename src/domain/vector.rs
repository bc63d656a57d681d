//! Embedding vectors that can be trusted.

use serde::{Deserialize, Serialize};

/// A finite vector of length 1, so that the dot product is the cosine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f32>", into = "Vec<f32>")]
pub struct Vector(Vec<f32>);

/// Why numbers can not be a [`Vector`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidVector {
    /// NaN or infinity at this position.
    #[error("the vector holds NaN or infinity at position {0}")]
    NotFinite(usize),
    /// All zeros, or no number at all: it points nowhere.
    #[error("the vector is zero or empty and points nowhere")]
    Zero,
}

impl Vector {
    /// Scales finite numbers to length 1.
    ///
    /// # Errors
    /// NaN, infinity, zero and empty input are refused: usearch would take them and return them first.
    pub fn new(mut values: Vec<f32>) -> Result<Self, InvalidVector> {
        if let Some(at) = values.iter().position(|v| !v.is_finite()) {
            return Err(InvalidVector::NotFinite(at));
        }
        let length = values.iter().map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>().sqrt();
        if length < 1e-12 {
            return Err(InvalidVector::Zero);
        }
        // A vector that already has unit length is kept bit for bit.
        if (length - 1.0).abs() > 1e-6 {
            for value in &mut values {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::as_conversions,
                    reason = "at most 1 in size"
                )]
                {
                    *value = (f64::from(*value) / length) as f32;
                }
            }
        }
        Ok(Self(values))
    }

    /// Number of dimensions.
    pub fn dimension(&self) -> usize {
        self.0.len()
    }

    /// The numbers.
    pub fn values(&self) -> &[f32] {
        &self.0
    }

    /// Cosine with another vector of the same dimension, −1 to 1.
    pub fn cosine(&self, other: &Vector) -> f32 {
        dot(&self.0, &other.0)
    }
}

/// Dot product in eight parallel sums; the order of additions is fixed, so equal input gives equal bits.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = a8.remainder().iter().zip(b8.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a8.zip(b8) {
        for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f32>() + rest
}

impl TryFrom<Vec<f32>> for Vector {
    type Error = InvalidVector;

    fn try_from(values: Vec<f32>) -> Result<Self, InvalidVector> {
        Self::new(values)
    }
}

impl From<Vector> for Vec<f32> {
    fn from(vector: Vector) -> Self {
        vector.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_point_nowhere_are_refused() {
        assert_eq!(Vector::new(vec![0.0, f32::NAN]), Err(InvalidVector::NotFinite(1)));
        assert_eq!(Vector::new(vec![f32::INFINITY]), Err(InvalidVector::NotFinite(0)));
        assert_eq!(Vector::new(vec![0.0; 3]), Err(InvalidVector::Zero));
        assert_eq!(Vector::new(vec![]), Err(InvalidVector::Zero));
    }

    #[test]
    fn a_vector_has_length_one() {
        let vector = Vector::new(vec![3.0, 4.0]).expect("finite");
        assert!((vector.cosine(&vector) - 1.0).abs() < 1e-6);
    }
}
