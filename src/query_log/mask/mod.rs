//! Takes out of a text what reaches or names a person: e-mail addresses, IBANs, telephone numbers.
//!
//! Names and street addresses stay: nothing that works without a list of all names tells them from
//! other words. `docs/query-log.md` says so to whoever switches the log on.

mod phone;

use std::sync::LazyLock;

use regex::{Captures, Regex};

const MAIL: &str = "[E-Mail]";
const IBAN: &str = "[IBAN]";
const PHONE: &str = "[Telefonnummer]";

/// What stands between the groups of a written number: blanks of all kinds, joiners.
const BLANKS: &str = "[\\x20\\t\u{a0}\u{2007}\u{2009}\u{202f}\u{200c}\u{200d}]";

/// `name@host`, also with `(at)` and `(punkt)`, with a quoted name, umlauts, or a host without a dot.
static MAILS: LazyLock<Regex> = LazyLock::new(|| {
    let bracketed_at = r"\s{0,2}[(\[{<]\s?(?:at|ät|aet|@)\s?[)\]}>]\s{0,2}";
    let dot = r"(?:\.|\s{0,2}[(\[{<]\s?(?:dot|punkt|\.)\s?[)\]}>]\s{0,2})";
    let name = r#"(?:"[^"\n]{1,64}"|[\p{L}\p{M}\p{N}_%+'&=~!#$*/?^`|{}.\u{200c}\u{200d}-]+)"#;
    let label = r"[\p{L}\p{M}\p{N}_-]+";
    // Spoken forms need a blank on both sides and an ending, or "at" would be a word of English.
    let spoken = r"[\p{L}\p{N}._-]+ (?:at|ät) [\p{L}\p{N}_-]+(?:\.| punkt | dot )(?:de|com|net|org|eu|at|ch|info)\b";
    Regex::new(&format!(
        r"(?i){name}(?:[@＠﹫]{label}(?:{dot}{label})*|{bracketed_at}{label}(?:{dot}{label})+)|{spoken}"
    ))
    .expect("a constant pattern")
});

/// Two letters, two check digits and the beginning of an account; its end is found by [`iban_end`].
static IBANS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Za-z]{2}[0-9]{2}").expect("a constant pattern"));

/// The text without e-mail addresses, IBANs and telephone numbers; each leaves a word in brackets
/// that says what stood there. Masking twice is masking once.
///
/// An IBAN is one by its check digits; a German one (`DE` and 20 digits) also where they are wrong,
/// because a slip of the pen leaves most of the account. Telephone numbers are those that Germans
/// write: see [`phone`].
pub fn mask(text: &str) -> String {
    let text = MAILS.replace_all(text, |found: &Captures<'_>| {
        // A greedy name also takes the bracket or quotation mark before it.
        let lead: String =
            found[0].chars().take_while(|c| matches!(c, '{' | '\'' | '`' | '|')).collect();
        format!("{lead}{MAIL}")
    });
    phone::replaced(&without_ibans(&text), PHONE)
}

/// A masked text without the words that stand for what was taken out: nobody asked with them.
pub fn without_placeholders(masked: &str) -> String {
    [MAIL, IBAN, PHONE].iter().fold(masked.to_owned(), |text, token| text.replace(token, " "))
}

fn without_ibans(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = 0;
    while let Some(start) = IBANS.find_at(text, rest) {
        if let Some(end) = iban_end(text, start.start()) {
            masked.push_str(&text[rest..start.start()]);
            masked.push_str(IBAN);
            rest = end;
        } else {
            masked.push_str(&text[rest..start.end()]);
            rest = start.end();
        }
    }
    masked.push_str(&text[rest..]);
    masked
}

/// Countries with the length of their IBANs (SWIFT, IBAN registry).
const IBAN_LENGTHS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 \
    CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 \
    IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 \
    MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ST25 \
    SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20";

/// How many characters an IBAN of this country has.
fn iban_length(country: &str) -> Option<usize> {
    let found = IBAN_LENGTHS.split(' ').find(|entry| entry[..2].eq_ignore_ascii_case(country))?;
    found[2..].parse().ok()
}

/// Where the IBAN that begins at `start` ends. Groups may be parted by single blanks, hyphens or
/// dots.
fn iban_end(text: &str, start: usize) -> Option<usize> {
    let country = &text[start..start + 2];
    let length = iban_length(country)?;
    let mut account = String::new();
    let mut parted = false;
    for (at, c) in text[start..].char_indices() {
        let is_separator = c.is_whitespace() || matches!(c, '-' | '.' | '\u{2013}' | '\u{200d}');
        if is_separator && !parted {
            parted = true;
            continue;
        }
        if !c.is_ascii_alphanumeric() {
            return None;
        }
        account.push(c.to_ascii_uppercase());
        parted = false;
        if account.len() == length {
            let after = start + at + 1;
            let closed = !text[after..].starts_with(char::is_alphanumeric);
            let digits = || account[2..].bytes().all(|byte| byte.is_ascii_digit());
            let slip = country.eq_ignore_ascii_case("de") && digits();
            return (closed && (slip || has_right_check_digits(&account))).then_some(after);
        }
    }
    None
}

/// ISO 7064 MOD 97-10 over the account with its first four characters moved to the end.
fn has_right_check_digits(account: &str) -> bool {
    let moved = account[4..].bytes().chain(account[..4].bytes());
    let rest = moved.fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        letter => (rest * 100 + u32::from(letter - b'A') + 10) % 97,
    });
    rest == 1
}

#[cfg(test)]
mod tests;
