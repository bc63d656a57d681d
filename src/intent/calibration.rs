//! How far a probability can be believed.

use super::classifier::Judged;

/// Equally wide classes of confidence in the calibration error.
const BINS: usize = 10;

/// Logarithms of the shares that a softmax at this temperature gives.
pub fn log_softmax(logits: &[f64], temperature: f64) -> Vec<f64> {
    let best = logits.iter().copied().fold(f64::MIN, f64::max);
    let total: f64 = logits.iter().map(|logit| ((logit - best) / temperature).exp()).sum();
    logits.iter().map(|logit| (logit - best) / temperature - total.ln()).collect()
}

/// The temperature with the least negative log-likelihood (Guo et al. 2017), from 0.2 to 5; 1 where
/// nothing was judged.
pub(super) fn temperature<'a>(judged: impl IntoIterator<Item = &'a Judged>) -> f64 {
    let known: Vec<(&Judged, usize)> =
        judged.into_iter().filter_map(|one| Some((one, one.right?))).collect();
    if known.is_empty() {
        return 1.0;
    }
    let loss = |temperature: f64| -> f64 {
        known.iter().map(|(one, right)| -log_softmax(&one.logits, temperature)[*right]).sum()
    };
    // The loss has one minimum; a grid of 3 % steps is finer than the data can tell.
    let steps = (0..110).map(|step| 0.2 * 1.03_f64.powi(step));
    steps
        .map(|temperature| (temperature, loss(temperature)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(1.0, |(temperature, _)| temperature)
}

/// Expected calibration error (Naeini et al. 2015), 0 to 1: the mean gap between confidence and
/// share of right answers, in ten equally wide classes of confidence. 0 without answers.
pub fn calibration_error(answers: &[(f64, bool)]) -> f64 {
    let mut bins = [(0.0, 0.0); BINS];
    for (confidence, right) in answers {
        #[expect(clippy::cast_sign_loss, reason = "a confidence is not negative")]
        let bin = ((confidence * BINS as f64) as usize).min(BINS - 1);
        bins[bin].0 += confidence;
        bins[bin].1 += f64::from(u8::from(*right));
    }
    let gaps: f64 = bins.iter().map(|(confidence, right)| (confidence - right).abs()).sum();
    gaps / (answers.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one_at_any_temperature() {
        for temperature in [0.2, 1.0, 5.0] {
            let shares = log_softmax(&[1000.0, 999.0, -1000.0], temperature);
            let total: f64 = shares.iter().map(|share| share.exp()).sum();
            assert!((total - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn an_overconfident_model_has_a_calibration_error() {
        let half_right: Vec<(f64, bool)> = (0..10).map(|at| (0.95, at % 2 == 0)).collect();
        assert!((calibration_error(&half_right) - 0.45).abs() < 1e-9);
        assert!(calibration_error(&[]).abs() < f64::EPSILON);
    }
}
