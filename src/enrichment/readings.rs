//! What a model found in documents, as it said it: unchecked.

/// Strings that a model named in one document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// Names and identifiers.
    pub symbols: Vec<String>,
    /// Key terms.
    pub concepts: Vec<String>,
}

/// The readings of all documents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Readings {
    /// By document, in the order of [`super::Documents`]; may end early.
    pub(super) by_document: Vec<Reading>,
    /// Documents that the model should have read and did not, or not in full.
    pub unread: usize,
    /// Why the first of them.
    pub reason: Option<String>,
}

impl Readings {
    /// Nothing was read, for this reason.
    pub(super) fn none(unread: usize, reason: String) -> Self {
        Self { by_document: Vec::new(), unread, reason: Some(reason) }
    }

    /// What was found in the document at a position; `None` where the model was not asked.
    pub fn of(&self, document: usize) -> Option<&Reading> {
        self.by_document.get(document)
    }
}

impl From<Vec<Reading>> for Readings {
    fn from(by_document: Vec<Reading>) -> Self {
        Self { by_document, ..Self::default() }
    }
}
