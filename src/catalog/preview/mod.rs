//! What publishing an edit would change, question by question and section by section.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::Serialize;

use super::run::{LONGEST, Outcome, run};
use super::{Baseline, Cause, Diff, Question, Run, Turned, Verdict};
use crate::domain::Query;
use crate::pipeline::snapshot::{Part, Snapshot};
use crate::pipeline::{Changes, Pipeline, PipelineError, SectionChange};

/// A state with the pipeline that was made of it.
#[derive(Debug, Clone, Copy)]
pub struct State<'a> {
    /// What was written.
    pub snapshot: &'a Snapshot,
    /// What answers.
    pub pipeline: &'a Arc<Pipeline>,
}

/// An edit with what becomes of the questions that it can reach.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preview {
    /// Names of the edited rule files.
    pub rules: Vec<String>,
    /// The edited sections, sorted by id.
    pub sections: Vec<EditedSection>,
    /// How many questions were asked, once in each state.
    pub asked: usize,
    /// How many there are.
    pub questions: usize,
    /// Why all of them were asked, where they were for the kind of the edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_because: Option<String>,
    /// Questions that would come out worse.
    pub worse: Vec<Turned>,
    /// Questions that would come out better.
    pub better: Vec<Turned>,
    /// Questions that would be decided otherwise.
    pub otherwise: Vec<Turned>,
    /// Rules, words and phrases that would decide more or fewer of the questions that were asked.
    pub causes: Vec<Cause>,
}

/// An edited section with the questions that turn on it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditedSection {
    /// The edit.
    #[serde(flatten)]
    pub edit: SectionChange,
    /// Questions that would turn and expect this section, or find it first before or after, as
    /// `worse ID`, `better ID` or `other ID`.
    pub turned: Vec<String>,
}

impl Preview {
    /// Questions that pass, with or without a warning, and would fail.
    pub fn broken(&self) -> impl Iterator<Item = &Turned> {
        self.worse
            .iter()
            .filter(|turned| turned.before.verdict != Verdict::Fail)
            .filter(|turned| turned.now.verdict == Verdict::Fail)
    }
}

/// Asks the questions that the edit can reach in both states. `progress` hears how many answers are
/// there, and how many there will be.
///
/// # Errors
/// A question can not be searched at all.
pub async fn preview(
    before: State<'_>,
    after: State<'_>,
    questions: &[Question],
    mut progress: impl FnMut(usize, usize),
) -> Result<Preview, PipelineError> {
    let all_because = reaches_all(before, after);
    let mut reached = questions.to_vec();
    if all_because.is_none() {
        reached.retain(|question| can_turn(before.pipeline, after.pipeline, question));
    }
    let total = reached.len() * 2;
    let was = run(before.pipeline, &reached, |done| progress(done, total)).await?;
    let done_before = reached.len();
    let is = run(after.pipeline, &reached, |done| progress(done_before + done, total)).await?;
    let mut diff = Diff::new(&Baseline::of(&was), &is, 1.0);
    let changes = Changes::between(before.snapshot, after.snapshot);
    explain(&mut diff, &changes, &was, &is);
    let sections = changes.sections.into_iter().map(|edit| edited(edit, &diff, &was, &is));
    Ok(Preview {
        rules: changes.rules,
        sections: sections.collect(),
        asked: reached.len(),
        questions: questions.len(),
        all_because,
        worse: diff.worse,
        better: diff.better,
        otherwise: diff.otherwise,
        causes: diff.causes,
    })
}

/// Why every question can turn, where that follows from what was edited.
///
/// A section, an example or a synonym moves what all scores are read against: the statistics of
/// BM25, the background of the cosines, the strangers, the classifier. A verdict may hang on the
/// last digit of a score, so that no question can be left out.
fn reaches_all(before: State<'_>, after: State<'_>) -> Option<String> {
    let shaping = before.snapshot.reshaped(after.snapshot);
    if !shaping.is_empty() {
        let names: Vec<String> = shaping.iter().map(ToString::to_string).collect();
        return Some(format!(
            "{} goes into the index, which every score is read against",
            names.join(", ")
        ));
    }
    let prompt = Part::Rules("intent_prompt.md".to_owned());
    let asks_llm = after.pipeline.llm().is_some();
    let prompted = asks_llm && before.snapshot.differing(after.snapshot).contains(&prompt);
    prompted.then(|| format!("{prompt} is what llama3 is told"))
}

fn can_turn(before: &Pipeline, after: &Pipeline, question: &Question) -> bool {
    // What can not be asked is told by the run.
    Query::new(&question.question, LONGEST)
        .map_or(true, |query| before.can_answer_otherwise(after, &query))
}

/// Adds to each question that turned what its first hit was and is, and which of the edited sections
/// it hangs on.
fn explain(diff: &mut Diff, changes: &Changes, was: &Run, is: &Run) {
    for turned in diff.turned_mut() {
        let (Some(before), Some(now)) = (outcome(was, &turned.id), outcome(is, &turned.id)) else {
            continue;
        };
        let section = |outcome: &Outcome| outcome.first.as_ref().map(|hit| hit.section.clone());
        if section(before) != section(now) {
            let (old, new) = (first_hit(before), first_hit(now));
            turned.reasons.push(format!("first hit {old} → {new}"));
        }
        for section in changes.sections.iter().filter(|edit| concerns(edit, before, now)) {
            turned.reasons.push(format!("edited: {}", section.told()));
        }
    }
}

fn first_hit(outcome: &Outcome) -> String {
    outcome
        .first
        .as_ref()
        .map_or_else(|| "nothing".to_owned(), |hit| format!("`{}` ({:.2})", hit.section, hit.score))
}

fn edited(edit: SectionChange, diff: &Diff, was: &Run, is: &Run) -> EditedSection {
    let lists = [("worse", &diff.worse), ("better", &diff.better), ("other", &diff.otherwise)];
    let mut turned = Vec::new();
    for (name, list) in lists {
        for question in list {
            let both = (outcome(was, &question.id), outcome(is, &question.id));
            if let (Some(before), Some(now)) = both
                && concerns(&edit, before, now)
            {
                turned.push(format!("{name} {}", question.id));
            }
        }
    }
    EditedSection { edit, turned }
}

fn outcome<'a>(run: &'a Run, id: &str) -> Option<&'a Outcome> {
    let at = run.questions.binary_search_by(|outcome| outcome.id.as_str().cmp(id)).ok()?;
    Some(&run.questions[at])
}

/// Whether a question expects the section, or finds it first before or after.
fn concerns(edit: &SectionChange, before: &Outcome, now: &Outcome) -> bool {
    let first =
        |outcome: &Outcome| outcome.first.as_ref().is_some_and(|first| first.section == edit.id);
    now.expected.contains(&edit.id) || first(before) || first(now)
}
