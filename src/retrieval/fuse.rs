//! Two channels → one order. Pure functions over ordinals and scores.

use crate::domain::Fusion;

/// What the channels say of one section.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Candidate {
    /// The section.
    pub ordinal: u32,
    /// Its cosine; present for every candidate while the vector channel works.
    pub vector: Option<f32>,
    /// Its BM25 score; absent where no word matched.
    pub lexical: Option<f32>,
    /// Rank among what the vector channel found, from 1.
    pub vector_rank: Option<usize>,
    /// Rank among what the lexical channel found, from 1.
    pub lexical_rank: Option<usize>,
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
    /// `usual` stands in where a small collection leaves too few scores, and half its deviation
    /// bounds that of the question from below, so that a flat tail does not turn a small lead into a
    /// large one.
    fn of(scores: &[f64], usual: Self) -> Self {
        let tail = scores.get(SIGNAL..).unwrap_or_default();
        if tail.len() < FEWEST {
            return usual;
        }
        let (mean, deviation) = moments(tail);
        Self { mean, deviation: deviation.max(usual.deviation / 2.0) }
    }

    /// How many deviations a score lies above the background; never negative, because being found
    /// late is no evidence against a section.
    pub fn evidence(&self, score: f32) -> f64 {
        ((f64::from(score) - self.mean) / self.deviation).max(0.0)
    }
}

/// Where the scores of a question lie in one channel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Where they lie when nothing matches.
    pub background: Background,
    least: f64,
    most: f64,
    mean: f64,
    deviation: f64,
}

impl Scale {
    /// The scale of a question in a channel.
    ///
    /// `scores` are those of an unfiltered search, best first, so that a filter does not change the
    /// score of a hit. `usual` is the background where they are too few.
    pub fn of(scores: impl Iterator<Item = f32>, usual: Background) -> Self {
        let scores: Vec<f64> = scores.map(f64::from).collect();
        let (mean, deviation) = moments(&scores);
        Self {
            background: Background::of(&scores, usual),
            most: scores.first().copied().unwrap_or_default(),
            least: scores.last().copied().unwrap_or_default(),
            mean,
            deviation,
        }
    }

    /// A score as a number that can be added to that of the other channel. A section that the channel
    /// did not find gets nothing; in deviations from the mean, nothing is as much as the last one found.
    fn normalised(&self, how: Normalisation, score: Option<f32>) -> f64 {
        match how {
            Normalisation::Evidence => score.map_or(0.0, |score| self.background.evidence(score)),
            Normalisation::MinMax => score.map_or(0.0, |score| {
                let span = self.most - self.least;
                // All equal: each is the best of its channel.
                if span > 0.0 {
                    ((f64::from(score) - self.least) / span).clamp(0.0, 1.0)
                } else {
                    1.0
                }
            }),
            Normalisation::ZScore => {
                let score = score.map_or(self.least, f64::from);
                if self.deviation > 0.0 { (score - self.mean) / self.deviation } else { 0.0 }
            }
        }
    }
}

/// Mean and standard deviation; 0 and 0 of nothing.
fn moments(scores: &[f64]) -> (f64, f64) {
    if scores.is_empty() {
        return (0.0, 0.0);
    }
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// How scores are made comparable before they are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Normalisation {
    Evidence,
    MinMax,
    ZScore,
}

impl Normalisation {
    /// A weighted mean on the scale of the scores, 0 to 1.
    fn scaled(self, mean: f64) -> f64 {
        match self {
            Self::Evidence => scaled(mean),
            Self::MinMax => mean,
            Self::ZScore => 1.0 / (1.0 + (-mean).exp()),
        }
    }
}

/// The evidence of an everyday hit, which scores one half.
const HALF: f64 = 2.0;

/// Evidence on the scale of the scores: `s / (s + half)` keeps the order and has no ceiling at which
/// hits become equal.
fn scaled(evidence: f64) -> f64 {
    evidence / (evidence + HALF)
}

/// What the channels found for one question; weighed and added as often as one likes.
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    /// The sections that any channel found.
    pub candidates: Vec<Candidate>,
    /// Where the cosines lie.
    pub vector: Scale,
    /// Where the BM25 scores lie.
    pub lexical: Scale,
}

