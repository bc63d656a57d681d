//! Days as people write them.

use time::{Date, Month};

/// Reads `YYYY-MM-DD`; `None` for anything else, days that no month has included.
pub fn day(text: &str) -> Option<Date> {
    let mut parts = text.splitn(3, '-');
    let mut part = |digits: usize| {
        let part = parts.next().filter(|part| part.len() == digits)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then_some(part)
    };
    let (year, month, of_month) = (part(4)?, part(2)?, part(2)?);
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    Date::from_calendar_date(year.parse().ok()?, month, of_month.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_as_it_is_written() {
        for text in ["1970-01-01", "2000-02-29", "2024-12-31", "0001-01-01", "9999-12-31"] {
            assert_eq!(day(text).map(|day| day.to_string()).as_deref(), Some(text));
        }
        let days = [day("2024-02-29"), day("2024-03-01")].map(Option::unwrap);
        assert_eq!((days[1] - days[0]).whole_days(), 1);
    }

    #[test]
    fn what_is_no_day_is_not_read() {
        for text in [
            "",
            "2026-02-30",
            "2025-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-1-1",
            "2026-01-01x",
            "2026-01-01-01",
            "+026-01-01",
            " 2026-01-01",
            "２０２６-01-01",
            "äöü",
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }
}
