//! The shipped rules, intents, groups and compendium load and are clean.

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
