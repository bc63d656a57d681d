//! `catalog/*.yaml` → questions, with all problems of all files at once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use super::{Expected, Origin, Question, Source, Status};
use crate::domain::{Place, Problem, Problems, SectionId};
use crate::eval::DatasetError;
use crate::yaml::{self, Located};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// `questions:` with nothing below it is a list that was begun.
    questions: Option<Vec<Located<Entry>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    question: String,
    expect: Expect,
    origin: Origin,
    #[serde(default)]
    status: Status,
    tier: String,
    #[serde(default)]
    source: Option<Source>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    #[serde(default)]
    section: Option<SectionId>,
    #[serde(default)]
    acceptable: Vec<SectionId>,
    #[serde(default)]
    sections: Vec<SectionId>,
    #[serde(default)]
    refused: bool,
    #[serde(default)]
    answered: bool,
    #[serde(default)]
    intent: Option<String>,
    #[serde(default)]
    also: Option<String>,
    #[serde(default)]
    group: Option<String>,
}

/// Reads all `*.yaml` files directly in a catalog folder, in the order of their names.
///
/// # Errors
/// All problems of all files at once: YAML, ids and questions that are taken twice, expectations that
/// contradict themselves.
pub fn load(folder: &Path) -> Result<Vec<Question>, DatasetError> {
    let failed = |source| DatasetError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    let mut questions = Vec::new();
    let mut problems = Vec::new();
    for path in files {
        let name = path.display().to_string().replace('\\', "/");
        match text(&path, &name) {
            Ok(text) => questions.extend(entries(&name, &text, &mut problems)),
            Err(DatasetError::Problems(found)) => problems.extend(found.into_list()),
            Err(error @ DatasetError::Read { .. }) => return Err(error),
        }
    }
    twice(&questions, &mut problems);
    Problems::check(problems)?;
    Ok(questions)
}

/// The content of a file of the catalog; `name` is for messages.
///
/// # Errors
/// It can not be read, or is not UTF-8: then with the place.
pub(crate) fn text(path: &Path, name: &str) -> Result<String, DatasetError> {
    let bytes = std::fs::read(path)
        .map_err(|source| DatasetError::Read { path: path.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let good = String::from_utf8_lossy(&error.as_bytes()[..at]);
        let line = good.rsplit('\n').next().unwrap_or("");
        DatasetError::Problems(Problems::from(Problem {
            place: Place {
                file: name.to_owned(),
                line: good.matches('\n').count() + 1,
                column: line.chars().count() + 1,
            },
            code: "catalog-not-utf8",
            message: format!(
                "this can not be read as UTF-8: byte {at} is 0x{:02x}",
                error.as_bytes()[at]
            ),
            mend: "save the file as UTF-8".to_owned(),
        }))
    })
}

/// The questions in the text of one file; `name` is for messages.
///
/// # Errors
/// All problems of the text at once.
pub fn parse(name: &str, text: &str) -> Result<Vec<Question>, Problems> {
    let mut problems = Vec::new();
    let questions = entries(name, text, &mut problems);
    twice(&questions, &mut problems);
    Problems::check(problems)?;
    Ok(questions)
}

fn entries(name: &str, text: &str, problems: &mut Vec<Problem>) -> Vec<Question> {
    let mut questions = Vec::new();
    if is_bare(text) {
        return questions;
    }
    match yaml::read::<File>(name, text, 1) {
        Err(found) => problems.extend(found.into_list()),
        Ok(file) => {
            for entry in file.questions.unwrap_or_default() {
                let place = entry.place(name);
                questions.extend(question(entry.value, place, problems));
            }
        }
    }
    questions
}

/// Nothing but comments: a file that was begun.
fn is_bare(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().all(|line| {
        let line = line.trim();
        line.is_empty() || line.starts_with('#') || line == "---"
    })
}

fn question(entry: Entry, place: Place, problems: &mut Vec<Problem>) -> Option<Question> {
    let Entry { id, question, expect, origin, status, tier, source } = entry;
    let Expect { section, acceptable, sections, refused, answered, intent, also, group } = expect;
    let expected = match (section, sections.len(), refused, answered) {
        (Some(section), 0, false, false) => Expected::Section { section, acceptable },
        (None, 2.., false, false) if acceptable.is_empty() => Expected::Sections(sections),
        (None, 0, true, false) if acceptable.is_empty() => Expected::Refused,
        (None, 0, false, true) if acceptable.is_empty() => Expected::Answered,
        (Some(_) | None, _, _, _) => {
            problems.push(Problem {
                place,
                code: "catalog-expectation",
                message: format!("`{id}` does not say what is expected in one way"),
                mend: "write `section` (and `acceptable`), or two `sections` at least, or \
                       `refused: true`, or `answered: true` where any section will do"
                    .to_owned(),
            });
            return None;
        }
    };
    if question.trim().is_empty() {
        problems.push(Problem {
            place,
            code: "catalog-empty-question",
            message: format!("`{id}` has no question"),
            mend: "write the question, or delete the entry".to_owned(),
        });
        return None;
    }
    Some(Question {
        id,
        question,
        expected,
        intent,
        also,
        group,
        origin,
        status,
        tier,
        source,
        place,
    })
}

