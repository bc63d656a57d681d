//! `rules/synonyms.yaml`: other words for the same thing, from editors.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Word, words};
use crate::domain::{Place, Problem, Problems};
use crate::yaml::{self, Located};

/// Words of one `same` entry.
const MOST_WORDS: usize = 100;

/// A word or phrase as stems.
type Phrase = Vec<String>;

/// Which words stand for which.
#[derive(Debug, Clone, Default)]
pub struct Synonyms {
    /// First stem of a phrase → the phrases that begin with it and what else finds them.
    by_first: BTreeMap<String, Vec<(Phrase, Vec<Phrase>)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    same: Vec<Located<Vec<String>>>,
    #[serde(default)]
    finds: BTreeMap<String, Located<Vec<String>>>,
}

impl Synonyms {
    /// Reads the text of `file`.
    ///
    /// # Errors
    /// All problems at once: YAML, entries of fewer than two words, words that are listed twice,
    /// a phrase that holds another one of its entry, cycles of `finds`.
    pub fn load(file: &str, text: &str) -> Result<Self, Problems> {
        let parsed: File = yaml::read(file, text, 1)?;
        let mut check = Check { file, problems: Vec::new(), seen: BTreeMap::new() };
        let mut found = Self::default();
        for entry in &parsed.same {
            let phrases = check.same(entry);
            for phrase in &phrases {
                let others: Vec<Phrase> =
                    phrases.iter().filter(|other| *other != phrase).cloned().collect();
                found.add(phrase.clone(), others);
            }
        }
        for (asked, entry) in &parsed.finds {
            let asked_phrase = phrase(asked);
            for told in &entry.value {
                let told = phrase(told);
                if asked_phrase.is_empty() || told.is_empty() {
                    check.report(
                        entry.place(file),
                        "synonym-empty",
                        &format!("`{asked}` or what it finds holds no word"),
                        "write a word",
                    );
                } else {
                    found.add(told, vec![asked_phrase.clone()]);
                }
            }
        }
        check.cycles(&parsed);
        Problems::check(check.problems)?;
        Ok(found)
    }

    /// The same with one more word that is `asked` and finds texts with `told`.
    #[must_use]
    pub fn with(mut self, asked: &str, told: &str) -> Self {
        self.add(phrase(told), vec![phrase(asked)]);
        self
    }

    fn add(&mut self, told: Phrase, asked: Vec<Phrase>) {
        let Some(first) = told.first().cloned() else { return };
        self.by_first.entry(first).or_default().push((told, asked));
    }

    /// What a text of these words can be found by besides its own: stems, phrases with a blank between
    /// their stems; each once.
    pub fn of(&self, text: &[Word]) -> Vec<String> {
        if self.by_first.is_empty() {
            return Vec::new();
        }
        let mut stems = Vec::new();
        let mut given = BTreeSet::new();
        for (at, word) in text.iter().enumerate() {
            for (told, asked) in self.by_first.get(&word.stem).into_iter().flatten() {
                let window = text[at..].iter().map(|word| &word.stem);
                if told.iter().eq(window.take(told.len())) {
                    let new = asked.iter().filter(|phrase| given.insert((*phrase).clone()));
                    stems.extend(new.map(|phrase| phrase.join(" ")));
                }
            }
        }
        stems
    }
}

impl Synonyms {
    /// Pairs of phrases, as stems, of which each finds the texts of the other: they mean the same.
    pub fn mutual(&self) -> impl Iterator<Item = (&[String], &[String])> {
        let finds = |asked: &Phrase, told: &Phrase| {
            let entries = told.first().and_then(|first| self.by_first.get(first));
            entries.into_iter().flatten().any(|(own, others)| own == told && others.contains(asked))
        };
        let pairs = self
            .by_first
            .values()
            .flatten()
            .flat_map(|(told, asked)| asked.iter().map(move |asked| (told, asked)));
        pairs
            .filter(move |(told, asked)| told < asked && finds(told, asked))
            .map(|(told, asked)| (told.as_slice(), asked.as_slice()))
    }

