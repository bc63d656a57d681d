//! The symbols of a document, which all of its sections inherit.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Documents, Reading, Readings, stems};
use crate::analysis::{Symbol, Symbols, Target, name_token, squeezed};
use crate::domain::{Section, SectionId};

/// A document that names more than this is a price list, and one of more sections a handbook: what
/// one section names says nothing of the others, and only what the head names is inherited. Business
/// letters have up to a dozen sections and some twenty symbols.
pub const MOST_SYMBOLS: usize = 100;
/// See [`MOST_SYMBOLS`].
pub(super) const MOST_SECTIONS: usize = 15;
/// The kind of a symbol that only a model named.
pub const MODEL: &str = "llm";
/// Words of a symbol that a model names: more are a sentence.
const MOST_WORDS: usize = 8;
/// Characters of one.
const LONGEST: usize = 80;

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
    /// Id of its entry in `rules/symbols.yaml`, `facet`, or [`MODEL`].
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
    /// has nobody to inherit. What a model named beside counts where the document literally says it,
    /// and never makes a letter a list.
    pub fn of(
        ordinals: &[u32],
        sections: &[Section],
        patterns: &Symbols,
        (named, ordinary): (&[String], &Ordinary),
    ) -> Self {
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
        if all > MOST_SYMBOLS || is_handbook(ordinals.len()) {
            // The head of a handbook is what stands above its sections; its first section is one of
            // many.
            let above = |symbol: &DocumentSymbol| {
                matches!(symbol.origin, Origin::Facet(_) | Origin::Path)
                    || !is_handbook(ordinals.len())
            };
            found.list.truncate(head.min(MOST_SYMBOLS));
            found.list.retain(above);
        } else {
            let own: Vec<&Section> = ordinals.iter().map(section).collect();
            for name in named {
                found.named(name.trim(), &own, ordinary);
            }
        }
        let left_out = all.saturating_sub(found.list.len());
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

    /// Takes what a model named where a section says it, and nothing that is known says it already.
    fn named(&mut self, name: &str, sections: &[&Section], ordinary: &Ordinary) {
        if !may_name(name) || self.list.iter().any(|known| occurs(&known.surface, name)) {
            return;
        }
        let Some(origin) = sections.iter().find_map(|section| place(section, name)) else { return };
        let tokens = if name.chars().any(|c| c.is_ascii_digit()) {
            vec![squeezed(name)]
        } else {
            let stems = stems(name);
            let names = stems.iter().filter(|stem| !ordinary.0.contains(*stem));
            let names: Vec<String> = names.map(|stem| name_token(stem)).collect();
            [stems, names].concat()
        };
        if !tokens.is_empty() {
            self.add(format!("{MODEL} {}", squeezed(name)), || DocumentSymbol {
                kind: MODEL.to_owned(),
                surface: name.to_owned(),
                tokens,
                target: Target::Lexical,
                origin,
            });
        }
    }

    fn add(&mut self, key: String, symbol: impl FnOnce() -> DocumentSymbol) {
        if self.seen.insert(key) {
            self.list.push(symbol());
        }
    }
}

/// Whether a document of so many sections is a handbook.
pub(super) fn is_handbook(sections: usize) -> bool {
    sections > MOST_SECTIONS
}

/// Words that documents use without a model calling them names there: `Lieferschein` is one. As words
/// of a name they would lead questions to documents.
#[derive(Debug, Default)]
pub struct Ordinary(BTreeSet<String>);

impl Ordinary {
    /// Nothing where no document was read by a model.
    pub(super) fn of(documents: &Documents, sections: &[Section], readings: &Readings) -> Self {
        let mut ordinary = BTreeSet::new();
        for (at, ordinals) in documents.iter().enumerate() {
            let Some(Reading { symbols, .. }) = readings.of(at) else { continue };
            let named: BTreeSet<String> = symbols.iter().flat_map(|name| stems(name)).collect();
            let texts = ordinals.iter().map(|ordinal| &sections[*ordinal as usize]);
            let texts = texts.flat_map(|section| [&section.title, &section.text]);
            let used = texts.flat_map(|text| stems(text));
            ordinary.extend(used.filter(|stem| !named.contains(stem)));
        }
        Self(ordinary)
    }
}

/// Whether a string has the form of a symbol: short, in one line, with a digit or a capital.
fn may_name(name: &str) -> bool {
    let letters = name.chars().count();
    (2..=LONGEST).contains(&letters)
        && !name.chars().any(char::is_control)
        && name.chars().any(|c| c.is_ascii_digit() || c.is_uppercase())
        && name.split_whitespace().count() <= MOST_WORDS
}

/// Where a section says something literally.
fn place(section: &Section, name: &str) -> Option<Origin> {
    if section.path.iter().any(|heading| occurs(heading, name)) {
        Some(Origin::Path)
    } else if occurs(&section.title, name) {
        Some(Origin::Title(section.id.clone()))
    } else {
        occurs(&section.text, name).then(|| Origin::Text(section.id.clone()))
    }
}

/// Whether a text holds another one, and not only inside of words.
fn occurs(text: &str, name: &str) -> bool {
    let ends_a_word = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    text.match_indices(name).any(|(at, _)| {
        ends_a_word(text[..at].chars().next_back())
            && ends_a_word(text[at + name.len()..].chars().next())
    })
}
