//! `rules/taxonomy.yaml` → [`Taxonomy`].

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Entry, Taxonomy};
use crate::analysis::{is_function_word, words};
use crate::domain::{Place, Problem, Problems, suggestion};
use crate::yaml::{self, Located};

/// A name ends in one of these without being another one: `Hoffmann & Söhne`
/// is `Hoffmann & Söhne GmbH`.
const LEGAL_FORMS: [&str; 12] =
    ["gmbh", "ggmbh", "mbh", "ag", "kg", "kgaa", "ohg", "gbr", "ug", "se", "eg", "co"];
/// Words of the longest name.
const MOST_WORDS: usize = 12;

/// Entries by facet.
type File = BTreeMap<String, Vec<Located<Written>>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: String,
    label: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    parent: Option<String>,
}

impl Taxonomy {
    /// Reads the text of `file`; an empty text is an empty taxonomy.
    ///
    /// # Errors
    /// All problems at once: YAML, ids and names taken twice in a facet, names without a word, unknown
    /// parents, cycles.
    pub fn load(file: &str, text: &str) -> Result<Self, Problems> {
        if text.lines().all(|line| line.trim().is_empty() || line.trim().starts_with('#')) {
            return Ok(Self::default());
        }
        let parsed: File = yaml::read(file, text, 1)?;
        let mut reader = Reader::default();
        for (facet, list) in parsed {
            reader.facet(file, &facet, list);
        }
        Problems::check(reader.problems)?;
        let mut taxonomy = reader.taxonomy;
        for phrases in taxonomy.phrases.values_mut() {
            phrases.sort_by(|a, b| {
                b.0.len().cmp(&a.0.len()).then_with(|| (&a.0, a.1).cmp(&(&b.0, b.1)))
            });
        }
        Ok(taxonomy)
    }
}

#[derive(Default)]
struct Reader {
    taxonomy: Taxonomy,
    problems: Vec<Problem>,
}

impl Reader {
    fn facet(&mut self, file: &str, facet: &str, list: Vec<Located<Written>>) {
        let first = self.taxonomy.entries.len();
        let mut ids: BTreeMap<String, usize> = BTreeMap::new();
        let mut names: BTreeMap<Vec<String>, String> = BTreeMap::new();
        let mut parents = Vec::new();
        for located in list {
            let place = located.place(file);
            let Written { id, label, aliases, parent } = located.value;
            let at = self.taxonomy.entries.len();
            if id.trim().is_empty() {
                self.problem(
                    &place,
                    "taxonomy-id",
                    "an id is empty".to_owned(),
                    "write a short name",
                );
            }
            // The first one keeps it.
            if *ids.entry(id.clone()).or_insert(at) != at {
                let message = format!("the id `{id}` is taken in `{facet}`");
                self.problem(&place, "taxonomy-duplicate-id", message, "give one another id");
            }
            let own: BTreeSet<Vec<String>> = [&label]
                .into_iter()
                .chain(&aliases)
                .filter_map(|name| self.name(&place, name))
                .flatten()
                .collect();
            for phrase in own {
                if let Some(other) = names.insert(phrase.clone(), id.clone()) {
                    let message =
                        format!("`{}` names `{other}` and `{id}` of `{facet}`", phrase.join(" "));
                    let mend = "leave the name with one of them; spelling and inflection do not tell two names apart";
                    self.problem(&place, "taxonomy-duplicate-name", message, mend);
                }
                let list = self.taxonomy.phrases.entry(phrase[0].clone()).or_default();
                list.push((phrase, at));
            }
            parents.push((place, parent));
            let facet = facet.to_owned();
            self.taxonomy.entries.push(Entry { facet, id, label, parent: None });
        }
        for (at, (place, parent)) in (first..).zip(&parents) {
            let Some(parent) = parent else { continue };
            if let Some(found) = ids.get(parent) {
                self.taxonomy.entries[at].parent = Some(*found);
            } else {
                let mend = suggestion(parent, "known ids", ids.keys().map(String::as_str));
                let message = format!("the parent `{parent}` is not in `{facet}`");
                self.problem(place, "taxonomy-unknown-parent", message, &mend);
            }
        }
        for (at, (place, _)) in (first..).zip(&parents) {
            if self.in_a_cycle(at) {
                let message = format!("`{}` is its own parent", self.taxonomy.entries[at].id);
                self.problem(place, "taxonomy-cycle", message, "take one of the parents away");
            }
        }
    }

