//! Opaque expressions: article numbers, paragraphs, norms, accounts, companies, persons.
//! `rules/symbols.yaml` lists them.
//!
//! An *identifier* counts as a whole (`ART-4471-B`). A *name* (`Hoffmann & Söhne GmbH`) is found by
//! each of its words; it never displaces an identifier.

mod checks;
mod load;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};

use super::{fold, is_function_word};
use checks::Check;

/// The group of a pattern that holds the symbol itself, where the pattern also reads what stands
/// around it: `Kundennummer (?<symbol>\d+)`.
const INNER: &str = "symbol";

/// Which index an expression strengthens.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, Hash,
)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// The keyword index: the string itself carries no meaning.
    #[default]
    Lexical,
    /// The embedding: the string says what is meant.
    Embedding,
    /// Both, where usage has given an opaque string a meaning (`ISO 9001`).
    Both,
}

impl Target {
    /// Whether the keyword index gets it.
    pub fn lexical(self) -> bool {
        matches!(self, Self::Lexical | Self::Both)
    }

    /// Whether the embedding may get it.
    pub fn embedding(self) -> bool {
        matches!(self, Self::Embedding | Self::Both)
    }
}

/// The kinds of symbols, in the order of the file; the first that matches a passage has it.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    kinds: Vec<Kind>,
}

#[derive(Debug, Clone)]
struct Kind {
    id: Arc<str>,
    pattern: Regex,
    forms: Vec<String>,
    short: Vec<String>,
    words: Vec<String>,
    digits: usize,
    except: BTreeSet<String>,
    check: Option<Check>,
    target: Target,
}

/// A symbol in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Id of its entry in `rules/symbols.yaml`.
    pub kind: Arc<str>,
    /// As it is written.
    pub surface: String,
    /// What names it: two symbols are the same when they share a form. Never empty.
    pub forms: Vec<String>,
    /// What also finds it when less is said: `§ 437` for `§ 437 BGB`.
    pub short: Vec<String>,
    /// Folded words that find a name, each alone; empty for an identifier.
    pub words: Vec<String>,
    /// Which index it strengthens.
    pub target: Target,
    /// `[start, end)` in Unicode scalar values of the text.
    pub span: (usize, usize),
}

impl Symbols {
    /// The identifiers of a text, in its order, without overlap.
    pub fn find(&self, text: &str) -> Vec<Symbol> {
        Self::read(text, self.kinds.iter().filter(|kind| kind.words.is_empty()))
    }

    /// Identifiers and names of a text, in its order, without overlap.
    pub fn find_all(&self, text: &str) -> Vec<Symbol> {
        let (names, identifiers): (Vec<_>, Vec<_>) =
            self.kinds.iter().partition(|kind| !kind.words.is_empty());
        Self::read(text, identifiers.into_iter().chain(names))
    }

