//! The tantivy index on disk: build, open, search.

use std::collections::BTreeMap;
use std::path::Path;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, ConstScoreQuery, EnableScoring, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{
    DocAddress, DocId, DocSet, Index, IndexReader, IndexSettings, ReloadPolicy, Searcher,
    TantivyError, Term,
};

use super::coverage::{Coverage, coverage};
use super::error::LexicalError;
use super::identifiers::{Identifiers, MOST_SIMILAR};
use super::plan::{Plan, best, bm25};
use super::query::{self, Clause};
use super::schema::{Fields, ORDINAL, schema, unfit};
use super::snippet::Highlighter;
use super::write::fill;
use super::{DocumentNames, FieldBoosts, LexicalHits, LexicalRequest};
use crate::analysis::{Analyzer, name_token, words};
use crate::domain::{Allowed, Section, TermScore};

/// Sections of named documents that are looked at; more are no document but half a compendium.
const MOST_OF_DOCUMENTS: usize = 2_000;

/// An opened lexical index.
pub struct LexicalIndex {
    reader: IndexReader,
    fields: Fields,
    identifiers: Identifiers,
    analyzer: Analyzer,
}

impl std::fmt::Debug for LexicalIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LexicalIndex").field("fields", &self.fields).finish_non_exhaustive()
    }
}

impl LexicalIndex {
    /// Writes the index of `sections` into `dir`, which is new and empty; the position of a section
    /// is its ordinal. `inherited` are the tokens that sections have from their documents, by
    /// ordinal; it may be shorter, or empty.
    ///
    /// # Errors
    /// The folder can not be written.
    pub fn build(
        dir: &Path,
        sections: &[Section],
        inherited: &[Vec<String>],
        analyzer: &Analyzer,
    ) -> Result<(), LexicalError> {
        let failed = |source| LexicalError::Write { path: dir.to_owned(), source };
        let (schema, fields) = schema();
        let index = Index::builder()
            .schema(schema)
            .settings(IndexSettings::default())
            .create_in_dir(dir)
            .map_err(failed)?;
        let identifiers = fill(&index, fields, sections, inherited, analyzer).map_err(failed)?;
        Identifiers::write(dir, &identifiers)
            .map_err(|source| LexicalError::Identifiers { path: dir.to_owned(), source })
    }

    /// The same index in memory, to try something out.
    ///
    /// # Errors
    /// tantivy can not build it.
    pub fn in_memory(
        sections: &[Section],
        inherited: &[Vec<String>],
        analyzer: &Analyzer,
    ) -> Result<Self, LexicalError> {
        let (schema, fields) = schema();
        let index = Index::create_in_ram(schema);
        let identifiers =
            fill(&index, fields, sections, inherited, analyzer).map_err(LexicalError::Search)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
        Ok(Self {
            reader: reader.map_err(LexicalError::Search)?,
            fields,
            identifiers: Identifiers::new(identifiers),
            analyzer: analyzer.clone(),
        })
    }

    /// Opens an index that [`LexicalIndex::build`] wrote.
    ///
    /// # Errors
    /// No index, a damaged one, or one with another schema.
    pub fn open(dir: &Path, analyzer: Analyzer) -> Result<Self, LexicalError> {
        let failed = |source| LexicalError::Open { path: dir.to_owned(), source };
        let index = Index::open_in_dir(dir).map_err(failed)?;
        if let Some(field) = unfit(&index.schema()) {
            return Err(LexicalError::Schema { path: dir.to_owned(), field });
        }
        let (_, fields) = schema();
        let identifiers = Identifiers::read(dir)
            .map_err(|source| LexicalError::Identifiers { path: dir.to_owned(), source })?;
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(failed)?;
        Ok(Self { reader, fields, identifiers, analyzer })
    }

    /// Sections that share words with the question, best first.
    ///
    /// Sections with an identifier of the question come before all others, unless many have it. [`LexicalHits::terms`] is 0 where the question names nothing that the index knows; the
    /// hits then share mere function words with it.
    ///
    /// # Errors
    /// tantivy can not read its files.
    pub fn search(&self, request: &LexicalRequest<'_>) -> Result<LexicalHits, LexicalError> {
        self.try_search(request).map_err(LexicalError::Search)
    }

