//! The tantivy index on disk: build, open, search.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tantivy::collector::{Count, FilterCollector, TopDocs};
use tantivy::index::SegmentId;
use tantivy::merge_policy::NoMergePolicy;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, EnableScoring, Occur, Query, TermQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{
    DocAddress, DocId, DocSet, Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy,
    Searcher, TantivyError, Term,
};

use super::coverage::{Coverage, coverage};
use super::document::Documents;
use super::identifiers::{Asked, Identifiers, MOST_SIMILAR};
use super::query::{self, Clause};
use super::schema::{Fields, ORDINAL, schema, unfit};
use super::snippet::Highlighter;
use super::{DocumentNames, FieldBoosts, LexicalHits, LexicalRequest};
use crate::analysis::{Analyzer, Word, name_token, words};
use crate::domain::{Allowed, Section, TermScore};

/// One writing thread keeps the documents in the order of their ordinals, so that two builds of
/// one compendium give the same index.
const WRITER_THREADS: usize = 1;
const WRITER_MEMORY: usize = 64 << 20;
/// What a section that names an identifier itself has before one that inherits it, as a share of
/// what both have before all others.
const OWN: f32 = 0.1;
/// Sections of named documents that are looked at; more are no document but half a compendium.
const MOST_OF_DOCUMENTS: usize = 2_000;

/// Why the lexical channel failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LexicalError {
    /// The index can not be written.
    #[error("the lexical index can not be written to {}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: TantivyError,
    },
    /// The index can not be opened.
    #[error("the lexical index at {} can not be opened", path.display())]
    Open {
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: TantivyError,
    },
    /// The index lacks a field or has it in another form.
    #[error("the lexical index at {} has no usable field `{field}`; build it again", path.display())]
    Schema {
        /// Where.
        path: PathBuf,
        /// Which field.
        field: &'static str,
    },
    /// The list of identifiers can not be written or read.
    #[error("the identifiers of the lexical index at {} can not be written or read", path.display())]
    Identifiers {
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A search failed.
    #[error("the lexical search failed")]
    Search(#[source] TantivyError),
}

/// An opened lexical index.
pub struct LexicalIndex {
    reader: IndexReader,
    fields: Fields,
    identifiers: Identifiers,
    analyzer: Analyzer,
}

/// A question as weighted terms.
struct Plan {
    clauses: Vec<Clause>,
    /// Identifiers whose sections come first, and what each is worth.
    rare: Vec<String>,
    rare_score: f32,
    /// Words and identifiers that name something.
    known: usize,
    similar: Vec<(String, String)>,
    unknown: Vec<String>,
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
        let plan = self.plan(&searcher, request)?;
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
        let best = Self::best(&searcher, &plan.query(self.fields, false), request.allowed, limit)?;
        // A filter may leave only sections that share a frequent word with the question.
        let best = if best.len() < limit && plan.clauses.iter().any(|clause| clause.frequent) {
            Self::best(&searcher, &plan.query(self.fields, true), request.allowed, limit)?
        } else {
            best
        };
        for (score, address) in best {
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
            if allowed.is_none() || !Self::best(searcher, &query, allowed, 1)?.is_empty() {
                similar.push(surface.clone());
            }
            if similar.len() == MOST_SIMILAR {
                break;
            }
        }
        Ok(similar)
    }

    /// The best documents. One segment in the order of the ordinals: tantivy breaks ties as we do.
    ///
    /// Both collectors look at every match. The pruning that `TopDocs` alone would do (block-max
    /// WAND) takes ten times as long with our many terms.
    fn best(
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
        let plan = self.plan(&searcher, request)?;
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

    fn plan(&self, searcher: &Searcher, request: &LexicalRequest<'_>) -> tantivy::Result<Plan> {
        let (fields, boosts) = (self.fields, request.fields);
        let words = words(request.question);
        let asked = if boosts.symbols > 0.0 {
            let symbols = self.analyzer.symbols();
            self.identifiers.asked(searcher, fields, symbols, request.question, &words)?
        } else {
            Asked::default()
        };
        let others = words.into_iter().enumerate().filter(|(at, _)| !asked.taken.contains(at));
        let others: Vec<Word> = others.map(|(_, word)| word).collect();
        let found = query::clauses(searcher, fields, boosts, &self.analyzer, &others)?;
        let mut plan = Plan {
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
            let best = Self::best(searcher, &BooleanQuery::new(plan.terms(true)), None, 1)?;
            // More than everything else together can give.
            plan.rare_score = best.first().map_or(0.0, |(score, _)| *score) + boosts.symbols;
        }
        Ok(plan)
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
        for (count, address) in Self::best(&searcher, &query, None, limit)? {
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

impl Plan {
    fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.rare.is_empty()
    }

    fn query(&self, fields: Fields, with_frequent: bool) -> BooleanQuery {
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
    fn identifier(&self, fields: Fields, form: &str) -> [(&'static str, Box<dyn Query>); 2] {
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

fn bm25(clause: &Clause) -> Box<dyn Query> {
    let term = Term::from_field_text(clause.field, &clause.token);
    let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
    Box::new(BoostQuery::new(Box::new(query), clause.boost))
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

/// Writes the sections with what they have from their documents, by ordinal; gives the identifiers
/// that they hold.
fn fill(
    index: &Index,
    fields: Fields,
    sections: &[Section],
    inherited: &[Vec<String>],
    analyzer: &Analyzer,
) -> tantivy::Result<BTreeMap<String, String>> {
    let mut writer: IndexWriter = index.writer_with_num_threads(WRITER_THREADS, WRITER_MEMORY)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    let mut documents = Documents::new(analyzer, fields);
    for (ordinal, section) in sections.iter().enumerate() {
        let inherited = inherited.get(ordinal).map_or(&[][..], Vec::as_slice);
        let document = documents.document(ordinal as u64, section, inherited);
        writer.add_document(document)?;
    }
    writer.commit()?;
    merge(index, &mut writer)?;
    writer.wait_merging_threads()?;
    Ok(documents.identifiers)
}

/// Makes one segment of all, in the order of the ordinals, so that two builds of one compendium give
/// the same index and ties are broken alike.
fn merge(index: &Index, writer: &mut IndexWriter) -> tantivy::Result<()> {
    let mut segments = Vec::new();
    for segment in index.reader()?.searcher().segment_readers() {
        let first = segment.fast_fields().u64(ORDINAL)?.first(0);
        segments.push((first, segment.segment_id()));
    }
    segments.sort_unstable();
    if segments.len() > 1 {
        let ids: Vec<SegmentId> = segments.into_iter().map(|(_, id)| id).collect();
        writer.merge(&ids).wait()?;
    }
    Ok(())
}
