//! A section → the tokens of its fields.

use std::collections::{BTreeMap, HashMap};

use tantivy::TantivyDocument;
use tantivy::schema::Field;
use tantivy::tokenizer::{PreTokenizedString, Token};

use super::schema::{Fields, GRAM};
use crate::analysis::{Analyzer, is_function_word, joined, ngrams, stem, words};
use crate::domain::Section;

/// Words whose parts are kept while an index is written; a compendium has fewer, a large collection
/// begins anew.
const MOST_KEPT: usize = 200_000;

/// Writes sections as documents. Keeps the parts of each word, because words come again.
pub(super) struct Documents<'a> {
    analyzer: &'a Analyzer,
    fields: Fields,
    kept: HashMap<String, Parts>,
    /// Form of an identifier → how it is written: the first spelling of the collection.
    pub(super) identifiers: BTreeMap<String, String>,
}

/// Tokens of one word in the fields beside its own.
#[derive(Clone)]
struct Parts {
    heads: Vec<String>,
    modifiers: Vec<String>,
    grams: Vec<String>,
}

/// Tokens of a document in the fields that title and text share.
#[derive(Default)]
struct Shared {
    heads: Vec<String>,
    parts: Vec<String>,
    exact: Vec<String>,
    grams: Vec<String>,
    symbols: Vec<String>,
    synonyms: Vec<String>,
}

impl<'a> Documents<'a> {
    pub(super) fn new(analyzer: &'a Analyzer, fields: Fields) -> Self {
        Self { analyzer, fields, kept: HashMap::new(), identifiers: BTreeMap::new() }
    }

    /// `inherited` are the tokens that the section has from its document.
    pub(super) fn document(
        &mut self,
        ordinal: u64,
        section: &Section,
        inherited: &[String],
    ) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_u64(self.fields.ordinal, ordinal);
        for (field, tokens) in self.tokens_by_field(section, inherited) {
            add(&mut document, field, tokens);
        }
        document
    }

    /// What goes into each field, in the order of the schema.
    pub(super) fn tokens_by_field(
        &mut self,
        section: &Section,
        inherited: &[String],
    ) -> [(Field, Vec<String>); 10] {
        let mut shared = Shared::default();
        let title = self.tokens(&section.title, &mut shared);
        let text = self.tokens(&section.text, &mut shared);
        // The path is that of every section of a document: its parts and n-grams would tell
        // nothing apart.
        let path = self.tokens(&section.path.join("\n"), &mut Shared::default());
        let fields = self.fields;
        [
            (fields.title, title),
            (fields.path, path),
            (fields.text, text),
            (fields.heads, shared.heads),
            (fields.parts, shared.parts),
            (fields.exact, shared.exact),
            (fields.grams, shared.grams),
            (fields.symbols, shared.symbols),
            (fields.synonyms, shared.synonyms),
            (fields.inherited, inherited.to_vec()),
        ]
    }

    /// The stems of a text; everything else goes to `shared`.
    fn tokens(&mut self, text: &str, shared: &mut Shared) -> Vec<String> {
        let words = words(text);
        let mut stems = Vec::with_capacity(words.len());
        for word in &words {
            stems.push(word.stem.clone());
            let parts = self.parts(&word.folded);
            shared.heads.extend_from_slice(&parts.heads);
            shared.parts.extend_from_slice(&parts.modifiers);
            shared.grams.extend_from_slice(&parts.grams);
            shared.exact.push(word.folded.clone());
        }
        // A hyphenated word is one word and can be found as such.
        shared.heads.extend(joined(&words).iter().map(|word| stem(word)));
        shared.synonyms.extend(self.analyzer.synonyms().of(&words));
        for symbol in self.analyzer.symbols().find(text) {
            for form in symbol.forms.iter().chain(&symbol.short) {
                shared.symbols.push(form.clone());
            }
            let first = symbol.forms.into_iter().next().unwrap_or_default();
            self.identifiers.entry(first).or_insert(symbol.surface);
        }
        stems
    }

    fn parts(&mut self, folded: &str) -> &Parts {
        if self.kept.len() >= MOST_KEPT {
            self.kept.clear();
        }
        if !self.kept.contains_key(folded) {
            let (heads, modifiers) = self.analyzer.heads_and_modifiers(folded);
            let grams = if is_function_word(folded) {
                Vec::new()
            } else {
                ngrams(folded, GRAM).into_iter().collect()
            };
            self.kept.insert(folded.to_owned(), Parts { heads, modifiers, grams });
        }
        &self.kept[folded]
    }
}

fn add(document: &mut TantivyDocument, field: Field, texts: Vec<String>) {
    let tokens = texts
        .into_iter()
        .enumerate()
        .map(|(position, text)| Token { position, text, ..Token::default() })
        .collect();
    document.add_pre_tokenized_text(field, PreTokenizedString { text: String::new(), tokens });
}
