//! Sections that nobody has looked at for long, or whose own years are over.

use time::Date;

use super::finding::{Action, Code, Evidence, Finding, Mend, Severity, Subject, number};
use super::known::Known;
use super::sentences::sentences;
use crate::analysis::fold;
use crate::domain::{self, Section};
use crate::eval::sections::{OUTLYING, Spread};

/// Revisions less than a quarter of a year apart are of the same time.
const LEAST_AGE_SCALE: f64 = 91.0;
/// What a year is told with when the sentence says how things stand, or what is to come.
const STAND: [&str; 9] = [
    "stand:",
    "(stand",
    "stand ",
    "derzeit",
    "zurzeit",
    "aktuell",
    "momentan",
    "gegenwaertig",
    "bislang",
];
const TO_COME: [&str; 7] =
    ["geplant", "kuenftig", "zukuenftig", "soll ", "sollen ", "voraussichtlich", "wird bis"];
/// What was so in a year may still be so in the next two.
const FRESH: i32 = 2;

pub(super) fn findings(known: &Known<'_>, today: Date) -> Vec<Finding> {
    let age = |section: &Section| {
        let updated = domain::day(section.updated.as_deref()?.trim())?;
        Some((today - updated).whole_days().max(0) as f64)
    };
    let ages: Vec<f64> = known.sections.iter().filter_map(age).collect();
    let spread = Spread::of(&ages, LEAST_AGE_SCALE);
    let of = |(ordinal, section)| outdated(known, ordinal, section, age(section), spread, today);
    known.each().filter_map(of).collect()
}

fn outdated(
    known: &Known<'_>,
    ordinal: u32,
    section: &Section,
    age: Option<f64>,
    spread: Option<Spread>,
    today: Date,
) -> Option<Finding> {
    let old = age.zip(spread).filter(|(age, spread)| spread.score(*age) >= OUTLYING);
    let over = over(&section.text, today.year());
    let severity = match (old, over.is_empty()) {
        (Some(_), false) => Severity::Warning,
        (Some(_), true) | (None, false) => Severity::Hint,
        (None, true) => return None,
    };
    let years = over.first().map(|(year, _)| format!("gilt mit dem Stand {year}"));
    let aged = old.map(|(age, _)| {
        format!("wurde seit {} Monaten nicht durchgesehen", number((age / 30.44).round()))
    });
    let why: Vec<String> = aged.into_iter().chain(years).collect();
    let message = format!("„{}“ {}.", section.title, why.join(" und "));
    let mend = Mend::new(
        Action::Revise,
        format!(
            "Prüfen Sie {}, berichtigen Sie, was nicht mehr stimmt, und setzen Sie `updated` auf den \
             Tag der Durchsicht.",
            section.place
        ),
    );
    let figure = old.map(|(age, spread)| Evidence::Figure {
        what: "Tage seit der Durchsicht".to_owned(),
        value: age,
        usual: Some(spread.median),
        bound: Some(spread.at(OUTLYING).round()),
    });
    let quotes = over.into_iter().map(|(_, sentence)| Evidence::Quote {
        section: section.id.to_string(),
        text: sentence.to_owned(),
    });
    Some(
        Finding::new(Code::Outdated, severity, Subject::section(section), message, mend)
            .reaching(known.reach(ordinal))
            .because(figure)
            .because(quotes),
    )
}

/// Sentences that tell how things stand in a year long gone, or what was to come in a year that is
/// over. A year alone is history (`erschien 1885`).
fn over(text: &str, this_year: i32) -> Vec<(i32, &str)> {
    let of = |sentence: &'_ str| -> Option<i32> {
        let latest = years(sentence).into_iter().max()?;
        let folded = fold(sentence);
        let has = |cues: &[&str]| cues.iter().any(|cue| folded.contains(cue));
        let stale = has(&STAND) && latest < this_year - FRESH;
        let past = has(&TO_COME) && latest < this_year;
        (stale || past).then_some(latest)
    };
    let mut found: Vec<(i32, &str)> =
        sentences(text).into_iter().filter_map(|s| Some((of(s)?, s))).collect();
    found.sort_by_key(|(year, _)| *year);
    found
}

/// Years of our time in a sentence: 1990 to 2099. Those in addresses and file names are none.
fn years(sentence: &str) -> Vec<i32> {
    let words = sentence.split_whitespace().filter(|word| !word.contains(['/', '_', '@']));
    let runs = words.flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
    let years = runs.filter(|run| run.len() == 4).filter_map(|run| run.parse::<i32>().ok());
    years.filter(|year| (1990..2100).contains(year)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_year_that_tells_the_state_of_things_ages() {
        let of = |text| over(text, 2026).into_iter().map(|(year, _)| year).collect::<Vec<_>>();
        assert_eq!(of("Derzeit (2021) gibt es drei Anbieter."), [2021]);
        assert_eq!(of("Stand: Mai 2019. Der Rest gilt."), [2019]);
        assert_eq!(of("Die Umstellung ist für 2025 geplant."), [2025]);
        for fresh in [
            "Das Buch erschien 2009.",
            "Derzeit (2025) gibt es drei Anbieter.",
            "Die Umstellung ist für 2026 geplant.",
            "Daten sollen auffindbar sein (vgl. https://doi.org/10.1038/sdata.2016.18).",
            "Ebbinghaus schrieb 1885, was derzeit alle lesen.",
            "Derzeit kostet es 2021 Euro und 12345 Cent im Jahr 2026.",
        ] {
            assert_eq!(of(fresh), [0_i32; 0], "{fresh}");
        }
    }
}
