//! A finding becomes questions of the catalog, which are open until somebody writes what is missing.
//!
//! They are asked first: what passes already is no gap that a catalog could watch. Entries are only added, at the end of the file; what stands there stays byte for byte.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::append::{End, extended};
use super::{Action, Evidence, Finding};
use crate::analysis::words;
use crate::catalog::{self, Expected, Origin, Question, Status, Ticket};
use crate::domain::{Place, Problem, Problems, SectionId, hex};
use crate::pipeline::{Pipeline, PipelineError};

const WRITES: &str = "a String takes everything";

/// The questions of a finding that the catalog does not have, as tickets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    finding: String,
    /// To be asked before anything is written.
    pub questions: Vec<Question>,
    /// Questions of the finding that stand in the catalog already.
    pub known: usize,
}

/// What became of a [`Draft`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Promoted {
    /// The new content of the file; nothing where nothing is to be written.
    pub text: Option<String>,
    /// Ids of the new tickets: they fail until somebody writes what is missing.
    pub opened: Vec<String>,
    /// Ids of new questions that are refused as they should be: they guard that from now on.
    pub guarding: Vec<String>,
    /// Questions that are not written, because they pass as the compendium stands: a ticket would close
    /// at once, and nobody would have written anything.
    pub passing: Vec<String>,
}

impl Finding {
    /// Whether it holds questions that can be promoted.
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

    /// How many questions of a finding the catalog does not ask, and how many it does.
    pub fn split(&self, finding: &Finding) -> (usize, usize) {
        let own: BTreeSet<String> = questions(finding).map(wording).collect();
        let known = own.intersection(&self.0).count();
        (own.len() - known, known)
    }
}

/// The finding's questions as tickets for `file`. `existing` are the questions of the whole catalog:
/// what stands there in any spelling is not drafted again, so promoting twice is promoting once.
///
/// Where the finding names the section that shall answer, the question expects it; where it says that
/// the compendium has no business with it, a refusal; else any answer will do.
///
/// # Errors
/// The finding holds no question.
pub fn draft(finding: &Finding, existing: &[Question], file: &str) -> Result<Draft, Problems> {
    let Wordings(wordings) = Wordings::of(existing);
    let mut seen = wordings.clone();
    let expected = expected(finding);
    let (mut drafted, mut known) = (Vec::new(), 0);
    for question in questions(finding) {
        let wording = wording(question);
        if !seen.insert(wording.clone()) {
            known += usize::from(wordings.contains(&wording));
            continue;
        }
        drafted.push(Question {
            id: format!("live-{}", &hex(&Sha256::digest(wording.as_bytes()))[..12]),
            question: question.to_owned(),
            expected: expected.clone(),
            intent: None,
            also: None,
            group: None,
            origin: Origin::Live,
            status: Status::Open,
            tier: "live".to_owned(),
            source: None,
            place: Place::start_of(file),
        });
    }
    if drafted.is_empty() && known == 0 {
        return Err(problem(
            file,
            "gap-without-question",
            format!("`{}` holds no question", finding.id),
            "promote a finding that names questions, or write the question into the catalog",
        ));
    }
    Ok(Draft { finding: finding.id.clone(), questions: drafted, known })
}

impl Draft {
    /// Asks the questions as a run of the catalog does: ids of those that pass.
    ///
    /// # Errors
    /// A question can not be searched at all.
    pub async fn passing(
        &self,
        pipeline: &Arc<Pipeline>,
    ) -> Result<BTreeSet<String>, PipelineError> {
        let run = catalog::run(pipeline, &self.questions, |_| ()).await?;
        let closed = run.questions.into_iter().filter(|one| one.ticket == Some(Ticket::Closed));
        Ok(closed.map(|outcome| outcome.id).collect())
    }
}