    /// The single words by which a text says what `stem` asks for.
    pub fn telling(&self, stem: &str) -> Vec<String> {
        let entries = self.by_first.values().flatten();
        entries
            .filter(|(told, asked)| {
                told.len() == 1 && asked.iter().any(|phrase| phrase.iter().eq([stem]))
            })
            .filter_map(|(told, _)| told.first().cloned())
            .collect()
    }
}

struct Check<'a> {
    file: &'a str,
    problems: Vec<Problem>,
    /// Phrase → where it was listed under `same`.
    seen: BTreeMap<Phrase, String>,
}

impl Check<'_> {
    fn report(&mut self, place: Place, code: &'static str, message: &str, mend: &str) {
        let message = message.to_owned();
        self.problems.push(Problem { place, code, message, mend: mend.to_owned() });
    }

    /// The phrases of an entry, after its checks.
    fn same(&mut self, entry: &Located<Vec<String>>) -> Vec<Phrase> {
        let place = entry.place(self.file);
        let mut phrases: Vec<Phrase> = Vec::new();
        if entry.value.len() < 2 {
            self.report(
                place.clone(),
                "synonym-alone",
                "an entry needs two words at least",
                "add the other word or delete the entry",
            );
        }
        if entry.value.len() > MOST_WORDS {
            let message = format!("an entry of {} words", entry.value.len());
            let mend = "split it: so many words do not mean the same";
            self.report(place, "synonym-many", &message, mend);
            return phrases;
        }
        for text in &entry.value {
            let own = phrase(text);
            if own.is_empty() {
                self.report(
                    place.clone(),
                    "synonym-empty",
                    &format!("`{text}` holds no word"),
                    "write a word",
                );
                continue;
            }
            let name = entry.value.join(", ");
            if let Some(other) = self.seen.insert(own.clone(), name.clone()) {
                let message = format!("`{text}` also stands in [{other}]");
                let mend = "put all words of one meaning into one entry";
                self.report(place.clone(), "synonym-twice", &message, mend);
            }
            for other in &phrases {
                if holds(other, &own) || holds(&own, other) {
                    let message =
                        format!("`{}` and `{}` swallow each other", other.join(" "), own.join(" "));
                    let mend = "leave out the longer one: whoever asks for the shorter one finds \
                                it anyway";
                    self.report(place.clone(), "synonym-swallowed", &message, mend);
                }
            }
            phrases.push(own);
        }
        phrases
    }

    /// `a` finds `b` finds … finds `a`: then they are the same. Words of one entry count as one.
    fn cycles(&mut self, parsed: &File) {
        let mut meaning: BTreeMap<Phrase, Phrase> = BTreeMap::new();
        for entry in &parsed.same {
            let phrases: Vec<Phrase> = entry.value.iter().map(|text| phrase(text)).collect();
            for own in &phrases {
                meaning.entry(own.clone()).or_insert_with(|| phrases[0].clone());
            }
        }
        let of = |text: &str| {
            let own = phrase(text);
            meaning.get(&own).cloned().unwrap_or(own)
        };
        let mut next: BTreeMap<Phrase, BTreeSet<Phrase>> = BTreeMap::new();
        for (asked, entry) in &parsed.finds {
            next.entry(of(asked)).or_default().extend(entry.value.iter().map(|told| of(told)));
        }
        let mut before: BTreeMap<Phrase, BTreeSet<Phrase>> = BTreeMap::new();
        for (asked, told) in &next {
            for told in told {
                before.entry(told.clone()).or_default().insert(asked.clone());
            }
        }
        // What leads nowhere, or comes from nowhere, is on no cycle; what is left is on one, or
        // between two.
        let mut on_cycle: BTreeSet<Phrase> =
            next.keys().filter(|phrase| before.contains_key(*phrase)).cloned().collect();
        let mut gone: Vec<Phrase> =
            next.keys().chain(before.keys()).filter(|p| !on_cycle.contains(*p)).cloned().collect();
        while let Some(phrase) = gone.pop() {
            let neighbours = [(&next, &before), (&before, &next)];
            for (ahead, back) in neighbours {
                for other in ahead.get(&phrase).into_iter().flatten() {
                    let holds = back[other].iter().any(|from| on_cycle.contains(from));
                    if !holds && on_cycle.remove(other) {
                        gone.push(other.clone());
                    }
                }
            }
        }
        for (asked, entry) in &parsed.finds {
            if on_cycle.contains(&of(asked)) {
                let message = format!("`{asked}` leads back to itself");
                let mend = "list the words under `same` only";
                self.report(entry.place(self.file), "synonym-cycle", &message, mend);
            }
        }
    }
}

