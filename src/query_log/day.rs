//! Days and times in UTC, for names of files and stamps of records.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: u64 = 86_400;

/// A day in UTC, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(u64);

impl Day {
    /// The day of a moment; what lies before 1970 is its first day.
    pub fn of(moment: SystemTime) -> Self {
        Self(seconds(moment) / SECONDS_A_DAY)
    }

    /// So many days earlier.
    #[must_use]
    pub fn before(self, days: u32) -> Self {
        Self(self.0.saturating_sub(u64::from(days)))
    }

    /// Reads `YYYY-MM-DD`; `None` for anything else, days that no month has included.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |from: usize, to: usize| {
            let digits = text.get(from..to)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u64>().ok())?
        };
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let plausible = (1970..=9999).contains(&year) && (1..=12).contains(&month) && day >= 1;
        if !plausible {
            return None;
        }
        let found = Self(days_since_1970(year, month, day));
        // 2026-02-30 would come out as another day.
        (found.to_string() == text).then_some(found)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.0);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// A moment as `YYYY-MM-DDTHH:MM:SSZ`.
pub(super) fn stamp(moment: SystemTime) -> String {
    let second = seconds(moment) % SECONDS_A_DAY;
    let (hours, minutes) = (second / 3600, second / 60 % 60);
    format!("{}T{hours:02}:{minutes:02}:{:02}Z", Day::of(moment), second % 60)
}

fn seconds(moment: SystemTime) -> u64 {
    moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Days from 1970-01-01 in the Gregorian calendar, for years from 1970.
///
/// `days_from_civil` of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin
/// in March, so that the leap day is their last, and 400 of them always have 146,097 days.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year / 400, year % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day; `civil_from_days` of the same paper.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn moments_are_written_as_the_calendar_says() {
        assert_eq!(stamp(at(0)), "1970-01-01T00:00:00Z");
        assert_eq!(stamp(at(951_782_399)), "2000-02-28T23:59:59Z");
        assert_eq!(stamp(at(951_782_400)), "2000-02-29T00:00:00Z");
        assert_eq!(stamp(at(1_796_038_496)), "2026-11-30T11:34:56Z");
        assert_eq!(stamp(UNIX_EPOCH - Duration::from_secs(5)), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn a_day_is_read_as_it_is_written() {
        for days in (0..120_000).step_by(7) {
            let day = Day(days);
            assert_eq!(Day::parse(&day.to_string()), Some(day), "{day}");
        }
        let days = [Day::parse("2024-02-29"), Day::parse("2024-03-01")].map(Option::unwrap);
        assert_eq!(days[1].before(1), days[0]);
    }

    #[test]
    fn what_is_no_day_is_not_read() {
        for text in [
            "",
            "2026-02-30",
            "2026-13-01",
            "1969-12-31",
            "2026-1-1",
            "2026-01-01x",
            "+026-01-01",
            "äöü",
        ] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
