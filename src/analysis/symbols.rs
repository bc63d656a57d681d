//! Opaque identifiers: article numbers, paragraphs, norms, accounts. `rules/symbols.yaml` lists them.

use std::collections::{BTreeMap, BTreeSet};

use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use super::fold;
use crate::domain::{Place, Problem, Problems};
use crate::yaml::{self, Located};

/// A compiled pattern may take this many bytes.
const PATTERN_SIZE_LIMIT: usize = 2 << 20;

/// The kinds of identifiers, in the order of the file; the first that matches a passage has it.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    kinds: Vec<Kind>,
}

#[derive(Debug, Clone)]
struct Kind {
    pattern: Regex,
    forms: Vec<String>,
    short: Vec<String>,
    digits: usize,
    except: BTreeSet<String>,
}

/// An identifier in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// As it is written.
    pub surface: String,
    /// What names it: two identifiers are the same when they share a form. Never empty.
    pub forms: Vec<String>,
    /// What also finds it when less is said: `§ 437` for `§ 437 BGB`.
    pub short: Vec<String>,
    /// `[start, end)` in Unicode scalar values of the text.
    pub span: (usize, usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    symbols: Vec<Located<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    pattern: Located<String>,
    #[serde(default)]
    forms: Vec<String>,
    #[serde(default)]
    short: Vec<String>,
    /// At least so many digits.
    #[serde(default)]
    digits: usize,
    /// What the pattern finds and what names nothing; spelling does not matter.
    #[serde(default)]
    except: Vec<String>,
    /// Spellings of one and the same identifier.
    same: Vec<String>,
    #[serde(default)]
    not: Vec<String>,
}

impl Symbols {
    /// Reads the text of `file`.
    ///
    /// # Errors
    /// All problems at once: YAML, patterns that do not compile or match the empty text, ids taken
    /// twice, examples that the pattern does not read as one identifier.
    pub fn load(file: &str, text: &str) -> Result<Self, Problems> {
        let parsed: File = yaml::read(file, text, 1)?;
        let (mut kinds, mut problems) = (Vec::new(), Vec::new());
        let mut ids = BTreeSet::new();
        for located in parsed.symbols {
            let place = located.place(file);
            let entry = located.value;
            if !ids.insert(entry.id.clone()) {
                problems.push(problem(
                    place.clone(),
                    "symbol-duplicate-id",
                    format!("the id `{}` is taken", entry.id),
                    "give one of the two another id",
                ));
            }
            match compile(&entry) {
                Ok(kind) => {
                    check_examples(&entry, &kind, &place, &mut problems);
                    kinds.push(kind);
                }
                Err(message) => problems.push(problem(
                    entry.pattern.place(file),
                    "symbol-pattern",
                    format!("pattern of `{}`: {message}", entry.id),
                    "write a regular expression without look-around that matches no empty text",
                )),
            }
        }
        Problems::check(problems)?;
        Ok(Self { kinds })
    }

    /// The identifiers of a text, in its order, without overlap.
    pub fn find(&self, text: &str) -> Vec<Symbol> {
        // Start → end and symbol; they do not overlap.
        let mut taken: BTreeMap<usize, (usize, Symbol)> = BTreeMap::new();
        for kind in &self.kinds {
            for captures in kind.pattern.captures_iter(text) {
                let Some(whole) = captures.get(0) else { continue };
                let (start, end) = (whole.start(), whole.end());
                let before = taken.range(..end).next_back();
                if before.is_some_and(|(_, (to, _))| start < *to) {
                    continue;
                }
                if let Some(symbol) = kind.symbol(&captures) {
                    taken.insert(start, (end, symbol));
                }
            }
        }
        let (mut letters, mut at) = (0, 0);
        taken
            .into_iter()
            .map(|(start, (end, mut symbol))| {
                letters += text[at..start].chars().count();
                at = start;
                symbol.span = (letters, letters + text[start..end].chars().count());
                symbol
            })
            .collect()
    }
}

impl Kind {
    fn symbol(&self, captures: &Captures<'_>) -> Option<Symbol> {
        let mut forms = filled(&self.forms, captures);
        let mut short = filled(&self.short, captures);
        if forms.is_empty() {
            forms = std::mem::take(&mut short);
        }
        let surface = captures.get(0)?.as_str().trim().to_owned();
        let digits = surface.chars().filter(char::is_ascii_digit).count();
        if digits < self.digits || self.except.contains(&squeezed(&surface)) {
            return None;
        }
        (!forms.is_empty()).then_some(Symbol { surface, forms, short, span: (0, 0) })
    }
}

/// The templates whose groups all took part, with `{n}` replaced by the letters and digits of group n.
fn filled(templates: &[String], captures: &Captures<'_>) -> Vec<String> {
    let mut forms = Vec::new();
    'templates: for template in templates {
        let mut form = String::new();
        let mut rest = template.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            form.push_str(before);
            let Some((number, behind)) = after.split_once('}') else { continue 'templates };
            let group = number.parse().ok().and_then(|number: usize| captures.get(number));
            let Some(group) = group else { continue 'templates };
            form.push_str(&squeezed(group.as_str()));
            rest = behind;
        }
        form.push_str(rest);
        if !form.is_empty() && !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// Letters and digits only, folded: `ART-4471-B` → `art4471b`.
pub fn squeezed(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

fn compile(entry: &Entry) -> Result<Kind, String> {
    let pattern = RegexBuilder::new(&entry.pattern.value)
        .size_limit(PATTERN_SIZE_LIMIT)
        .build()
        .map_err(|error| error.to_string())?;
    if pattern.is_match("") {
        return Err("it matches the empty text".to_owned());
    }
    let forms = if entry.forms.is_empty() { vec!["{0}".to_owned()] } else { entry.forms.clone() };
    let except = entry.except.iter().map(|text| squeezed(text)).collect();
    Ok(Kind { pattern, forms, short: entry.short.clone(), digits: entry.digits, except })
}

fn check_examples(entry: &Entry, kind: &Kind, place: &Place, problems: &mut Vec<Problem>) {
    let read = |text: &str| {
        let captures = kind.pattern.captures(text)?;
        let symbol = kind.symbol(&captures)?;
        (captures.get(0)?.as_str().trim() == text.trim()).then_some(symbol.forms)
    };
    let first = entry.same.first().and_then(|example| read(example));
    for example in &entry.same {
        let same = match (&first, read(example)) {
            (Some(first), Some(forms)) => forms.iter().any(|form| first.contains(form)),
            (None, _) | (_, None) => false,
        };
        if !same {
            problems.push(problem(
                place.clone(),
                "symbol-example",
                format!("`{example}` is not read as the first example of `{}`", entry.id),
                "change the pattern, its forms, or the example",
            ));
        }
    }
    let reads = |text: &str| {
        kind.pattern.captures_iter(text).any(|captures| kind.symbol(&captures).is_some())
    };
    for example in entry.not.iter().filter(|example| reads(example)) {
        problems.push(problem(
            place.clone(),
            "symbol-counterexample",
            format!("`{example}` must not be read as `{}`", entry.id),
            "narrow the pattern, or list what names nothing under `except`",
        ));
    }
}

fn problem(place: Place, code: &'static str, message: String, mend: &str) -> Problem {
    Problem { place, code, message, mend: mend.to_owned() }
}
