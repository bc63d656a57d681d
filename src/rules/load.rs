//! `rules/shortcuts.yaml` → [`RuleSet`], or everything that is wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use regex::bytes::{Regex, RegexBuilder};

use super::schema::{Entry, File};
use super::{Example, Rule, RuleSet};
use crate::domain::{IntentId, Place, Problem, Problems, RuleId, suggestion};
use crate::yaml::{self, Located};

/// A compiled pattern may take this many bytes; the largest shipped one needs a tenth.
const PATTERN_SIZE_LIMIT: usize = 2 << 20;

/// Why a text is no pattern, and what to write instead; English.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {mend}")]
pub struct BadPattern {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub mend: String,
}

/// Compiles a pattern as those of the rules are, in the same limits. Matching takes time linear in the
/// length of the text.
///
/// # Errors
/// It is no pattern, or compiles to more than a rule may.
pub fn pattern(text: &str) -> Result<Regex, BadPattern> {
    compile(text).map_err(|error| {
        let (message, mend) = explain(text, &error);
        BadPattern { message, mend }
    })
}

fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(false).size_limit(PATTERN_SIZE_LIMIT).build()
}

/// Reads the shortcut rules from the text of `file`.
///
/// # Errors
/// All problems of the file at once: YAML, unknown intents, patterns that do not compile, match
/// everything or hold control characters, duplicate ids, ties between different intents.
pub fn load(file: &str, text: &str, intents: &BTreeSet<IntentId>) -> Result<RuleSet, Problems> {
    let parsed: File = yaml::read(file, text, 1)?;
    let mut reader = Reader { file, intents, problems: Vec::new() };
    let mut rules = Vec::with_capacity(parsed.rules.len());
    for entry in parsed.rules {
        let place = entry.place(file);
        rules.extend(reader.rule(entry.value, place));
    }
    reader.duplicates(&rules);
    reader.ties(&rules);
    Problems::check(reader.problems)?;
    RuleSet::compile(rules).map_err(|error| {
        Problems::from(Problem {
            place: Place::start_of(file),
            code: "rules-too-large",
            message: format!("the rules together are too large: {error}"),
            mend: "shorten counted repetitions such as `{1,1000}`".to_owned(),
        })
    })
}

