//! The stages of a question, one by one and together, over the demo compendium.
//!
//! The index is built (or opened) under `data` first; run from the repository's root.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use wegweiser::analysis::Analyzer;
use wegweiser::config::{self, Config, Layer};
use wegweiser::domain::{Allowed, Fusion, IntentId, Mode, Query};
use wegweiser::normalise::normalise;
use wegweiser::pipeline::assemble::{Assembly, Listener};
use wegweiser::pipeline::sources::Sources;
use wegweiser::pipeline::{Pipeline, SearchRequest};
use wegweiser::retrieval::fuse::{Background, Candidate, Pool, Scale, Weights};
use wegweiser::retrieval::lexical::{FieldBoosts, LexicalIndex, LexicalRequest};

const QUESTION: &str =
    "Welchen Nutzen hat verteiltes Lernen gegenüber dem Pauken am Abend vor der Prüfung?";

struct Silent;

impl Listener for Silent {
    fn building(&mut self, _why: &str) {}
    fn waiting(&mut self) {}
    fn progress(&mut self, _done: usize, _total: usize) {}
}

fn settings() -> Config {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let over = Layer {
        compendium: Some(root.join("compendium")),
        rules: Some(root.join("rules")),
        data_dir: Some(root.join("data")),
        ..Layer::default()
    };
    config::load(None, over).expect("settings without problems")
}

fn query() -> Query {
    Query::new(QUESTION, 2_000).expect("a question")
}

fn stages(criterion: &mut Criterion) {
    let config = settings();
    let read = Sources::read(config.rules.as_deref(), config.compendium.as_deref());
    let sources = read.expect("files without problems");
    let normalised = normalise(&query());
    criterion.bench_function("normalise", |b| b.iter(|| normalise(black_box(&query()))));
    criterion.bench_function("rules", |b| b.iter(|| sources.rules.decide(black_box(&normalised))));
    let long =
        Query::new(&"wie kann ich das besser machen ".repeat(64), 2_000).expect("a question");
    let long = normalise(&long);
    criterion.bench_function("rules, 2,000 characters", |b| {
        b.iter(|| sources.rules.decide(black_box(&long)));
    });
    let intent = IntentId::try_from("benefit").expect("an id");
    criterion.bench_function("groups", |b| {
        b.iter(|| sources.groups.infer(black_box(&normalised), Some(&intent), &sources.analyzer));
    });
    lexical(criterion, &sources);
    fusion(criterion);
}

fn lexical(criterion: &mut Criterion, sources: &Sources) {
    let dir = tempfile::tempdir().expect("a folder");
    let sections = &sources.compendium.sections;
    let analyzer = Analyzer::new(sections);
    LexicalIndex::build(dir.path(), sections, &[], &analyzer).expect("built");
    let index = LexicalIndex::open(dir.path(), analyzer).expect("opened");
    let fields: FieldBoosts = "title^2 path text".parse().expect("fields");
    let few = Allowed::among(sections.len(), |ordinal| ordinal % 6 == 0);
    for (name, allowed) in [("lexical", None), ("lexical, filtered", Some(&few))] {
        let request = LexicalRequest { question: QUESTION, fields: &fields, allowed, limit: 100 };
        criterion.bench_function(name, |b| b.iter(|| index.search(black_box(&request))));
    }
    criterion.bench_function("snippet", |b| {
        b.iter(|| index.highlighter(QUESTION).snippet(black_box(&sections[0].text)));
    });
}

fn fusion(criterion: &mut Criterion) {
    let candidates: Vec<Candidate> = (0..200_u16)
        .map(|at| Candidate {
            ordinal: u32::from(at),
            vector: Some(0.9 - f32::from(at) / 2_000.0),
            lexical: (at % 3 == 0).then_some(20.0 - f32::from(at) / 20.0),
            ..Candidate::default()
        })
        .collect();
    let background = Background { mean: 0.8, deviation: 0.02 };
    let cosines = candidates.iter().filter_map(|candidate| candidate.vector);
    let words = candidates.iter().filter_map(|candidate| candidate.lexical);
    let (vector, lexical) = (Scale::of(cosines, background), Scale::of(words, background));
    let pool = Pool { candidates, vector, lexical };
    let weights = Weights { vector: 0.8, lexical: 0.2 };
    criterion.bench_function("fuse, 200 candidates", |b| {
        b.iter(|| black_box(&pool).fused(Fusion::Linear, weights));
    });
}

fn whole(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let config = settings();
    let pipeline: Pipeline = runtime.block_on(async {
        let assembly = Assembly::prepare(&config).await.expect("files without problems");
        let index = assembly.index(&mut Silent).expect("an index");
        assembly.pipeline(&config, index)
    });
    let query = query();
    for (name, mode) in [
        ("search, hybrid", Mode::Hybrid),
        ("search, vector", Mode::Vector),
        ("search, lexical: no embedding", Mode::Lexical),
    ] {
        let request = SearchRequest { mode, ..SearchRequest::default() };
        criterion.bench_function(name, |b| {
            b.to_async(&runtime).iter(|| async { pipeline.search(&query, &request).await });
        });
    }
    criterion.bench_function("route", |b| {
        b.to_async(&runtime).iter(|| async { pipeline.route(&query).await });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(50);
    targets = stages, whole
}
criterion_main!(benches);
