//! Where rules and compendium come from: a folder, or the copy inside the binary.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::snapshot::{RuleFile, Snapshot};
use crate::access::Audiences;
use crate::analysis::{Analyzer, LanguageRules};
use crate::compendium::{self, Compendium};
use crate::domain::{GroupId, IntentId, Place, Problem, Problems, Section, hex};
use crate::enrichment::Taxonomy;
use crate::enrichment::llm::Prompts;
use crate::groups::GroupModel;
use crate::intent::Intents;
use crate::retrieval::lexical::FieldBoosts;
use crate::rules::{self, RuleSet};

macro_rules! embedded {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../", $folder, "/", $name)))),+]
    };
}

/// The rules inside the binary.
const RULES: &[(&str, &str)] = embedded!("rules":
    "shortcuts.yaml", "intents.yaml", "groups.yaml", "intent_prompt.md", "catalog_prompt.md",
    "chat_prompt.md", "symbols_prompt.md", "concepts_prompt.md", "symbols.yaml", "synonyms.yaml", "compounds.yaml", "taxonomy.yaml");

/// The demo compendium inside the binary.
const COMPENDIUM: &[(&str, &str)] = embedded!("compendium":
    "grundlagen-und-begriffe.md", "methoden-und-techniken.md", "personen-und-forschung.md",
    "planung-und-organisation.md", "probleme-und-loesungen.md", "wirkung-und-entwicklung.md");

/// Everything that people wrote, read and checked.
#[derive(Debug, Clone)]
pub struct Sources {
    /// Shortcut rules.
    pub rules: Arc<RuleSet>,
    /// Intents and profiles.
    pub intents: Arc<Intents>,
    /// Semantic groups.
    pub groups: Arc<GroupModel>,
    /// The house's own vocabulary; may be empty.
    pub taxonomy: Arc<Taxonomy>,
    /// What the analysis is made of, beside the sections.
    language: LanguageRules,
    /// German analysis.
    pub analyzer: Analyzer,
    /// Instructions for llama3 as a classifier.
    pub prompt: String,
    /// Instructions for llama3 as a writer of catalog questions.
    pub catalog_prompt: String,
    /// Instructions for llama3 as a writer of chat answers.
    pub chat_prompt: String,
    /// Instructions for llama3 as a reader of documents.
    pub reading_prompts: Prompts,
    /// Sections.
    pub compendium: Compendium,
    /// Digest of what shapes the index: labelled questions and the rules of the language.
    pub rules_digest: String,
    /// The rule files as they were read, by name.
    pub(super) files: BTreeMap<String, RuleFile>,
}

/// The rule files that shape the index: examples of the classifier, profiles, German analysis.
pub(super) const SHAPING: [&str; 5] =
    ["intents.yaml", "symbols.yaml", "synonyms.yaml", "compounds.yaml", "taxonomy.yaml"];
/// Files that route nothing: the shipped ones stand in. The other four define the routing and must be there.
const OPTIONAL: [&str; 8] = [
    "symbols.yaml",
    "synonyms.yaml",
    "compounds.yaml",
    "taxonomy.yaml",
    "catalog_prompt.md",
    "chat_prompt.md",
    "symbols_prompt.md",
    "concepts_prompt.md",
];

impl Sources {
    /// Reads rules and compendium.
    ///
    /// # Errors
    /// All problems of all files at once.
    pub fn read(rules: Option<&Path>, compendium: Option<&Path>) -> Result<Self, Problems> {
        let folder = chosen(compendium, "compendium");
        let load = |known: &BTreeSet<GroupId>| match &folder {
            Some(folder) => compendium::load(folder, known),
            None => compendium::load_embedded(COMPENDIUM, known),
        };
        match rule_files(chosen(rules, "rules").as_deref()) {
            Ok(files) => Self::parse(files, load),
            // Without rules no group is known, so of the compendium only its absence can be told.
            Err(unread) if folder.as_deref().is_some_and(|folder| !folder.exists()) => {
                let absent = load(&BTreeSet::new()).err().map(Problems::into_list);
                Err(Problems::check([unread.into_list(), absent.unwrap_or_default()].concat())
                    .expect_err("the rules could not be read"))
            }
            Err(unread) => Err(unread),
        }
    }

