//! The chain with its vocabulary and rules: what index and question share.

use std::sync::Arc;

use super::{Compounds, Exceptions, Split, Symbols, Synonyms, Word, fold, stem, tokens, words};
use crate::domain::{Problems, Section};

/// What editors wrote about the language of a compendium.
#[derive(Debug, Clone, Default)]
pub struct LanguageRules {
    /// `rules/symbols.yaml`.
    pub symbols: Symbols,
    /// `rules/synonyms.yaml`.
    pub synonyms: Synonyms,
    /// `rules/compounds.yaml`.
    pub compounds: Exceptions,
}

impl LanguageRules {
    /// The rules inside the binary.
    pub fn shipped() -> Self {
        let sound = "the shipped rules are tested";
        Self {
            symbols: Symbols::load("rules/symbols.yaml", include_str!("../../rules/symbols.yaml"))
                .expect(sound),
            synonyms: Synonyms::load(
                "rules/synonyms.yaml",
                include_str!("../../rules/synonyms.yaml"),
            )
            .expect(sound),
            compounds: Exceptions::load(
                "rules/compounds.yaml",
                include_str!("../../rules/compounds.yaml"),
            )
            .expect(sound),
        }
    }

    /// Reads the three files, given as name and text.
    ///
    /// # Errors
    /// All problems of all three at once.
    pub fn load(
        symbols: (&str, &str),
        synonyms: (&str, &str),
        compounds: (&str, &str),
    ) -> Result<Self, Problems> {
        let mut problems = Vec::new();
        let mut rules = Self::default();
        match Symbols::load(symbols.0, symbols.1) {
            Ok(read) => rules.symbols = read,
            Err(found) => problems.extend(found.into_list()),
        }
        match Synonyms::load(synonyms.0, synonyms.1) {
            Ok(read) => rules.synonyms = read,
            Err(found) => problems.extend(found.into_list()),
        }
        match Exceptions::load(compounds.0, compounds.1) {
            Ok(read) => rules.compounds = read,
            Err(found) => problems.extend(found.into_list()),
        }
        Problems::check(problems)?;
        Ok(rules)
    }
}

/// The German analysis of one compendium. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Analyzer {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    compounds: Arc<Compounds>,
    symbols: Symbols,
    synonyms: Synonyms,
}

/// A word with the stems of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysed {
    /// The word.
    pub word: Word,
    /// Stems of the smallest parts of a compound, first to last; empty for other words.
    pub parts: Vec<String>,
    /// Stems of what ends a compound and says what it is: `Halterung` in `Wandhalterung`; also a
    /// compound inside the compound, if it ends it.
    pub heads: Vec<String>,
    /// Stems of the other parts, which only say which kind.
    pub modifiers: Vec<String>,
}

impl Analysed {
    fn new(word: Word, split: &Split) -> Self {
        let parts = split.parts.iter().map(|part| stem(&part.text)).collect();
        let (heads, modifiers) = heads_and_modifiers(split);
        Self { word, parts, heads, modifiers }
    }
}

fn heads_and_modifiers(split: &Split) -> (Vec<String>, Vec<String>) {
    let end = split.parts.last().map_or(0, |part| part.span.1);
    let (mut heads, mut modifiers) = (Vec::new(), Vec::new());
    for part in split.parts.iter().chain(&split.inner) {
        let list = if part.span.1 == end { &mut heads } else { &mut modifiers };
        list.push(stem(&part.text));
    }
    (heads, modifiers)
}

impl Analyzer {
    /// Takes the vocabulary from the sections; the rules are those inside the binary.
    pub fn new(sections: &[Section]) -> Self {
        Self::with_rules(sections, LanguageRules::shipped())
    }

    /// Takes the vocabulary from the sections.
    pub fn with_rules(sections: &[Section], rules: LanguageRules) -> Self {
        let texts = sections.iter().flat_map(|section| [&section.title, &section.text]);
        let vocabulary: Vec<String> =
            texts.flat_map(|text| tokens(text).map(|token| fold(token.surface))).collect();
        let compounds =
            Arc::new(Compounds::new(vocabulary.iter().map(String::as_str), rules.compounds));
        let LanguageRules { symbols, synonyms, .. } = rules;
        Self { inner: Arc::new(Inner { compounds, symbols, synonyms }) }
    }

    /// The same with one more entry under `finds` of the synonyms: texts with `told` are also found by
    /// `asked`. An index that was built without it does not know it.
    #[must_use]
    pub fn with_synonym(&self, asked: &str, told: &str) -> Self {
        let Inner { compounds, symbols, synonyms } = self.inner.as_ref();
        let (compounds, symbols) = (Arc::clone(compounds), symbols.clone());
        let synonyms = synonyms.clone().with(asked, told);
        Self { inner: Arc::new(Inner { compounds, symbols, synonyms }) }
    }

    /// The words of a text with their parts.
    pub fn analyse(&self, text: &str) -> Vec<Analysed> {
        words(text).into_iter().map(|word| self.analysed(word)).collect()
    }

    /// A word with its parts.
    pub fn analysed(&self, word: Word) -> Analysed {
        let split = self.take_apart(&word.folded);
        Analysed::new(word, &split)
    }

    /// Stems of the parts of a folded word: what it is, and which kind. See [`Analysed`].
    pub fn heads_and_modifiers(&self, folded: &str) -> (Vec<String>, Vec<String>) {
        heads_and_modifiers(&self.take_apart(folded))
    }

    /// The parts of a folded word, with their places in it.
    pub fn take_apart(&self, folded: &str) -> Split {
        self.inner.compounds.take_apart(folded)
    }

    /// The identifiers in a text.
    pub fn symbols(&self) -> &Symbols {
        &self.inner.symbols
    }

    /// Other words for the same things.
    pub fn synonyms(&self) -> &Synonyms {
        &self.inner.synonyms
    }
}
