//! The fields of the tantivy index.

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};

/// Length of the character n-grams; four is the length that helped most on the development data.
pub(super) const GRAM: usize = 4;

pub(super) const ORDINAL: &str = "ordinal";
const TEXT_FIELDS: [&str; 9] =
    ["title", "path", "text", "heads", "parts", "exact", "grams", "symbols", "synonyms"];
pub(super) const INHERITED: &str = "inherited";

/// Handles of the fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) title: Field,
    pub(super) path: Field,
    pub(super) text: Field,
    pub(super) heads: Field,
    pub(super) parts: Field,
    pub(super) exact: Field,
    pub(super) grams: Field,
    pub(super) symbols: Field,
    pub(super) synonyms: Field,
    pub(super) inherited: Field,
    pub(super) ordinal: Field,
}

/// The schema and the handles of its fields.
pub(super) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        // Tokens come from our own analysis; the name only has to exist.
        .set_tokenizer("raw")
        .set_index_option(IndexRecordOption::WithFreqs);
    let options = TextOptions::default().set_indexing_options(indexing);
    let [title, path, text, heads, parts, exact, grams, symbols, synonyms] =
        TEXT_FIELDS.map(|name| builder.add_text_field(name, options.clone()));
    // A set: how much else a document names must not make each name count less.
    let set = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::Basic);
    let inherited =
        builder.add_text_field(INHERITED, TextOptions::default().set_indexing_options(set));
    let ordinal = builder.add_u64_field(ORDINAL, FAST | INDEXED);
    let fields = Fields {
        title,
        path,
        text,
        heads,
        parts,
        exact,
        grams,
        symbols,
        synonyms,
        inherited,
        ordinal,
    };
    (builder.build(), fields)
}

/// The first field that `found` lacks or has in another form.
pub(super) fn unfit(found: &Schema) -> Option<&'static str> {
    let (wanted, _) = schema();
    let entry = |schema: &Schema, name: &str| {
        schema.get_field(name).map(|field| schema.get_field_entry(field).clone()).ok()
    };
    TEXT_FIELDS
        .into_iter()
        .chain([INHERITED, ORDINAL])
        .find(|name| entry(found, name) != entry(&wanted, name))
}
