//! `rules/symbols.yaml` → [`Symbols`]; its examples are run.

use std::collections::BTreeSet;

use regex::RegexBuilder;
use serde::Deserialize;

use super::checks::Check;
use super::{Kind, Symbols, Target, squeezed};
use crate::domain::{Place, Problem, Problems};
use crate::yaml::{self, Located};

/// A compiled pattern may take this many bytes.
const PATTERN_SIZE_LIMIT: usize = 2 << 20;

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
    /// Groups whose words find it, each alone: such an entry is a name.
    #[serde(default)]
    words: Vec<String>,
    /// At least so many digits.
    #[serde(default)]
    digits: usize,
    /// What the pattern finds and what names nothing; spelling does not matter.
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    check: Option<Check>,
    #[serde(default)]
    target: Target,
    /// Spellings of one and the same symbol.
    same: Vec<String>,
    #[serde(default)]
    not: Vec<String>,
}

impl Symbols {
    /// Reads the text of `file`.
    ///
    /// # Errors
    /// All problems at once: YAML, patterns that do not compile or match the empty text, ids taken
    /// twice, examples that the pattern does not read as one symbol.
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
}

fn compile(entry: &Entry) -> Result<Kind, String> {
    let pattern = RegexBuilder::new(&entry.pattern.value)
        .size_limit(PATTERN_SIZE_LIMIT)
        .build()
        .map_err(|error| error.to_string())?;
    if pattern.is_match("") {
        return Err("it matches the empty text".to_owned());
    }
    if entry.check == Some(Check::Abbreviation) && pattern.captures_len() < 3 {
        return Err("`check: abbreviation` needs a group 1 and a group 2".to_owned());
    }
    let forms = if entry.forms.is_empty() { vec!["{0}".to_owned()] } else { entry.forms.clone() };
    Ok(Kind {
        id: entry.id.as_str().into(),
        pattern,
        forms,
        short: entry.short.clone(),
        words: entry.words.clone(),
        digits: entry.digits,
        except: entry.except.iter().map(|text| squeezed(text)).collect(),
        check: entry.check,
        target: entry.target,
    })
}

fn check_examples(entry: &Entry, kind: &Kind, place: &Place, problems: &mut Vec<Problem>) {
    let read = |text: &str| {
        let captures = kind.pattern.captures(text)?;
        let (.., symbol) = kind.symbol(&captures)?;
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
