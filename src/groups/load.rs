//! `rules/groups.yaml` → [`GroupModel`], or everything that is wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Group, GroupModel, Matcher, Phrase, Word};
use crate::analysis;
use crate::domain::{GroupId, IntentId, Place, Problem, Problems, suggestion};
use crate::yaml::{self, Finite, Located};

/// Shorter prefixes catch words by accident (`wirk*` takes `wirklich`).
const SHORTEST_PREFIX: usize = 4;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    word_weight: Located<Finite>,
    phrase_weight: Located<Finite>,
    intent_bias: BTreeMap<String, Located<BTreeMap<String, Located<Finite>>>>,
    groups: BTreeMap<String, Located<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// For people: what belongs into the group.
    #[serde(rename = "description")]
    _description: String,
    words: Vec<Located<WordEntry>>,
    phrases: Vec<Located<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WordEntry {
    Plain(String),
    Weighted(WeightedWord),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightedWord {
    word: String,
    weight: Option<Finite>,
    #[serde(default)]
    cased: bool,
}

struct Reader<'a> {
    file: &'a str,
    problems: Vec<Problem>,
}

impl GroupModel {
    /// Reads the groups from the text of `file`.
    ///
    /// # Errors
    /// All problems at once: YAML, unknown intents or groups in the bias, empty or doubled words.
    pub fn load(file: &str, text: &str, intents: &BTreeSet<IntentId>) -> Result<Self, Problems> {
        let parsed: File = yaml::read(file, text, 1)?;
        let mut reader = Reader { file, problems: Vec::new() };
        let word_weight = reader.weight(&parsed.word_weight);
        let phrase_weight = reader.weight(&parsed.phrase_weight);
        let names: BTreeSet<String> = parsed.groups.keys().cloned().collect();
        let bias = reader.bias(parsed.intent_bias, intents, &names);
        let mut groups = Vec::new();
        for (name, entry) in parsed.groups {
            let place = entry.place(file);
            let Ok(id) = GroupId::try_from(name.as_str()) else {
                reader.report(
                    place,
                    "group-bad-id",
                    format!("`{name}` can not name a group"),
                    "use a short name",
                );
                continue;
            };
            let words = reader.words(&name, entry.value.words, word_weight);
            let phrases = reader.phrases(&name, entry.value.phrases, phrase_weight);
            groups.push(Group { id, words, phrases });
        }
        Problems::check(reader.problems)?;
        Ok(Self { word_weight, groups, bias })
    }
}

