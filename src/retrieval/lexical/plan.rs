//! A question as weighted terms of the index.

use tantivy::collector::{Count, FilterCollector, TopDocs};
use tantivy::query::{BooleanQuery, BoostQuery, ConstScoreQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Searcher, Term};

use super::LexicalRequest;
use super::identifiers::{Asked, Identifiers};
use super::query::{self, Clause};
use super::schema::{Fields, ORDINAL};
use crate::analysis::{Analyzer, Word, words};
use crate::domain::Allowed;

/// What a section that names an identifier itself has before one that inherits it, as a share of
/// what both have before all others.
const OWN: f32 = 0.1;

/// A question as weighted terms.
pub(super) struct Plan {
    pub(super) clauses: Vec<Clause>,
    /// Identifiers whose sections come first, and what each is worth.
    pub(super) rare: Vec<String>,
    rare_score: f32,
    /// Words and identifiers that name something.
    pub(super) known: usize,
    pub(super) similar: Vec<(String, String)>,
    pub(super) unknown: Vec<String>,
}

impl Plan {
    /// Looks up the question's words and identifiers.
    pub(super) fn of(
        searcher: &Searcher,
        fields: Fields,
        analyzer: &Analyzer,
        identifiers: &Identifiers,
        request: &LexicalRequest<'_>,
    ) -> tantivy::Result<Self> {
        let boosts = request.fields;
        let words = words(request.question);
        let asked = if boosts.symbols > 0.0 {
            identifiers.asked(searcher, fields, analyzer.symbols(), request.question, &words)?
        } else {
            Asked::default()
        };
        let others = words.into_iter().enumerate().filter(|(at, _)| !asked.taken.contains(at));
        let others: Vec<Word> = others.map(|(_, word)| word).collect();
        let found = query::clauses(searcher, fields, boosts, analyzer, &others)?;
        let mut plan = Self {
            clauses: found.list,
            known: found.known + asked.rare.len() + asked.common.len(),
            rare: asked.rare,
            rare_score: 0.0,
            similar: asked.similar,
            unknown: asked.unknown,
        };
        plan.clauses.extend(asked.common.into_iter().map(|form| Clause {
            field: fields.symbols,
            shown: form.clone(),
            token: form,
            boost: boosts.symbols,
            frequent: false,
        }));
        if !plan.rare.is_empty() {
            let best = best(searcher, &BooleanQuery::new(plan.terms(true)), None, 1)?;
            // More than everything else together can give.
            plan.rare_score = best.first().map_or(0.0, |(score, _)| *score) + boosts.symbols;
        }
        Ok(plan)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.rare.is_empty()
    }

    pub(super) fn query(&self, fields: Fields, with_frequent: bool) -> BooleanQuery {
        let mut clauses = self.terms(with_frequent);
        let rare = self.rare.iter().flat_map(|form| self.identifier(fields, form));
        clauses.extend(rare.map(|(_, query)| (Occur::Should, query)));
        BooleanQuery::new(clauses)
    }

    fn terms(&self, with_frequent: bool) -> Vec<(Occur, Box<dyn Query>)> {
        let clauses = self.clauses.iter().filter(|clause| with_frequent || !clause.frequent);
        clauses.map(|clause| (Occur::Should, bm25(clause))).collect()
    }

    /// What an identifier gives to the sections that name it, and to the others of its document:
    /// these come before all foreign sections, too, and among them the other words decide.
    pub(super) fn identifier(
        &self,
        fields: Fields,
        form: &str,
    ) -> [(&'static str, Box<dyn Query>); 2] {
        let has = |field| -> Box<dyn Query> {
            let term = Term::from_field_text(field, form);
            Box::new(TermQuery::new(term, IndexRecordOption::Basic))
        };
        let own = ConstScoreQuery::new(has(fields.symbols), self.rare_score * (1.0 + OWN));
        let inherited = BooleanQuery::new(vec![
            (Occur::Must, has(fields.inherited)),
            (Occur::MustNot, has(fields.symbols)),
        ]);
        let inherited = ConstScoreQuery::new(Box::new(inherited), self.rare_score);
        [("symbols", Box::new(own)), ("inherited", Box::new(inherited))]
    }
}

pub(super) fn bm25(clause: &Clause) -> Box<dyn Query> {
    let term = Term::from_field_text(clause.field, &clause.token);
    let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
    Box::new(BoostQuery::new(Box::new(query), clause.boost))
}

/// The best documents. One segment in the order of the ordinals: tantivy breaks ties as we do.
///
/// Both collectors look at every match. The pruning that `TopDocs` alone would do (block-max
/// WAND) takes ten times as long with our many terms.
pub(super) fn best(
    searcher: &Searcher,
    query: &BooleanQuery,
    allowed: Option<&Allowed>,
    limit: usize,
) -> tantivy::Result<Vec<(f32, DocAddress)>> {
    let top = TopDocs::with_limit(limit).order_by_score();
    match allowed {
        None => Ok(searcher.search(query, &(top, Count))?.0),
        Some(allowed) => {
            let allowed = allowed.clone();
            let keep = move |ordinal: u64| allowed.contains(ordinal as u32);
            searcher.search(query, &FilterCollector::new(ORDINAL.to_owned(), keep, top))
        }
    }
}