    fn try_search(&self, request: &LexicalRequest<'_>) -> tantivy::Result<LexicalHits> {
        let searcher = self.reader.searcher();
        let plan = Plan::of(&searcher, self.fields, &self.analyzer, &self.identifiers, request)?;
        let mut found = LexicalHits {
            hits: Vec::new(),
            terms: plan.known,
            identifiers: plan.rare.len(),
            similar_identifiers: self.similar(&searcher, &plan, request.allowed)?,
            unknown_identifiers: plan.unknown.clone(),
        };
        let allowed = request.allowed.map_or(usize::MAX, Allowed::count);
        let limit = request.limit.min(allowed).min(searcher.num_docs() as usize);
        if plan.is_empty() || limit == 0 {
            return Ok(found);
        }
        let matching = best(&searcher, &plan.query(self.fields, false), request.allowed, limit)?;
        // A filter may leave only sections that share a frequent word with the question.
        let matching =
            if matching.len() < limit && plan.clauses.iter().any(|clause| clause.frequent) {
                best(&searcher, &plan.query(self.fields, true), request.allowed, limit)?
            } else {
                matching
            };
        for (score, address) in matching {
            let segment = searcher.segment_reader(address.segment_ord);
            if let Some(ordinal) = segment.fast_fields().u64(ORDINAL)?.first(address.doc_id) {
                found.hits.push((ordinal as u32, score));
            }
        }
        found.hits.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(found)
    }

    /// How similar identifiers are written; only those of sections that may be found.
    fn similar(
        &self,
        searcher: &Searcher,
        plan: &Plan,
        allowed: Option<&Allowed>,
    ) -> tantivy::Result<Vec<String>> {
        let mut similar = Vec::new();
        for (form, surface) in &plan.similar {
            let term = Term::from_field_text(self.fields.symbols, form);
            let query = TermQuery::new(term, IndexRecordOption::Basic);
            let query = BooleanQuery::new(vec![(Occur::Should, Box::new(query))]);
            if allowed.is_none() || !best(searcher, &query, allowed, 1)?.is_empty() {
                similar.push(surface.clone());
            }
            if similar.len() == MOST_SIMILAR {
                break;
            }
        }
        Ok(similar)
    }

    /// What each term gave to the score of a section, most first; the sum is the score. Empty for a
    /// section that shares nothing with the question.
    ///
    /// # Errors
    /// tantivy can not read its files.
    pub fn explain(
        &self,
        request: &LexicalRequest<'_>,
        ordinal: u32,
    ) -> Result<Vec<TermScore>, LexicalError> {
        self.try_explain(request, ordinal).map_err(LexicalError::Search)
    }

    fn try_explain(
        &self,
        request: &LexicalRequest<'_>,
        ordinal: u32,
    ) -> tantivy::Result<Vec<TermScore>> {
        let searcher = self.reader.searcher();
        let Some(address) = self.address(&searcher, ordinal)? else { return Ok(Vec::new()) };
        let plan = Plan::of(&searcher, self.fields, &self.analyzer, &self.identifiers, request)?;
        let mut scores: BTreeMap<(&str, &str), f32> = BTreeMap::new();
        let schema = searcher.schema();
        let mut clauses: Vec<&Clause> = plan.clauses.iter().collect();
        // As in a search: frequent terms of a large collection count only where nothing else does.
        let mut others = clauses.iter().filter(|clause| !clause.frequent);
        let found = others.try_fold(false, |found, clause| {
            Ok::<bool, TantivyError>(found || score(&searcher, &*bm25(clause), address)?.is_some())
        })?;
        clauses.retain(|clause| !found || !clause.frequent);
        for clause in clauses {
            if let Some(score) = score(&searcher, &*bm25(clause), address)? {
                *scores.entry((schema.get_field_name(clause.field), &clause.shown)).or_default() +=
                    score;
            }
        }
        for form in &plan.rare {
            for (field, query) in plan.identifier(self.fields, form) {
                if let Some(score) = score(&searcher, &*query, address)? {
                    *scores.entry((field, form)).or_default() += score;
                }
            }
        }
        let mut list: Vec<TermScore> = scores
            .into_iter()
            .map(|((field, term), score)| TermScore {
                field: field.to_owned(),
                term: term.to_owned(),
                score,
            })
            .collect();
        list.sort_by(|a, b| b.score.total_cmp(&a.score));
        Ok(list)
    }