fn phrase(text: &str) -> Phrase {
    words(text).into_iter().map(|word| word.stem).collect()
}

fn holds(long: &[String], short: &[String]) -> bool {
    long.windows(short.len()).any(|window| window == short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_by_the_other_words() {
        let synonyms = Synonyms::load(
            "s.yaml",
            "same: [[Homeoffice, Heimarbeit, mobiles Arbeiten]]\nfinds: {Hund: [Dackel]}\n",
        )
        .expect("sound");
        let of = |text: &str| synonyms.of(&words(text));
        assert_eq!(of("Regeln für mobiles Arbeiten"), ["homeoffic", "heimarbeit"]);
        assert_eq!(of("Mobil zur Arbeit"), Vec::<String>::new());
        assert_eq!(of("Homeoffice"), ["heimarbeit", "mobil arbeit"]);
        assert_eq!(of("Zwei Dackel"), ["hund"]);
        assert!(of("Ein Hund").is_empty(), "who asks for the dachshund does not want every dog");
    }

    #[test]
    fn only_words_that_find_each_other_mean_the_same() {
        let text = "same:\n  - [Pkw, Auto]\nfinds:\n  Fahrzeug: [Auto]\n";
        let synonyms = Synonyms::load("synonyms.yaml", text).expect("sound");
        let pairs: Vec<(String, String)> =
            synonyms.mutual().map(|(a, b)| (a.join(" "), b.join(" "))).collect();
        assert_eq!(pairs, [("auto".to_owned(), "pkw".to_owned())]);
    }

    #[test]
    fn cycles_and_swallowed_words_are_told() {
        let text = "same: [[Arbeit, mobile Arbeit], [Hund, Hunde], [allein], [Hund, Wauwau]]\n\
                    finds: {Tier: [Vogel], Vogel: [Spatz], Spatz: [Tier]}\n";
        let problems = Synonyms::load("s.yaml", text).expect_err("many problems");
        let codes: BTreeSet<&str> = problems.list().iter().map(|problem| problem.code).collect();
        let expected = ["synonym-alone", "synonym-cycle", "synonym-swallowed", "synonym-twice"];
        assert_eq!(codes, BTreeSet::from(expected));
        let cycles = problems.list().iter().filter(|p| p.code == "synonym-cycle").count();
        assert_eq!(cycles, 3);
    }

    #[test]
    fn a_cycle_through_words_of_one_meaning_is_told() {
        for text in [
            "same: [[Auto, Pkw]]\nfinds: {Auto: [Pkw]}\n",
            "same: [[Auto, Pkw]]\nfinds: {Fahrzeug: [Auto], Pkw: [Fahrzeug]}\n",
        ] {
            let problems = Synonyms::load("s.yaml", text).expect_err(text);
            assert!(problems.list().iter().all(|problem| problem.code == "synonym-cycle"));
        }
    }

    #[test]
    fn the_shipped_synonyms_are_sound() {
        let text = include_str!("../../rules/synonyms.yaml");
        Synonyms::load("rules/synonyms.yaml", text).expect("shipped");
    }
}
