//! A question → all groups with their scores and reasons, best first.

use super::{Group, GroupModel, Matcher, Word};
use crate::analysis::Analyzer;
use crate::domain::{GroupScore, IntentId, NormalisedQuery, Payment, Reason};
use crate::normalise::called_off;

/// A token of the question with what group words can match.
struct Token {
    folded: String,
    /// Stem of the whole word and of its first and last part where it is a compound.
    stems: Vec<String>,
    span: (usize, usize),
    /// Capitalised inside a sentence: a noun.
    noun: bool,
    negated: bool,
}

impl GroupModel {
    /// Scores all groups: phrases, words, the intent's bias. Best first, ties by group id.
    ///
    /// Within one group a phrase pays before the words inside it and they do not pay again; a word
    /// that stands in the question twice pays once.
    pub fn infer(
        &self,
        query: &NormalisedQuery,
        intent: Option<&IntentId>,
        analyzer: &Analyzer,
    ) -> Vec<GroupScore> {
        let tokens = tokens(query.original(), analyzer);
        let bias = intent.and_then(|intent| self.bias.get(intent));
        let mut scores: Vec<GroupScore> = self
            .groups
            .iter()
            .map(|group| {
                let mut payments = group.payments(&tokens);
                let amount = bias.and_then(|bias| bias.get(&group.id)).copied().unwrap_or(0.0);
                if let Some(intent) = intent.filter(|_| amount > 0.0) {
                    let what = intent.to_string();
                    payments.push(Payment { reason: Reason::Bias, what, at: None, amount });
                }
                // Not `sum`: that of nothing is −0.
                let score = payments.iter().fold(0.0, |sum, payment| sum + payment.amount);
                GroupScore { id: group.id.clone(), score, payments }
            })
            .collect();
        scores.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
        scores
    }
}

impl Group {
    fn payments(&self, tokens: &[Token]) -> Vec<Payment> {
        let mut covered = vec![false; tokens.len()];
        let mut payments = Vec::new();
        for phrase in &self.phrases {
            let length = phrase.tokens.len();
            for (start, window) in tokens.windows(length).enumerate() {
                let free = !covered[start..start + length].iter().any(|taken| *taken);
                let equal = window.iter().zip(&phrase.tokens).all(|(token, p)| token.folded == *p);
                if free && equal {
                    covered[start..start + length].fill(true);
                    let at = Some((window[0].span.0, window[length - 1].span.1));
                    payments.push(pay(Reason::Phrase, &phrase.written, at, phrase.weight));
                    break;
                }
            }
        }
        for word in &self.words {
            let length = word.length();
            let found = tokens.windows(length).enumerate().find(|(start, window)| {
                word.matches(window) && !covered[*start..start + length].iter().any(|taken| *taken)
            });
            if let Some((start, window)) = found {
                covered[start..start + length].fill(true);
                let at = (window[0].span.0, window[length - 1].span.1);
                let (reason, amount) = if window.iter().any(|token| token.negated) {
                    (Reason::Negated, 0.0)
                } else {
                    (Reason::Word, word.weight)
                };
                payments.push(pay(reason, &word.written, Some(at), amount));
            }
        }
        payments.sort_by_key(|payment| payment.at);
        payments
    }
}

fn pay(reason: Reason, what: &str, at: Option<(usize, usize)>, amount: f64) -> Payment {
    Payment { reason, what: what.to_owned(), at, amount }
}

impl Word {
    /// How many tokens it spans: one, or more for a hyphenated word.
    fn length(&self) -> usize {
        match &self.matcher {
            Matcher::Stems(stems) => stems.len(),
            Matcher::Prefix(_) => 1,
        }
    }

    fn matches(&self, window: &[Token]) -> bool {
        let same = match &self.matcher {
            Matcher::Stems(stems) => {
                stems.iter().zip(window).all(|(stem, token)| token.stems.contains(stem))
            }
            Matcher::Prefix(prefix) => window[0].folded.starts_with(prefix.as_str()),
        };
        same && (!self.cased || window[0].noun)
    }
}

fn tokens(question: &str, analyzer: &Analyzer) -> Vec<Token> {
    let mut tokens: Vec<Token> = analyzer
        .analyse(question)
        .into_iter()
        .enumerate()
        .map(|(at, analysed)| {
            let word = analysed.word;
            let mut stems = vec![word.stem];
            if let [first, .., last] = analysed.parts.as_slice() {
                stems.extend([first.clone(), last.clone()]);
            }
            Token {
                folded: word.folded,
                stems,
                span: word.span,
                noun: word.capitalised && at > 0,
                negated: false,
            }
        })
        .collect();
    mark_negated(&mut tokens, question);
    tokens
}

/// Marks the words that the question itself calls off.
fn mark_negated(tokens: &mut [Token], question: &str) {
    for (from, to) in called_off(question) {
        // Tokens count in Unicode scalar values.
        let start = question[..from].chars().count();
        let end = start + question[from..to].chars().count();
        for token in tokens.iter_mut() {
            token.negated |= start <= token.span.0 && token.span.1 <= end;
        }
    }
}
