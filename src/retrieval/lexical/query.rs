//! Tokens of a question → weighted terms. Nothing here parses text.

use std::collections::{BTreeMap, BTreeSet};

use tantivy::schema::Field;
use tantivy::{Searcher, TantivyError, Term};

use super::fields::FieldBoosts;
use super::schema::{Fields, GRAM};
use crate::analysis::{
    Analysed, Analyzer, Word, is_function_word, joined, name_token, ngrams, stem,
};

/// A compound that ends in the word is a kind of it: `Halterung` finds `Wandhalterung`.
const HEAD: f32 = 0.7;
/// A compound that has the word further in front has to do with it: `Wand` finds `Wandhalterung`.
const PART: f32 = 0.3;
/// The unstemmed word breaks ties; it must not outvote a stem.
const EXACT: f32 = 0.2;
/// Measured from 0.2 to 1.5: the best for questions written from the text, and no worse for others.
const GRAMS: f32 = 0.8;
/// What a compound is stands at its end: its beginning counts less.
const BEGINNING: f32 = 0.7;
/// What a name counts for the section that states it, beside what its document has from it.
const OWN_NAME: f32 = 0.1;
/// More words than this do not make a question clearer, only slower.
const MOST_WORDS: usize = 64;
/// Terms of a question may have so many postings together; beyond, the most frequent ones, which
/// tell sections apart the least, are left out. A collection of 1,000 sections never gets there; at
/// 100,000 it halves the time.
const MOST_POSTINGS: u64 = 400_000;
/// Words of the longest phrase that is looked up as a synonym.
const MOST_PHRASE_WORDS: usize = 4;
/// 4-grams of at most so many words are searched.
const MOST_GRAM_WORDS: usize = 24;

/// A term that is searched.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clause {
    pub(super) field: Field,
    /// What is looked up.
    pub(super) token: String,
    /// What it is called in an explanation: the token, or the word of a 4-gram.
    pub(super) shown: String,
    /// BM25 is multiplied by this.
    pub(super) boost: f32,
    /// Too many sections have it for a large collection: it is searched only where the others find
    /// too little.
    pub(super) frequent: bool,
}

/// A question as terms that the index knows.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    pub(super) list: Vec<Clause>,
    /// Words of the question that name something and are known.
    pub(super) known: usize,
}

/// A term on its way to a [`Clause`].
struct Found {
    shown: String,
    boost: f32,
    /// Sections that have it.
    sections: u64,
}

struct Builder<'a> {
    searcher: &'a Searcher,
    fields: Fields,
    boosts: &'a FieldBoosts,
    /// By field and token, so that a term that comes twice counts once, with its larger boost.
    found: BTreeMap<(Field, String), Found>,
}

/// The terms of a question in the order of fields and tokens.
pub(super) fn clauses(
    searcher: &Searcher,
    fields: Fields,
    boosts: &FieldBoosts,
    analyzer: &Analyzer,
    words: &[Word],
) -> Result<Clauses, TantivyError> {
    let words = &words[..words.len().min(MOST_WORDS)];
    let mut builder = Builder { searcher, fields, boosts, found: BTreeMap::new() };
    let mut seen = BTreeSet::new();
    let mut known = 0;
    for word in words {
        if !seen.insert(word.folded.as_str()) {
            continue;
        }
        let names = !is_function_word(&word.folded);
        let of_document = names && names_documents(searcher, fields, boosts, &word.stem)?;
        let mut found = if of_document {
            builder.name(word)?
        } else {
            builder.word(&analyzer.analysed(word.clone()))?
        };
        if names && !of_document && seen.len() <= MOST_GRAM_WORDS {
            found |= builder.grams(&word.folded)?;
        }
        known += usize::from(names && found);
    }
    for text in joined(words).into_iter().chain(neighbours(words)) {
        builder.own(&stem(&text), 1.0)?;
        builder.add(fields.heads, &stem(&text), 1.0)?;
    }
    for count in 2..=MOST_PHRASE_WORDS {
        for phrase in words.windows(count) {
            let stems: Vec<&str> = phrase.iter().map(|word| word.stem.as_str()).collect();
            let found = builder.add(fields.synonyms, &stems.join(" "), boosts.synonyms)?;
            known += usize::from(found);
        }
    }
    Ok(Clauses { list: marked(builder.found), known })
}

/// Whether a stem is a word of a company's or person's name that documents state mostly once, in
/// their head, for all of their sections.
pub(super) fn names_documents(
    searcher: &Searcher,
    fields: Fields,
    boosts: &FieldBoosts,
    stem: &str,
) -> Result<bool, TantivyError> {
    if boosts.inherited <= 0.0 {
        return Ok(false);
    }
    let sections = |field, token: &str| searcher.doc_freq(&Term::from_field_text(field, token));
    let inherited = sections(fields.inherited, &name_token(stem))?;
    Ok(inherited > 2 * sections(fields.text, stem)?)
}