    /// What a snapshot holds, read and checked again.
    ///
    /// # Errors
    /// All problems: a snapshot may join files of two days that do not fit together.
    pub fn of(snapshot: &Snapshot) -> Result<Self, Problems> {
        let files = RULES.iter().map(|(name, _)| {
            let file = snapshot.rule_file(name).cloned();
            ((*name).to_owned(), file.unwrap_or_else(|| shipped(name)))
        });
        Self::parse(files.collect(), |_| Ok(snapshot.compendium()))
    }

    fn parse(
        files: BTreeMap<String, RuleFile>,
        compendium: impl FnOnce(&BTreeSet<GroupId>) -> Result<Compendium, Problems>,
    ) -> Result<Self, Problems> {
        let file = |name: &str| (files[name].shown.as_str(), files[name].text.as_str());
        let mut problems = Vec::new();
        let (intents_name, intents_text) = file("intents.yaml");
        let intents = keep(Intents::load(intents_name, intents_text), &mut problems);
        let ids = intents.as_ref().map(Intents::ids);
        // Without intents every rule would be reported as wrong: that says nothing new.
        let (name, text) = file("shortcuts.yaml");
        let rules = ids.as_ref().and_then(|ids| keep(rules::load(name, text, ids), &mut problems));
        let (name, text) = file("groups.yaml");
        let groups =
            ids.as_ref().and_then(|ids| keep(GroupModel::load(name, text, ids), &mut problems));
        if let Some(intents) = &intents {
            fields(intents_name, intents, &mut problems);
        }
        let known: BTreeSet<GroupId> =
            groups.as_ref().map(|groups| groups.ids().cloned().collect()).unwrap_or_default();
        let compendium = keep(compendium(&known), &mut problems);
        let [symbols, synonyms, compounds] =
            ["symbols.yaml", "synonyms.yaml", "compounds.yaml"].map(file);
        let language = LanguageRules::load(symbols, synonyms, compounds);
        let language = keep(language, &mut problems);
        let (name, vocabulary) = file("taxonomy.yaml");
        let taxonomy = keep(Taxonomy::load(name, vocabulary), &mut problems);
        Problems::check(problems)?;
        let reported = "a missing part was reported above";
        let compendium = compendium.expect(reported);
        let language = language.expect(reported);
        let intents = intents.expect(reported);
        // Weights and other levers of the profiles may change without a new index.
        let labelled: Vec<&str> = intents
            .labelled()
            .flat_map(|(intent, text)| [intent.map_or("unknown", IntentId::as_str), text])
            .collect();
        let labelled = digest(&labelled);
        Ok(Self {
            rules: Arc::new(rules.expect(reported)),
            intents: Arc::new(intents),
            groups: Arc::new(groups.expect(reported)),
            taxonomy: Arc::new(taxonomy.expect(reported)),
            analyzer: Analyzer::with_rules(&compendium.sections, language.clone()),
            language,
            prompt: files["intent_prompt.md"].text.clone(),
            catalog_prompt: files["catalog_prompt.md"].text.clone(),
            chat_prompt: files["chat_prompt.md"].text.clone(),
            reading_prompts: Prompts {
                symbols: files["symbols_prompt.md"].text.clone(),
                concepts: files["concepts_prompt.md"].text.clone(),
            },
            compendium,
            rules_digest: digest(&[&labelled, symbols.1, synonyms.1, compounds.1, vocabulary]),
            files,
        })
    }

