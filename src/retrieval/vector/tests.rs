use std::fs;

use proptest::prelude::*;

use super::*;

/// Pseudo-random numbers in −1..1 (xorshift, Marsaglia 2003), equal on every machine.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / 8_388_608.0 - 1.0
    }

    /// A vector close to the middle of its cluster: uniform vectors would test no recall.
    fn clustered(&mut self, cluster: u64, dimension: usize) -> Vector {
        let mut middle = Noise(cluster.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let values = (0..dimension).map(|_| middle.next() + 0.6 * self.next()).collect();
        Vector::new(values).unwrap()
    }
}

/// `windows` vectors for each of `sections` sections.
fn vectors(sections: u32, windows: u32, dimension: usize) -> Vec<(u32, Vector)> {
    let mut noise = Noise(7);
    (0..sections * windows)
        .map(|row| (row / windows, noise.clustered(u64::from(row / 40) + 1, dimension)))
        .collect()
}

fn stored(vectors: &[(u32, Vector)], dimension: usize) -> (tempfile::TempDir, VectorStore) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plain.usearch");
    VectorStore::build(&path, dimension, vectors).unwrap();
    let store = VectorStore::open(&path, dimension, vectors.len()).unwrap();
    (folder, store)
}

/// The simple version: every section's best window, sorted.
fn oracle(vectors: &[(u32, Vector)], query: &Vector, allowed: Option<&Allowed>) -> Vec<(u32, f32)> {
    let mut best: std::collections::BTreeMap<u32, f32> = std::collections::BTreeMap::new();
    for (ordinal, vector) in vectors {
        if allowed.is_none_or(|allowed| allowed.contains(*ordinal)) {
            let score = best.entry(*ordinal).or_insert(f32::NEG_INFINITY);
            *score = score.max(query.cosine(vector));
        }
    }
    let mut found: Vec<_> = best.into_iter().collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found
}

fn unfit(result: Result<VectorStore, VectorError>) -> String {
    match result {
        Err(VectorError::Unfit { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn what_is_stored_is_found_like_a_full_scan_finds_it(
        sections in prop::collection::vec((0_u32..12, prop::collection::vec(-1.0_f32..1.0, 5)), 0..30),
        query in prop::collection::vec(-1.0_f32..1.0, 5),
        limit in 0_usize..15,
        allowed in prop::option::of(any::<u16>()),
    ) {
        let vectors: Vec<_> = sections
            .into_iter()
            .filter_map(|(ordinal, values)| Some((ordinal, Vector::new(values).ok()?)))
            .collect();
        prop_assume!(query.iter().any(|value| value.abs() > 0.01));
        let query = Vector::new(query).unwrap();
        let allowed = allowed.map(|bits| Allowed::among(12, |ordinal| bits >> ordinal & 1 == 1));
        let (_folder, store) = stored(&vectors, 5);
        let mut expected = oracle(&vectors, &query, allowed.as_ref());
        for ordinal in 0..12 {
            let score = oracle(&vectors, &query, None).iter().find(|hit| hit.0 == ordinal).map(|hit| hit.1);
            prop_assert_eq!(store.score(&query, ordinal).unwrap(), score);
        }
        expected.truncate(limit);
        prop_assert_eq!(store.search(&query, limit, allowed.as_ref()).unwrap(), expected);
    }
}

#[test]
fn the_graph_finds_what_a_full_scan_finds() {
    let vectors = vectors(6_000, 2, 16);
    let (_folder, store) = stored(&vectors, 16);
    assert!(store.graph.is_some(), "12,000 vectors are too many to scan");
    let mut noise = Noise(99);
    let (mut found, mut wanted) = (0, 0);
    for cluster in 1..60 {
        let query = noise.clustered(cluster, 16);
        let truth = oracle(&vectors, &query, None);
        let hits = store.search(&query, 10, None).unwrap();
        assert_eq!(hits.len(), 10);
        for hit in &hits {
            let (_, cosine) = truth.iter().find(|(ordinal, _)| *ordinal == hit.0).unwrap();
            assert_eq!(hit.1.to_bits(), cosine.to_bits(), "scores are exact");
        }
        wanted += 10;
        found += truth[..10].iter().filter(|hit| hits.contains(hit)).count();
    }
    let recall = f64::from(found as u32) / f64::from(wanted);
    assert!(recall >= 0.98, "recall@10 is {recall}");

    // A filter gives as many hits as there are, and never a forbidden one.
    let query = noise.clustered(3, 16);
    for keep in [1, 2, 3, 50, 5_990] {
        let allowed = Allowed::among(6_000, |ordinal| ordinal % keep == 0);
        let hits = store.search(&query, 7, Some(&allowed)).unwrap();
        assert_eq!(hits.len(), allowed.count().min(7), "every {keep}th");
        assert!(hits.iter().all(|hit| allowed.contains(hit.0)));
        if keep > 4 {
            assert_eq!(hits, oracle(&vectors, &query, Some(&allowed))[..hits.len()]);
        }
    }
    assert_eq!(store.search(&query, 20_000, None).unwrap().len(), 6_000);

    // More searches at once than usearch has threads for.
    let alone = store.search(&query, 10, None).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..100 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let hits = store.search(&query, 10, None).unwrap();
                    assert_eq!(hits.len(), 10);
                    assert_eq!(hits[0], alone[0]);
                }
            });
        }
    });
}

