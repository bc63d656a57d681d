//! The shipped file of generated questions.

use std::collections::BTreeSet;
use std::path::Path;

use wegweiser::catalog::{self, Origin, generate};
use wegweiser::domain::SectionId;
use wegweiser::pipeline::sources::Sources;

#[test]
fn every_shipped_section_has_its_question_and_the_file_is_up_to_date() {
    let sources = Sources::read(Some(Path::new("rules")), Some(Path::new("compendium")))
        .expect("sound sources");
    let questions = catalog::load(Path::new("catalog")).expect("a sound catalog");
    let file = "catalog/generiert.yaml";
    let text = std::fs::read_to_string(file).expect("shipped");
    let sections = &sources.compendium.sections;
    let plan = generate::plan(
        sections,
        &generate::purposes(&sources.intents, &sources.groups, &sources.analyzer),
        &questions,
        file,
        &text,
    );
    assert_eq!((plan.remarks, plan.text), (Vec::new(), None), "run `wegweiser catalog generate`");
    let asked: BTreeSet<&str> = questions
        .iter()
        .filter(|question| question.origin == Origin::Generated)
        .flat_map(|question| question.right().map(SectionId::as_str))
        .collect();
    let all: BTreeSet<&str> = sections.iter().map(|section| section.id.as_str()).collect();
    assert_eq!(asked, all);
}

#[test]
fn no_shipped_question_is_the_fallback() {
    let text = std::fs::read_to_string("catalog/generiert.yaml").expect("shipped");
    assert!(!text.contains("Worum geht es bei"), "a heading that no rule reads");
}
