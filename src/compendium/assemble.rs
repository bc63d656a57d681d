//! Drafts of all files as sections: settled ids, known groups, nothing half.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::document::{Draft, Name};
use super::slug::slug;
use super::source::Source;
use crate::domain::{GroupId, Place, Problem, Section, SectionId, did_you_mean};

/// The sections, sorted by id.
pub(super) fn sections(
    drafts: Vec<Draft>,
    known_groups: &BTreeSet<GroupId>,
    problems: &mut Vec<Problem>,
    notices: &mut Vec<Problem>,
) -> Vec<Section> {
    let ids = ids(&drafts, problems);
    let mut groups = Groups { known: known_groups, seen: BTreeMap::new() };
    let mut sections = Vec::with_capacity(drafts.len());
    for (draft, id) in drafts.into_iter().zip(ids) {
        let group =
            draft.group.as_ref().and_then(|(name, place)| groups.check(name, place, problems));
        let Some(id) = id else { continue };
        if draft.text.is_empty() {
            notices.extend(emptiness(&draft, &id));
            continue;
        }
        sections.push(Section {
            id,
            title: composed(draft.title),
            path: draft.path.into_iter().map(composed).collect(),
            text: composed(draft.text),
            group,
            facets: draft.facets,
            audience: draft.audience,
            updated: draft.updated,
            place: draft.place,
        });
    }
    groups.report(problems, notices);
    sections.sort_by(|a, b| a.id.cmp(&b.id));
    sections
}

/// NFC once more: `\u0308` in JSON and `&#x308;` in Markdown are decomposed in any file.
fn composed(text: String) -> String {
    if is_nfc(&text) { text } else { text.nfc().collect() }
}

fn emptiness(draft: &Draft, id: &SectionId) -> Option<Problem> {
    let (code, message) = if draft.has_content {
        (
            "section-invisible",
            format!("section `{id}` has nothing that can be read; it is left out"),
        )
    } else if draft.has_children {
        return None;
    } else {
        ("section-empty", format!("section `{id}` has no text; it is left out"))
    };
    let mend = "write a text; an image needs a description: `![description](file)`".to_owned();
    Some(Problem { place: draft.place.clone(), code, message, mend })
}

/// The id of each draft. Written ids are settled first; then headings take their slug in the order
/// of the document, numbered from `-2` where it is taken. Headings without a text count, so that an
/// id does not change when a text is added.
fn ids(drafts: &[Draft], problems: &mut Vec<Problem>) -> Vec<Option<SectionId>> {
    let mut taken: BTreeMap<String, &Place> = BTreeMap::new();
    let mut ids = vec![None; drafts.len()];
    for (at, draft) in drafts.iter().enumerate() {
        let id = match &draft.name {
            Name::Heading => continue,
            Name::Explicit(name) => format!("{}#{name}", draft.document),
            Name::Whole(id) => composed(id.clone()),
        };
        if let Some(first) = taken.get(&id) {
            problems.push(Problem {
                place: draft.place.clone(),
                code: "section-duplicate-id",
                message: format!("the id `{id}` is taken by {first}"),
                mend: "give one of the two another id".to_owned(),
            });
            continue;
        }
        ids[at] = checked(&id, &draft.place, problems);
        taken.insert(id, &draft.place);
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (at, draft) in
        drafts.iter().enumerate().filter(|(_, draft)| matches!(draft.name, Name::Heading))
    {
        let base = format!("{}#{}", draft.document, slug(&draft.title));
        let count = counts.entry(base.clone()).or_insert(0);
        let id = loop {
            *count += 1;
            let id = if *count == 1 { base.clone() } else { format!("{base}-{count}") };
            if !taken.contains_key(&id) {
                break id;
            }
        };
        ids[at] = checked(&id, &draft.place, problems);
        taken.insert(id, &draft.place);
    }
    ids
}

fn checked(id: &str, place: &Place, problems: &mut Vec<Problem>) -> Option<SectionId> {
    SectionId::try_from(id)
        .map_err(|error| {
            problems.push(Problem {
                place: place.clone(),
                code: "section-id",
                message: format!(
                    "`{}` can not be a section's id: {error}",
                    id.chars().take(60).collect::<String>()
                ),
                mend: "shorten the name of the file or the id behind the heading".to_owned(),
            });
        })
        .ok()
}

/// Names of groups, each told once per place where it is written.
struct Groups<'a> {
    known: &'a BTreeSet<GroupId>,
    /// Names that are not known, with the places where they are written.
    seen: BTreeMap<String, BTreeSet<Place>>,
}

impl Groups<'_> {
    fn check(&mut self, name: &str, place: &Place, problems: &mut Vec<Problem>) -> Option<GroupId> {
        match GroupId::try_from(name.trim()) {
            Ok(id) => {
                if !self.known.is_empty() && !self.known.contains(&id) {
                    self.seen.entry(id.to_string()).or_default().insert(place.clone());
                }
                Some(id)
            }
            Err(error) => {
                let problem = Problem {
                    place: place.clone(),
                    code: "group-invalid",
                    message: error.to_string(),
                    mend: "write the group's id, or leave the key out".to_owned(),
                };
                // Sections of one document share the place of their group.
                if problems.last() != Some(&problem) {
                    problems.push(problem);
                }
                None
            }
        }
    }

    fn report(self, problems: &mut Vec<Problem>, notices: &mut Vec<Problem>) {
        for (name, places) in self.seen {
            match did_you_mean(&name, self.known.iter().map(GroupId::as_str)) {
                Some(meant) => problems.extend(places.into_iter().map(|place| Problem {
                    place,
                    code: "group-misspelt",
                    message: format!("the group `{name}` is not in rules/groups.yaml"),
                    mend: format!("did you mean `{meant}`?"),
                })),
                None => notices.extend(places.first().map(|place| Problem {
                    place: place.clone(),
                    code: "group-unknown",
                    message: format!("the group `{name}` is not in rules/groups.yaml; no question leads to it ({} places)", places.len()),
                    mend: "add it to rules/groups.yaml, or use one of its groups".to_owned(),
                })),
            }
        }
    }
}

pub(super) fn nothing_found(root: &str, files: usize) -> Problem {
    let message = match files {
        0 => "there is no Markdown file and no `sections.jsonl` here".to_owned(),
        files => format!("there is no section with a text in {files} files"),
    };
    Problem {
        place: Place::start_of(root),
        code: "compendium-no-sections",
        message,
        mend: "write at least one heading with a text below it into a `.md` file".to_owned(),
    }
}

/// Says that nothing was loaded and which files are good. Its place is the folder, so it comes first.
pub(super) fn summary(root: &str, sources: &[Source], problems: &[Problem]) -> Problem {
    let bad: BTreeSet<&str> = problems.iter().map(|problem| problem.place.file.as_str()).collect();
    let good: Vec<&str> = sources
        .iter()
        .map(|source| source.file.as_str())
        .filter(|file| !bad.contains(file))
        .collect();
    let names = match good.len() {
        0 => "no file is good".to_owned(),
        1..=20 => format!("good: {}", good.join(", ")),
        _ => format!("good: {} and {} more", good[..20].join(", "), good.len() - 20),
    };
    let plural = if bad.len() == 1 { "file needs" } else { "files need" };
    Problem {
        place: Place::start_of(root),
        code: "compendium-not-loaded",
        message: format!(
            "nothing was loaded: {} {plural} a correction; good files: {}",
            bad.len(),
            good.len()
        ),
        mend: format!("correct what is listed below; {names}"),
    }
}
