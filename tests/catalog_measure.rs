//! Time of a catalog run beside the time of embedding its questions. Run by hand, on a quiet machine:
//! `cargo test --release --test catalog_measure -- --ignored --nocapture`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wegweiser::catalog::{self, Question};
use wegweiser::config::{self, Layer};
use wegweiser::domain::{PrefixedQuery, Query};
use wegweiser::embedding::{Embedder, InProcess, Limits, Passage};
use wegweiser::normalise::normalise;
use wegweiser::pipeline::Pipeline;
use wegweiser::pipeline::assemble::{Assembly, Listener};

struct Silent;

impl Listener for Silent {
    fn building(&mut self, _why: &str) {}
    fn waiting(&mut self) {}
    fn progress(&mut self, _done: usize, _total: usize) {}
}

fn passage(text: &str) -> Passage {
    let query = Query::new(text, 20_000).expect("a question");
    Passage::question(&PrefixedQuery::plain(&normalise(&query)))
}

/// What a run embeds: each question plain, and once more where it has groups. Parts of questions
/// are left out, in favour of the embedding.
async fn texts(pipeline: &Pipeline, questions: &[Question]) -> Vec<Passage> {
    let mut texts = Vec::new();
    for Question { question, .. } in questions {
        texts.push(passage(question));
        let query = Query::new(question, 20_000).expect("a question");
        let route = pipeline.route(&query).await.expect("a route");
        texts.extend(route.answer.prefix.map(|prefix| passage(&format!("{prefix}\n\n{question}"))));
    }
    texts
}

#[test]
#[ignore = "takes minutes, and says something only where nothing else runs"]
fn a_run_takes_little_longer_than_embedding_its_questions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let over = Layer {
        compendium: Some(root.join("compendium")),
        rules: Some(root.join("rules")),
        data_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shipped")),
        ..Layer::default()
    };
    let config = config::load(None, over).expect("settings without problems");
    let questions = catalog::load(&root.join("catalog")).expect("a sound catalog");
    // The memory of an earlier measurement would make the first run a warm one.
    let memory = config.data_dir.join("cache").join("questions");
    if memory.exists() {
        std::fs::remove_dir_all(&memory).expect("removed");
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut runs: Vec<Duration> = Vec::new();
    runtime.block_on(async {
        let mut assembly = Assembly::prepare(&config).await.expect("files without problems");
        let remembered = assembly.remember_questions().expect("it is free");
        let index = assembly.index(&mut Silent).expect("an index");
        let pipeline = Arc::new(assembly.pipeline(&config, index));
        for kind in ["cold", "warm"] {
            let before = remembered.counts();
            let started = Instant::now();
            catalog::run(&pipeline, &questions, |_| ()).await.expect("a run");
            runs.push(started.elapsed());
            let after = remembered.counts();
            println!(
                "{kind}: {} questions, {} texts embedded, {} remembered, {:.2?}",
                questions.len(),
                after.1 - before.1,
                after.0 - before.0,
                started.elapsed()
            );
        }
        let texts = texts(&pipeline, &questions).await;
        let embedder = InProcess::load(Limits::default()).expect("the model");
        let started = Instant::now();
        embedder.embed_all(&texts, &mut |_, _| ()).expect("embedded");
        let alone = started.elapsed();
        println!(
            "embedding alone: {} texts, {alone:.2?}; a cold run takes {:.2} × as long",
            texts.len(),
            runs[0].as_secs_f64() / alone.as_secs_f64()
        );
    });
}