impl Pool {
    /// The candidates, best first; ties by ordinal.
    pub fn fused(&self, fusion: Fusion, weights: Weights) -> Vec<Fused> {
        match fusion {
            Fusion::Linear => self.added(Normalisation::Evidence, weights),
            Fusion::MinMax => self.added(Normalisation::MinMax, weights),
            Fusion::ZScore => self.added(Normalisation::ZScore, weights),
            Fusion::Rrf => self.by_rank(weights),
        }
    }

    /// Weighted mean of the normalised scores, mapped to 0..1.
    fn added(&self, how: Normalisation, weights: Weights) -> Vec<Fused> {
        let total = (weights.vector + weights.lexical).max(f64::MIN_POSITIVE);
        let fused = self.candidates.iter().map(|candidate| {
            let v = self.vector.normalised(how, candidate.vector);
            let l = self.lexical.normalised(how, candidate.lexical);
            let mean = (weights.vector * v + weights.lexical * l) / total;
            Fused { ordinal: candidate.ordinal, score: how.scaled(mean) }
        });
        ordered(fused.collect())
    }

    /// Reciprocal rank fusion; ranks start at 1, and a section that a channel did not find gets
    /// nothing from it. The score is divided by that of rank 1 in every channel.
    fn by_rank(&self, weights: Weights) -> Vec<Fused> {
        let best = (weights.vector + weights.lexical) / (RRF_K + 1.0);
        let share = |weight: f64, rank: Option<usize>| {
            rank.map_or(0.0, |rank| weight / (RRF_K + rank as f64))
        };
        let fused = self.candidates.iter().map(|candidate| {
            let sum = share(weights.vector, candidate.vector_rank)
                + share(weights.lexical, candidate.lexical_rank);
            let score = if best > 0.0 { sum / best } else { 0.0 };
            Fused { ordinal: candidate.ordinal, score }
        });
        ordered(fused.collect())
    }
}

