//! What an index holds of a section, for people.

use super::LexicalIndex;
use super::document::Documents;
use super::schema::schema;
use crate::analysis::Analyzer;
use crate::domain::Section;

impl LexicalIndex {
    /// The tokens that [`LexicalIndex::build`] writes for a section, by field, in the order of the
    /// schema; the same code makes both.
    pub fn tokens(
        analyzer: &Analyzer,
        section: &Section,
        inherited: &[String],
    ) -> Vec<(String, Vec<String>)> {
        let (schema, fields) = schema();
        let tokens = Documents::new(analyzer, fields).tokens_by_field(section, inherited);
        tokens
            .into_iter()
            .map(|(field, tokens)| (schema.get_field_name(field).to_owned(), tokens))
            .collect()
    }
}
