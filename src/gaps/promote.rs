//! A finding becomes questions of the catalog, which are open until somebody writes what is missing.
//!
//! Entries are only added, at the end of the file; what stands there stays byte for byte.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::{Action, Evidence, Finding};
use crate::analysis::words;
use crate::catalog::{self, Question};
use crate::domain::{Place, Problem, Problems, hex};

const HEADER: &str = "# Lücken, die Lesende gefunden haben: wegweiser gaps promote\n\
    # Ein Lauf des Katalogs meldet eine Frage als geschlossen, sobald sie beantwortet wird; dann kann\n\
    # `status: open` fort.\n\
    questions:\n";

const WRITES: &str = "a String takes everything";

/// What [`promote`] would write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promoted {
    /// The new content of the file; nothing where all questions stand in the catalog already.
    pub text: Option<String>,
    /// Ids of the new questions.
    pub added: Vec<String>,
    /// Questions of the finding that stand in the catalog already.
    pub known: usize,
}

impl Finding {
    /// Whether it holds questions that can be promoted. What seems out of scope can be, too: whether
    /// it is, editors decide.
    pub fn is_promotable(&self) -> bool {
        questions(self).next().is_some()
    }
}

/// What a catalog asks, whatever case and punctuation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wordings(BTreeSet<String>);

impl Wordings {
    /// Of these questions.
    pub fn of(existing: &[Question]) -> Self {
        Self(existing.iter().map(|question| wording(&question.question)).collect())
    }

    /// How many questions [`promote`] would add for a finding, and how many of its questions stand in
    /// the catalog already.
    pub fn split(&self, finding: &Finding) -> (usize, usize) {
        let own: BTreeSet<String> = questions(finding).map(wording).collect();
        let known = own.intersection(&self.0).count();
        (own.len() - known, known)
    }
}

/// The finding's questions as entries at the end of `text`, the content of `file` (empty where there
/// is none). `existing` are the questions of the whole catalog: what stands there in any spelling is
/// not added again, so promoting twice is promoting once.
///
/// Where the finding names the section that shall answer, the question expects it; else any answer
/// will do.
///
/// # Errors
/// The file is not a catalog file with a block list of questions, or the finding holds no question.
pub fn promote(
    finding: &Finding,
    existing: &[Question],
    file: &str,
    text: &str,
) -> Result<Promoted, Problems> {
    let wordings = Wordings::of(existing);
    let mut seen = wordings.0.clone();
    let section = section(finding);
    let (mut added, mut blocks, mut known) = (Vec::new(), String::new(), 0);
    let dash = " ".repeat(indentation(existing, file));
    for question in questions(finding) {
        let wording = wording(question);
        if !seen.insert(wording.clone()) {
            known += usize::from(wordings.0.contains(&wording));
            continue;
        }
        let id = format!("live-{}", &hex(&Sha256::digest(wording.as_bytes()))[..12]);
        let expect = match section {
            Some(section) => format!("section: {}", quoted(section)),
            None => "answered: true".to_owned(),
        };
        if added.is_empty() {
            let name = finding.id.replace(char::is_control, " ");
            writeln!(blocks, "{dash}# {name}").expect(WRITES);
        }
        writeln!(
            blocks,
            "{dash}- id: {id}\n{dash}  question: {}\n{dash}  expect: {{{expect}}}\n\
             {dash}  origin: live\n{dash}  status: open\n{dash}  tier: live",
            quoted(question)
        )
        .expect(WRITES);
        added.push(id);
    }
    if added.is_empty() {
        if known > 0 {
            return Ok(Promoted { text: None, added, known });
        }
        return Err(problem(
            file,
            "gap-without-question",
            format!("`{}` holds no question", finding.id),
            "promote a finding that names questions, or write the question into the catalog",
        ));
    }
    let text = extended(text, &blocks);
    check(file, &text, existing, &added)?;
    Ok(Promoted { text: Some(text), added, known })
}

/// The questions behind a finding.
fn questions(finding: &Finding) -> impl Iterator<Item = &str> {
    finding.evidence.iter().filter_map(|evidence| match evidence {
        // What stands in the catalog has an id.
        Evidence::Question { id: None, text, .. } => Some(text.as_str()),
        Evidence::Question { .. }
        | Evidence::Figure { .. }
        | Evidence::Section { .. }
        | Evidence::Quote { .. }
        | Evidence::Words { .. } => None,
    })
}

/// The section that shall answer, where the mend is to change one.
fn section(finding: &Finding) -> Option<&str> {
    match finding.mend.action {
        Action::NewSection | Action::OutOfScope => None,
        Action::ExtendSection
        | Action::MergeSections
        | Action::TellApart
        | Action::ChangeGroup
        | Action::Revise
        | Action::Reconcile
        | Action::Connect
        | Action::AddSynonym
        | Action::AddRule => {
            let subject = || finding.subject.sections.first().map(|named| named.id.as_str());
            finding.mend.section.as_deref().or_else(subject)
        }
    }
}

/// Blanks before the dash of an entry, as the file has them.
fn indentation(existing: &[Question], file: &str) -> usize {
    let own = existing.iter().find(|question| question.place.file == file);
    own.map_or(2, |question| question.place.column.saturating_sub(3))
}

