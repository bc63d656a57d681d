//! Robustness: whether a question finds its section when it is typed as other people would.

mod address;
mod variants;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

pub use variants::Kind;

use super::LabelledQuestion;
use super::parallel::ask_all;
use crate::domain::Query;
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};

/// A right section beyond this rank is lost.
const TOP: usize = 3;
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// What the twins of a set of questions found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwinReport {
    /// Questions whose section the index has; one in parts counts once for each section.
    pub questions: usize,
    /// Of these, questions whose right section is in the top 3; only they have twins.
    pub held: usize,
    /// Twins asked and lost.
    pub kinds: BTreeMap<Kind, Tally>,
    /// The twins that lost the section, in the order of questions and kinds.
    pub broken: Vec<Broken>,
}

/// Twins of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Asked: the kind changes the question.
    pub asked: usize,
    /// The right section is not in the top 3 any more.
    pub broken: usize,
}

/// A twin that lost the section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// Id of the question.
    pub id: String,
    /// In what the twin differs.
    pub kind: Kind,
    /// The question.
    pub question: String,
    /// The twin.
    pub twin: String,
    /// The section that was in the top 3 and is not any more.
    pub lost: String,
    /// The section that is first now.
    pub first: Option<String>,
}

/// What one question gave: nothing where its own section was not in the top 3.
type Asked = Option<Vec<(Kind, Option<Broken>)>>;

/// Asks each question and, where its section is in the top 3, its twins; `progress` hears how many
/// questions are done.
///
/// # Errors
/// A question can not be searched at all.
pub async fn evaluate(
    pipeline: &Arc<Pipeline>,
    questions: &[LabelledQuestion],
    progress: impl FnMut(usize),
) -> Result<TwinReport, PipelineError> {
    let known: Vec<LabelledQuestion> = questions
        .iter()
        .filter(|question| pipeline.section(&question.section).is_some())
        .cloned()
        .collect();
    let (total, asked) = (known.len(), known);
    let ask = |question: LabelledQuestion| {
        let pipeline = Arc::clone(pipeline);
        async move { twins(&pipeline, &question).await }
    };
    let outcomes: Vec<Asked> = ask_all(asked, ask, progress).await?;
    let mut report =
        TwinReport { questions: total, held: 0, kinds: BTreeMap::new(), broken: Vec::new() };
    for outcome in outcomes.into_iter().flatten() {
        report.held += 1;
        for (kind, broken) in outcome {
            let tally = report.kinds.entry(kind).or_default();
            tally.asked += 1;
            tally.broken += usize::from(broken.is_some());
            report.broken.extend(broken);
        }
    }
    Ok(report)
}

async fn twins(pipeline: &Pipeline, question: &LabelledQuestion) -> Result<Asked, PipelineError> {
    if !found(pipeline, question, &question.question).await?.0 {
        return Ok(None);
    }
    let mut asked = Vec::new();
    for kind in Kind::ALL {
        let Some(twin) = kind.twin(&question.question, pipeline.analyzer()) else { continue };
        let (held, first) = found(pipeline, question, &twin).await?;
        let broken = (!held).then(|| Broken {
            id: question.id.clone(),
            kind,
            question: question.question.clone(),
            twin,
            lost: question.section.to_string(),
            first,
        });
        asked.push((kind, broken));
    }
    Ok(Some(asked))
}

/// Whether a right section is in the top 3, and what is first.
async fn found(
    pipeline: &Pipeline,
    question: &LabelledQuestion,
    text: &str,
) -> Result<(bool, Option<String>), PipelineError> {
    let query = Query::new(text, LONGEST)
        .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
    let request = SearchRequest { k: Some(TOP), ..SearchRequest::default() };
    let hits = pipeline.search(&query, &request).await?.answer.hits.unwrap_or_default();
    let right = |id: &str| {
        question.section.as_str() == id || question.acceptable.iter().any(|a| a.as_str() == id)
    };
    let held = hits.iter().take(TOP).any(|hit| right(&hit.id));
    Ok((held, hits.into_iter().next().map(|hit| hit.id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analyzer;

    fn twin(kind: Kind, question: &str) -> Option<String> {
        kind.twin(question, &Analyzer::new(&[]))
    }

    #[test]
    fn a_twin_differs_in_one_thing() {
        let question = "Können Sie mir sagen, wie groß der Wochenplan ist?";
        for (kind, expected) in [
            (Kind::SharpS, "Können Sie mir sagen, wie gross der Wochenplan ist?"),
            (Kind::Transcribed, "Koennen Sie mir sagen, wie gross der Wochenplan ist?"),
            (Kind::LowerCase, "können sie mir sagen, wie groß der wochenplan ist?"),
            (Kind::SplitByBlank, "Können Sie mir sagen, wie groß der Wochen Plan ist?"),
            (Kind::SplitByHyphen, "Können Sie mir sagen, wie groß der Wochen-Plan ist?"),
            (Kind::Typo, "Können Sie mir sagen, wie groß der Wochneplan ist?"),
            (Kind::Address, "Kannst du mir sagen, wie groß der Wochenplan ist?"),
        ] {
            assert_eq!(twin(kind, question).as_deref(), Some(expected), "{kind:?}");
        }
    }

    #[test]
    fn a_question_that_stays_the_same_has_no_twin() {
        for kind in Kind::ALL {
            assert_eq!(twin(kind, "wer war das?"), None, "{kind:?}");
            assert_eq!(twin(kind, "?"), None, "{kind:?}");
        }
    }

    #[test]
    fn address_changes_with_its_verb_and_its_pronouns() {
        for (du, sie) in [
            ("Hast du dein Handy aus?", "Haben Sie Ihr Handy aus?"),
            ("Was rätst du mir?", "Was raten Sie mir?"),
        ] {
            assert_eq!(twin(Kind::Address, du).as_deref(), Some(sie));
            assert_eq!(twin(Kind::Address, sie).as_deref(), Some(du));
        }
        assert_eq!(twin(Kind::Address, "Sie lernte lange."), None);
    }
}