    /// The stems of a name, with and without its legal form.
    fn name(&mut self, place: &Place, name: &str) -> Option<Vec<Vec<String>>> {
        let words = words(name);
        if words.len() > MOST_WORDS || words.iter().all(|word| is_function_word(&word.folded)) {
            let message = format!("`{name}` can not be recognised in a text");
            let mend = "write a name of one to twelve words, at least one of which names something";
            self.problem(place, "taxonomy-name", message, mend);
            return None;
        }
        let legal = |word: &&crate::analysis::Word| LEGAL_FORMS.contains(&word.folded.as_str());
        let bare = words.len() - words.iter().rev().take_while(legal).count();
        let stems: Vec<String> = words.into_iter().map(|word| word.stem).collect();
        let mut names = vec![stems.clone()];
        if (1..stems.len()).contains(&bare) {
            names.push(stems[..bare].to_vec());
        }
        Some(names)
    }

    fn in_a_cycle(&self, start: usize) -> bool {
        let (mut at, mut steps) = (start, 0);
        while let Some(parent) = self.taxonomy.entries[at].parent {
            steps += 1;
            if parent == start {
                return true;
            }
            if steps > self.taxonomy.entries.len() {
                return false; // it leads into a cycle that it is no part of
            }
            at = parent;
        }
        false
    }

    fn problem(&mut self, place: &Place, code: &'static str, message: String, mend: &str) {
        self.problems.push(Problem { place: place.clone(), code, message, mend: mend.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUSE: &str = "kunde:
  - {id: hoffmann, label: 'Hoffmann & Söhne GmbH', aliases: [Hoffmann]}
  - {id: kessler, label: Kessler Antriebstechnik SE}
produkt:
  - {id: pumpe, label: Pumpe}
  - {id: kreiselpumpe, label: Kreiselpumpe, aliases: [Radialpumpe], parent: pumpe}
";

    fn house() -> Taxonomy {
        Taxonomy::load("taxonomy.yaml", HOUSE).unwrap_or_else(|problems| panic!("{problems}"))
    }

    fn ids(text: &str) -> Vec<String> {
        house().find(text).into_iter().map(|facet| facet.id).collect()
    }

    #[test]
    fn names_are_whole_words_in_any_spelling_and_inflection() {
        for text in [
            "Was zahlt Hoffmann?",
            "HOFFMANNS Rechnung",
            "Hoffmann und Söhne",
            "die Hoffmann & Soehne GmbH",
        ] {
            assert_eq!(ids(text), ["hoffmann"], "{text}");
        }
        assert_eq!(ids("Radialpumpen bei Kessler Antriebstechnik"), ["kessler", "kreiselpumpe"]);
        assert!(ids("Hoffmannstropfen und Pumpenhaus").is_empty());
        assert!(ids("").is_empty());
    }

    #[test]
    fn all_slips_are_told_at_once() {
        let text = "kunde:
  - {id: a, label: Amsel, parent: b}
  - {id: b, label: Beo, parent: a}
  - {id: b, label: Amseln}
  - {id: c, label: der, parent: d}
";
        let problems = Taxonomy::load("t.yaml", text).expect_err("slips");
        let mut codes: Vec<&str> = problems.list().iter().map(|problem| problem.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let expected = [
            "taxonomy-cycle",
            "taxonomy-duplicate-id",
            "taxonomy-duplicate-name",
            "taxonomy-name",
            "taxonomy-unknown-parent",
        ];
        assert_eq!(codes, expected, "{problems}");
    }

    #[test]
    fn an_empty_file_is_an_empty_taxonomy() {
        assert!(Taxonomy::load("t.yaml", "# nichts\n\n").expect("fine").is_empty());
    }
}
