//! Where rules and compendium come from: a folder, or the copy inside the binary.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::access::Audiences;
use crate::analysis::{Analyzer, LanguageRules};
use crate::compendium::{self, Compendium};
use crate::domain::{GroupId, Place, Problem, Problems, hex};
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
    "shortcuts.yaml", "intents.yaml", "groups.yaml", "intent_prompt.md", "chat_prompt.md",
    "symbols.yaml", "synonyms.yaml", "compounds.yaml");

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
    /// What the analysis is made of, beside the sections.
    language: LanguageRules,
    /// German analysis.
    pub analyzer: Analyzer,
    /// Instructions for llama3 as a classifier.
    pub prompt: String,
    /// Instructions for llama3 as a writer.
    pub chat_prompt: String,
    /// Sections.
    pub compendium: Compendium,
    /// Digest of the rule files that shape the index.
    pub rules_digest: String,
}

/// The folder of the rules as text files.
struct RuleFiles {
    folder: Option<PathBuf>,
    problems: Vec<Problem>,
}

impl Sources {
    /// Reads rules and compendium.
    ///
    /// # Errors
    /// All problems of all files at once.
    pub fn read(rules: Option<&Path>, compendium: Option<&Path>) -> Result<Self, Problems> {
        let mut files = RuleFiles { folder: chosen(rules, "rules"), problems: Vec::new() };
        let (intents_name, intents_text) = files.text("intents.yaml");
        let (rules_name, rules_text) = files.text("shortcuts.yaml");
        let (groups_name, groups_text) = files.text("groups.yaml");
        let (_, prompt) = files.text("intent_prompt.md");
        let [symbols, synonyms, compounds] =
            ["symbols.yaml", "synonyms.yaml", "compounds.yaml"].map(|name| files.optional(name));
        let (_, chat_prompt) = files.optional("chat_prompt.md");
        let mut problems = files.problems;
        Problems::check(std::mem::take(&mut problems))?;

        let intents = keep(Intents::load(&intents_name, &intents_text), &mut problems);
        let ids = intents.as_ref().map(Intents::ids);
        // Without intents every rule would be reported as wrong: that says nothing new.
        let rules = ids
            .as_ref()
            .and_then(|ids| keep(rules::load(&rules_name, &rules_text, ids), &mut problems));
        let groups = ids
            .as_ref()
            .and_then(|ids| keep(GroupModel::load(&groups_name, &groups_text, ids), &mut problems));
        if let Some(intents) = &intents {
            fields(&intents_name, intents, &mut problems);
        }
        let known: BTreeSet<GroupId> =
            groups.as_ref().map(|groups| groups.ids().cloned().collect()).unwrap_or_default();
        let compendium = match chosen(compendium, "compendium") {
            Some(folder) => compendium::load(&folder, &known),
            None => compendium::load_embedded(COMPENDIUM, &known),
        };
        let compendium = keep(compendium, &mut problems);
        let language = LanguageRules::load(
            (&symbols.0, &symbols.1),
            (&synonyms.0, &synonyms.1),
            (&compounds.0, &compounds.1),
        );
        let language = keep(language, &mut problems);
        Problems::check(problems)?;
        let reported = "a missing part was reported above";
        let compendium = compendium.expect(reported);
        let language = language.expect(reported);
        Ok(Self {
            rules: Arc::new(rules.expect(reported)),
            intents: Arc::new(intents.expect(reported)),
            groups: Arc::new(groups.expect(reported)),
            analyzer: Analyzer::with_rules(&compendium.sections, language.clone()),
            language,
            prompt,
            chat_prompt,
            compendium,
            rules_digest: digest(&[&intents_text, &symbols.1, &synonyms.1, &compounds.1]),
        })
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

impl RuleFiles {
    /// A file about the language: the shipped one where the folder has none.
    fn optional(&mut self, name: &'static str) -> (String, String) {
        let there = self.folder.as_ref().is_none_or(|folder| folder.join(name).exists());
        if there { self.text(name) } else { shipped(name) }
    }

    /// Name for messages and text of a rule file. A folder that lacks a file gets the shipped one
    /// only where the file is optional; the four that define the routing must be there.
    fn text(&mut self, name: &'static str) -> (String, String) {
        let Some(folder) = &self.folder else { return shipped(name) };
        let path = folder.join(name);
        let shown = path.display().to_string().replace('\\', "/");
        match std::fs::read_to_string(&path) {
            Ok(text) => (shown, text),
            Err(error) => {
                self.problems.push(Problem {
                    place: Place::start_of(shown.clone()),
                    code: "rules-unreadable",
                    message: format!("the rule file can not be read: {error}"),
                    mend: "copy the shipped file there and change it, or leave out --rules"
                        .to_owned(),
                });
                (shown, String::new())
            }
        }
    }
}

/// The copy of a rule file inside the binary.
fn shipped(name: &str) -> (String, String) {
    let found = RULES.iter().find(|(shipped, _)| *shipped == name);
    (format!("rules/{name}"), found.map_or("", |(_, text)| text).to_owned())
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
