//! One spelling for rules and groups: folded, quotations masked, frequent misspellings mended.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What stands in for a quotation: its words are mentioned, not used.
const QUOTATION: &str = " zitat ";

static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[„“”"»«][^„“”"»«]{1,200}[„“”"»«]"#).expect("a constant pattern")
});

static WORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[a-z]+").expect("a constant pattern"));

/// Misspellings of the words that rules look at; everything else is left to the 4-grams of the
/// lexical channel. Folded spelling on both sides.
static MISSPELT: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    BTreeMap::from([
        ("wiso", "wieso"),
        ("wiesso", "wieso"),
        ("wisso", "wieso"),
        ("warumm", "warum"),
        ("warun", "warum"),
        ("waurm", "warum"),
        ("wrum", "warum"),
        ("wesshalb", "weshalb"),
        ("weshalp", "weshalb"),
        ("wesswegen", "weswegen"),
        ("wiviel", "wie viel"),
        ("wieviel", "wie viel"),
        ("wieviele", "wie viele"),
        ("wieviell", "wie viel"),
        ("wievil", "wie viel"),
        ("wielange", "wie lange"),
        ("wieoft", "wie oft"),
        ("wozuu", "wozu"),
        ("wofuehr", "wofuer"),
        ("wofur", "wofuer"),
        ("inwifern", "inwiefern"),
        ("wan", "wann"),
        ("wehr", "wer"),
        ("welceh", "welche"),
        ("welhce", "welche"),
        ("wlche", "welche"),
        ("untershied", "unterschied"),
        ("unterschid", "unterschied"),
        ("unterschiet", "unterschied"),
        ("beischpiel", "beispiel"),
        ("bespiel", "beispiel"),
        ("funktionirt", "funktioniert"),
        ("funktoniert", "funktioniert"),
        ("funzt", "funktioniert"),
    ])
});

/// Folds a text; idempotent.
pub(super) fn fold(text: &str) -> String {
    let compatible: String = text.nfkc().collect();
    let masked = QUOTED.replace_all(&compatible, QUOTATION);
    let mut folded = String::with_capacity(masked.len() + 8);
    for c in masked.chars().flat_map(char::to_lowercase) {
        match c {
            'ä' => folded.push_str("ae"),
            'ö' => folded.push_str("oe"),
            'ü' => folded.push_str("ue"),
            'ß' => folded.push_str("ss"),
            '‐'..='―' | '−' => folded.push('-'),
            '’' | '‘' | '´' | '`' | 'ʼ' => folded.push('\''),
            c if c.is_whitespace() || c.is_control() => folded.push(' '),
            c => push_base(&mut folded, c),
        }
    }
    let spaced = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    WORD.replace_all(&spaced, |found: &regex::Captures<'_>| {
        let word = &found[0];
        MISSPELT.get(word).copied().unwrap_or(word).to_owned()
    })
    .into_owned()
}

/// The letter without its accents: é → e. Marks on their own go.
fn push_base(folded: &mut String, c: char) {
    if c.is_ascii() {
        folded.push(c);
    } else {
        folded.extend(std::iter::once(c).nfkd().filter(|part| !is_combining_mark(*part)));
    }
}