    fn read<'a>(text: &str, kinds: impl Iterator<Item = &'a Kind>) -> Vec<Symbol> {
        // Start → end and symbol; they do not overlap.
        let mut taken: BTreeMap<usize, (usize, Symbol)> = BTreeMap::new();
        for kind in kinds {
            let mut at = 0;
            while let Some(captures) = kind.pattern.captures_at(text, at) {
                let Some(whole) = captures.get(0) else { break };
                // Past the match, or by a letter where it is empty.
                at = text.ceil_char_boundary(whole.end().max(whole.start() + 1));
                let Some((start, end, symbol)) = kind.symbol(&captures) else { continue };
                match taken.range(..end).next_back() {
                    // What is left of the match behind the other symbol may be one, too.
                    Some((_, (to, _))) if start < *to => at = *to,
                    _ => {
                        taken.insert(start, (end, symbol));
                    }
                }
                if at >= text.len() {
                    break;
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
    /// The symbol with its place in bytes.
    fn symbol(&self, captures: &Captures<'_>) -> Option<(usize, usize, Symbol)> {
        let passage = captures.name(INNER).or_else(|| captures.get(0))?;
        let (mut start, end) = (passage.start(), passage.end());
        let mut forms = filled(&self.forms, captures);
        let mut short = filled(&self.short, captures);
        if forms.is_empty() {
            forms = std::mem::take(&mut short);
        }
        let mut surface = passage.as_str().trim();
        let digits = surface.chars().filter(char::is_ascii_digit).count();
        if digits < self.digits || self.except.contains(&squeezed(surface)) {
            return None;
        }
        let mut words = found_by(&self.words, captures);
        match self.check {
            None => {}
            Some(Check::Mod97) if checks::mod97(surface) => {}
            Some(Check::Mod97) => return None,
            Some(Check::Abbreviation) => {
                let (long, short) = (captures.get(1)?.as_str(), captures.get(2)?.as_str());
                let spelled = checks::spelled_out(long, short)?;
                start += passage.as_str().find(spelled)?;
                surface = passage.as_str()[start - passage.start()..].trim();
                forms = vec![squeezed(short)];
                words = named(&[spelled, short]);
            }
        }
        if forms.is_empty() || (words.is_empty() && !self.words.is_empty()) {
            return None;
        }
        let symbol = Symbol {
            kind: Arc::clone(&self.id),
            surface: surface.to_owned(),
            forms,
            short,
            words,
            target: self.target,
            span: (0, 0),
        };
        Some((start, end, symbol))
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
            let Some((name, behind)) = after.split_once('}') else { continue 'templates };
            let Some(group) = group(name, captures) else { continue 'templates };
            form.push_str(&squeezed(group));
            rest = behind;
        }
        form.push_str(rest);
        if !form.is_empty() && !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// `{n}` is a group by its number, `{symbol}` by its name.
fn group<'a>(name: &str, captures: &Captures<'a>) -> Option<&'a str> {
    match name.parse::<usize>() {
        Ok(number) => captures.get(number).map(|group| group.as_str()),
        Err(_) => captures.name(name).map(|group| group.as_str()),
    }
}

/// The words of the groups that templates such as `{1}` name, in their order, each once.
fn found_by(templates: &[String], captures: &Captures<'_>) -> Vec<String> {
    let groups = templates
        .iter()
        .filter_map(|template| group(template.strip_prefix('{')?.strip_suffix('}')?, captures));
    named(&groups.collect::<Vec<_>>())
}

fn named(texts: &[&str]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for text in texts {
        for token in super::tokens(text) {
            let word = fold(token.surface);
            if word.chars().count() > 1 && !is_function_word(&word) && !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

/// The token that says of a stem that it is a word of a company's or person's name.
pub fn name_token(stem: &str) -> String {
    format!("name:{stem}")
}

/// Letters and digits only, folded: `ART-4471-B` → `art4471b`.
pub fn squeezed(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Symbols {
        Symbols::load("symbols.yaml", include_str!("../../../rules/symbols.yaml"))
            .unwrap_or_else(|problems| panic!("{problems}"))
    }

    fn found(text: &str) -> Vec<(String, String)> {
        let found = shipped().find_all(text);
        found.into_iter().map(|symbol| (symbol.kind.to_string(), symbol.surface)).collect()
    }

    #[test]
    fn a_letter_head_is_read() {
        let text = "Angebot ANG-2024-0117 der Hoffmann & Söhne GmbH, Kundennummer 10442, \
                    Ansprechpartnerin Frau Dr. Anna Weber (anna.weber@hoffmann.de, www.hoffmann.de). \
                    Es gelten die Allgemeinen Geschäftsbedingungen (AGB) und ISO 9001.";
        let expected = [
            ("code", "ANG-2024-0117"),
            ("company", "Hoffmann & Söhne GmbH"),
            ("customer_number", "10442"),
            ("person", "Frau Dr. Anna Weber"),
            ("email", "anna.weber@hoffmann.de"),
            ("url", "www.hoffmann.de"),
            ("abbreviation", "Allgemeinen Geschäftsbedingungen (AGB)"),
            ("norm", "ISO 9001"),
        ];
        let found = found(text);
        let found: Vec<(&str, &str)> =
            found.iter().map(|(kind, surface)| (kind.as_str(), surface.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_words_of_a_name_find_it_and_an_identifier_has_none() {
        let symbols = shipped().find_all("Hoffmann & Söhne GmbH, ART-4471-B");
        assert_eq!(symbols[0].words, ["hoffmann", "soehne"]);
        assert!(symbols[1].words.is_empty() && symbols[1].forms == ["art4471b"]);
        assert_eq!(shipped().find("Hoffmann & Söhne GmbH, ART-4471-B").len(), 1);
    }

    #[test]
    fn a_mistyped_iban_is_no_iban() {
        assert_eq!(found("Konto DE89 3704 0044 0532 0130 00.")[0].0, "iban");
        assert!(found("Konto DE89 3704 0044 0532 0130 01.").iter().all(|(kind, _)| kind != "iban"));
    }

    #[test]
    fn all_slips_of_the_file_are_told_at_once() {
        let text = "symbols:\n  - {id: a, pattern: '(', same: []}\n  - {id: a, pattern: 'x', same: [y], not: [x]}\n  - {id: b, pattern: 'x', check: abbreviation, same: []}\n";
        let problems = Symbols::load("s.yaml", text).expect_err("slips");
        let codes: Vec<&str> = problems.list().iter().map(|problem| problem.code).collect();
        assert_eq!(
            codes,
            [
                "symbol-pattern",
                "symbol-counterexample",
                "symbol-duplicate-id",
                "symbol-example",
                "symbol-pattern"
            ]
        );
    }
}