    /// How much of a question a section speaks of.
    ///
    /// # Errors
    /// tantivy can not read its files.
    pub fn coverage(&self, question: &str, ordinal: u32) -> Result<Coverage, LexicalError> {
        let searcher = self.reader.searcher();
        let found = self.address(&searcher, ordinal).and_then(|address| match address {
            Some(address) => coverage(&searcher, self.fields, &self.analyzer, question, address),
            None => Ok(Coverage::default()),
        });
        found.map_err(LexicalError::Search)
    }

    fn address(&self, searcher: &Searcher, ordinal: u32) -> tantivy::Result<Option<DocAddress>> {
        let term = Term::from_field_u64(self.fields.ordinal, u64::from(ordinal));
        let query = TermQuery::new(term, IndexRecordOption::Basic);
        let one = TopDocs::with_limit(1).order_by_score();
        Ok(searcher.search(&query, &one)?.pop().map(|(_, address)| address))
    }

    /// The words of a question that say which document is meant, and the sections they lead to,
    /// whatever these say.
    ///
    /// # Errors
    /// tantivy can not read its files.
    pub fn document_names(
        &self,
        question: &str,
        boosts: &FieldBoosts,
    ) -> Result<DocumentNames, LexicalError> {
        self.try_document_names(question, boosts).map_err(LexicalError::Search)
    }

    fn try_document_names(
        &self,
        question: &str,
        boosts: &FieldBoosts,
    ) -> tantivy::Result<DocumentNames> {
        let (searcher, words) = (self.reader.searcher(), words(question));
        let mut names = DocumentNames::default();
        if boosts.inherited <= 0.0 || boosts.symbols <= 0.0 {
            return Ok(names);
        }
        let symbols = self.analyzer.symbols();
        let asked = self.identifiers.asked(&searcher, self.fields, symbols, question, &words)?;
        let mut tokens = asked.leading;
        for (at, word) in words.iter().enumerate() {
            if query::names_documents(&searcher, self.fields, boosts, &word.stem)? {
                tokens.insert(name_token(&word.stem));
                names.spans.push(word.span);
            } else if asked.handed_down.contains(&at) {
                names.spans.push(word.span);
            }
        }
        if tokens.is_empty() {
            return Ok(names);
        }
        let clauses = tokens.iter().map(|token| -> (Occur, Box<dyn Query>) {
            let term = Term::from_field_text(self.fields.inherited, token);
            let has = TermQuery::new(term, IndexRecordOption::Basic);
            (Occur::Should, Box::new(ConstScoreQuery::new(Box::new(has), 1.0)))
        });
        let query = BooleanQuery::new(clauses.collect());
        let limit = (searcher.num_docs() as usize).clamp(1, MOST_OF_DOCUMENTS);
        for (count, address) in best(&searcher, &query, None, limit)? {
            let segment = searcher.segment_reader(address.segment_ord);
            if let Some(ordinal) = segment.fast_fields().u64(ORDINAL)?.first(address.doc_id) {
                names.sections.insert(ordinal as u32, f64::from(count) / tokens.len() as f64);
            }
        }
        Ok(names)
    }

    /// Makes the snippets of all hits of a question.
    pub fn highlighter(&self, question: &str) -> Highlighter<'_> {
        Highlighter::new(&self.analyzer, question)
    }

    /// The analysis that index and question share.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }
}

/// The score of one document; `None` where it does not match.
fn score(
    searcher: &Searcher,
    query: &dyn Query,
    address: DocAddress,
) -> tantivy::Result<Option<f32>> {
    let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let mut scorer = weight.scorer(searcher.segment_reader(address.segment_ord), 1.0)?;
    Ok(reaches(&mut *scorer, address.doc_id).then(|| scorer.score()))
}

/// Whether a list of documents holds one; tantivy's `seek` may only go forward.
pub(super) fn reaches<Docs: DocSet + ?Sized>(docs: &mut Docs, document: DocId) -> bool {
    let at = if docs.doc() < document { docs.seek(document) } else { docs.doc() };
    at == document
}
