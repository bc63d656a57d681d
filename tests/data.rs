//! The shipped rules, intents, groups and compendium load and are clean.

use std::collections::{BTreeMap, BTreeSet};

use wegweiser::config::{self, Layer};
use wegweiser::lint;
use wegweiser::pipeline::sources::Sources;

fn shipped() -> Sources {
    let config = config::load(None, Layer::default()).expect("every setting has a default");
    Sources::read(config.rules.as_deref(), config.compendium.as_deref())
        .expect("the shipped files have no problem")
}

#[test]
fn every_example_of_every_shipped_rule_is_decided_as_it_says() {
    assert_eq!(lint::examples(&shipped().rules), []);
}

#[test]
fn every_shipped_intent_has_at_least_25_examples() {
    for (id, intent) in shipped().intents.iter() {
        assert!(intent.examples.len() >= 25, "{id}: {}", intent.examples.len());
    }
}

#[test]
fn every_shipped_rule_wins_somewhere() {
    let sources = shipped();
    let questions = sources.rules.rules().iter().flat_map(|rule| &rule.positive);
    let coverage =
        lint::coverage(&sources.rules, questions.map(|example| example.question.as_str()));
    let never: Vec<&String> =
        coverage.iter().filter(|(_, rule)| rule.won == 0).map(|(id, _)| id).collect();
    assert_eq!(never, Vec::<&String>::new());
}

#[test]
fn the_prompt_shows_an_example_of_every_intent_and_of_no_other() {
    let sources = shipped();
    let mut known: BTreeSet<String> =
        sources.intents.ids().iter().map(ToString::to_string).collect();
    known.insert("unknown".to_owned());
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    let lines: Vec<&str> = sources.prompt.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair[0].starts_with("Frage: ")) {
        let answer: BTreeMap<String, String> =
            serde_json::from_str(pair[1]).unwrap_or_else(|error| panic!("{error}: {}", pair[1]));
        assert_eq!(answer.len(), 1, "{answer:?}");
        *shown.entry(answer["intent"].clone()).or_default() += 1;
    }
    assert_eq!(shown.keys().cloned().collect::<BTreeSet<_>>(), known);
    assert!(shown.values().all(|count| *count <= 2), "{shown:?}");
    assert!(sources.prompt.contains("\n{intents}\n"), "the list stands on a line of its own");
}

#[test]
fn questions_of_the_prompt_are_no_training_examples() {
    let sources = shipped();
    let labelled: BTreeSet<&String> = sources.intents.labelled().map(|(_, text)| text).collect();
    let asked = sources.prompt.lines().filter_map(|line| line.strip_prefix("Frage: "));
    let known: Vec<&str> =
        asked.filter(|asked| labelled.iter().any(|text| text.as_str() == *asked)).collect();
    assert_eq!(known, Vec::<&str>::new());
}
