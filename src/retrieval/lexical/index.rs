//! The tantivy index on disk: build, open, search.

use std::path::{Path, PathBuf};

use tantivy::collector::{FilterCollector, TopDocs};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{
    Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyDocument, TantivyError,
};

use super::query::{self, Terms};
use super::snippet::Highlighter;
use super::{LexicalHits, LexicalRequest};
use crate::analysis::{Analyzer, ngrams};
use crate::domain::Section;

/// Length of the character n-grams; four is the length that helped most on the development data.
pub(super) const GRAM: usize = 4;

/// One writing thread keeps the documents in the order of their ordinals, so that two builds of
/// one compendium give the same index.
const WRITER_THREADS: usize = 1;
const WRITER_MEMORY: usize = 64 << 20;

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
    /// A search failed.
    #[error("the lexical search failed")]
    Search(#[source] TantivyError),
}

/// The fields of the schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) title: Field,
    pub(super) path: Field,
    pub(super) text: Field,
    pub(super) parts: Field,
    pub(super) exact: Field,
    pub(super) grams: Field,
    ordinal: Field,
}

const ORDINAL: &str = "ordinal";
const TEXT_FIELDS: [&str; 6] = ["title", "path", "text", "parts", "exact", "grams"];

/// An opened lexical index.
pub struct LexicalIndex {
    reader: IndexReader,
    fields: Fields,
    analyzer: Analyzer,
}

impl std::fmt::Debug for LexicalIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LexicalIndex").field("fields", &self.fields).finish_non_exhaustive()
    }
}

impl LexicalIndex {
    /// Writes the index of `sections` into `dir`, which is new and empty; the position of a section
    /// is its ordinal.
    ///
    /// # Errors
    /// The folder can not be written.
    pub fn build(
        dir: &Path,
        sections: &[Section],
        analyzer: &Analyzer,
    ) -> Result<(), LexicalError> {
        let failed = |source| LexicalError::Write { path: dir.to_owned(), source };
        let (schema, fields) = schema();
        let index = Index::builder()
            .schema(schema)
            .settings(IndexSettings::default())
            .create_in_dir(dir)
            .map_err(failed)?;
        let mut writer: IndexWriter =
            index.writer_with_num_threads(WRITER_THREADS, WRITER_MEMORY).map_err(failed)?;
        for (ordinal, section) in sections.iter().enumerate() {
            let document = document(&fields, ordinal as u64, section, analyzer);
            writer.add_document(document).map_err(failed)?;
        }
        writer.commit().map_err(failed)?;
        writer.wait_merging_threads().map_err(failed)
    }

    /// Opens an index that [`LexicalIndex::build`] wrote.
    ///
    /// # Errors
    /// No index, a damaged one, or one with another schema.
    pub fn open(dir: &Path, analyzer: Analyzer) -> Result<Self, LexicalError> {
        let failed = |source| LexicalError::Open { path: dir.to_owned(), source };
        let index = Index::open_in_dir(dir).map_err(failed)?;
        let (wanted, fields) = schema();
        for name in TEXT_FIELDS.into_iter().chain([ORDINAL]) {
            let entry = |schema: &Schema| {
                schema.get_field(name).map(|field| schema.get_field_entry(field).clone()).ok()
            };
            if entry(&index.schema()) != entry(&wanted) {
                return Err(LexicalError::Schema { path: dir.to_owned(), field: name });
            }
        }
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(failed)?;
        Ok(Self { reader, fields, analyzer })
    }

    /// Sections that share words with the question, best first.
    ///
    /// # Errors
    /// tantivy can not read its files.
    pub fn search(&self, request: &LexicalRequest<'_>) -> Result<LexicalHits, LexicalError> {
        let searcher = self.reader.searcher();
        let terms = Terms::of(&self.analyzer.analyse(request.question));
        let (query, known) = query::build(&searcher, self.fields, request.fields, &terms)
            .map_err(LexicalError::Search)?;
        let allowed = request.allowed.map_or(usize::MAX, crate::domain::Allowed::count);
        if known == 0 || request.limit == 0 || allowed == 0 {
            return Ok(LexicalHits { hits: Vec::new(), terms: known });
        }
        // tantivy breaks ties by its own document numbers, which follow the ordinals.
        let top = TopDocs::with_limit(request.limit).order_by_score();
        let found = match request.allowed {
            None => searcher.search(&query, &top),
            Some(allowed) => {
                let allowed = allowed.clone();
                let keep = move |ordinal: u64| allowed.contains(ordinal as u32);
                searcher.search(&query, &FilterCollector::new(ORDINAL.to_owned(), keep, top))
            }
        }
        .map_err(LexicalError::Search)?;
        let mut hits = Vec::with_capacity(found.len());
        for (score, address) in found {
            let segment = searcher.segment_reader(address.segment_ord);
            let column = segment.fast_fields().u64(ORDINAL).map_err(LexicalError::Search)?;
            if let Some(ordinal) = column.first(address.doc_id) {
                hits.push((ordinal as u32, score));
            }
        }
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(LexicalHits { hits, terms: known })
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

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        // Tokens come from our own analysis; the name only has to exist.
        .set_tokenizer("raw")
        .set_index_option(IndexRecordOption::WithFreqs);
    let options = TextOptions::default().set_indexing_options(indexing);
    let [title, path, text, parts, exact, grams] =
        TEXT_FIELDS.map(|name| builder.add_text_field(name, options.clone()));
    let ordinal = builder.add_u64_field(ORDINAL, FAST | INDEXED);
    (builder.build(), Fields { title, path, text, parts, exact, grams, ordinal })
}

fn document(
    fields: &Fields,
    ordinal: u64,
    section: &Section,
    analyzer: &Analyzer,
) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_u64(fields.ordinal, ordinal);
    let (mut parts, mut exact, mut grams) = (Vec::new(), Vec::new(), Vec::new());
    let path = section.path.join("\n");
    let texts = [
        (fields.title, section.title.as_str()),
        (fields.path, path.as_str()),
        (fields.text, section.text.as_str()),
    ];
    for (field, text) in texts {
        let mut stems = Vec::new();
        for analysed in analyzer.analyse(text) {
            if field != fields.path {
                exact.push(Analyzer::exact(&analysed.word));
                grams.extend(ngrams(&analysed.word.folded, GRAM));
            }
            parts.extend(analysed.parts);
            stems.push(analysed.word.stem);
        }
        document.add_pre_tokenized_text(field, pre_tokenized(stems));
    }
    for (field, tokens) in [(fields.parts, parts), (fields.exact, exact), (fields.grams, grams)] {
        document.add_pre_tokenized_text(field, pre_tokenized(tokens));
    }
    document
}

fn pre_tokenized(texts: Vec<String>) -> PreTokenizedString {
    let tokens = texts
        .into_iter()
        .enumerate()
        .map(|(position, text)| Token { position, text, ..Token::default() })
        .collect();
    PreTokenizedString { text: String::new(), tokens }
}
