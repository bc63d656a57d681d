//! A run of the catalog is the same however many threads it has, and whether or not its questions
//! were embedded before.

use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Builder;
use wegweiser::catalog::{self, Question, Run};
use wegweiser::pipeline::assemble::Assembly;

use crate::harness::{Silent, settings};

/// A run with so many threads; remembered and embedded texts where the run may remember.
fn run(
    folder: &Path,
    questions: &[Question],
    threads: usize,
    memory: bool,
) -> (Run, (usize, usize)) {
    let config = settings(folder);
    let runtime = Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let mut assembly = Assembly::prepare(&config).await.expect("files without problems");
        let remembered = memory.then(|| assembly.remember_questions().expect("it is free"));
        let index = assembly.index(&mut Silent).expect("an index");
        let pipeline = Arc::new(assembly.pipeline(&config, index));
        let run = catalog::run(&pipeline, questions, |_| ()).await.expect("a run");
        (run, remembered.map_or((0, 0), |remembered| remembered.counts()))
    })
}

#[test]
fn neither_threads_nor_remembered_embeddings_change_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut questions = catalog::load(&root.join("catalog")).expect("a sound catalog");
    // Their sections are not in the small compendium: only refusals are asked there.
    questions.retain(|question| question.right().next().is_none());
    questions.truncate(20);
    assert_eq!(questions.len(), 20);
    let (one, _) = run(folder.path(), &questions, 1, false);
    assert!(one.questions.iter().any(|outcome| outcome.answerable.is_some()), "they were asked");
    let (four, _) = run(folder.path(), &questions, 4, false);
    assert_eq!(one, four);
    questions.reverse();
    let (cold, (before, embedded)) = run(folder.path(), &questions, 4, true);
    assert!(before == 0 || embedded >= questions.len(), "{before} {embedded}");
    let (warm, again) = run(folder.path(), &questions, 1, true);
    assert_eq!(again, (before + embedded, 0), "nothing is embedded twice");
    assert!(embedded >= questions.len());
    assert_eq!((&cold, &warm), (&one, &one));
}
