//! Identifiers of a question that the index knows, and those that look like them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tantivy::{Searcher, TantivyError, Term};

use super::schema::Fields;
use crate::analysis::{Symbols, Word};

/// File with the identifiers beside tantivy's own.
const FILE: &str = "identifiers.json";
/// An IBAN in blocks is six words.
const MOST_WORDS: usize = 8;
/// At most so many similar identifiers are offered.
pub(super) const MOST_SIMILAR: usize = 5;
/// An identifier that more sections share than this, and than one in [`COMMON_SHARE`], is a topic
/// (`COVID-19`) and is weighed like any word.
const COMMON: u64 = 5;
const COMMON_SHARE: u64 = 50;

/// All identifiers of an index.
#[derive(Debug, Default)]
pub(super) struct Identifiers {
    /// Form → how it is written.
    by_form: BTreeMap<String, String>,
}

/// The identifiers of a question.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Forms that few sections have: their sections come first.
    pub(super) rare: Vec<String>,
    /// Forms that many sections have.
    pub(super) common: Vec<String>,
    /// Forms of identifiers of the index that look like one of the question, with their spelling.
    pub(super) similar: Vec<(String, String)>,
    /// Identifiers of the question that no section has, as they were written.
    pub(super) unknown: Vec<String>,
    /// Positions of the words that make the rare ones: as words they would count once more, and only
    /// for the sections that write the identifier out.
    pub(super) taken: BTreeSet<usize>,
    /// Those of them whose documents hand the identifier down to other sections.
    pub(super) handed_down: BTreeSet<usize>,
    /// Their forms.
    pub(super) leading: BTreeSet<String>,
}

impl Identifiers {
    pub(super) fn new(by_form: BTreeMap<String, String>) -> Self {
        Self { by_form }
    }

    pub(super) fn write(dir: &Path, by_form: &BTreeMap<String, String>) -> std::io::Result<()> {
        let file = std::fs::File::create(dir.join(FILE))?;
        serde_json::to_writer(std::io::BufWriter::new(&file), by_form)?;
        file.sync_all()
    }

    pub(super) fn read(dir: &Path) -> std::io::Result<Self> {
        let text = std::fs::read(dir.join(FILE))?;
        Ok(Self { by_form: serde_json::from_slice(&text)? })
    }

    /// Looks up what the patterns read in the question, and words beside each other that make an
    /// identifier of the index when written as one.
    pub(super) fn asked(
        &self,
        searcher: &Searcher,
        fields: Fields,
        symbols: &Symbols,
        question: &str,
        words: &[Word],
    ) -> Result<Asked, TantivyError> {
        let own = |form: &str| searcher.doc_freq(&Term::from_field_text(fields.symbols, form));
        let sections = |form: &str| -> Result<u64, TantivyError> {
            let inherited = Term::from_field_text(fields.inherited, form);
            Ok(own(form)? + searcher.doc_freq(&inherited)?)
        };
        let mut named: BTreeSet<String> = BTreeSet::new();
        // Form → positions of its words.
        let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut unknown = Vec::new();
        for symbol in symbols.find(question) {
            let (start, end) = symbol.span;
            let within = |word: &Word| start <= word.span.0 && word.span.1 <= end;
            let made_of: Vec<usize> = (0..words.len()).filter(|at| within(&words[*at])).collect();
            let mut found = false;
            for form in symbol.forms.into_iter().chain(symbol.short) {
                if sections(&form)? > 0 {
                    found = true;
                    known.insert(form.clone(), made_of.clone());
                }
                named.insert(form);
            }
            if !found {
                unknown.push(symbol.surface);
            }
        }
        let mut at = 0;
        while at < words.len() {
            let mut taken = 1;
            for count in (1..=MOST_WORDS.min(words.len() - at)).rev() {
                let run = &words[at..at + count];
                if !may_name(run) {
                    continue;
                }
                let form: String = run.iter().map(|word| word.folded.as_str()).collect();
                if sections(&form)? > 0 {
                    known.entry(form).or_insert_with(|| (at..at + count).collect());
                    taken = count;
                    break;
                }
                if run.iter().any(|word| has_digit(&word.folded)) {
                    named.insert(form);
                }
            }
            at += taken;
        }
        let similar = self.similar(&named, &known);
        let mut asked = Asked { similar, unknown, ..Asked::default() };
        let limit = COMMON.max(searcher.num_docs() / COMMON_SHARE);
        for (form, made_of) in known {
            if own(&form)? <= limit {
                if sections(&form)? > 2 * own(&form)? {
                    asked.handed_down.extend(&made_of);
                    asked.leading.insert(form.clone());
                }
                asked.rare.push(form);
                asked.taken.extend(made_of);
            } else {
                asked.common.push(form);
            }
        }
        Ok(asked)
    }

    /// Identifiers that are one or two letters away from a named one.
    fn similar(
        &self,
        named: &BTreeSet<String>,
        known: &BTreeMap<String, Vec<usize>>,
    ) -> Vec<(String, String)> {
        let mut found: Vec<(usize, &str, &str)> = Vec::new();
        for form in named.iter().chain(known.keys()).filter(|form| form.chars().count() >= 4) {
            // Codes of one family begin alike; comparing all of a large index would take too long.
            let first: String = form.chars().take(form.chars().count() / 2).collect();
            for (other, surface) in self.by_form.range(first.clone()..) {
                if !other.starts_with(&first) {
                    break;
                }
                if other.len().abs_diff(form.len()) > 1 || known.contains_key(other) {
                    continue;
                }
                let allowed = if form.len() >= 8 { 2 } else { 1 };
                let distance = strsim::osa_distance(form, other);
                if distance > 0 && distance <= allowed {
                    found.push((distance, surface, other));
                }
            }
        }
        found.sort_unstable();
        let mut similar: Vec<(String, String)> = Vec::new();
        for (_, surface, form) in found {
            if !similar.iter().any(|(_, known)| known == surface) {
                similar.push((form.to_owned(), surface.to_owned()));
            }
        }
        similar
    }
}

/// Whether words beside each other could be one identifier: a digit among them, single letters
/// (`H M`), or capitals (`HM`).
fn may_name(run: &[Word]) -> bool {
    let capitals = |word: &Word| {
        word.surface.chars().count() >= 2 && word.surface.chars().all(char::is_uppercase)
    };
    run.iter().any(|word| has_digit(&word.folded))
        || (run.len() > 1 && run.iter().all(|word| word.folded.chars().count() == 1))
        || (run.len() == 1 && capitals(&run[0]))
}

fn has_digit(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
}
