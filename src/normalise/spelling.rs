//! One spelling for rules and groups: folded, quotations masked, frequent misspellings mended.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use crate::analysis;

/// What stands in for a quotation: its words are mentioned, not used.
const QUOTATION: &str = " zitat ";

static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[„“”"»«][^„“”"»«]{1,200}[„“”"»«]"#).expect("a constant pattern")
});

static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\w+").expect("a constant pattern"));

/// A blank before a mark, as masking and hasty typing leave it.
static BLANK_BEFORE_MARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r" +([?!.,;:])").expect("a constant pattern"));

/// Misspellings of the words that rules look at; everything else is left to the 4-grams of the
/// lexical channel. Folded spelling on both sides.
static MISSPELT: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    BTreeMap::from([
        ("beischpiel", "beispiel"),
        ("bespiel", "beispiel"),
        ("durfen", "duerfen"),
        ("fuktioniert", "funktioniert"),
        ("funktionirt", "funktioniert"),
        ("funzt", "funktioniert"),
        ("fur", "fuer"),
        ("haufig", "haeufig"),
        ("inwifern", "inwiefern"),
        ("konnen", "koennen"),
        ("mussen", "muessen"),
        ("unterschid", "unterschied"),
        ("untershied", "unterschied"),
        ("vieviel", "wie viel"),
        ("warrum", "warum"),
        ("warumm", "warum"),
        ("warun", "warum"),
        ("welchr", "welcher"),
        ("weshalp", "weshalb"),
        ("wesshalb", "weshalb"),
        ("wesswegen", "weswegen"),
        ("wiesso", "wieso"),
        ("wieviel", "wie viel"),
        ("wieviele", "wie viele"),
        ("wievielen", "wie vielen"),
        ("wievil", "wie viel"),
        ("wiso", "wieso"),
        ("wiviel", "wie viel"),
        ("wofuehr", "wofuer"),
        ("wofur", "wofuer"),
        ("wozuu", "wozu"),
    ])
});

/// Folds a text; idempotent.
pub(super) fn fold(text: &str) -> String {
    let compatible: String = text.nfkc().collect();
    let unquoted = without_quotes_around(&compatible);
    let masked = QUOTED.replace_all(unquoted, QUOTATION);
    let folded: String = analysis::fold(&masked)
        .chars()
        .map(|c| match c {
            '‐'..='―' | '−' => '-',
            '’' | '‘' | '´' | '`' | 'ʼ' => '\'',
            // A mark without a partner quotes nothing.
            '„' | '“' | '”' | '"' | '»' | '«' => ' ',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    let spaced = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    let tight = BLANK_BEFORE_MARK.replace_all(&spaced, "$1");
    WORD.replace_all(&tight, |found: &regex::Captures<'_>| {
        let word = &found[0];
        MISSPELT.get(word).copied().unwrap_or(word).to_owned()
    })
    .into_owned()
}

/// A question that stands in quotation marks as a whole is not a quotation.
fn without_quotes_around(text: &str) -> &str {
    let mark = |c: char| "„“”\"»«".contains(c);
    let trimmed = text.trim();
    let inner = trimmed.trim_start_matches(mark).trim_end_matches(mark);
    let around = trimmed.starts_with(mark) && trimmed.ends_with(mark);
    if around && !inner.contains(mark) { inner } else { text }
}