    /// Digest over all that was read, places included: where it is the same, everything that is made of
    /// the files is.
    pub fn identity(&self) -> String {
        let mut texts = vec![self.compendium.digest.clone()];
        texts.extend(self.compendium.sections.iter().map(|section| section.place.to_string()));
        for (name, RuleFile { shown, text }) in &self.files {
            texts.extend([name.clone(), shown.clone(), text.clone()]);
        }
        digest(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The sections with the facets of the taxonomy. A document hands them to all of its sections, so
    /// this comes after sections are left out: what is not to be seen hands nothing down.
    pub(super) fn annotated(&self) -> Cow<'_, [Section]> {
        if self.taxonomy.is_empty() {
            return Cow::Borrowed(&self.compendium.sections);
        }
        let mut sections = self.compendium.sections.clone();
        self.taxonomy.annotate(&mut sections);
        Cow::Owned(sections)
    }

    /// The same as if the sections that these audiences may not see had never been written: also the
    /// analysis knows only the words of the others.
    pub(super) fn seen_by(&self, audiences: &Audiences) -> Self {
        let mut seen = self.clone();
        seen.compendium.sections.retain(|section| audiences.admit(&section.audience));
        let whose = serde_json::to_string(audiences).expect("plain data");
        seen.compendium.digest = digest(&[&self.compendium.digest, &whose]);
        seen.analyzer = Analyzer::with_rules(&seen.compendium.sections, self.language.clone());
        seen
    }
}

/// All rule files, of `folder` or shipped.
fn rule_files(folder: Option<&Path>) -> Result<BTreeMap<String, RuleFile>, Problems> {
    let mut problems = Vec::new();
    let mut files = BTreeMap::new();
    for (name, _) in RULES {
        let file = match folder {
            Some(folder) if !OPTIONAL.contains(name) || folder.join(name).exists() => {
                keep(read(&folder.join(name)), &mut problems)
            }
            Some(_) | None => Some(shipped(name)),
        };
        files.extend(file.map(|file| ((*name).to_owned(), file)));
    }
    Problems::check(problems)?;
    Ok(files)
}

fn read(path: &Path) -> Result<RuleFile, Problems> {
    let shown = path.display().to_string().replace('\\', "/");
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(RuleFile { shown, text }),
        Err(error) => Err(Problems::from(Problem {
            place: Place::start_of(shown),
            code: "rules-unreadable",
            message: format!("the rule file can not be read: {error}"),
            mend: if error.kind() == ErrorKind::InvalidData {
                "save it as UTF-8".to_owned()
            } else {
                "copy the shipped file there and change it, or leave out --rules".to_owned()
            },
        })),
    }
}

/// The copy of a rule file inside the binary.
fn shipped(name: &str) -> RuleFile {
    let found = RULES.iter().find(|(shipped, _)| *shipped == name);
    let text = found.map_or("", |(_, text)| text).to_owned();
    RuleFile { shown: format!("rules/{name}"), text }
}

/// The named folder, else the one in the working folder where it exists.
fn chosen(named: Option<&Path>, usual: &str) -> Option<PathBuf> {
    named.map(Path::to_owned).or_else(|| {
        let here = PathBuf::from(usual);
        here.is_dir().then_some(here)
    })
}

fn keep<T>(read: Result<T, Problems>, problems: &mut Vec<Problem>) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(found) => {
            problems.extend(found.into_list());
            None
        }
    }
}

/// The profiles' field lists are read by the lexical channel; report what it does not know.
fn fields(file: &str, intents: &Intents, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for profile in intents.profiles() {
        if let Err(error) = profile.fields.parse::<FieldBoosts>()
            && seen.insert(&profile.name)
        {
            problems.push(Problem {
                place: Place::start_of(file),
                code: "profile-fields",
                message: format!("`fields` of profile `{}`: {error}", profile.name),
                mend: "write for example `title^2 path text`".to_owned(),
            });
        }
    }
}

fn digest(texts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hex(&hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_file_that_shapes_the_index_changes_its_digest_and_no_other_does() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in RULES {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let digest = || Sources::read(Some(folder.path()), None).expect("sound").rules_digest;
        let before = digest();
        for (name, text) in RULES {
            let addition = match *name {
                // Its labelled examples count, not its text.
                "intents.yaml" => continue,
                "taxonomy.yaml" => "\nkunde:\n  - {id: h, label: Hoffmann}\n",
                name if Path::new(name).extension().is_some_and(|end| end == "yaml") => {
                    "\n# anders\n"
                }
                _ => "\nAnders.\n",
            };
            std::fs::write(folder.path().join(name), format!("{text}{addition}")).expect("written");
            assert_eq!(digest() != before, SHAPING.contains(name), "{name}");
            std::fs::write(folder.path().join(name), text).expect("written");
        }
    }
}
