//! What is usual, and how far a value lies from it, in figures that single outliers do not move.

use serde::Serialize;

/// Fewer values have no distribution: nothing is said of them.
pub const FEWEST: usize = 10;
/// Worth a look: about one normally distributed value in eighty lies so far out to one side, twice
/// as many to either.
pub const NOTABLE: f64 = 2.5;
/// Outlying: the bound of Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993).
pub const OUTLYING: f64 = 3.5;
/// Makes the median absolute deviation of a normal distribution its standard deviation.
const CONSISTENT: f64 = 1.4826;

/// Median, and median absolute deviation from it scaled like a standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// 1.4826 × the median absolute deviation.
    pub scale: f64,
}

impl Spread {
    /// Of values of which all are finite; nothing for fewer than [`FEWEST`].
    ///
    /// Where more than half of the values are equal, the deviation is 0 and everything else would
    /// be outlying; `least` is the smallest difference that means anything.
    pub fn of(values: &[f64], least: f64) -> Option<Self> {
        if values.len() < FEWEST {
            return None;
        }
        let middle = median(values)?;
        let deviations: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
        Some(Self { median: middle, scale: (CONSISTENT * median(&deviations)?).max(least) })
    }

    /// By how many scales `value` lies above the median (the *modified z-score*).
    pub fn score(&self, value: f64) -> f64 {
        (value - self.median) / self.scale
    }

    /// The value with this score.
    pub fn at(&self, score: f64) -> f64 {
        self.median + score * self.scale
    }
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wild_value_moves_nothing() {
        let mut values: Vec<f64> = (1..=11).map(f64::from).collect();
        let calm = Spread::of(&values, 0.1).expect("enough");
        assert!((calm.median - 6.0).abs() < 1e-12);
        assert!((calm.scale - 3.0 * CONSISTENT).abs() < 1e-12);
        values[10] = 1e9;
        assert_eq!(Spread::of(&values, 0.1), Some(calm));
        assert!((calm.at(calm.score(9.5)) - 9.5).abs() < 1e-12);
    }

    #[test]
    fn equal_values_are_not_all_outlying_and_few_say_nothing() {
        let mut values = vec![5.0; 20];
        values.push(5.4);
        let spread = Spread::of(&values, 0.5).expect("enough");
        assert!(spread.score(5.4) < 1.0);
        assert_eq!(Spread::of(&values[..9], 0.5), None);
        assert_eq!((median(&[]), median(&[1.0, 2.0])), (None, Some(1.5)));
    }
}
