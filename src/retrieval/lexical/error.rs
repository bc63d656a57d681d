//! What can fail.

use std::path::PathBuf;

use tantivy::TantivyError;

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
