//! Telephone numbers as Germans write them.
//!
//! | form | example |
//! |---|---|
//! | international | `+49 (0) 30 123456`, `0049-171-1234567`, `+43 1 58858` |
//! | national: area code and number | `(030) 12 34 56-78`, `0171/1234567`, `0 30 / 12 34 56` |
//! | national in one piece | `01711234567` |
//! | after a word that announces it | `Tel. 4 55 66`, `Handynummer: 12345` |
//!
//! Dates, times, post codes, years, decimals, ISBNs and numbers of articles are none.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use regex::Regex;

use super::BLANKS;

/// Digits of a number with area code, the leading 0 included (ITU-T E.164 allows 15).
const NATIONAL: RangeInclusive<usize> = 8..=15;
/// Digits of an international number, the country included.
const INTERNATIONAL: RangeInclusive<usize> = 8..=17;
/// Digits of a number that is announced: local numbers have five and more.
const ANNOUNCED: RangeInclusive<usize> = 5..=15;

/// A word before a number that says what it is.
static ANNOUNCEMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)(?:\b(?:tel|telefon|telefonnummer|telefonnr|telnr|fon|phone|handy|handynummer|handynr|mobil|mobilnummer|mobilfunknummer|rufnummer|rückrufnummer|durchwahl|fax|faxnummer|whatsapp|festnetz|festnetznummer)\b(?:[.:,]|{BLANKS}|nr\.?|nummer|ist|lautet|unter)*|☎️?{BLANKS}*|📞{BLANKS}*)$"
    ))
    .expect("a constant pattern")
});

/// How far back an announcement may begin, in bytes.
const REACH: usize = 48;

/// Digits that belong together, and where they stand.
struct Group {
    digits: String,
    end: usize,
    /// What stands between it and the group before it.
    before: String,
}

/// The text with `token` in the place of every telephone number.
pub(super) fn replaced(text: &str, token: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find(|c: char| c.is_ascii_digit() || c == '+' || c == '(') {
        let start = at + found;
        masked.push_str(&text[at..start]);
        if let Some(end) = number_at(text, start) {
            masked.push_str(token);
            at = end;
        } else {
            // Past this run: the middle of a number is not the beginning of another one.
            let run =
                text[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - start);
            let next = start + run.max(1);
            masked.push_str(&text[start..next]);
            at = next;
        }
    }
    masked.push_str(&text[at..]);
    masked
}

/// Where the telephone number that begins at `start` ends.
fn number_at(text: &str, start: usize) -> Option<usize> {
    if !may_begin(&text[..start]) {
        return None;
    }
    let bytes = text.as_bytes();
    let plus = bytes[start] == b'+';
    let groups = groups(text, start)?;
    let first = groups.first()?.digits.as_str();
    let announced = ANNOUNCEMENT.is_match(tail(&text[..start]));
    let fits = |taken: &[Group]| {
        let count = taken.iter().map(|group| group.digits.len()).sum::<usize>();
        if plus {
            return INTERNATIONAL.contains(&count) && !first.starts_with('0');
        }
        if first.starts_with("00") {
            let country = first.chars().nth(2).is_none_or(|c| c != '0');
            return country && first.len() != 3 && (10..=19).contains(&count);
        }
        let national = NATIONAL.contains(&count) && is_national(text, start, taken);
        national || (announced && ANNOUNCED.contains(&count) && !is_date(taken))
    };
    // The longest that fits: what follows may be another number.
    let most = (1..=groups.len()).rev().find(|most| fits(&groups[..*most]))?;
    Some(groups[most - 1].end)
}

/// Whether a number may begin behind this text: not inside a word, a decimal, an identifier.
fn may_begin(before: &str) -> bool {
    let mut back = before.chars().rev();
    let Some(last) = back.next() else { return true };
    let second = back.next();
    match last {
        c if c.is_alphanumeric() || c == '+' || c == '(' => false,
        '.' | ',' | '/' | ':' => second.is_none_or(|c| !c.is_ascii_digit()),
        '-' | '_' | '\u{2013}' => second.is_none_or(|c| !c.is_alphanumeric()),
        _ => !isbn(before),
    }
}