/// The drafted questions as entries at the end of `text`, the content of `file` (empty where there is
/// none). What is `passing` is no ticket: a refusal is written all the same, without `status: open`, so
/// that it stays one; anything else is left out.
///
/// # Errors
/// The file can not be added to: its questions are not a block list at its end.
pub fn promote(
    draft: &Draft,
    passing: &BTreeSet<String>,
    existing: &[Question],
    file: &str,
    text: &str,
) -> Result<Promoted, Problems> {
    let mut promoted = Promoted::default();
    let mut blocks = String::new();
    let dash = " ".repeat(indentation(existing, file));
    for question in &draft.questions {
        let status = match (passing.contains(&question.id), &question.expected) {
            (false, _) => {
                promoted.opened.push(question.id.clone());
                format!("{dash}  status: open\n")
            }
            (true, Expected::Refused) => {
                promoted.guarding.push(question.id.clone());
                String::new()
            }
            (true, Expected::Section { .. } | Expected::Sections(_) | Expected::Answered) => {
                promoted.passing.push(question.question.clone());
                continue;
            }
        };
        if blocks.is_empty() {
            let name = draft.finding.replace(char::is_control, " ");
            writeln!(blocks, "{dash}# {name}").expect(WRITES);
        }
        writeln!(
            blocks,
            "{dash}- id: {}\n{dash}  question: {}\n{dash}  expect: {{{}}}\n{dash}  origin: live\n\
             {status}{dash}  tier: {}",
            question.id,
            quoted(&question.question),
            written(&question.expected),
            question.tier
        )
        .expect(WRITES);
    }
    if !blocks.is_empty() {
        let end = End::of(text).map_err(|place| not_extendable(file, place))?;
        let text = extended(text, &end, &blocks);
        let added: Vec<&String> = promoted.opened.iter().chain(&promoted.guarding).collect();
        if !holds_all(file, &text, existing, &added) {
            return Err(not_extendable(file, end.last));
        }
        promoted.text = Some(text);
    }
    Ok(promoted)
}