/// Ids that are taken twice, and equal questions that expect something else.
fn twice(questions: &[Question], problems: &mut Vec<Problem>) {
    let mut ids: BTreeMap<&str, &Place> = BTreeMap::new();
    let mut texts: BTreeSet<&str> = BTreeSet::new();
    for question in questions {
        if let Some(other) = ids.insert(&question.id, &question.place) {
            problems.push(Problem {
                place: question.place.clone(),
                code: "catalog-duplicate-id",
                message: format!("the id `{}` also stands at {other}", question.id),
                mend: "give one of the two questions another id".to_owned(),
            });
        }
        if !texts.insert(question.question.trim()) {
            problems.push(Problem {
                place: question.place.clone(),
                code: "catalog-duplicate-question",
                message: format!("the question of `{}` stands twice", question.id),
                mend: "delete one of the two; list further right sections under `acceptable`"
                    .to_owned(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Question>, DatasetError> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.yaml"), text).expect("written");
        load(folder.path())
    }

    #[test]
    fn a_question_expects_a_section_or_several_or_a_refusal() {
        let questions = read(
            "questions:\n\
             - {id: a, question: A?, expect: {section: x#y, acceptable: [x#z]}, origin: human, tier: title}\n\
             - {id: b, question: B?, expect: {sections: [x#y, x#z]}, origin: live, tier: title}\n\
             - {id: c, question: C?, expect: {refused: true}, origin: generated, tier: title}\n",
        )
        .expect("sound");
        let right: Vec<usize> = questions.iter().map(|question| question.right().count()).collect();
        assert_eq!(right, [2, 2, 0]);
        assert_eq!(questions[1].place.line, 3);
    }

    #[test]
    fn a_gap_is_open_and_may_leave_its_section_open() {
        let questions = read(
            "questions:\n\
             - {id: a, question: A?, expect: {answered: true}, origin: live, status: open, tier: live}\n\
             - {id: b, question: B?, expect: {section: x#y}, origin: human, tier: title}\n",
        )
        .expect("sound");
        assert_eq!(
            (&questions[0].expected, questions[0].status),
            (&Expected::Answered, Status::Open)
        );
        assert_eq!(questions[1].status, Status::Settled);
        let twofold = "questions:\n- {id: a, question: A?, expect: {answered: true, refused: true}, origin: live, tier: live}\n";
        assert!(read(twofold).is_err());
    }

    #[test]
    fn a_file_that_was_begun_holds_no_question() {
        for text in [
            "",
            "\n# Kopf\r\n",
            "\u{feff}# Kopf",
            "---\n# Kopf",
            "questions:\n",
            "questions: # Liste",
        ] {
            assert_eq!(read(text).expect("sound"), [], "{text:?}");
        }
        assert!(read("fragen:\n").is_err());
    }

    #[test]
    fn a_file_that_is_not_utf8_is_named_with_the_place() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.yaml"), b"# Kopf\n# L\xfccken\n").expect("written");
        std::fs::write(folder.path().join("b.yaml"), "fragen:\n").expect("written");
        let error = load(folder.path()).expect_err("two problems").to_string();
        assert!(error.contains("a.yaml:2:4: this can not be read as UTF-8"), "{error}");
        assert!(error.contains("b.yaml"), "{error}");
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let error = read(
            "questions:\n\
             - {id: a, question: A?, expect: {section: x#y, refused: true}, origin: human, tier: title}\n\
             - {id: b, question: ' ', expect: {section: x#y}, origin: human, tier: title}\n\
             - {id: c, question: C?, expect: {sections: [x#y]}, origin: human, tier: title}\n\
             - {id: d, question: D?, expect: {section: x#y}, origin: human, tier: title}\n\
             - {id: d, question: D?, expect: {section: x#y}, origin: human, tier: title}\n",
        )
        .expect_err("five problems");
        let DatasetError::Problems(problems) = error else { panic!("{error}") };
        let codes: Vec<&str> = problems.list().iter().map(|problem| problem.code).collect();
        assert_eq!(
            codes,
            [
                "catalog-expectation",
                "catalog-empty-question",
                "catalog-expectation",
                "catalog-duplicate-id",
                "catalog-duplicate-question"
            ]
        );
    }
}
