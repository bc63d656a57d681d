//! What stands inside a line: citations, cross references, spans, shortcodes, invisible characters.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Ids of headings, figures and tables with what a reader calls them, over all files.
pub(super) type Targets = BTreeMap<String, String>;

/// Marks where a link, an image or code ended: attributes may follow.
pub(super) const END_OF_SPAN: char = '\u{E001}';
/// Marks where a citation or reference was taken out.
const GONE: char = '\u{E002}';
/// Code is moved here while the rest is cleaned, so that its signs are not read as markup.
const SHELTER: u32 = 0xE100;

/// Marks in the private use area are ours; characters that nobody sees would part words.
fn is_dropped(c: char) -> bool {
    let invisible = matches!(c, '\u{AD}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
    invisible
        || ('\u{E000}'..='\u{E1FF}').contains(&c)
        || (c.is_control() && c != '\n' && c != '\t')
}

/// Drops control characters, direction marks and soft hyphens.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_dropped) {
        text.chars().filter(|c| !is_dropped(*c)).collect::<String>().into()
    } else {
        text.into()
    }
}

/// Code as it is kept in the running text until [`clean`] has been over it.
pub(super) fn sheltered(code: &str) -> String {
    let hide = |c: char| {
        if c.is_ascii_punctuation() {
            char::from_u32(SHELTER + u32::from(c)).unwrap_or(c)
        } else {
            c
        }
    };
    visible(code).chars().map(hide).collect()
}

fn unsheltered(text: &str) -> String {
    let show = |c: char| match u32::from(c) {
        code @ 0xE100..=0xE1FF => char::from_u32(code - SHELTER).unwrap_or(c),
        _ => c,
    };
    text.chars().map(show).collect()
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern, compiled in the tests")
}

const ATTRIBUTES: &str = r#"\{\s*(?:[#.=][^\s{}]+|[\w-]+=(?:"[^"{}]*"|[^\s{}"]+))(?:\s+(?:[#.][^\s{}]+|[\w-]+=(?:"[^"{}]*"|[^\s{}"]+)))*\s*\}"#;
static SHORTCODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\{\{[<%].*?[>%]\}\}"));
static CITATION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\s*\[(?:[^\[\]]*[\s;(])?-?@[\p{L}\d_][^\[\]]*\]"));
static SPAN: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"\[([^\[\]]*)\]{ATTRIBUTES}")));
static AFTER_SPAN: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("\u{E001}{ATTRIBUTES}")));
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(^|[\s(\[/„“-])((?:Abschnitt|Kapitel|Abbildung|Tabelle)\s+)?@((sec|fig|tbl|eq|lst)-[\w-]*\w)",
    )
});
static CITED_WORK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(^|[\s(])@(\p{L}+)(?:[\w-]*?_|)(\d{4}|nodate)\b"));
static EMPTY_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    pattern("\\s*\\((?:[Ss]iehe|[Vv]gl\\.|s\\.)?[\\s\u{E002},;]*\u{E002}[\\s\u{E002}]*\\)")
});
static NOTE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*\^\[([^\[\]]*)\]"));
static SPACES: LazyLock<Regex> = LazyLock::new(|| pattern(r"[ \t]{2,}"));

/// One paragraph, title or cell as a reader would see it.
pub(super) fn clean(text: &str, targets: &Targets) -> String {
    let mut text: Cow<'_, str> = text.into();
    if text.contains("{{") {
        text = SHORTCODE.replace_all(&text, "").into_owned().into();
    }
    if text.contains('@') {
        text = CITATION.replace_all(&text, "").into_owned().into();
    }
    if text.contains("^[") {
        text = NOTE.replace_all(&text, " ($1)").into_owned().into();
    }
    if text.contains('{') {
        text = SPAN.replace_all(&text, "$1").into_owned().into();
        text = AFTER_SPAN.replace_all(&text, "").into_owned().into();
    }
    if text.contains('@') {
        text = REFERENCE
            .replace_all(&text, |found: &Captures<'_>| reference(found, targets))
            .into_owned()
            .into();
        text = CITED_WORK
            .replace_all(&text, |found: &Captures<'_>| cited(found, &text))
            .into_owned()
            .into();
    }
    if text.contains(GONE) {
        text = EMPTY_BRACKETS.replace_all(&text, "").into_owned().into();
    }
    let text: String = text.chars().filter(|c| !matches!(*c, END_OF_SPAN | GONE)).collect();
    let text = SPACES.replace_all(&text, " ");
    unsheltered(text.trim())
}

/// `@sec-x` → `Kapitel „Titel“`; gone where nobody defines it.
fn reference(found: &Captures<'_>, targets: &Targets) -> String {
    let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
    let (before, named) = (part(1), part(2));
    let Some(title) = targets.get(part(3)) else { return format!("{before}{GONE}") };
    let kind = match part(4) {
        _ if !named.is_empty() => named,
        "sec" => "Kapitel ",
        "fig" => "Abbildung ",
        "tbl" => "Tabelle ",
        _ => "",
    };
    format!("{before}{kind}„{title}“")
}

/// `@gould_designing_1987` → `Gould (1987)`, inside brackets `Gould 1987`.
fn cited(found: &Captures<'_>, text: &str) -> String {
    let author = &found[2];
    let mut letters = author.chars();
    let name: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let before = &text[..found.get(0).map_or(0, |all| all.end())];
    let inside_brackets = before.rfind('(') > before.rfind(')');
    match &found[3] {
        "nodate" => format!("{}{name}", &found[1]),
        year if inside_brackets => format!("{}{name} {year}", &found[1]),
        year => format!("{}{name} ({year})", &found[1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habits_of_other_tools_leave_text_that_reads_well() {
        let targets = Targets::from([
            ("sec-a".to_owned(), "Titel".to_owned()),
            ("tbl-b".to_owned(), "Preise".to_owned()),
        ]);
        for (written, read) in [
            ("Kernideen [@gould_1987]: drei", "Kernideen: drei"),
            ("Belegt [vgl. @x, S. 3; @y].", "Belegt."),
            ("Nach @matthews_library_2020, S. 7", "Nach Matthews (2020), S. 7"),
            ("(nach @matthews_library_2020, S. 7)", "(nach Matthews 2020, S. 7)"),
            ("Der [IT-Zyklus]{#it .klasse} ist", "Der IT-Zyklus ist"),
            ("mehr (siehe @sec-a) dazu", "mehr (siehe Kapitel „Titel“) dazu"),
            ("siehe Abschnitt @sec-a.", "siehe Abschnitt „Titel“."),
            ("In @tbl-b steht", "In Tabelle „Preise“ steht"),
            ("mehr (siehe @sec-fehlt) dazu", "mehr dazu"),
            ("Film {{< video https://a.b >}} Ende", "Film Ende"),
            ("Satz.^[Eine Anmerkung.] Mehr", "Satz. (Eine Anmerkung.) Mehr"),
            ("Mail an a@b.de und @nutzer", "Mail an a@b.de und @nutzer"),
            ("Menge {a, b} und [1]", "Menge {a, b} und [1]"),
        ] {
            assert_eq!(clean(written, &targets), read, "{written}");
        }
        assert_eq!(clean(&sheltered("f[x]{#y} @sec-a"), &targets), "f[x]{#y} @sec-a");
    }
}
