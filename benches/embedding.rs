//! The built-in model: start, one question, one window.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wegweiser::domain::{PrefixedQuery, Query};
use wegweiser::embedding::{Embedder, InProcess, Limits};
use wegweiser::normalise::normalise;

fn question(text: &str) -> PrefixedQuery {
    PrefixedQuery::plain(&normalise(&Query::new(text, 1_000).expect("a short question")))
}

fn embedding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("embedding");
    group.sample_size(20);
    group.bench_function("load", |bencher| bencher.iter(|| InProcess::load(Limits::default())));

    let model = InProcess::load(Limits::default()).expect("the built-in model");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for (name, text) in [
        ("question of 12 tokens", "Was ist ein Karteikasten?"),
        (
            "question of 21 tokens",
            "Wie lange bekomme ich mein Gehalt weiter, wenn ich länger krank bin?",
        ),
    ] {
        let question = question(text);
        group.bench_function(name, |bencher| {
            bencher.to_async(&runtime).iter(|| model.embed_query(black_box(&question)));
        });
    }
    let text = "Verteiltes Lernen wirkt besser als massiertes Lernen. ".repeat(30);
    let windows = model.windows("", "Verteiltes Lernen", &text);
    group.bench_function("window of 160 tokens", |bencher| {
        bencher.to_async(&runtime).iter(|| model.embed_passage(black_box(&windows[0])));
    });
    group.bench_function("cut a section of 240 words into windows", |bencher| {
        bencher.iter(|| model.windows("", "Verteiltes Lernen", black_box(&text)));
    });
    group.finish();
}

criterion_group!(benches, embedding);
criterion_main!(benches);