/// An expectation as the catalog writes it.
fn written(expected: &Expected) -> String {
    match expected {
        Expected::Section { section, .. } => format!("section: {}", quoted(section.as_str())),
        Expected::Sections(all) => {
            let all: Vec<String> = all.iter().map(|section| quoted(section.as_str())).collect();
            format!("sections: [{}]", all.join(", "))
        }
        Expected::Answered => "answered: true".to_owned(),
        Expected::Refused => "refused: true".to_owned(),
    }
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

/// What the finding's mend shall lead to.
fn expected(finding: &Finding) -> Expected {
    let section = match finding.mend.action {
        Action::OutOfScope => return Expected::Refused,
        Action::NewSection => None,
        Action::ExtendSection
        | Action::MergeSections
        | Action::TellApart
        | Action::ChangeGroup
        | Action::Revise
        | Action::Reconcile
        | Action::Connect
        | Action::AddSynonym
        | Action::AddRule
        | Action::ReleaseSection => {
            let subject = || finding.subject.sections.first().map(|named| named.id.as_str());
            finding.mend.section.as_deref().or_else(subject)
        }
    };
    match section.and_then(|id| SectionId::try_from(id).ok()) {
        Some(section) => Expected::Section { section, acceptable: Vec::new() },
        None => Expected::Answered,
    }
}

/// Blanks before the dash of an entry, as the file has them.
fn indentation(existing: &[Question], file: &str) -> usize {
    let own = existing.iter().find(|question| question.place.file == file);
    own.map_or(2, |question| question.place.column.saturating_sub(3))
}

/// Whether the new content holds all that stood in the file, and the new questions.
fn holds_all(file: &str, text: &str, existing: &[Question], added: &[&String]) -> bool {
    let Ok(questions) = catalog::parse(file, text) else { return false };
    let ids: BTreeSet<&String> = questions.iter().map(|question| &question.id).collect();
    let old = existing.iter().filter(|question| question.place.file == file);
    old.map(|question| &question.id).chain(added.iter().copied()).all(|id| ids.contains(id))
}

fn not_extendable(file: &str, (line, column): (usize, usize)) -> Problems {
    Problems::from(Problem {
        place: Place { file: file.to_owned(), line, column },
        code: "catalog-not-extendable",
        message: "this form can not be added to".to_owned(),
        mend: "write the questions as a block list at the end of the file: `questions:`, then \
               `- id: …` for each; or name another file"
            .to_owned(),
    })
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

    /// Promotes what does not pass yet.
    fn opened(
        finding: &Finding,
        existing: &[Question],
        file: &str,
        text: &str,
    ) -> Result<Promoted, Problems> {
        let draft = draft(finding, existing, file)?;
        promote(&draft, &BTreeSet::new(), existing, file, text)
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
        let first = opened(&finding, &existing, "k.yaml", text).expect("it works");
        let new = first.text.expect("new");
        assert!(
            new.starts_with(&format!("{text}\n# G-UNANSWERED:Legasthenie\n- id: live-")),
            "{new}"
        );
        let after = catalog::parse("k.yaml", &new).expect("sound");
        assert_eq!((after.len(), first.opened.len()), (3, 2));
        let live = &after[1];
        assert_eq!((live.origin, live.status), (Origin::Live, Status::Open));
        assert_eq!(live.expected, Expected::Answered);
        assert_eq!(after[2].question, "Wie heißt's: 'LRS'?");
        assert_eq!(Wordings::of(&existing).split(&finding), (2, 0));
        assert_eq!(Wordings::of(&after).split(&finding), (0, 2));
        let again = draft(&finding, &after, "k.yaml").expect("it works");
        assert_eq!((again.questions.len(), again.known), (0, 3));
        let nothing = promote(&again, &BTreeSet::new(), &after, "k.yaml", &new);
        assert_eq!(nothing.expect("it works"), Promoted::default());
    }

    #[test]
    fn a_section_that_shall_be_extended_is_expected_and_a_new_file_is_begun() {
        let finding = finding(Action::ExtendSection, Some("x#y"), &["Was ist LRS?"]);
        for text in ["", "# nur ein Kopf", "questions: []\n"] {
            let new = opened(&finding, &[], "neu.yaml", text).expect("it works").text;
            let after = catalog::parse("neu.yaml", &new.expect("new")).expect("sound");
            assert_eq!(
                after[0].right().map(SectionId::as_str).collect::<Vec<_>>(),
                ["x#y"],
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_out_of_scope_must_be_refused_and_guards_that_where_it_is() {
        let finding =
            finding(Action::OutOfScope, None, &["Wie wird das Wetter?", "Wetter in Leipzig?"]);
        let draft = draft(&finding, &[], "k.yaml").expect("it works");
        let refused = [draft.questions[0].id.clone()].into();
        let promoted = promote(&draft, &refused, &[], "k.yaml", "").expect("it works");
        assert_eq!(promoted.guarding, [draft.questions[0].id.clone()]);
        assert_eq!(promoted.opened, [draft.questions[1].id.clone()]);
        let after = catalog::parse("k.yaml", &promoted.text.expect("new")).expect("sound");
        let told: Vec<_> = after.iter().map(|one| (&one.expected, one.status)).collect();
        assert_eq!(
            told,
            [(&Expected::Refused, Status::Settled), (&Expected::Refused, Status::Open)]
        );
    }

    #[test]
    fn a_question_that_is_answered_already_is_no_ticket() {
        let finding = finding(Action::NewSection, None, &["Was ist LRS?", "Wem hilft LRS?"]);
        let draft = draft(&finding, &[], "k.yaml").expect("it works");
        let answered = [draft.questions[0].id.clone()].into();
        let promoted = promote(&draft, &answered, &[], "k.yaml", "").expect("it works");
        assert_eq!(promoted.passing, ["Was ist LRS?"]);
        assert_eq!(promoted.opened.len(), 1);
        assert!(!promoted.text.expect("new").contains("Was ist LRS?"));
        let all = draft.questions.iter().map(|question| question.id.clone()).collect();
        let nothing = promote(&draft, &all, &[], "k.yaml", "").expect("it works");
        assert_eq!((nothing.text, nothing.passing.len()), (None, 2));
    }

    #[test]
    fn a_form_that_can_not_be_added_to_is_told_at_its_place() {
        let finding = finding(Action::NewSection, None, &["Was ist LRS?"]);
        let entry = "{id: a, question: A?, expect: {refused: true}, origin: human, tier: t}";
        let block =
            "- id: a\n  question: A?\n  expect: {refused: true}\n  origin: human\n  tier: t\n";
        for (text, line, column) in [
            (format!("# Kopf\nquestions: [{entry}]\n"), 2, 12),
            (format!("questions:\n  [{entry}]\n"), 2, 3),
            (format!("{{questions: [{entry}]}}\n"), 1, 1),
            (format!("---\nquestions:\n{block}...\n"), 8, 1),
            ("{}\n".to_owned(), 1, 1),
        ] {
            let existing = catalog::parse("k.yaml", &text).expect("sound");
            let problems = opened(&finding, &existing, "k.yaml", &text).expect_err("refused");
            let [problem] = problems.list() else { panic!("{problems}") };
            assert_eq!(problem.message, "this form can not be added to", "{text}");
            assert_eq!((problem.place.line, problem.place.column), (line, column), "{text}");
        }
        let other = "fragen:\n  - id: a\n";
        let problems = opened(&finding, &[], "k.yaml", other).expect_err("refused");
        assert_eq!(problems.list()[0].place.line, 2, "a place that exists: {problems}");
    }

    #[test]
    fn a_file_that_was_begun_is_as_none_and_keeps_its_comments() {
        let finding = finding(Action::NewSection, None, &["Was ist LRS?"]);
        for text in [
            "",
            "\u{feff}",
            "\n",
            "# nur ein Kopf",
            "---\n# Kopf\n",
            "questions:",
            "# Kopf\nquestions: # Liste\n# Fuß\n",
            "questions: [] # leer\n",
            "questions: ~\n",
            "\u{feff}questions: []",
        ] {
            for text in [text.to_owned(), text.replace('\n', "\r\n")] {
                let new = opened(&finding, &[], "neu.yaml", &text).expect("it works").text;
                let new = new.expect("new");
                let after = catalog::parse("neu.yaml", &new).expect("sound");
                assert_eq!(after.len(), 1, "{text:?}: {new}");
                let comments = text.lines().filter(|line| line.contains('#'));
                for comment in comments.map(|line| &line[line.find('#').expect("there")..]) {
                    assert!(new.contains(comment), "{text:?}: {new}");
                }
            }
        }
    }

    #[test]
    fn a_file_with_windows_line_ends_keeps_them() {
        let finding = finding(Action::NewSection, None, &["Was ist LRS?"]);
        let text = "questions:\n- id: a\n  question: 'A?'\n  expect: {refused: true}\n  origin: human\n  tier: t";
        let text = text.replace('\n', "\r\n");
        let existing = catalog::parse("k.yaml", &text).expect("sound");
        let new = opened(&finding, &existing, "k.yaml", &text).expect("it works").text;
        let new = new.expect("new");
        assert!(new.starts_with(&text));
        assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "{new:?}");
        assert_eq!(catalog::parse("k.yaml", &new).expect("sound").len(), 2);
    }

    #[test]
    fn a_finding_without_a_question_is_told() {
        let finding = finding(Action::NewSection, None, &[]);
        assert!(!finding.is_promotable());
        let problems = draft(&finding, &[], "k.yaml").expect_err("nothing to promote");
        assert_eq!(problems.list()[0].code, "gap-without-question");
    }
}
