//! The symbols of a document, which all of its sections inherit.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::stems;
use crate::analysis::{Symbol, Symbols, Target, name_token, squeezed};
use crate::domain::{Section, SectionId};

/// A document that names more than this is a price list, and one of more sections a handbook: what
/// one section names says nothing of the others, and only what the head names is inherited. Business
/// letters have up to a dozen sections and some twenty symbols.
pub const MOST_SYMBOLS: usize = 100;
/// See [`MOST_SYMBOLS`].
pub(super) const MOST_SECTIONS: usize = 15;

/// Where a document names a symbol.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A facet of the front matter or of a heading.
    Facet(String),
    /// A heading above the sections.
    Path,
    /// A section's own heading.
    Title(SectionId),
    /// A section's text.
    Text(SectionId),
}

/// A symbol that the sections of a document inherit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentSymbol {
    /// Id of its entry in `rules/symbols.yaml`, or `facet`.
    pub kind: String,
    /// As it is written where it comes first.
    pub surface: String,
    /// What finds it in the keyword index.
    pub tokens: Vec<String>,
    /// Which index it strengthens.
    pub target: Target,
    /// Where it comes first.
    pub origin: Origin,
}

/// All symbols of one document.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DocumentSymbols {
    /// In the order in which the document names them: its head first.
    pub symbols: Vec<DocumentSymbol>,
    /// Symbols that are not inherited, because the document is a list or a handbook.
    pub left_out: usize,
}

/// Symbols on their way: the first of each, in order.
#[derive(Default)]
struct Found {
    list: Vec<DocumentSymbol>,
    /// Class and form.
    seen: BTreeSet<String>,
}

impl DocumentSymbols {
    /// Reads a document, given by the ordinals of its sections in its order. One of a single section
    /// has nobody to inherit.
    pub fn of(ordinals: &[u32], sections: &[Section], patterns: &Symbols) -> Self {
        let [first, rest @ ..] = ordinals else { return Self::default() };
        if rest.is_empty() {
            return Self::default();
        }
        let section = |ordinal: &u32| &sections[*ordinal as usize];
        let mut found = Found::default();
        for ordinal in ordinals {
            for (name, values) in &section(ordinal).facets {
                for value in values {
                    found.facet(name, value);
                }
            }
            for heading in &section(ordinal).path {
                found.read(patterns, heading, &Origin::Path);
            }
        }
        let own = |found: &mut Found, section: &Section| {
            found.read(patterns, &section.title, &Origin::Title(section.id.clone()));
            found.read(patterns, &section.text, &Origin::Text(section.id.clone()));
        };
        own(&mut found, section(first));
        let head = found.list.len();
        for ordinal in rest {
            own(&mut found, section(ordinal));
        }
        let all = found.list.len();
        if all > MOST_SYMBOLS || ordinals.len() > MOST_SECTIONS {
            // The head of a handbook is what stands above its sections; its first section is one of
            // many.
            let above = |symbol: &DocumentSymbol| {
                matches!(symbol.origin, Origin::Facet(_) | Origin::Path)
                    || ordinals.len() <= MOST_SECTIONS
            };
            found.list.truncate(head.min(MOST_SYMBOLS));
            found.list.retain(above);
        }
        let left_out = all - found.list.len();
        Self { symbols: found.list, left_out }
    }
}

impl Found {
    fn facet(&mut self, name: &str, value: &str) {
        let tokens = stems(value);
        if tokens.is_empty() {
            return;
        }
        self.add(format!("facet {}", squeezed(value)), || DocumentSymbol {
            kind: "facet".to_owned(),
            surface: value.to_owned(),
            tokens,
            target: Target::Lexical,
            origin: Origin::Facet(name.to_owned()),
        });
    }

    fn read(&mut self, patterns: &Symbols, text: &str, origin: &Origin) {
        for symbol in patterns.find_all(text) {
            let Symbol { kind, surface, forms, short, words, target, .. } = symbol;
            let class = if words.is_empty() { "identifier" } else { "name" };
            let key = format!("{class} {}", forms[0]);
            self.add(key, || DocumentSymbol {
                kind: kind.to_string(),
                surface,
                tokens: if words.is_empty() {
                    forms.into_iter().chain(short).collect()
                } else {
                    let stems: Vec<String> = words.iter().flat_map(|word| stems(word)).collect();
                    // `AGB` is what a question is about; `Hoffmann` is whose document it wants.
                    let names = stems.iter().filter(|_| !target.embedding());
                    let names: Vec<String> = names.map(|stem| name_token(stem)).collect();
                    [stems, names].concat()
                },
                target,
                origin: origin.clone(),
            });
        }
    }

    fn add(&mut self, key: String, symbol: impl FnOnce() -> DocumentSymbol) {
        if self.seen.insert(key) {
            self.list.push(symbol());
        }
    }
}