fn isbn(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || c == ':' || c == '-');
    before
        .get(before.len().saturating_sub(4)..)
        .is_some_and(|word| word.eq_ignore_ascii_case("isbn"))
}

/// The groups of digits from `start` on, as long as only the separators of numbers part them.
fn groups(text: &str, start: usize) -> Option<Vec<Group>> {
    /// More groups are a list of numbers.
    const MOST: usize = 10;
    let mut groups: Vec<Group> = Vec::new();
    let (mut before, mut total) = (String::new(), 0);
    let mut letters = text[start..].char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        if c.is_ascii_digit() {
            let mut digits = String::from(c);
            let mut end = start + at + 1;
            while let Some((at, c)) = letters.next_if(|(_, c)| c.is_ascii_digit()) {
                digits.push(c);
                end = start + at + 1;
            }
            // `0171 1234567a` or `030 12 kg`: the group before the letter may still end a number.
            let glued = letters.peek().is_some_and(|(_, c)| c.is_alphanumeric());
            // A second number: it has an area code of its own.
            let another = digits.starts_with('0')
                && digits.len() >= 3
                && total >= *NATIONAL.start()
                && before.chars().all(|c| c.is_whitespace() || c == '/');
            total += digits.len();
            if glued || another || groups.len() == MOST {
                break;
            }
            groups.push(Group { digits, end, before: std::mem::take(&mut before) });
        } else if is_separator(c) && before.chars().count() < 4 {
            before.push(c);
        } else {
            break;
        }
    }
    (!groups.is_empty()).then_some(groups)
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() && c != '\n'
        || matches!(
            c,
            '+' | '(' | ')' | '[' | ']' | '/' | '-' | '.' | '\\' | '\u{200c}' | '\u{200d}'
        )
        || matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Area code and number, or both in one piece.
fn is_national(text: &str, start: usize, groups: &[Group]) -> bool {
    let code = groups[0].digits.as_str();
    let whole: String = groups.iter().map(|group| group.digits.as_str()).collect();
    if !whole.starts_with('0') || whole[1..].starts_with('0') || is_date(groups) {
        return false;
    }
    let bracketed = text[start..].starts_with('(');
    let slashed = groups.iter().any(|group| group.before.contains('/'));
    match code.len() {
        // Old style: `0 30 / 12 34 56`, `(0 30) 12 34 56`.
        1 => bracketed || slashed,
        2 => false,
        3..=6 => groups.len() > 1 && !are_times(groups) && !are_post_codes(groups),
        // In one piece, perhaps with an extension.
        _ => true,
    }
}

/// `01.02.2026`, `01-02-26`, `01022026`, also where more follows.
fn is_date(groups: &[Group]) -> bool {
    let number = |digits: &str| digits.parse::<u32>().unwrap_or(0);
    let day_and_month = |day: &str, month: &str| {
        (1..=31).contains(&number(day)) && (1..=12).contains(&number(month))
    };
    let year = |digits: &str| match digits.len() {
        2 => true,
        4 => (1500..=2199).contains(&number(digits)),
        _ => false,
    };
    match groups {
        [day, month, last, ..] if day.digits.len() <= 2 && month.digits.len() <= 2 => {
            day_and_month(&day.digits, &month.digits) && year(&last.digits)
        }
        [one] if one.digits.len() == 8 => {
            day_and_month(&one.digits[..2], &one.digits[2..4]) && year(&one.digits[4..])
        }
        _ => false,
    }
}

/// `0900-1800`, `0830 bis` …: hours and minutes.
fn are_times(groups: &[Group]) -> bool {
    let time = |group: &Group| {
        let digits = &group.digits;
        digits.len() == 4
            && digits[..2].parse().is_ok_and(|hours: u32| hours < 25)
            && digits[2..].parse().is_ok_and(|minutes: u32| minutes < 60)
    };
    groups.iter().all(time)
}

/// `01067 - 01069`.
fn are_post_codes(groups: &[Group]) -> bool {
    groups.iter().all(|group| group.digits.len() == 5 && group.digits.starts_with('0'))
}

/// The end of a text, at most [`REACH`] bytes.
fn tail(text: &str) -> &str {
    let from = text.len().saturating_sub(REACH);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    &text[from..]
}
