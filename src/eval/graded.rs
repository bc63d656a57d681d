//! Measures over graded judgments, as the field defines them, for one ranking and over topics.

use serde::Serialize;

/// Measures of one ranking, or their means; each 0 to 1. All are cut at rank k.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Graded {
    /// Relevant documents found, of all relevant ones; 0 where there are none.
    pub recall: f64,
    /// Relevant documents found, of k; a shorter ranking counts as filled with irrelevant ones.
    pub precision: f64,
    /// 1/rank of the first relevant document, else 0 (Voorhees 1999).
    pub mrr: f64,
    /// Normalised discounted cumulative gain (Järvelin & Kekäläinen 2002) with the grade itself as
    /// gain and 1/log₂(rank + 1) as discount, as `ndcg_cut` of `trec_eval`; the ideal ranking holds
    /// all judged documents. 0 where nothing is relevant.
    pub ndcg: f64,
    /// Expected reciprocal rank (Chapelle et al. 2009): a reader stops at a document of grade g with
    /// probability (2^g − 1) / 2^`highest`.
    pub err: f64,
}

impl Graded {
    /// Measures a ranking: `ranked` are the grades of its documents, best rank first, 0 for a
    /// document without judgment; `judged` the grades of all judged documents of the topic, in any
    /// order; `highest` the highest grade of the scale, at most [`HIGHEST`].
    ///
    /// ```
    /// use wegweiser::eval::graded::Graded;
    ///
    /// let scores = Graded::of(&[0, 3], &[3, 0, 1], 10, 3);
    /// assert_eq!((scores.recall, scores.mrr), (0.5, 0.5));
    /// ```
    pub fn of(ranked: &[u32], judged: &[u32], k: usize, highest: u32) -> Self {
        let found = &ranked[..ranked.len().min(k)];
        let relevant = |grades: &[u32]| grades.iter().filter(|grade| **grade > 0).count() as f64;
        let (hits, all) = (relevant(found), relevant(judged));
        if all == 0.0 || k == 0 {
            return Self::default();
        }
        let mut ideal = judged.to_vec();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let first = found.iter().position(|grade| *grade > 0);
        Self {
            recall: hits / all,
            precision: hits / k as f64,
            mrr: first.map_or(0.0, |at| 1.0 / (at + 1) as f64),
            ndcg: gain(found) / gain(&ideal[..ideal.len().min(k)]),
            err: expected_reciprocal_rank(found, highest),
        }
    }

    /// The means; all 0 for no topic.
    pub fn mean(all: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| {
            if all.is_empty() { 0.0 } else { all.iter().map(of).sum::<f64>() / all.len() as f64 }
        };
        Self {
            recall: mean(|one| one.recall),
            precision: mean(|one| one.precision),
            mrr: mean(|one| one.mrr),
            ndcg: mean(|one| one.ndcg),
            err: mean(|one| one.err),
        }
    }
}

/// Grades beyond this are mistyped ids, and 2^grade would leave the precision of the sums.
pub const HIGHEST: u32 = 30;

fn gain(grades: &[u32]) -> f64 {
    let discounted =
        grades.iter().zip(2_u32..).map(|(grade, at)| f64::from(*grade) / f64::from(at).log2());
    discounted.sum()
}

fn expected_reciprocal_rank(grades: &[u32], highest: u32) -> f64 {
    let power = |grade: u32| 2_f64.powi(grade.min(HIGHEST).cast_signed());
    let (mut reads_on, mut expected) = (1.0, 0.0);
    for (grade, rank) in grades.iter().zip(1_u32..) {
        let stops = (power(*grade) - 1.0) / power(highest.max(*grade));
        expected += reads_on * stops / f64::from(rank);
        reads_on *= 1.0 - stops;
    }
    expected
}