/// Adds deviations of evidence to the sections that are `chosen`; for scores of [`Fusion::Linear`].
pub fn raise(fused: &mut [Fused], bonus: f64, chosen: impl Fn(u32) -> bool) {
    for hit in fused.iter_mut().filter(|hit| chosen(hit.ordinal)) {
        let evidence = HALF * hit.score / (1.0 - hit.score).max(f64::EPSILON);
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
    const USUAL: Background = Background { mean: 0.0, deviation: 1.0 };

    /// A pool of what two channels found, best first, as the pipeline makes it.
    fn pool(vector: &[(u32, f32)], lexical: &[(u32, f32)]) -> Pool {
        let mut candidates: Vec<Candidate> = Vec::new();
        for (hits, first) in [(vector, true), (lexical, false)] {
            for (at, (ordinal, score)) in hits.iter().enumerate() {
                let known = candidates.iter().position(|known| known.ordinal == *ordinal);
                let known = known.unwrap_or_else(|| {
                    candidates.push(Candidate { ordinal: *ordinal, ..Candidate::default() });
                    candidates.len() - 1
                });
                let candidate = &mut candidates[known];
                if first {
                    (candidate.vector, candidate.vector_rank) = (Some(*score), Some(at + 1));
                } else {
                    (candidate.lexical, candidate.lexical_rank) = (Some(*score), Some(at + 1));
                }
            }
        }
        let scale = |hits: &[(u32, f32)]| Scale::of(hits.iter().map(|hit| hit.1), USUAL);
        Pool { candidates, vector: scale(vector), lexical: scale(lexical) }
    }

    fn score(fused: &[Fused], ordinal: u32) -> f64 {
        fused.iter().find(|hit| hit.ordinal == ordinal).expect("found").score
    }

    #[test]
    fn found_by_both_beats_found_first_by_one() {
        let both = pool(&[(0, 0.9), (1, 0.8), (2, 0.7)], &[(3, 9.0), (4, 8.0), (2, 7.0)]);
        assert_eq!(both.fused(Fusion::Rrf, EVEN)[0].ordinal, 2);
    }

    #[test]
    fn first_in_every_channel_is_a_perfect_score_by_rank_and_between_least_and_most() {
        let both = pool(&[(7, 0.9), (1, 0.8)], &[(7, 9.0), (2, 8.0)]);
        for fusion in [Fusion::Rrf, Fusion::MinMax] {
            assert!((both.fused(fusion, EVEN)[0].score - 1.0).abs() < 1e-9, "{fusion:?}");
        }
    }

    #[test]
    fn normalised_sums_are_those_of_a_calculation_by_hand() {
        let both = pool(&[(0, 0.9), (1, 0.8), (2, 0.7)], &[(2, 6.0), (1, 3.0)]);
        let weights = Weights { vector: 0.75, lexical: 0.25 };
        let min_max = both.fused(Fusion::MinMax, weights);
        assert!((score(&min_max, 0) - 0.75).abs() < 1e-6);
        assert!((score(&min_max, 1) - 0.375).abs() < 1e-6);
        assert!((score(&min_max, 2) - 0.25).abs() < 1e-6);
        let z_score = both.fused(Fusion::ZScore, weights);
        let logistic = |z: f64| 1.0 / (1.0 + (-z).exp());
        let top = 1.5_f64.sqrt(); // (.9 − .8) / √(2 · .1² / 3)
        assert!(
            (score(&z_score, 0) - logistic(0.75 * top - 0.25)).abs() < 1e-5,
            "not found: as the last one"
        );
        assert!((score(&z_score, 1) - logistic(-0.25)).abs() < 1e-5);
        assert!((score(&z_score, 2) - logistic(-0.75 * top + 0.25)).abs() < 1e-5);
    }

    #[test]
    fn a_channel_without_weight_or_without_hits_changes_no_order() {
        let vector = [(4, 0.9), (2, 0.8), (3, 0.7), (1, 0.6)];
        let words = [(1, 30.0), (3, 20.0), (9, 10.0)];
        let order = |pool: &Pool, fusion, weights| -> Vec<u32> {
            let fused = pool.fused(fusion, weights);
            fused.iter().map(|hit| hit.ordinal).filter(|ordinal| *ordinal != 9).collect()
        };
        for fusion in Fusion::ALL {
            let silent = Weights { vector: 0.8, lexical: 0.0 };
            assert_eq!(order(&pool(&vector, &words), fusion, silent), [4, 2, 3, 1], "{fusion:?}");
            assert_eq!(order(&pool(&vector, &[]), fusion, EVEN), [4, 2, 3, 1], "{fusion:?}");
            assert_eq!(order(&pool(&[], &words), fusion, EVEN), [1, 3], "{fusion:?}");
        }
    }

    #[test]
    fn evidence_that_was_raised_stays_a_number() {
        let mut fused = [Fused { ordinal: 0, score: 1.0 }, Fused { ordinal: 1, score: 0.5 }];
        raise(&mut fused, 1.0, |ordinal| ordinal < 2);
        assert!(fused.iter().all(|hit| (0.0..=1.0).contains(&hit.score)), "{fused:?}");
    }

    fn hits(scores: &[f32]) -> Vec<(u32, f32)> {
        let mut hits: Vec<(u32, f32)> = (0..).zip(scores.iter().copied()).collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1));
        hits
    }

    proptest! {
        #[test]
        fn within_one_channel_the_order_is_kept(scores in prop::collection::vec(0.0_f32..1.0, 1..30)) {
            let weights = Weights { vector: 0.8, lexical: 0.2 };
            for fusion in Fusion::ALL {
                let fused = pool(&hits(&scores), &[]).fused(fusion, weights);
                for pair in fused.windows(2) {
                    let (a, b) = (scores[pair[0].ordinal as usize], scores[pair[1].ordinal as usize]);
                    prop_assert!(a >= b || pair[0].score <= pair[1].score, "{fusion:?}");
                }
            }
        }

        #[test]
        fn scores_stay_between_zero_and_one(
            vector in prop::collection::vec(-1.0_f32..1.0, 0..30),
            lexical in prop::collection::vec(0.0_f32..500.0, 0..30),
        ) {
            let pool = pool(&hits(&vector), &hits(&lexical));
            for fusion in Fusion::ALL {
                for hit in pool.fused(fusion, EVEN) {
                    prop_assert!((0.0..=1.0).contains(&hit.score), "{fusion:?} {hit:?}");
                }
            }
        }

        #[test]
        fn the_order_of_arrival_does_not_matter(scores in prop::collection::vec(0_u8..7, 1..30)) {
            let scores: Vec<f32> = scores.into_iter().map(f32::from).collect();
            let there = pool(&hits(&scores), &hits(&scores));
            let mut back = there.clone();
            back.candidates.reverse();
            for fusion in Fusion::ALL {
                prop_assert_eq!(there.fused(fusion, EVEN), back.fused(fusion, EVEN));
            }
        }
    }
}
