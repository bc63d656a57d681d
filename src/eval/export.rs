//! Labelled questions and what the pipeline finds for them, for the files of TREC.

use super::LabelledQuestion;
use super::trec::{Qrels, Run};
use crate::domain::Query;
use crate::pipeline::{Pipeline, PipelineError, SearchRequest};

/// Hits a question; as many as a search gives at most.
const DEPTH: usize = 100;
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// The judgments: grade 1 for each right section of a question. All else is not judged.
pub fn qrels(questions: &[LabelledQuestion]) -> Qrels {
    let mut qrels = Qrels::default();
    for question in questions {
        for section in std::iter::once(&question.section).chain(&question.acceptable) {
            qrels.judge(&question.id, section.as_str(), 1);
        }
    }
    qrels
}

/// The sections that both channels together find, 100 a question; `progress` hears how many
/// questions are done.
///
/// # Errors
/// A question can not be searched at all.
pub async fn run(
    pipeline: &Pipeline,
    questions: &[LabelledQuestion],
    mut progress: impl FnMut(usize),
) -> Result<Run, PipelineError> {
    let mut run = Run::default();
    for (done, question) in questions.iter().enumerate() {
        let query = Query::new(&question.question, LONGEST)
            .map_err(|error| PipelineError::Request(format!("{}: {error}", question.id)))?;
        let request = SearchRequest { k: Some(DEPTH), ..SearchRequest::default() };
        let hits = pipeline.search(&query, &request).await?.answer.hits.unwrap_or_default();
        run.rank(&question.id, hits.into_iter().map(|hit| hit.id));
        progress(done + 1);
    }
    Ok(run)
}
