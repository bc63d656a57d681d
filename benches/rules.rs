//! Rules at the size that the bar names: 500 rules, a question of 2,000 characters, hostile text.
//!
//! The shipped rules stand there nine times, each copy looking for another first word, so that
//! the copies are as hard to match as the originals.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wegweiser::config::{self, Layer};
use wegweiser::domain::{NormalisedQuery, Query};
use wegweiser::normalise::normalise;
use wegweiser::pipeline::sources::Sources;
use wegweiser::rules::{self, RuleSet};

/// Rules in the large set.
const RULES: usize = 500;

fn sources() -> Sources {
    let config = config::load(None, Layer::default()).expect("every setting has a default");
    Sources::read(config.rules.as_deref(), config.compendium.as_deref())
        .expect("the shipped files have no problem")
}

/// The shipped rules, varied until there are [`RULES`] of them.
fn many(sources: &Sources) -> RuleSet {
    let shipped = sources.rules.rules();
    let mut yaml = "rules:\n".to_owned();
    for at in 0..RULES {
        let (rule, round) = (&shipped[at % shipped.len()], at / shipped.len());
        let quoted = |text: &str| text.replace('\'', "''");
        let pattern = match round {
            0 => rule.pattern.as_str().to_owned(),
            _ => format!("{}|thema{round} (?:{})", rule.pattern, rule.pattern),
        };
        let unless = rule.unless.as_ref().map_or_else(String::new, |unless| {
            format!("    unless: '{}'\n", quoted(unless.as_str()))
        });
        let scope = format!("{:?}", rule.scope).to_lowercase();
        write!(
            yaml,
            "  - id: r{at}\n    intent: {}\n    pattern: '{}'\n{unless}    scope: {scope}\n    priority: {at}\n    reason: x\n    positive: [x]\n    negative: [x]\n",
            rule.intent,
            quoted(&pattern),
        )
        .expect("a string takes all");
    }
    rules::load("many.yaml", &yaml, &sources.intents.ids()).expect("rules without problems")
}

fn question(text: &str) -> NormalisedQuery {
    normalise(&Query::new(text, 20_000).expect("a question"))
}

fn benches(criterion: &mut Criterion) {
    let sources = sources();
    let many = many(&sources);
    let prose =
        "Meine Nachbarin meint, dass man Vokabeln lieber am Abend lernt und am Morgen wiederholt. ";
    let texts = [
        ("short question", "Welchen Nutzen hat verteiltes Lernen?".to_owned()),
        ("2,000 characters of prose", prose.repeat(40).chars().take(2_000).collect()),
        ("2,000 characters that begin often", "wie kann ich das besser machen ".repeat(64)),
        ("10,000 times a and !", "a".repeat(10_000) + "!"),
        ("5,000 times a blank", "a ".repeat(5_000) + "!"),
    ];
    for (name, text) in texts {
        let query = question(&text);
        criterion.bench_function(&format!("normalise, {name}"), |b| {
            b.iter(|| question(black_box(&text)));
        });
        criterion.bench_function(&format!("{RULES} rules, {name}"), |b| {
            b.iter(|| many.decide(black_box(&query)));
        });
    }
}

criterion_group! {
    name = rules_at_size;
    config = Criterion::default().sample_size(20);
    targets = benches
}
criterion_main!(rules_at_size);
