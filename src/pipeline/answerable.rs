//! Whether the first hit answers the question, from what speaks for it.
//!
//! Two logistic regressions over the same figures, fitted once on three compendia (the demo with its
//! catalog, XQuAD-de, health FAQ), each with its own questions and with those of the others as questions
//! that it can not answer; docs/decisions/0008 has the numbers.

use crate::domain::Evidence;

/// Weights of the figures of an [`Evidence`].
struct Model {
    intercept: f64,
    meaning: f64,
    standing: f64,
    words: f64,
    known_words: f64,
    first_in: f64,
    group: f64,
    small_talk: f64,
}

/// That the compendium can answer the question at all.
const ANSWERABLE: Model = Model {
    intercept: -5.35,
    meaning: 0.77,
    standing: 1.53,
    words: 3.5,
    known_words: 0.29,
    first_in: 0.06,
    group: 1.94,
    small_talk: -3.85,
};
/// Below this, questions are refused: 3 % of the demo catalog's own.
const REFUSED: f64 = 0.207;

/// Least confidence in a section whose identifier was named. Not measured: there is no data set of
/// questions with identifiers.
const NAMED: f64 = 0.9;

/// That the first hit is a right one. Words that other sections know and this one lacks speak against it.
const RIGHT: Model = Model {
    intercept: -4.71,
    meaning: 0.49,
    standing: 0.45,
    words: 4.23,
    known_words: -1.16,
    first_in: 1.35,
    group: 0.93,
    small_talk: -2.17,
};

/// Whether the compendium can answer the question, and the probability that the first hit does.
///
/// Who names an identifier wants the section that has it and no other.
pub(super) fn judge(evidence: &Evidence) -> (bool, f64) {
    let (answerable, right) = (ANSWERABLE.probability(evidence), RIGHT.probability(evidence));
    if evidence.identifier > 0.0 {
        (true, right.max(NAMED))
    } else if evidence.identifier < 0.0 {
        (false, right.min(1.0 - NAMED))
    } else {
        (answerable >= REFUSED, right)
    }
}

impl Model {
    fn probability(&self, evidence: &Evidence) -> f64 {
        let logit = self.intercept
            + self.meaning * evidence.meaning
            + self.standing * evidence.standing
            + self.words * evidence.words
            + self.known_words * evidence.known_words
            + self.first_in * evidence.first_in
            // The second word for a group says less than the first.
            + self.group * evidence.group.max(0.0).ln_1p()
            + self.small_talk * evidence.small_talk;
        1.0 / (1.0 + (-logit).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_out_is_answered_and_a_stranger_is_refused() {
        let own = Evidence {
            meaning: 3.2,
            standing: 2.0,
            words: 0.6,
            known_words: 0.9,
            first_in: 2.0,
            group: 1.0,
            ..Evidence::default()
        };
        let (answerable, confidence) = judge(&own);
        assert!(answerable && confidence > 0.8, "{confidence}");
        let stranger = Evidence { meaning: 1.3, standing: -0.3, words: 0.2, ..Evidence::default() };
        let (answerable, confidence) = judge(&stranger);
        assert!(!answerable && confidence < 0.2, "{confidence}");
        // Small talk that comes as near as the nearest tenth of it.
        let chat = Evidence { small_talk: 0.9, standing: 0.8, words: 0.5, group: 0.0, ..own };
        assert!(!judge(&chat).0);
        assert!(judge(&Evidence { small_talk: 0.0, ..chat }).0);
        let (answerable, confidence) = judge(&Evidence { identifier: -1.0, ..own });
        assert!(!answerable && confidence <= 0.1 + 1e-9, "{confidence}");
        assert!(judge(&Evidence { identifier: 1.0, ..stranger }).0);
    }
}
