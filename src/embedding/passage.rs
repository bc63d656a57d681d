//! What is embedded for the index.

use sha2::{Digest, Sha256};

use crate::domain::PrefixedQuery;

/// A text that a model takes whole: one window of a section, or a labelled question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    text: String,
    role: Role,
}

/// Which of its own prefixes the model puts before the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Part of something that answers.
    Window,
    /// All of something that answers, as far as the model reads.
    Whole,
    /// Something that asks.
    Question,
}

impl Passage {
    /// Only an embedder cuts windows: it alone knows how much its model reads.
    pub(super) fn window(text: String) -> Self {
        Self { text, role: Role::Window }
    }

    /// As [`Passage::window`], of a section that is not cut where it need not be.
    pub(super) fn whole(text: String) -> Self {
        Self { text, role: Role::Whole }
    }

    /// A labelled question, embedded as it will be asked; for examples and other known questions.
    pub fn question(query: &PrefixedQuery) -> Self {
        Self { text: query.text().to_owned(), role: Role::Question }
    }

    /// The text without the model's own `query: ` or `passage: `.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn role(&self) -> Role {
        self.role
    }

    /// SHA-256 of role and text: the key in the embedding cache.
    pub fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(match self.role {
            Role::Window => b"s:",
            Role::Whole => b"w:",
            Role::Question => b"q:",
        });
        hash.update(self.text.as_bytes());
        hash.finalize().into()
    }
}
