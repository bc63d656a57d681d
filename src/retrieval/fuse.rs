//! Two channels → one order. Pure functions over ordinals and scores.

/// What the channels say of one section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The section.
    pub ordinal: u32,
    /// Its cosine; present for every candidate while the vector channel works.
    pub vector: Option<f32>,
    /// Its BM25 score; absent where no word matched.
    pub lexical: Option<f32>,
}

/// A candidate with its fused score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fused {
    /// The section.
    pub ordinal: u32,
    /// 0 to 1, on one scale in all modes; equal input gives equal scores.
    pub score: f64,
}

/// Weights of the channels; a channel that did not search has weight 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of the vector channel.
    pub vector: f64,
    /// Of the lexical channel.
    pub lexical: f64,
}

/// The usual constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
const RRF_K: f64 = 60.0;

/// Ranks up to here may be answers and say nothing of the background.
const SIGNAL: usize = 10;
/// Fewer background scores than this give no deviation worth dividing by.
const FEWEST: usize = 5;

/// Where a channel's scores lie when nothing matches: mean and standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Background {
    /// Score of a section that has nothing to do with the question.
    pub mean: f64,
    /// How far such scores spread; above 0.
    pub deviation: f64,
}

impl Background {
    /// The background of a question in a channel, from the scores of the ranks behind the first ten.
    ///
    /// `scores` are those of an unfiltered search, best first, so that a filter does not change the
    /// score of a hit. `usual` stands in where a small collection leaves too few scores, and half
    /// its deviation bounds that of the question from below, so that a flat tail does not turn a
    /// small lead into a large one.
    pub fn of(scores: impl Iterator<Item = f32>, usual: Background) -> Self {
        let tail: Vec<f64> = scores.skip(SIGNAL).map(f64::from).collect();
        if tail.len() < FEWEST {
            return usual;
        }
        let count = tail.len() as f64;
        let mean = tail.iter().sum::<f64>() / count;
        let variance = tail.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / count;
        Self { mean, deviation: variance.sqrt().max(usual.deviation / 2.0) }
    }

    /// How many deviations a score lies above the background; never negative, because being found
    /// late is no evidence against a section.
    pub fn evidence(&self, score: f32) -> f64 {
        ((f64::from(score) - self.mean) / self.deviation).max(0.0)
    }
}

/// The evidence of an everyday hit, which scores one half.
const HALF: f64 = 2.0;

/// Evidence on the scale of the scores.
fn scaled(evidence: f64) -> f64 {
    evidence / (evidence + HALF)
}

/// Weighted sum of the channels' evidence, mapped to 0..1.
///
/// The map is `s / (s + half)`: it keeps order, has no ceiling at which hits become equal, and
/// [`HALF`] is the evidence of an everyday hit.
pub fn linear(
    candidates: &[Candidate],
    vector: Background,
    lexical: Background,
    weights: Weights,
) -> Vec<Fused> {
    let total = (weights.vector + weights.lexical).max(f64::MIN_POSITIVE);
    let fused = candidates.iter().map(|candidate| {
        let v = candidate.vector.map_or(0.0, |score| vector.evidence(score));
        let l = candidate.lexical.map_or(0.0, |score| lexical.evidence(score));
        let sum = (weights.vector * v + weights.lexical * l) / total;
        Fused { ordinal: candidate.ordinal, score: scaled(sum) }
    });
    ordered(fused.collect())
}

/// Reciprocal rank fusion over the two orders; ranks start at 1, and a section that a channel did
/// not find gets nothing from it. The score is divided by that of rank 1 in every channel.
pub fn reciprocal_rank(vector: &[u32], lexical: &[u32], weights: Weights) -> Vec<Fused> {
    let mut sums: std::collections::BTreeMap<u32, f64> = std::collections::BTreeMap::new();
    for (order, weight) in [(vector, weights.vector), (lexical, weights.lexical)] {
        for (at, ordinal) in order.iter().enumerate() {
            *sums.entry(*ordinal).or_default() += weight / (RRF_K + at as f64 + 1.0);
        }
    }
    let best = (weights.vector + weights.lexical) / (RRF_K + 1.0);
    let fused = sums
        .into_iter()
        .map(|(ordinal, sum)| Fused { ordinal, score: if best > 0.0 { sum / best } else { 0.0 } });
    ordered(fused.collect())
}

/// Adds deviations of evidence to the sections that are `chosen`; for scores of [`linear`].
pub fn raise(fused: &mut [Fused], bonus: f64, chosen: impl Fn(u32) -> bool) {
    for hit in fused.iter_mut().filter(|hit| chosen(hit.ordinal)) {
        let evidence = HALF * hit.score / (1.0 - hit.score).max(f64::MIN_POSITIVE);
        hit.score = scaled(evidence + bonus);
    }
    order(fused);
}

fn ordered(mut fused: Vec<Fused>) -> Vec<Fused> {
    order(&mut fused);
    fused
}

fn order(fused: &mut [Fused]) {
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.ordinal.cmp(&b.ordinal)));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EVEN: Weights = Weights { vector: 1.0, lexical: 1.0 };

    #[test]
    fn found_by_both_beats_found_first_by_one() {
        // vector [X, a, Y], lexical [b, c, Y]: Y is first.
        let fused = reciprocal_rank(&[0, 1, 2], &[3, 4, 2], EVEN);
        assert_eq!(fused[0].ordinal, 2);
    }

    #[test]
    fn first_in_every_channel_is_a_perfect_score() {
        let fused = reciprocal_rank(&[7, 1], &[7, 2], EVEN);
        assert!((fused[0].score - 1.0).abs() < 1e-9);
    }

    fn background() -> Background {
        Background { mean: 0.7, deviation: 0.05 }
    }

    proptest! {
        #[test]
        fn within_one_channel_the_order_is_kept(scores in prop::collection::vec(0.0_f32..1.0, 1..30)) {
            let candidates: Vec<Candidate> = scores.iter().enumerate().map(|(at, score)| Candidate {
                ordinal: at as u32, vector: Some(*score), lexical: None,
            }).collect();
            let weights = Weights { vector: 0.8, lexical: 0.2 };
            let fused = linear(&candidates, background(), background(), weights);
            for pair in fused.windows(2) {
                let (a, b) = (scores[pair[0].ordinal as usize], scores[pair[1].ordinal as usize]);
                prop_assert!(background().evidence(a) >= background().evidence(b));
            }
        }

        #[test]
        fn scores_stay_between_zero_and_one(v in -1.0_f32..1.0, l in 0.0_f32..500.0) {
            let candidates = [Candidate { ordinal: 0, vector: Some(v), lexical: Some(l) }];
            let fused = linear(&candidates, background(), background(), EVEN);
            prop_assert!((0.0..1.0).contains(&fused[0].score));
        }

        #[test]
        fn the_order_of_arrival_does_not_matter(mut ordinals in prop::collection::vec(0_u32..50, 1..30)) {
            let candidate = |ordinal: &u32| Candidate {
                ordinal: *ordinal, vector: Some((*ordinal % 7) as f32 / 10.0), lexical: None,
            };
            ordinals.sort_unstable();
            ordinals.dedup();
            let there: Vec<Candidate> = ordinals.iter().map(candidate).collect();
            let back: Vec<Candidate> = ordinals.iter().rev().map(candidate).collect();
            prop_assert_eq!(
                linear(&there, background(), background(), EVEN),
                linear(&back, background(), background(), EVEN)
            );
        }
    }
}
