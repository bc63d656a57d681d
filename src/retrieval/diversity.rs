//! Maximal marginal relevance (Carbonell and Goldstein 1998): a list should not say one thing twice.

use super::fuse::Fused;

/// Reorders the best hits so that each is relevant and unlike those before it; returns `limit` hits.
///
/// `share` is the weight of unlikeness, 0 (the order stays) to 0.5. `similarity` tells how alike
/// two sections are, −1 to 1. The first hit stays first.
pub fn diversify(
    hits: &[Fused],
    limit: usize,
    share: f64,
    similarity: impl Fn(u32, u32) -> f32,
) -> Vec<Fused> {
    if share <= 0.0 || hits.len() <= 2 {
        return hits.iter().take(limit).copied().collect();
    }
    let mut waiting: Vec<(Fused, f64)> = hits.iter().map(|hit| (*hit, 0.0)).collect();
    let mut chosen: Vec<Fused> = Vec::with_capacity(limit);
    while chosen.len() < limit && !waiting.is_empty() {
        let gain = |(hit, nearest): &(Fused, f64)| (1.0 - share) * hit.score - share * nearest;
        let mut best = 0;
        for at in 1..waiting.len() {
            // Strictly better only: ties keep the order of relevance.
            if gain(&waiting[at]) > gain(&waiting[best]) {
                best = at;
            }
        }
        let (next, _) = waiting.remove(best);
        for (hit, nearest) in &mut waiting {
            *nearest = nearest.max(f64::from(similarity(hit.ordinal, next.ordinal)));
        }
        chosen.push(next);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twin_of_the_first_hit_steps_back() {
        let hits: Vec<Fused> = [(0, 0.9), (1, 0.89), (2, 0.8)]
            .map(|(ordinal, score)| Fused { ordinal, score })
            .to_vec();
        let alike = |a: u32, b: u32| if a + b == 1 { 1.0 } else { 0.1 };
        let order = |share| -> Vec<u32> {
            diversify(&hits, 3, share, alike).iter().map(|hit| hit.ordinal).collect()
        };
        assert_eq!(order(0.0), [0, 1, 2]);
        assert_eq!(order(0.3), [0, 2, 1]);
    }
}
