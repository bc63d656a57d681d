//! Figures of the lexical channel on a data set. Run by hand:
//! `WEGWEISER_DATA=FOLDER cargo test --test lexical_measure -- --ignored --nocapture`

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use wegweiser::analysis::Analyzer;
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
        LexicalIndex::build(dir.path(), &sections, &analyzer).expect("built");
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
