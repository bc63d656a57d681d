//! Sections that nobody has looked at for long, or whose own years are over.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use super::finding::{Action, Code, Evidence, Finding, Mend, Severity, Subject, number};
use super::known::Known;
use super::sentences::sentences;
use crate::analysis::fold;
use crate::domain::Section;
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
const FRESH: i64 = 2;

/// A day, counted from the beginning of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: i64,
    month: i64,
    of_month: i64,
    /// Days since the beginning of March of the year 0.
    number: i64,
}

impl Day {
    /// Reads `YYYY-MM-DD`; nothing where there is no such day.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().splitn(3, '-');
        let mut part = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            part.chars().all(|c| c.is_ascii_digit()).then(|| part.parse::<i64>().ok())?
        };
        let (year, month, day) = (part(4)?, part(2)?, part(2)?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let february = if leap { 29 } else { 28 };
        let length = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let longest = *length.get(usize::try_from(month - 1).ok()?)?;
        if !(1..=longest).contains(&day) {
            return None;
        }
        // Days of the civil calendar (Hinnant 2013), with March as the first month.
        let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let number = first_of_march(y) + (153 * m + 2) / 5 + day - 1;
        Some(Self { year, month, of_month: day, number })
    }

    /// The day of a moment, in UTC.
    pub fn of(moment: SystemTime) -> Option<Self> {
        let seconds = moment.duration_since(UNIX_EPOCH).ok()?.as_secs();
        let number = i64::try_from(seconds / 86_400).ok()? + DAYS_TO_1970;
        // Of the years that begin in March, the last one that has begun.
        let mut year = number / 366;
        while first_of_march(year + 1) <= number {
            year += 1;
        }
        let since = number - first_of_march(year);
        let m = (5 * since + 2) / 153;
        let day = since - (153 * m + 2) / 5 + 1;
        let (year, month) = if m < 10 { (year, m + 3) } else { (year + 1, m - 9) };
        Some(Self { year, month, of_month: day, number })
    }

    /// Days since an earlier day.
    pub fn since(self, earlier: Self) -> i64 {
        self.number - earlier.number
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.of_month)
    }
}

/// [`Day::number`] of 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

/// [`Day::number`] of the first of March.
fn first_of_march(year: i64) -> i64 {
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400)
}

pub(super) fn findings(known: &Known<'_>, today: Day) -> Vec<Finding> {
    let age = |section: &Section| {
        let updated = Day::parse(section.updated.as_deref()?)?;
        Some(today.since(updated).max(0) as f64)
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
    today: Day,
) -> Option<Finding> {
    let old = age.zip(spread).filter(|(age, spread)| spread.score(*age) >= OUTLYING);
    let over = over(&section.text, today.year);
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
fn over(text: &str, this_year: i64) -> Vec<(i64, &str)> {
    let of = |sentence: &'_ str| -> Option<i64> {
        let latest = years(sentence).into_iter().max()?;
        let folded = fold(sentence);
        let has = |cues: &[&str]| cues.iter().any(|cue| folded.contains(cue));
        let stale = has(&STAND) && latest < this_year - FRESH;
        let past = has(&TO_COME) && latest < this_year;
        (stale || past).then_some(latest)
    };
    let mut found: Vec<(i64, &str)> =
        sentences(text).into_iter().filter_map(|s| Some((of(s)?, s))).collect();
    found.sort_by_key(|(year, _)| *year);
    found
}

/// Years of our time in a sentence: 1990 to 2099. Those in addresses and file names are none.
fn years(sentence: &str) -> Vec<i64> {
    let words = sentence.split_whitespace().filter(|word| !word.contains(['/', '_', '@']));
    let runs = words.flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
    let years = runs.filter(|run| run.len() == 4).filter_map(|run| run.parse::<i64>().ok());
    years.filter(|year| (1990..2100).contains(year)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        let day = |text| Day::parse(text).expect("a day");
        assert_eq!(day("2024-03-01").since(day("2024-02-28")), 2);
        assert_eq!(day("2026-11-30").since(day("2025-11-30")), 365);
        assert_eq!(day("2001-01-01").since(day("1601-01-01")), 146_097);
        for (seconds, text) in
            [(0, "1970-01-01"), (951_782_400, "2000-02-29"), (1_796_083_199, "2026-11-30")]
        {
            let moment = UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            assert_eq!(Day::of(moment), Day::parse(text), "{text}");
            assert_eq!(day(text).to_string(), text);
        }
        for wrong in [
            "2025-02-29",
            "2025-13-01",
            "2025-00-10",
            "25-01-01",
            "2025-1-1",
            "x",
            "",
            "2025-01-01-01",
        ] {
            assert_eq!(Day::parse(wrong), None, "{wrong}");
        }
    }

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
            assert_eq!(of(fresh), [0_i64; 0], "{fresh}");
        }
    }
}