/// The terms in the order of fields and tokens. Where all together have more postings than
/// [`MOST_POSTINGS`], the most frequent ones are marked.
fn marked(found: BTreeMap<(Field, String), Found>) -> Vec<Clause> {
    let mut frequencies: Vec<u64> = found.values().map(|term| term.sections).collect();
    frequencies.sort_unstable();
    let mut sum = 0;
    let affordable = frequencies.iter().take_while(|sections| {
        sum += **sections;
        sum <= MOST_POSTINGS
    });
    let most = affordable.last().copied().unwrap_or(u64::MAX);
    found
        .into_iter()
        .map(|((field, token), Found { shown, boost, sections })| Clause {
            field,
            token,
            shown,
            boost,
            frequent: sections > most,
        })
        .collect()
}

/// Words beside each other, written as one: `Daten Bank` is also `Datenbank`.
fn neighbours(words: &[Word]) -> Vec<String> {
    let pairs = words.windows(2).map(|pair| format!("{}{}", pair[0].folded, pair[1].folded));
    let triples =
        words.windows(3).map(|three| three.iter().map(|word| word.folded.as_str()).collect());
    pairs.chain(triples).collect()
}

impl Builder<'_> {
    /// A word of a name counts alike for all sections of the documents that state it: the letterhead
    /// must not win for writing it out. It only comes first where nothing else is asked.
    fn name(&mut self, word: &Word) -> Result<bool, TantivyError> {
        let found = self.add(self.fields.inherited, &word.stem, self.boosts.inherited)?;
        Ok(found | self.own(&word.stem, OWN_NAME)?)
    }

    /// A word as a whole, as a part of compounds, and by its own parts.
    fn word(&mut self, analysed: &Analysed) -> Result<bool, TantivyError> {
        let stem = &analysed.word.stem;
        let mut found = self.own(stem, 1.0)?;
        if is_function_word(&analysed.word.folded) {
            return Ok(found);
        }
        found |= self.add(self.fields.heads, stem, HEAD)?;
        found |= self.add(self.fields.parts, stem, PART)?;
        found |= self.add(self.fields.synonyms, stem, self.boosts.synonyms)?;
        found |= self.add(self.fields.inherited, stem, self.boosts.inherited)?;
        self.add(self.fields.exact, &analysed.word.folded, EXACT)?;
        for (parts, weight) in [(&analysed.heads, HEAD), (&analysed.modifiers, PART)] {
            for part in parts {
                found |= self.own(part, weight)?;
                found |= self.add(self.fields.heads, part, HEAD * weight)?;
                found |= self.add(self.fields.parts, part, PART * weight)?;
                found |= self.add(self.fields.synonyms, part, self.boosts.synonyms * weight)?;
            }
        }
        Ok(found)
    }

    /// A stem in the fields that a profile weighs.
    fn own(&mut self, stem: &str, weight: f32) -> Result<bool, TantivyError> {
        let FieldBoosts { title, path, text, .. } = *self.boosts;
        let mut found = self.add(self.fields.title, stem, title * weight)?;
        found |= self.add(self.fields.path, stem, path * weight)?;
        found |= self.add(self.fields.text, stem, text * weight)?;
        Ok(found)
    }

    fn grams(&mut self, folded: &str) -> Result<bool, TantivyError> {
        let mut found = false;
        for gram in ngrams(folded, GRAM) {
            let boost = if gram.starts_with('_') { GRAMS * BEGINNING } else { GRAMS };
            found |= self.shown(self.fields.grams, &gram, folded, boost)?;
        }
        Ok(found)
    }

    fn add(&mut self, field: Field, token: &str, boost: f32) -> Result<bool, TantivyError> {
        self.shown(field, token, token, boost)
    }

    /// Takes a term that the index has; false where it has none.
    fn shown(
        &mut self,
        field: Field,
        token: &str,
        shown: &str,
        boost: f32,
    ) -> Result<bool, TantivyError> {
        if boost <= 0.0 {
            return Ok(false);
        }
        let sections = self.searcher.doc_freq(&Term::from_field_text(field, token))?;
        if sections == 0 {
            return Ok(false);
        }
        let known = self.found.entry((field, token.to_owned())).or_insert_with(|| Found {
            shown: shown.to_owned(),
            boost,
            sections,
        });
        known.boost = known.boost.max(boost);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_terms_are_marked_where_all_cost_too_much() {
        let term = |sections| Found { shown: String::new(), boost: 1.0, sections };
        let field = Field::from_field_id(0);
        let of = |counts: &[u64]| -> Vec<bool> {
            let found = counts.iter().enumerate();
            let found = found.map(|(at, count)| ((field, at.to_string()), term(*count))).collect();
            marked(found).iter().map(|clause| clause.frequent).collect()
        };
        assert_eq!(of(&[1_000, 2_000]), [false, false]);
        assert_eq!(of(&[300_000, 90_000, 50_000, 8]), [true, false, false, false]);
        assert_eq!(of(&[MOST_POSTINGS + 1]), [false], "the only term is searched");
    }
}
