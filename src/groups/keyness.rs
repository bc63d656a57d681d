//! Which terms are key to a group: log-odds ratio with an informative Dirichlet prior (Monroe,
//! Colaresi and Quinn 2008, "Fightin' Words", equations 16, 20 and 22).

use std::collections::BTreeMap;

/// Weight of the prior in tokens: about the size of a section, so that a term needs several sections.
const PRIOR: f64 = 100.0;

/// How often the terms of a set of texts occur.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    by_term: BTreeMap<String, usize>,
    total: usize,
}

impl Counts {
    /// Takes one occurrence.
    pub(super) fn add(&mut self, term: &str) {
        *self.by_term.entry(term.to_owned()).or_default() += 1;
        self.total += 1;
    }

    /// Occurrences of a term.
    pub(super) fn of(&self, term: &str) -> usize {
        self.by_term.get(term).copied().unwrap_or_default()
    }

    /// The terms, sorted.
    pub(super) fn terms(&self) -> impl Iterator<Item = &str> {
        self.by_term.keys().map(String::as_str)
    }
}

/// How many standard deviations the log-odds of `term` inside lie above those outside. The prior
/// spreads [`PRIOR`] tokens as in `all`, which must contain both.
pub(super) fn z_score(term: &str, inside: &Counts, outside: &Counts, all: &Counts) -> f64 {
    let prior = PRIOR * all.of(term) as f64 / all.total.max(1) as f64;
    let seen = |counts: &Counts| counts.of(term) as f64 + prior;
    let log_odds = |counts: &Counts| {
        let seen = seen(counts);
        (seen / (counts.total as f64 + PRIOR - seen).max(f64::MIN_POSITIVE)).ln()
    };
    let variance = 1.0 / seen(inside) + 1.0 / seen(outside);
    if variance.is_finite() {
        (log_odds(inside) - log_odds(outside)) / variance.sqrt()
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(terms: &[(&str, usize)]) -> Counts {
        let mut counts = Counts::default();
        for (term, times) in terms {
            for _ in 0..*times {
                counts.add(term);
            }
        }
        counts
    }

    #[test]
    fn frequent_and_own_beats_rare_and_own_and_common_words_are_nothing() {
        let inside = counts(&[("lern", 50), ("kart", 20), ("selt", 1), ("rest", 429)]);
        let outside = counts(&[("lern", 200), ("kart", 1), ("rest", 1_799)]);
        let all = counts(&[("lern", 250), ("kart", 21), ("selt", 1), ("rest", 2_228)]);
        let z = |term| z_score(term, &inside, &outside, &all);
        assert!(z("kart") > 4.0, "{}", z("kart"));
        assert!(z("selt") > 0.0 && z("selt") < 2.0, "{}", z("selt"));
        assert!(z("lern").abs() < 0.5, "{}", z("lern"));
        assert!(z("nie").abs() < 1e-9);
    }
}
