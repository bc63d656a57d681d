//! The vector channel alone: one search over 240, 1,000 and 10,000 clustered vectors.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use wegweiser::domain::{Allowed, Vector};
use wegweiser::retrieval::vector::VectorStore;

const DIMENSION: usize = 384;

/// Pseudo-random numbers in −1..1 (xorshift), equal in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / 8_388_608.0 - 1.0
    }

    /// About 40 vectors share a cluster, as sections share a topic.
    fn near(&mut self, cluster: u64) -> Vector {
        let mut middle = Noise((cluster + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let values = (0..DIMENSION).map(|_| middle.next() + 0.6 * self.next()).collect();
        Vector::new(values).expect("noise is finite")
    }
}

fn vector_search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vector");
    for count in [240_u32, 1_000, 10_000] {
        let mut noise = Noise(7);
        let vectors: Vec<_> =
            (0..count).map(|row| (row, noise.near(u64::from(row / 40)))).collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("vectors.usearch");
        VectorStore::build(&path, DIMENSION, &vectors).expect("clustered vectors");
        let store = VectorStore::open(&path, DIMENSION, vectors.len()).expect("just built");
        let query = noise.near(3);
        group.bench_function(BenchmarkId::new("all", count), |bencher| {
            bencher.iter(|| store.search(black_box(&query), 50, None));
        });
        let allowed = Allowed::among(count as usize, |ordinal| ordinal % 20 == 0);
        group.bench_function(BenchmarkId::new("one in twenty allowed", count), |bencher| {
            bencher.iter(|| store.search(black_box(&query), 50, Some(&allowed)));
        });
    }
    group.finish();
}

criterion_group!(benches, vector_search);
criterion_main!(benches);
