//! `rules/intents.yaml`: the closed list of intents with their profiles and labelled examples.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::label;
use crate::domain::{IntentId, Place, Problem, Problems, Profile, suggestion};
use crate::yaml::{self, Finite, Located};

/// Name of the profile for questions whose intent is unknown.
pub const NEUTRAL: &str = "neutral";

/// The intents with all that is known of them.
#[derive(Debug, Clone)]
pub struct Intents {
    by_id: BTreeMap<IntentId, Intent>,
    neutral: Profile,
    unknown_examples: Vec<String>,
}

/// One intent.
#[derive(Debug, Clone)]
pub struct Intent {
    /// What the label means, in German; also shown to llama3.
    pub description: String,
    /// Other names of the label, such as llama3 may write: usually German ones.
    pub also_called: Vec<String>,
    /// How its questions are searched.
    pub profile: Profile,
    /// Labelled questions from which the classifier learns.
    pub examples: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    profiles: BTreeMap<String, Located<ProfileEntry>>,
    intents: BTreeMap<String, Located<IntentEntry>>,
    unknown_examples: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileEntry {
    k: Located<usize>,
    vector: Located<Finite>,
    lexical: Located<Finite>,
    fields: String,
    #[serde(default)]
    diversity: Option<Located<Finite>>,
    #[serde(default)]
    neighbours: usize,
    #[serde(default)]
    per_item: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IntentEntry {
    profile: Located<String>,
    description: String,
    #[serde(default)]
    also_called: Vec<Located<String>>,
    examples: Vec<Located<String>>,
}

impl Intents {
    /// Reads the intents from the text of `file`.
    ///
    /// # Errors
    /// All problems at once: YAML, unknown profiles, weights outside 0 to 1, examples under two
    /// labels, names of two intents.
    pub fn load(file: &str, text: &str) -> Result<Self, Problems> {
        let parsed: File = yaml::read(file, text, 1)?;
        let mut problems = Vec::new();
        let mut profiles = BTreeMap::new();
        for (name, entry) in parsed.profiles {
            let profile = profile(file, &name, entry.value, &mut problems);
            profiles.insert(name, profile);
        }
        let mut intents = BTreeMap::new();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        let mut names: BTreeMap<String, String> =
            parsed.intents.keys().map(|name| (label::fold(name), name.clone())).collect();
        for (name, entry) in parsed.intents {
            let place = entry.place(file);
            let entry = entry.value;
            for example in &entry.examples {
                if let Some(other) = seen.insert(example.value.clone(), name.clone()) {
                    problems.push(Problem {
                        place: example.place(file),
                        code: "intent-example-twice",
                        message: format!(
                            "`{}` is an example of `{other}` and of `{name}`",
                            example.value
                        ),
                        mend: "keep it under the one intent that fits".to_owned(),
                    });
                }
            }
            for called in &entry.also_called {
                let other = names.insert(label::fold(&called.value), name.clone());
                if let Some(other) = other.filter(|other| *other != name) {
                    problems.push(Problem {
                        place: called.place(file),
                        code: "intent-name-twice",
                        message: format!("`{}` names `{other}` and `{name}`", called.value),
                        mend: "keep it under the one intent that it names".to_owned(),
                    });
                }
            }
            let id = match IntentId::try_from(name.as_str()) {
                Ok(id) if name != "unknown" => id,
                _ => {
                    problems.push(Problem {
                        place,
                        code: "intent-bad-id",
                        message: format!("`{name}` can not name an intent"),
                        mend: "use a short name; `unknown` is reserved".to_owned(),
                    });
                    continue;
                }
            };
            let Some(profile) = profiles.get(&entry.profile.value) else {
                let known = profiles.keys().map(String::as_str);
                problems.push(Problem {
                    place: entry.profile.place(file),
                    code: "intent-unknown-profile",
                    message: format!("profile `{}` is not in this file", entry.profile.value),
                    mend: suggestion(&entry.profile.value, "known profiles", known),
                });
                continue;
            };
            let examples = entry.examples.into_iter().map(|example| example.value).collect();
            let also_called = entry.also_called.into_iter().map(|called| called.value).collect();
            let (description, profile) = (entry.description, profile.clone());
            intents.insert(id, Intent { description, also_called, profile, examples });
        }
        let neutral = profiles.remove(NEUTRAL);
        if neutral.is_none() {
            problems.push(Problem {
                place: Place::start_of(file),
                code: "intent-no-neutral-profile",
                message: format!("there is no profile `{NEUTRAL}`"),
                mend: "add it under `profiles`: questions of unknown intent are searched with it"
                    .to_owned(),
            });
        }
        Problems::check(problems)?;
        let neutral = neutral.expect("its absence was reported above");
        Ok(Self { by_id: intents, neutral, unknown_examples: parsed.unknown_examples })
    }

    /// The intents, sorted by id.
    pub fn iter(&self) -> impl Iterator<Item = (&IntentId, &Intent)> {
        self.by_id.iter()
    }

    /// The ids, sorted.
    pub fn ids(&self) -> BTreeSet<IntentId> {
        self.by_id.keys().cloned().collect()
    }

    /// Texts that are no question of any intent: greetings, noise, other languages.
    pub fn unknown_examples(&self) -> &[String] {
        &self.unknown_examples
    }

    /// All labelled questions in a fixed order: by intent, then those without one (`unknown`).
    pub fn labelled(&self) -> impl Iterator<Item = (Option<&IntentId>, &String)> {
        self.by_id
            .iter()
            .flat_map(|(id, intent)| intent.examples.iter().map(move |text| (Some(id), text)))
            .chain(self.unknown_examples.iter().map(|text| (None, text)))
    }

    /// How a question of this intent is searched; the neutral profile for `unknown`.
    pub fn profile(&self, intent: Option<&IntentId>) -> &Profile {
        intent.and_then(|id| self.by_id.get(id)).map_or(&self.neutral, |intent| &intent.profile)
    }

    /// All profiles in use, the neutral one last.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.by_id.values().map(|intent| &intent.profile).chain([&self.neutral])
    }
}

fn profile(file: &str, name: &str, entry: ProfileEntry, problems: &mut Vec<Problem>) -> Profile {
    let mut share = |written: &Located<Finite>, what: &str, most: f64| {
        let value = written.value.get();
        if !(0.0..=most).contains(&value) {
            problems.push(Problem {
                place: written.place(file),
                code: "profile-out-of-range",
                message: format!("`{what}: {value}` of profile `{name}` is out of range"),
                mend: format!("write a number from 0 to {most}"),
            });
        }
        value
    };
    let vector = share(&entry.vector, "vector", 1.0);
    let lexical = share(&entry.lexical, "lexical", 1.0);
    let diversity = entry.diversity.as_ref().map_or(0.0, |d| share(d, "diversity", 0.5));
    if vector + lexical <= 0.0 {
        problems.push(Problem {
            place: entry.vector.place(file),
            code: "profile-without-channel",
            message: format!("profile `{name}` gives no weight to any channel"),
            mend: "write `vector: 0.8` and `lexical: 0.2`".to_owned(),
        });
    }
    if !(1..=100).contains(&entry.k.value) {
        problems.push(Problem {
            place: entry.k.place(file),
            code: "profile-out-of-range",
            message: format!("`k: {}` of profile `{name}` is out of range", entry.k.value),
            mend: "write a number from 1 to 100".to_owned(),
        });
    }
    Profile {
        name: name.to_owned(),
        k: entry.k.value,
        vector,
        lexical,
        fields: entry.fields,
        diversity,
        neighbours: entry.neighbours,
        per_item: entry.per_item,
    }
}