fn extended(text: &str, blocks: &str) -> String {
    let bare: Vec<&str> =
        text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    if bare.is_empty() {
        let comments = if text.is_empty() || text.ends_with('\n') {
            text.to_owned()
        } else {
            format!("{text}\n")
        };
        return format!("{comments}{HEADER}{blocks}");
    }
    let text = if bare == ["questions: []"] {
        text.replacen("questions: []", "questions:", 1)
    } else {
        text.to_owned()
    };
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}{blocks}")
}

/// The new content must hold all that stood in the file, and the new questions.
fn check(file: &str, text: &str, existing: &[Question], added: &[String]) -> Result<(), Problems> {
    let mend = "write the questions of this file as a block list (`- id: …`), or name another file";
    let ids: BTreeSet<String> =
        catalog::parse(file, text)?.into_iter().map(|question| question.id).collect();
    let old = existing.iter().filter(|question| question.place.file == file);
    let all = old.map(|question| &question.id).chain(added).all(|id| ids.contains(id));
    if all {
        return Ok(());
    }
    let message = "nothing can be added at the end of this file".to_owned();
    Err(problem(file, "catalog-not-extendable", message, mend))
}

fn problem(file: &str, code: &'static str, message: String, mend: &str) -> Problems {
    Problems::from(Problem { place: Place::start_of(file), code, message, mend: mend.to_owned() })
}

/// A question whatever its case and punctuation.
fn wording(question: &str) -> String {
    words(question).iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("'{}'", clean.trim().replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Expected, Origin, Status};
    use crate::gaps::{Code, Mend, Severity, Subject};

    fn finding(action: Action, section: Option<&str>, questions: &[&str]) -> Finding {
        let mut mend = Mend::new(action, "Schreiben.");
        mend.section = section.map(str::to_owned);
        let evidence = questions.iter().map(|text| Evidence::Question {
            id: None,
            text: (*text).to_owned(),
            count: 3,
            outcome: "ohne Antwort".to_owned(),
        });
        let subject = Subject::term("Legasthenie");
        Finding::new(Code::Unanswered, Severity::Error, subject, "Fehlt.", mend).because(evidence)
    }

    #[test]
    fn questions_are_added_once_and_comments_stay() {
        let text = "# Kopf\nquestions: # Liste\n- id: a\n  question: 'A?' # Bemerkung\n  expect: {section: x#y}\n  origin: human\n  tier: title\n# Ende";
        let finding = finding(
            Action::NewSection,
            None,
            &["Was ist LRS?", "was ist lrs", "Wie heißt's: 'LRS'?"],
        );
        let existing = catalog::parse("k.yaml", text).expect("sound");
        let first = promote(&finding, &existing, "k.yaml", text).expect("it works");
        let new = first.text.expect("new");
        assert!(
            new.starts_with(&format!("{text}\n# G-UNANSWERED:Legasthenie\n- id: live-")),
            "{new}"
        );
        let after = catalog::parse("k.yaml", &new).expect("sound");
        assert_eq!((after.len(), first.added.len()), (3, 2));
        let live = &after[1];
        assert_eq!((live.origin, live.status), (Origin::Live, Status::Open));
        assert_eq!(live.expected, Expected::Answered);
        assert_eq!(after[2].question, "Wie heißt's: 'LRS'?");
        let again = promote(&finding, &after, "k.yaml", &new).expect("it works");
        assert_eq!((again.text, again.added.len(), again.known), (None, 0, 3));
        assert_eq!(Wordings::of(&existing).split(&finding), (2, 0));
        assert_eq!(Wordings::of(&after).split(&finding), (0, 2));
    }

    #[test]
    fn a_section_that_shall_be_extended_is_expected_and_a_new_file_is_begun() {
        let finding = finding(Action::ExtendSection, Some("x#y"), &["Was ist LRS?"]);
        for text in ["", "# nur ein Kopf", "questions: []\n"] {
            let new = promote(&finding, &[], "neu.yaml", text).expect("it works").text;
            let after = catalog::parse("neu.yaml", &new.expect("new")).expect("sound");
            assert_eq!(
                after[0].right().map(crate::domain::SectionId::as_str).collect::<Vec<_>>(),
                ["x#y"],
                "{text}"
            );
        }
    }

    #[test]
    fn a_file_that_can_not_be_extended_stays() {
        let finding = finding(Action::NewSection, None, &["Was ist LRS?"]);
        let flow =
            "questions: [{id: a, question: A?, expect: {refused: true}, origin: human, tier: t}]\n";
        let existing = catalog::parse("k.yaml", flow).expect("sound");
        assert!(promote(&finding, &existing, "k.yaml", flow).is_err());
        assert!(promote(&finding, &[], "k.yaml", "fragen:\n  - id: a\n").is_err());
    }

    #[test]
    fn a_finding_without_a_question_is_told() {
        let foreign = finding(Action::OutOfScope, None, &["Wie wird das Wetter?"]);
        let finding = finding(Action::NewSection, None, &[]);
        assert!(!finding.is_promotable() && foreign.is_promotable());
        let problems = promote(&finding, &[], "k.yaml", "").expect_err("nothing to promote");
        assert_eq!(problems.list()[0].code, "gap-without-question");
    }
}
