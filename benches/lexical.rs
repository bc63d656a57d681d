//! The lexical channel on the demo's size, and on 100,000 sections where `WEGWEISER_LARGE` is set.
//!
//! The large collection is made of German words with a Zipf-like distribution and compounds of
//! them: `WEGWEISER_LARGE=1 cargo bench --bench lexical`.

#![allow(clippy::print_stdout, reason = "a benchmark reports what criterion does not measure")]

use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use wegweiser::analysis::Analyzer;
use wegweiser::domain::{Allowed, Place, Section, SectionId};
use wegweiser::retrieval::lexical::{FieldBoosts, LexicalIndex, LexicalRequest};

const WORDS: &str = include_str!("../src/analysis/data/words.txt");
const SERVING: [&str; 12] =
    ["die", "der", "und", "in", "ist", "nicht", "wie", "das", "mit", "von", "eine", "werden"];

/// A small generator with a fixed seed (Marsaglia 2003, xorshift64): every run measures the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Frequent words far more often than rare ones.
    fn word(&mut self, words: &[&str]) -> String {
        let rank = (words.len() as f64).powf(self.roll()).floor();
        #[allow(clippy::cast_sign_loss, reason = "a power of a positive number")]
        let rank = rank as usize;
        words[(rank - 1) % words.len()].to_owned()
    }

    fn text(&mut self, words: &[&str], length: usize) -> String {
        let mut text = String::new();
        for _ in 0..length {
            let word = match self.roll() {
                share if share < 0.4 => self.word(&SERVING),
                share if share < 0.5 => self.word(words) + &self.word(words),
                _ => self.word(words),
            };
            text.push_str(&word);
            text.push(' ');
        }
        text
    }
}

fn sections(count: usize, words: &[&str]) -> Vec<Section> {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    (0..count)
        .map(|at| Section {
            id: SectionId::try_from(format!("s#{at:06}")).expect("an id"),
            title: dice.text(words, 5),
            path: vec![dice.word(words)],
            text: dice.text(words, 110),
            group: None,
            facets: BTreeMap::new(),
            audience: BTreeSet::new(),
            updated: None,
            place: Place::start_of("bench.md"),
        })
        .collect()
}

/// Bytes in a folder.
fn size(dir: &Path) -> u64 {
    let files = std::fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry"));
    files.map(|entry| entry.metadata().expect("a file").len()).sum()
}

/// What each field takes on disk.
fn space_by_field(dir: &Path) {
    let index = tantivy::Index::open_in_dir(dir).expect("opened");
    let usage = index.reader().expect("a reader").searcher().space_usage().expect("usage");
    for segment in usage.segments() {
        let mut by_field: BTreeMap<&str, u64> = BTreeMap::new();
        for usage in segment.termdict().fields().chain(segment.postings().fields()) {
            *by_field.entry(usage.field_name()).or_default() += usage.total().get_bytes() / 1024;
        }
        println!("KiB by field: {by_field:?}");
    }
}

fn lexical(criterion: &mut Criterion) {
    // Shuffled once, so that rank has nothing to do with the alphabet.
    let mut words: Vec<&str> = WORDS.lines().collect();
    words.sort_by_key(|word| word.bytes().rev().collect::<Vec<u8>>());
    let large = std::env::var_os("WEGWEISER_LARGE").map(|_| 100_000);
    for count in [1_000].into_iter().chain(large) {
        measure(criterion, count, &words);
    }
}

fn measure(criterion: &mut Criterion, count: usize, words: &[&str]) {
    let sections = sections(count, words);
    let dir = tempfile::tempdir().expect("a folder");
    let start = Instant::now();
    let analyzer = Analyzer::new(&sections);
    let vocabulary = start.elapsed();
    LexicalIndex::build(dir.path(), &sections, &[], &analyzer).expect("built");
    println!(
        "{count} sections: vocabulary {vocabulary:?}, with build {:?}, {} KiB on disk",
        start.elapsed(),
        size(dir.path()) / 1024
    );
    space_by_field(dir.path());
    let index = LexicalIndex::open(dir.path(), analyzer).expect("opened");
    let fields: FieldBoosts = "title^2 path text".parse().expect("fields");
    let mut dice = Dice(0xD1B5_4A32_D192_ED03);
    let questions: Vec<String> = (0..200).map(|_| dice.text(words, 7)).collect();
    let few = Allowed::among(count, |ordinal| ordinal % 100 == 7);
    for (name, allowed) in [("all", None), ("1 % allowed", Some(&few))] {
        let ask = |question: &str| {
            let request = LexicalRequest { question, fields: &fields, allowed, limit: 100 };
            index.search(&request).expect("searched")
        };
        let mut times: Vec<_> = questions
            .iter()
            .map(|question| {
                let start = Instant::now();
                black_box(ask(question));
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        println!("{count} sections, {name}: p50 {:?}, p95 {:?}", times[100], times[190]);
        let mut at = 0;
        criterion.bench_function(&format!("lexical/{count}/{name}"), |bencher| {
            bencher.iter(|| {
                at = (at + 1) % questions.len();
                ask(&questions[at])
            });
        });
    }
}

criterion_group!(benches, lexical);
criterion_main!(benches);
