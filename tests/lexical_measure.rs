//! Figures of the lexical channel on a data set. Run by hand:
//! `WEGWEISER_DATA=FOLDER cargo test --test lexical_measure -- --ignored --nocapture`

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use wegweiser::analysis::{Analyzer, LanguageRules, fold};
use wegweiser::domain::{Place, Section, SectionId};
use wegweiser::eval::Ranks;
use wegweiser::retrieval::lexical::{FieldBoosts, LexicalIndex, LexicalRequest};

#[derive(Deserialize)]
struct Line {
    section_id: SectionId,
    title: String,
    text: String,
}

fn sections(folder: &Path) -> Vec<Section> {
    let text = std::fs::read_to_string(folder.join("sections.jsonl")).expect("sections.jsonl");
    let mut sections: Vec<Section> = text
        .lines()
        .map(|line| {
            let line: Line = serde_json::from_str(line).expect("a section");
            Section {
                id: line.section_id,
                title: line.title,
                path: Vec::new(),
                text: line.text,
                group: None,
                facets: BTreeMap::new(),
                audience: BTreeSet::new(),
                updated: None,
                place: Place::start_of("sections.jsonl"),
            }
        })
        .collect();
    sections.sort_by(|a, b| a.id.cmp(&b.id));
    sections
}

#[test]
#[ignore = "needs data that is not part of the repository"]
fn recall_and_reciprocal_rank_on_a_data_set() {
    let folder = std::env::var("WEGWEISER_DATA").expect("WEGWEISER_DATA names a folder");
    let fields = std::env::var("WEGWEISER_FIELDS").unwrap_or("title^2 path text".to_owned());
    let fields: FieldBoosts = fields.parse().expect("fields");
    for folder in folder.split(',').map(Path::new) {
        let sections = sections(folder);
        let start = Instant::now();
        let analyzer = Analyzer::new(&sections);
        let vocabulary = start.elapsed();
        let dir = tempfile::tempdir().expect("a folder");
        LexicalIndex::build(dir.path(), &sections, &[], &analyzer).expect("built");
        let index = LexicalIndex::open(dir.path(), analyzer).expect("opened");
        let questions =
            wegweiser::eval::dataset::jsonl(&folder.join("questions.jsonl")).expect("questions");
        let mut ranks = Ranks::default();
        let start = Instant::now();
        for question in &questions {
            let request = LexicalRequest {
                question: &question.question,
                fields: &fields,
                allowed: None,
                limit: 10,
            };
            let hits = index.search(&request).expect("searched").hits;
            let rank = hits
                .iter()
                .position(|(ordinal, _)| sections[*ordinal as usize].id == question.section);
            ranks.push(rank.map(|at| at + 1));
        }
        let took = start.elapsed() / questions.len().max(1) as u32;
        println!(
            "{}: {:?}; {took:?} a question; vocabulary {vocabulary:?}",
            folder.display(),
            ranks.scores()
        );
    }
}

#[derive(Deserialize)]
struct Split {
    word: String,
    parts: Vec<String>,
}

/// Splits of a folded word as the letters at which parts begin; empty for a whole word.
type Splitter<'a> = &'a dyn Fn(&str) -> Vec<usize>;

#[test]
#[ignore = "needs data that is not part of the repository"]
fn splits_of_compounds_against_simpler_ways() {
    let file = std::env::var("WEGWEISER_COMPOUNDS").expect("WEGWEISER_COMPOUNDS names a file");
    let text = std::fs::read_to_string(file).expect("readable");
    let words: Vec<(String, Vec<usize>)> = text
        .lines()
        .map(|line| serde_json::from_str::<Split>(line).expect("a split"))
        .filter(|split| split.word.chars().all(char::is_alphabetic))
        .map(|split| {
            let mut letters = 0;
            let begins = split.parts.iter().map(|part| {
                letters += fold(part).len();
                letters
            });
            let mut begins: Vec<usize> = begins.collect();
            begins.pop();
            (fold(&split.word), begins)
        })
        .collect();
    let analyzer = Analyzer::with_rules(&[], LanguageRules::default());
    let ours = |word: &str| -> Vec<usize> {
        analyzer.take_apart(word).parts.iter().skip(1).map(|part| part.span.0).collect()
    };
    let list: HashSet<&str> = include_str!("../src/analysis/data/words.txt")
        .lines()
        .chain(include_str!("../src/analysis/data/short.txt").lines())
        .collect();
    let greedy = |word: &str| longest_match(word, &list);
    let methods: [(&str, Splitter<'_>); 3] =
        [("no splitting", &|_| Vec::new()), ("longest match", &greedy), ("ours", &ours)];
    for (name, split) in methods {
        let start = Instant::now();
        let (mut right, mut compounds, mut exact, mut whole, mut wrong) = (0, 0, 0, 0, 0);
        for (word, expected) in &words {
            let found = split(word);
            right += usize::from(found == *expected);
            if expected.is_empty() {
                whole += 1;
                wrong += usize::from(!found.is_empty());
            } else {
                compounds += 1;
                exact += usize::from(found == *expected);
            }
        }
        let took = start.elapsed() / words.len() as u32;
        println!(
            "{name}: {right}/{} right; {exact}/{compounds} compounds exactly; \
             {wrong}/{whole} whole words split; {took:?} a word",
            words.len()
        );
    }
}

/// The longest listed word from the left, then the next, with an optional `s` between.
fn longest_match(word: &str, list: &HashSet<&str>) -> Vec<usize> {
    let (mut begins, mut at) = (Vec::new(), 0);
    while at < word.len() {
        let end = (at + 3..=word.len())
            .rev()
            .find(|end| (at, *end) != (0, word.len()) && list.contains(&word[at..*end]));
        match end {
            Some(end) => {
                begins.push(at);
                at = end;
            }
            None if at > 0 && word[at..].starts_with('s') => at += 1,
            None => return Vec::new(),
        }
    }
    begins.remove(0);
    begins
}
