//! Agglomerative clustering with average linkage (UPGMA, Sokal and Michener 1958).

/// The similarities of `n` things, each pair once.
#[derive(Debug, Clone)]
pub(super) struct Similarities {
    n: usize,
    values: Vec<f32>,
}

impl Similarities {
    /// Asks `of` for each pair `(a, b)` with `a < b`.
    pub(super) fn new(n: usize, mut of: impl FnMut(usize, usize) -> f64) -> Self {
        let mut values = Vec::with_capacity(n * n.saturating_sub(1) / 2);
        for a in 0..n {
            for b in a + 1..n {
                values.push(of(a, b) as f32);
            }
        }
        Self { n, values }
    }

    fn place(&self, a: usize, b: usize) -> usize {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        a * self.n - a * (a + 1) / 2 + b - a - 1
    }

    fn get(&self, a: usize, b: usize) -> f32 {
        self.values[self.place(a, b)]
    }

    /// Mean and standard deviation of the pairs; 0 and 1 where there are none, or where all are equal.
    pub(super) fn mean_and_deviation(&self) -> (f64, f64) {
        if self.values.is_empty() {
            return (0.0, 1.0);
        }
        let count = self.values.len() as f64;
        let values = || self.values.iter().map(|value| f64::from(*value));
        let mean = values().sum::<f64>() / count;
        let deviation = (values().map(|v| (v - mean) * (v - mean)).sum::<f64>() / count).sqrt();
        (mean, if deviation > 1e-9 { deviation } else { 1.0 })
    }

    /// The value below which this share of all pairs lies; `None` for no pair.
    pub(super) fn quantile(&self, share: f64) -> Option<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_by(f32::total_cmp);
        let last = sorted.len().saturating_sub(1);
        #[expect(clippy::cast_sign_loss, reason = "a share of a length is not negative")]
        let at = (share.clamp(0.0, 1.0) * last as f64).round() as usize;
        sorted.get(at).map(|value| f64::from(*value))
    }
}

/// The clusters whose members are alike by `threshold` on average, each with its members in their
/// order; clusters in the order of their first member. Deterministic: ties go to the lower position.
///
/// Follows chains of nearest neighbours (Benzécri 1982), so it takes n² steps.
pub(super) fn average_link(mut similarities: Similarities, threshold: f64) -> Vec<Vec<usize>> {
    let n = similarities.n;
    let mut members: Vec<Vec<usize>> = (0..n).map(|at| vec![at]).collect();
    let mut alive: Vec<usize> = (0..n).collect();
    let mut done: Vec<Vec<usize>> = Vec::new();
    let mut chain: Vec<usize> = Vec::new();
    while !alive.is_empty() {
        let top = *chain.last().unwrap_or(&alive[0]);
        if chain.is_empty() {
            chain.push(top);
        }
        let before = chain.len().checked_sub(2).map(|at| chain[at]);
        // The one the chain came from wins ties, or the chain would not end.
        let mut nearest = before.map(|before| (before, similarities.get(top, before)));
        for other in alive.iter().copied().filter(|other| *other != top) {
            let value = similarities.get(top, other);
            if nearest.is_none_or(|(_, best)| value > best) {
                nearest = Some((other, value));
            }
        }
        match nearest.filter(|(_, value)| f64::from(*value) >= threshold) {
            // Nothing is near enough, and no merging of others brings anything nearer on average.
            None => {
                chain.pop();
                alive.retain(|other| *other != top);
                done.push(std::mem::take(&mut members[top]));
            }
            Some((other, _)) if Some(other) == before => {
                chain.truncate(chain.len() - 2);
                let (kept, gone) = (top.min(other), top.max(other));
                let sizes = (members[kept].len() as f32, members[gone].len() as f32);
                alive.retain(|third| *third != gone);
                for third in alive.iter().copied().filter(|third| *third != kept) {
                    let place = similarities.place(kept, third);
                    let sum = sizes.0 * similarities.values[place]
                        + sizes.1 * similarities.get(gone, third);
                    similarities.values[place] = sum / (sizes.0 + sizes.1);
                }
                let moved = std::mem::take(&mut members[gone]);
                members[kept].extend(moved);
            }
            Some((other, _)) => chain.push(other),
        }
    }
    for cluster in &mut done {
        cluster.sort_unstable();
    }
    done.sort();
    done
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The obvious way: merge the two most alike clusters until none are alike enough.
    fn obvious(n: usize, of: &dyn Fn(usize, usize) -> f64, threshold: f64) -> Vec<Vec<usize>> {
        let mut clusters: Vec<Vec<usize>> = (0..n).map(|at| vec![at]).collect();
        loop {
            let mut best = None;
            for a in 0..clusters.len() {
                for b in a + 1..clusters.len() {
                    let pairs = clusters[a].iter().flat_map(|x| {
                        clusters[b].iter().map(move |y| of((*x).min(*y), (*x).max(*y)))
                    });
                    let mean = pairs.sum::<f64>() / (clusters[a].len() * clusters[b].len()) as f64;
                    if mean >= threshold && best.is_none_or(|(_, _, value)| mean > value) {
                        best = Some((a, b, mean));
                    }
                }
            }
            let Some((a, b, _)) = best else { break };
            let moved = clusters.remove(b);
            clusters[a].extend(moved);
        }
        for cluster in &mut clusters {
            cluster.sort_unstable();
        }
        clusters.sort();
        clusters
    }

    proptest! {
        #[test]
        fn chains_find_the_same_clusters_as_the_obvious_way(
            points in prop::collection::vec((0.0_f64..10.0, 0.0_f64..10.0), 0..25),
            threshold in -6.0_f64..0.0,
        ) {
            let of = |a: usize, b: usize| -> f64 {
                let ((x, y), (u, v)) = (points[a], points[b]);
                -((x - u).powi(2) + (y - v).powi(2)).sqrt()
            };
            let fast = average_link(Similarities::new(points.len(), of), threshold);
            prop_assert_eq!(fast, obvious(points.len(), &of, threshold));
        }
    }

    #[test]
    fn equal_things_are_one_cluster_and_nothing_is_none() {
        assert_eq!(average_link(Similarities::new(4, |_, _| 1.0), 0.5), [[0, 1, 2, 3]]);
        assert_eq!(average_link(Similarities::new(2, |_, _| 0.0), 0.5), [[0], [1]]);
        assert!(average_link(Similarities::new(0, |_, _| 0.0), 0.5).is_empty());
    }

    #[test]
    fn a_quantile_is_a_value_of_the_pairs() {
        let similarities = Similarities::new(3, |a, b| (a + b) as f64);
        assert_eq!(similarities.quantile(0.0), Some(1.0));
        assert_eq!(similarities.quantile(1.0), Some(3.0));
        assert_eq!(Similarities::new(1, |_, _| 0.0).quantile(0.5), None);
    }
}