#[test]
fn the_vectors_of_a_section_come_back_bit_for_bit() {
    let vectors = vectors(5, 3, 384);
    let (_folder, store) = stored(&vectors, 384);
    let of_two: Vec<_> = vectors.iter().filter(|(o, _)| *o == 2).map(|(_, v)| v.clone()).collect();
    assert_eq!(store.all_of(2), of_two);
    assert_eq!(store.all_of(5), []);
    assert_eq!(store.score(&of_two[0], 5).unwrap(), None);
}

#[test]
fn equal_input_gives_equal_files_whatever_the_order_of_sections() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = vectors(30, 2, 32);
    let mut turned = vectors.clone();
    turned.sort_by_key(|(ordinal, _)| std::cmp::Reverse(*ordinal));
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    VectorStore::build(&a, 32, &vectors).unwrap();
    VectorStore::build(&b, 32, &turned).unwrap();
    assert_eq!(fs::read(&a).unwrap(), fs::read(&b).unwrap());
    assert_eq!(
        fs::read(folder.path().join("a.json")).unwrap(),
        fs::read(folder.path().join("b.json")).unwrap()
    );
}

#[test]
fn a_vector_of_another_dimension_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = vectors(3, 1, 8);
    let wrong = VectorStore::build(&folder.path().join("a"), 9, &vectors).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "the vector has 8 dimensions, the index has 9; build the index with the model in use"
    );
    let (_folder, store) = stored(&vectors, 8);
    let query = Vector::new(vec![1.0; 7]).unwrap();
    assert!(matches!(
        store.search(&query, 3, None),
        Err(VectorError::Dimension { expected: 8, found: 7 })
    ));
    assert!(matches!(store.score(&query, 0), Err(VectorError::Dimension { .. })));
}

#[test]
fn a_file_that_is_not_ours_is_refused_before_usearch_sees_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plain.usearch");
    let vectors = vectors(50, 1, 32);
    VectorStore::build(&path, 32, &vectors).unwrap();
    let good = fs::read(&path).unwrap();
    let open = || VectorStore::open(&path, 32, 50);

    assert_eq!(unfit(VectorStore::open(&path, 31, 50)), "it has 32 dimensions, not 31");
    assert_eq!(unfit(VectorStore::open(&path, 32, 49)), "it holds 50 vectors, not 49");
    for bad in [&good[..good.len() / 2], &good[..10], b"", b"garbage", &[0xff; 4_096]] {
        fs::write(&path, bad).unwrap();
        assert_eq!(unfit(open()), "its checksum is wrong");
    }
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    fs::write(&path, &flipped).unwrap();
    assert_eq!(unfit(open()), "its checksum is wrong");

    fs::write(&path, &good).unwrap();
    assert!(open().is_ok());
    fs::write(folder.path().join("plain.usearch.json"), "{").unwrap();
    assert!(unfit(open()).starts_with("its description is damaged"));
    fs::remove_file(folder.path().join("plain.usearch.json")).unwrap();
    assert!(matches!(open(), Err(VectorError::Io { .. })));
}

#[test]
fn no_vector_at_all_is_a_store_that_finds_nothing() {
    let (_folder, store) = stored(&[], 8);
    assert!(store.is_empty());
    assert_eq!(store.search(&Vector::new(vec![1.0; 8]).unwrap(), 5, None).unwrap(), []);
}
