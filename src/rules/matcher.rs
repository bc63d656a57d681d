//! All rules over one question, in one pass per view.

use std::borrow::Cow;

use regex::bytes::{RegexSet, RegexSetBuilder};

use super::{Rule, Scope};
use crate::domain::NormalisedQuery;

/// The lazy DFA of the set may grow to this many bytes before it starts over; the default of
/// 2 MiB is too small for some hundred patterns.
const DFA_SIZE_LIMIT: usize = 8 << 20;

/// The compiled rules.
#[derive(Debug)]
pub struct RuleSet {
    rules: Vec<Rule>,
    core: View,
    full: View,
}

/// The rules that read one view of the question.
#[derive(Debug)]
struct View {
    set: RegexSet,
    /// Position in the set → position in `rules`.
    rules: Vec<usize>,
}

/// What the rules say of a question.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// The rule that decides.
    pub won: Option<Match<'a>>,
    /// Rules that matched but have a lower priority, highest first.
    pub lost: Vec<Match<'a>>,
    /// Rules that matched but were called off by their `unless`, highest priority first.
    pub vetoed: Vec<Match<'a>>,
}

/// A rule that matched.
#[derive(Debug, Clone)]
pub struct Match<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// The matching passage of the view that the rule reads.
    pub passage: Cow<'a, str>,
}

impl RuleSet {
    pub(super) fn compile(rules: Vec<Rule>) -> Result<Self, regex::Error> {
        let core = View::compile(&rules, Scope::Core)?;
        let full = View::compile(&rules, Scope::Full)?;
        Ok(Self { rules, core, full })
    }

    /// The same with one more rule behind the others.
    ///
    /// # Errors
    /// The rules together are too large.
    pub fn with(&self, rule: Rule) -> Result<Self, regex::Error> {
        Self::compile(self.rules.iter().cloned().chain([rule]).collect())
    }

    /// The rules in file order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Runs all rules over the question.
    ///
    /// The highest priority wins. Equal priorities only occur within one intent, where the rule
    /// that stands first in the file wins, so the intent never depends on the order.
    pub fn decide<'a>(&'a self, query: &'a NormalisedQuery) -> Outcome<'a> {
        let mut matched: Vec<usize> = self.core.matches(query.core());
        matched.extend(self.full.matches(query.folded()));
        matched.sort_by_key(|at| (std::cmp::Reverse(self.rules[*at].priority), *at));
        let (mut standing, mut vetoed) = (Vec::new(), Vec::new());
        for at in matched {
            let rule = &self.rules[at];
            let text = match rule.scope {
                Scope::Core => query.core(),
                Scope::Full => query.folded(),
            };
            // A pattern may end inside a foreign letter; the passage is for people.
            let passage = rule
                .pattern
                .find(text.as_bytes())
                .map_or(Cow::Borrowed(""), |found| String::from_utf8_lossy(found.as_bytes()));
            let found = Match { rule, passage };
            if rule.unless.as_ref().is_some_and(|unless| unless.is_match(text.as_bytes())) {
                vetoed.push(found);
            } else {
                standing.push(found);
            }
        }
        let mut standing = standing.into_iter();
        Outcome { won: standing.next(), lost: standing.collect(), vetoed }
    }
}

impl View {
    fn compile(rules: &[Rule], scope: Scope) -> Result<Self, regex::Error> {
        let of_scope: Vec<usize> =
            (0..rules.len()).filter(|at| rules[*at].scope == scope).collect();
        let set = RegexSetBuilder::new(of_scope.iter().map(|at| rules[*at].pattern.as_str()))
            .unicode(false)
            .size_limit(64 << 20)
            .dfa_size_limit(DFA_SIZE_LIMIT)
            .build()?;
        Ok(Self { set, rules: of_scope })
    }

    fn matches(&self, text: &str) -> Vec<usize> {
        self.set.matches(text.as_bytes()).iter().map(|at| self.rules[at]).collect()
    }
}
