//! Intervals for a mean by the percentile bootstrap (Efron 1979).

use serde::Serialize;

/// Times that the questions are drawn again.
const RESAMPLES: usize = 1_000;
/// Fixed, so that equal values give equal intervals.
const SEED: u64 = 20_050_517;

/// A mean with the bounds between which 95 % of the resampled means lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean of the values; 0 for none.
    pub mean: f64,
    /// 2.5th percentile.
    pub low: f64,
    /// 97.5th percentile.
    pub high: f64,
}

/// The mean of `values` with its interval; four decimals.
pub fn estimate(values: &[f64]) -> Estimate {
    if values.is_empty() {
        return Estimate { mean: 0.0, low: 0.0, high: 0.0 };
    }
    let n = values.len();
    let mut random = Random(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| (0..n).map(|_| values[random.below(n)]).sum::<f64>() / n as f64)
        .collect();
    means.sort_by(f64::total_cmp);
    let tail = RESAMPLES / 40; // 2.5 %
    let mean = values.iter().sum::<f64>() / n as f64;
    Estimate {
        mean: round(mean),
        low: round(means[tail]),
        high: round(means[RESAMPLES - 1 - tail]),
    }
}

/// `SplitMix64` (Steele, Lea and Flood 2014): small, and the same on every platform.
#[derive(Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n` − 1; the bias of the remainder is below n / 2⁶⁴.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_normal_approximation() {
        // 40 of 100: standard error of the mean .049, so about .30 to .50.
        let values: Vec<f64> = (0..100).map(|at| f64::from(u8::from(at < 40))).collect();
        let found = estimate(&values);
        assert!((found.mean - 0.4).abs() < 1e-9);
        assert!((found.low - 0.30).abs() < 0.02 && (found.high - 0.50).abs() < 0.02, "{found:?}");
        assert_eq!(estimate(&values), found, "the same every time");
    }

    #[test]
    fn equal_values_leave_no_doubt_and_none_give_nothing() {
        assert_eq!(estimate(&[1.0; 7]), Estimate { mean: 1.0, low: 1.0, high: 1.0 });
        assert_eq!(estimate(&[]), Estimate { mean: 0.0, low: 0.0, high: 0.0 });
    }
}