struct Reader<'a> {
    file: &'a str,
    intents: &'a BTreeSet<IntentId>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn rule(&mut self, entry: Entry, place: Place) -> Option<Rule> {
        let before = self.problems.len();
        let id = match RuleId::try_from(entry.id.value.as_str()) {
            Ok(id) => Some(id),
            Err(error) => {
                let mend = "give the rule a short name such as `why_basis`";
                self.report(&entry.id, "rule-bad-id", error.to_string(), mend);
                None
            }
        };
        let intent = self.intent(&entry.intent);
        let pattern = self.pattern(&entry.pattern, true);
        let unless = entry.unless.as_ref().map(|unless| self.pattern(unless, false));
        self.story(&entry);
        if self.problems.len() > before {
            return None;
        }
        Some(Rule {
            id: id?,
            intent: intent?,
            scope: entry.scope,
            priority: entry.priority.value,
            pattern: pattern?,
            unless: unless.flatten(),
            reason: entry.reason.value,
            positive: self.examples(entry.positive),
            negative: self.examples(entry.negative),
            place,
        })
    }

    fn intent(&mut self, written: &Located<String>) -> Option<IntentId> {
        let known = IntentId::try_from(written.value.as_str())
            .ok()
            .filter(|intent| self.intents.contains(intent));
        if known.is_none() {
            let names = self.intents.iter().map(IntentId::as_str);
            let mend = suggestion(&written.value, "known intents", names);
            let message = format!("intent `{}` is not in intents.yaml", written.value);
            self.report(written, "rule-unknown-intent", message, &mend);
        }
        known
    }

    /// Compiles a pattern. One that decides (`decides`) must not match nothing: it would match all.
    fn pattern(&mut self, written: &Located<String>, decides: bool) -> Option<Regex> {
        let pattern = &written.value;
        if let Some(control) = pattern.chars().find(|c| c.is_control()) {
            let message =
                format!("the pattern holds the control character U+{:04X}", u32::from(control));
            let mend = "write the pattern in single quotes: in double quotes YAML turns `\\b` into a backspace";
            self.report(written, "rule-control-character", message, mend);
            return None;
        }
        let regex = match compile(pattern) {
            Ok(regex) => regex,
            Err(error) => {
                let (message, mend) = explain(pattern, &error);
                self.report(written, "rule-bad-pattern", message, &mend);
                return None;
            }
        };
        if regex.is_match(b"") {
            let mend = "remove empty alternatives such as `(urlaub|)` and leading `.*`";
            let message = if decides {
                format!(
                    "the pattern `{pattern}` matches the empty text, so it would decide every question"
                )
            } else {
                format!(
                    "the pattern `{pattern}` matches the empty text, so the rule could never win"
                )
            };
            self.report(written, "rule-matches-everything", message, mend);
            return None;
        }
        Some(regex)
    }

    /// A rule without its story can not be kept by anybody else.
    fn story(&mut self, entry: &Entry) {
        if entry.reason.value.trim().is_empty() {
            let mend = "say in one sentence why the rule exists";
            self.report(&entry.reason, "rule-no-reason", "the reason is empty".to_owned(), mend);
        }
        for (name, examples) in [("positive", &entry.positive), ("negative", &entry.negative)] {
            if examples.is_empty() {
                let message = format!("rule `{}` has no {name} example", entry.id.value);
                let mend = "add at least one question; `wegweiser lint` runs it";
                self.report(&entry.id, "rule-no-example", message, mend);
            }
        }
    }

    fn examples(&self, written: Vec<Located<String>>) -> Vec<Example> {
        written
            .into_iter()
            .map(|example| Example { place: example.place(self.file), question: example.value })
            .collect()
    }

    fn duplicates(&mut self, rules: &[Rule]) {
        let mut first: BTreeMap<&RuleId, &Rule> = BTreeMap::new();
        for rule in rules {
            if let Some(earlier) = first.get(&rule.id) {
                self.problems.push(Problem {
                    place: rule.place.clone(),
                    code: "rule-duplicate-id",
                    message: format!("rule id `{}` is taken by {}", rule.id, earlier.place),
                    mend: "give one of the two another id".to_owned(),
                });
            } else {
                first.insert(&rule.id, rule);
            }
        }
    }

    /// The answer must not depend on the order of the file, so different intents never share a priority.
    fn ties(&mut self, rules: &[Rule]) {
        let mut first: BTreeMap<i32, &Rule> = BTreeMap::new();
        let taken: BTreeSet<i32> = rules.iter().map(|rule| rule.priority).collect();
        for rule in rules {
            let Some(earlier) = first.get(&rule.priority) else {
                first.insert(rule.priority, rule);
                continue;
            };
            if earlier.intent == rule.intent {
                continue;
            }
            let free = (i32::MIN..rule.priority).rev().find(|priority| !taken.contains(priority));
            self.problems.push(Problem {
                place: rule.place.clone(),
                code: "rule-tie",
                message: format!(
                    "rule `{}` (intent `{}`) has priority {} like rule `{}` (intent `{}`) at {}",
                    rule.id, rule.intent, rule.priority, earlier.id, earlier.intent, earlier.place
                ),
                mend: format!(
                    "decide which of the two wins; the next free priority below is {}",
                    free.unwrap_or_default()
                ),
            });
        }
    }

    fn report<T>(&mut self, at: &Located<T>, code: &'static str, message: String, mend: &str) {
        self.problems.push(Problem {
            place: at.place(self.file),
            code,
            message,
            mend: mend.to_owned(),
        });
    }
}

/// The last line of the regex crate's message says what is wrong; the lines above only draw it.
fn explain(pattern: &str, error: &regex::Error) -> (String, String) {
    let text = error.to_string();
    let cause = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let mend = if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| pattern.contains(look)) {
        "look-around is not supported: put what must not match into `unless`"
    } else if matches!(error, regex::Error::CompiledTooBig(_)) {
        "shorten counted repetitions such as `{1,1000}`"
    } else {
        "see the syntax of the Rust crate `regex`; back-references are not supported"
    };
    (format!("the pattern `{pattern}` does not compile: {cause}"), mend.to_owned())
}
