//! What to call a topic: the terms that its questions have and the others have not.

use std::collections::{BTreeMap, BTreeSet};

use super::look::Looked;
use super::sift::most_frequent;
use super::terms::{Features, Term, Terms};
use crate::query_log::without_placeholders;

/// Words of a label.
const MOST: usize = 3;
/// A further term must be worth this share of the first.
const WORTH: f64 = 0.4;
/// From here on two terms are one with a slip of the pen, or another form of it.
const SAME: f64 = 0.2;

/// What a topic is called, and the terms behind it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Label {
    /// For people: up to three terms in their most frequent spelling.
    pub(super) text: String,
    /// The terms, most telling first.
    pub(super) terms: Vec<Told>,
}

/// A term of a topic.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    /// Most frequent spelling, with a capital letter where it was written so.
    pub(super) surface: String,
    pub(super) term: Term,
    /// Share of the askings that have it, 0 to 1.
    pub(super) share: f64,
    worth: f64,
}

/// A label for each cluster, no two the same.
pub(super) fn labels(terms: &Terms<'_>, clusters: &[Vec<usize>], looked: &[Looked]) -> Vec<Label> {
    let found: Vec<Vec<Told>> =
        clusters.iter().map(|cluster| told(terms, cluster, looked)).collect();
    let mut spread: BTreeMap<&str, usize> = BTreeMap::new();
    for told in found.iter().flatten() {
        *spread.entry(&told.term.stem).or_default() += 1;
    }
    let spread: BTreeMap<String, usize> =
        spread.into_iter().map(|(stem, count)| (stem.to_owned(), count)).collect();
    let mut taken = BTreeSet::new();
    found
        .into_iter()
        .map(|mut told| {
            for told in &mut told {
                // A term of every topic tells nothing of this one.
                let count = spread.get(&told.term.stem).copied().unwrap_or(1) as f64;
                told.worth *= ((1.0 + clusters.len() as f64) / count).ln().max(0.1);
            }
            told.sort_by(|a, b| {
                b.worth.total_cmp(&a.worth).then_with(|| a.surface.cmp(&b.surface))
            });
            let text = text(&told, &mut taken);
            Label { text, terms: told }
        })
        .collect()
}

/// The terms of a cluster, slips of the pen counted with what was meant.
fn told(terms: &Terms<'_>, cluster: &[usize], looked: &[Looked]) -> Vec<Told> {
    let mut spellings: BTreeMap<String, (Term, Vec<String>, f64)> = BTreeMap::new();
    let mut all = 0.0;
    for at in cluster {
        let bad = &looked[*at].bad;
        all += bad.failed as f64;
        let mut seen = BTreeSet::new();
        for term in terms.of(&without_placeholders(&bad.question)) {
            if seen.insert(term.folded.clone()) {
                let entry = spellings
                    .entry(term.folded.clone())
                    .or_insert_with(|| (term.clone(), Vec::new(), 0.0));
                entry.1.push(term.surface);
                entry.2 += bad.failed as f64;
            }
        }
    }
    let mut found: Vec<(Term, Vec<String>, f64)> = spellings.into_values().collect();
    found.sort_by(|a, b| {
        let worth = |(term, _, count): &(Term, Vec<String>, f64)| term.weight * count;
        worth(b).total_cmp(&worth(a)).then_with(|| a.0.folded.cmp(&b.0.folded))
    });
    let mut families: Vec<Vec<Spelt>> = Vec::new();
    for (term, surfaces, count) in found {
        let features = Features::of(std::slice::from_ref(&term));
        let spelt = Spelt { term, surfaces, count, features };
        let same = families.iter_mut().find(|family| spelt.is_one_with(&family[0]));
        match same {
            Some(family) => family.push(spelt),
            None => families.push(vec![spelt]),
        }
    }
    families.iter().filter_map(|family| common(family, all)).collect()
}

/// A term in one spelling.
struct Spelt {
    term: Term,
    surfaces: Vec<String>,
    count: f64,
    features: Features,
}

impl Spelt {
    fn is_one_with(&self, other: &Self) -> bool {
        self.term.stem == other.term.stem || self.features.cosine(&other.features) >= SAME
    }
}

/// The spelling that is most like all the others: slips differ from one another, and each resembles
/// what was meant.
fn common(family: &[Spelt], all: f64) -> Option<Told> {
    let nearness = |one: &Spelt| -> f64 {
        family.iter().map(|other| other.count * one.features.cosine(&other.features)).sum()
    };
    let meant = family.iter().max_by(|a, b| {
        nearness(a).total_cmp(&nearness(b)).then_with(|| b.term.folded.cmp(&a.term.folded))
    })?;
    let count: f64 = family.iter().map(|one| one.count).sum();
    Some(Told {
        surface: spelling(&meant.surfaces),
        share: (count / all).min(1.0),
        worth: meant.term.weight * count / all,
        term: meant.term.clone(),
    })
}

/// The most frequent spelling; one with a capital letter where there is any, because readers leave it
/// out and do not add it.
fn spelling(surfaces: &[String]) -> String {
    let capital = |surface: &&String| {
        let mut letters = surface.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
    };
    let capitals: Vec<&String> = surfaces.iter().filter(capital).collect();
    if capitals.is_empty() {
        most_frequent(surfaces.iter().map(String::as_str))
    } else {
        most_frequent(capitals.into_iter().map(String::as_str))
    }
}

/// Up to [`MOST`] terms; nouns first where there are any.
fn text(told: &[Told], taken: &mut BTreeSet<String>) -> String {
    let noun = |told: &&Told| told.surface.chars().next().is_some_and(char::is_uppercase);
    let nouns: Vec<&Told> = told.iter().filter(noun).collect();
    let chosen: Vec<&Told> = if nouns.is_empty() { told.iter().collect() } else { nouns };
    let least = chosen.first().map_or(0.0, |first| first.worth * WORTH);
    let worthy = chosen.iter().take_while(|told| told.worth >= least).count().min(MOST);
    for count in worthy..=chosen.len() {
        let words: Vec<&str> = chosen[..count].iter().map(|told| told.surface.as_str()).collect();
        let label = words.join(", ");
        if !label.is_empty() && taken.insert(label.clone()) {
            return label;
        }
    }
    // Two topics of the same words: numbered, so that each can be named.
    let base = chosen.first().map_or("Ohne Namen", |told| told.surface.as_str());
    let numbered = (2..).map(|number| format!("{base} ({number})"));
    numbered.into_iter().find(|label| taken.insert(label.clone())).expect("numbers do not end")
}