impl Reader<'_> {
    fn report(
        &mut self,
        place: Place,
        code: &'static str,
        message: String,
        mend: impl Into<String>,
    ) {
        self.problems.push(Problem { place, code, message, mend: mend.into() });
    }

    fn weight(&mut self, written: &Located<Finite>) -> f64 {
        let weight = written.value.get();
        if !(0.0..=100.0).contains(&weight) {
            let message = format!("the weight {weight} is out of range");
            self.report(
                written.place(self.file),
                "group-weight",
                message,
                "write a number from 0 to 100",
            );
        }
        weight
    }

    fn bias(
        &mut self,
        written: BTreeMap<String, Located<BTreeMap<String, Located<Finite>>>>,
        intents: &BTreeSet<IntentId>,
        groups: &BTreeSet<String>,
    ) -> BTreeMap<IntentId, BTreeMap<GroupId, f64>> {
        let mut bias = BTreeMap::new();
        for (intent, of_groups) in written {
            let place = of_groups.place(self.file);
            let known = IntentId::try_from(intent.as_str()).ok().filter(|id| intents.contains(id));
            let Some(id) = known else {
                let names = intents.iter().map(IntentId::as_str);
                let mend = suggestion(&intent, "known", names);
                self.report(
                    place,
                    "group-unknown-intent",
                    format!("intent `{intent}` is not in intents.yaml"),
                    mend,
                );
                continue;
            };
            let mut amounts = BTreeMap::new();
            for (group, amount) in of_groups.value {
                let weight = self.weight(&amount);
                match GroupId::try_from(group.as_str()) {
                    Ok(id) if groups.contains(&group) => {
                        amounts.insert(id, weight);
                    }
                    _ => {
                        let mend = suggestion(&group, "known", groups.iter().map(String::as_str));
                        let message = format!("group `{group}` is not in this file");
                        self.report(amount.place(self.file), "group-unknown", message, mend);
                    }
                }
            }
            bias.insert(id, amounts);
        }
        bias
    }

    fn words(&mut self, group: &str, written: Vec<Located<WordEntry>>, usual: f64) -> Vec<Word> {
        let mut words = Vec::with_capacity(written.len());
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for entry in written {
            let place = entry.place(self.file);
            let (text, weight, cased) = match entry.value {
                WordEntry::Plain(word) => (word, usual, false),
                WordEntry::Weighted(w) => (w.word, w.weight.map_or(usual, Finite::get), w.cased),
            };
            if !(0.0..=100.0).contains(&weight) {
                let message = format!("the weight {weight} of `{text}` is out of range");
                self.report(place.clone(), "group-weight", message, "write a number from 0 to 100");
            }
            let (stem, is_prefix) = match text.strip_suffix('*') {
                Some(stem) => (stem, true),
                None => (text.as_str(), false),
            };
            let tokens = analysis::words(stem);
            if tokens.is_empty() || stem.contains(char::is_whitespace) {
                let message = format!("`{text}` of group `{group}` is not one word");
                self.report(
                    place,
                    "group-not-a-word",
                    message,
                    "put several words under `phrases`",
                );
                continue;
            }
            let matcher = match (is_prefix, tokens.as_slice()) {
                (true, [token]) => {
                    if token.folded.chars().count() < SHORTEST_PREFIX {
                        let message = format!("`{text}` would catch words by accident");
                        let mend =
                            format!("write at least {SHORTEST_PREFIX} letters before the `*`");
                        self.report(place.clone(), "group-short-prefix", message, mend);
                    }
                    Matcher::Prefix(token.folded.clone())
                }
                (_, tokens) => Matcher::Stems(tokens.iter().map(|t| t.stem.clone()).collect()),
            };
            let key = format!("{matcher:?} {cased}");
            if let Some(other) = seen.insert(key, text.clone()) {
                let message = format!("`{text}` says the same as `{other}` in group `{group}`");
                self.report(
                    place,
                    "group-word-twice",
                    message,
                    "keep one of the two: inflected forms are found anyway",
                );
                continue;
            }
            words.push(Word { written: text, matcher, cased, weight });
        }
        words
    }

    fn phrases(&mut self, group: &str, written: Vec<Located<String>>, weight: f64) -> Vec<Phrase> {
        let mut phrases: Vec<Phrase> = Vec::with_capacity(written.len());
        for entry in written {
            let place = entry.place(self.file);
            let text = entry.value;
            let tokens: Vec<String> =
                analysis::words(&text).into_iter().map(|word| word.folded).collect();
            if tokens.len() < 2 {
                let message =
                    format!("the phrase `{text}` of group `{group}` has fewer than two words");
                self.report(place, "group-not-a-phrase", message, "put single words under `words`");
            } else if phrases.iter().any(|other| other.tokens == tokens) {
                let message = format!("the phrase `{text}` stands twice in group `{group}`");
                self.report(place, "group-phrase-twice", message, "remove one of the two");
            } else {
                phrases.push(Phrase { written: text, tokens, weight });
            }
        }
        // The longest is tried first, so that it pays before a phrase inside it.
        phrases.sort_by(|a, b| {
            b.tokens.len().cmp(&a.tokens.len()).then_with(|| a.tokens.cmp(&b.tokens))
        });
        phrases
    }
}
