//! Sections that say nearly the same.

use std::collections::BTreeSet;

use super::finding::{Action, Code, Evidence, Finding, Mend, Severity, Subject};
use super::known::Known;
use super::vocabulary::content;
use crate::eval::sections::{NOTABLE, OUTLYING, Spread};

/// Words in a row that are compared: shorter runs are everyday phrases.
const SHINGLE: usize = 3;
/// Where half of one text stands in the other, no distribution is needed to say so.
const COPIED: f64 = 0.5;
/// A text of fewer runs of words is too short to be called a copy.
const FEWEST_RUNS: usize = 10;
/// Similarities of words that differ by less do not differ.
const LEAST_WORD_SCALE: f64 = 0.02;

/// Two sections that may be twins, the lower ordinal first.
struct Pair {
    ordinals: (u32, u32),
    /// Mean cosine of their windows.
    meaning: f64,
    /// Cosine of their words, weighed by rarity.
    words: f64,
}

pub(super) fn findings(known: &Known<'_>) -> Vec<Finding> {
    let pairs = pairs(known);
    let mut best = vec![0.0_f64; known.sections.len()];
    for pair in &pairs {
        for ordinal in [pair.ordinals.0, pair.ordinals.1] {
            let best = &mut best[ordinal as usize];
            *best = best.max(pair.words);
        }
    }
    let words = Spread::of(&best, LEAST_WORD_SCALE);
    pairs.iter().filter_map(|pair| twins(known, pair, words)).collect()
}

/// Every section with its nearest neighbours, each pair once.
fn pairs(known: &Known<'_>) -> Vec<Pair> {
    let mut seen = BTreeSet::new();
    let mut pairs = Vec::new();
    for (ordinal, _) in known.each() {
        for near in &known.landscape.sections[ordinal as usize].neighbours {
            let ordinals = (ordinal.min(near.ordinal), ordinal.max(near.ordinal));
            if seen.insert(ordinals) {
                let words = cosine(known, ordinals.0, ordinals.1);
                pairs.push(Pair { ordinals, meaning: near.similarity, words });
            }
        }
    }
    pairs
}

fn cosine(known: &Known<'_>, a: u32, b: u32) -> f64 {
    let (a, b) = (&known.vocabulary.counts[a as usize], &known.vocabulary.counts[b as usize]);
    let weight = |stem: &str, count: usize| {
        (1.0 + (count.max(1) as f64).ln()) * known.vocabulary.weight(stem)
    };
    let shared: f64 = a
        .iter()
        .filter_map(|(stem, count)| Some(weight(stem, *count) * weight(stem, *b.get(stem)?)))
        .sum();
    let length = |of: &std::collections::BTreeMap<String, usize>| {
        of.iter().map(|(stem, count)| weight(stem, *count).powi(2)).sum::<f64>().sqrt()
    };
    let lengths = length(a) * length(b);
    if lengths > 0.0 { shared / lengths } else { 0.0 }
}

fn twins(known: &Known<'_>, pair: &Pair, words: Option<Spread>) -> Option<Finding> {
    let (a, b) = pair.ordinals;
    // Placeholders are alike, but there is nothing to merge: `weak` tells.
    if known.landscape.thin(a).is_some() && known.landscape.thin(b).is_some() {
        return None;
    }
    let scores = known
        .landscape
        .nearest
        .zip(words)
        .map(|(nearest, words)| (nearest.score(pair.meaning), words.score(pair.words)));
    let far_out = scores.is_some_and(|(meaning, words)| {
        meaning.min(words) >= NOTABLE && meaning.max(words) >= OUTLYING
    });
    let copied = copied(&known.section(a).text, &known.section(b).text);
    if !far_out && copied < COPIED {
        return None;
    }
    let (keep, give, why) = keeper(known, a, b);
    let (kept, given) = (known.section(keep), known.section(give));
    let message = format!(
        "„{}“ und „{}“ sagen fast dasselbe: Leserinnen und Leser bekommen einen von beiden, nach Zufall.",
        given.title, kept.title
    );
    let apart = match (&given.group, &kept.group) {
        (Some(own), Some(other)) if own != other => format!(
            " Sollen beide bleiben, weil sie in den Gruppen {} und {} stehen, dann schreiben Sie in \
             jeden nur, was seine Gruppe fragt.",
            own.as_str().replace('_', " "),
            other.as_str().replace('_', " ")
        ),
        (Some(_) | None, _) => String::new(),
    };
    let mend = Mend {
        section: Some(kept.id.to_string()),
        ..Mend::new(
            Action::MergeSections,
            format!(
                "Übernehmen Sie aus „{}“, was in „{}“ fehlt, und löschen Sie ihn: „{}“ {why}.{apart}",
                given.title, kept.title, kept.title
            ),
        )
    };
    let likeness = [
        (
            "Ähnlichkeit des Sinns",
            pair.meaning,
            known.landscape.nearest.map(|spread| spread.median),
        ),
        ("Ähnlichkeit der Wörter", pair.words, words.map(|spread| spread.median)),
    ];
    // One that is no higher than usual says nothing for twins.
    let likeness =
        likeness.into_iter().filter(|(_, value, usual)| usual.is_none_or(|usual| *value > usual));
    let likeness = likeness.map(|(name, value, usual)| Evidence::figure(name, value, usual));
    let copied = Evidence::figure("wörtlich gleich (Prozent)", (copied * 100.0).round(), None);
    let subject = Subject::sections([given, kept]);
    let contested = known.own[a as usize].iter().chain(&known.own[b as usize]);
    let contested =
        contested.filter(|asked| asked.contested_by().is_some_and(|rival| [a, b].contains(&rival)));
    Some(
        Finding::new(Code::Twins, Severity::Warning, subject, message, mend)
            .reaching(known.reach(a) + known.reach(b))
            .because(likeness)
            .because([copied])
            .because(contested.map(|asked| known.question(asked))),
    )
}

/// Which of two stays, which goes, and why: what is found more often, then what says more.
fn keeper(known: &Known<'_>, a: u32, b: u32) -> (u32, u32, String) {
    let found = |ordinal| known.first_hits(ordinal);
    let words = |ordinal: u32| known.landscape.sections[ordinal as usize].words;
    let (keep, give) = if (found(b), words(b)) > (found(a), words(a)) { (b, a) } else { (a, b) };
    let why = if found(keep) > found(give) {
        let questions =
            if found(keep) == 1 { "eine Frage" } else { &format!("{} Fragen", found(keep)) };
        format!("wird für {questions} zuerst gefunden, der andere für {}", found(give))
    } else if words(keep) > words(give) {
        format!("sagt mehr ({} statt {} Wörter)", words(keep), words(give))
    } else {
        "steht im Kompendium zuerst".to_owned()
    };
    (keep, give, why)
}

/// Share of the shorter text's runs of content words that stand in the other too (containment,
/// Broder 1997).
fn copied(a: &str, b: &str) -> f64 {
    let (a, b) = (shingles(a), shingles(b));
    let shorter = a.len().min(b.len());
    if shorter < FEWEST_RUNS {
        return 0.0;
    }
    a.intersection(&b).count() as f64 / shorter as f64
}

fn shingles(text: &str) -> BTreeSet<Vec<String>> {
    let stems: Vec<String> = content(text).into_iter().map(|word| word.stem).collect();
    stems.windows(SHINGLE).map(<[String]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_is_a_share_of_the_shorter_text() {
        let part = "Kurze Pausen mindern Ermüdung, frischen Konzentration auf, schaffen Abstand, \
                    lockern Schultern, beruhigen Augen.";
        let long = format!("{part} Danach fällt der Wiedereinstieg leichter.");
        assert!((copied(&long, &long) - 1.0).abs() < 1e-9);
        assert!((copied(part, &long) - 1.0).abs() < 1e-9);
        assert!(copied("Kurze Pausen mindern Ermüdung.", &long) < 1e-9, "too short to say");
        assert!(copied("Ein Hund bellt laut draußen nachts.", &long) < 1e-9);
        assert!(copied("", &long) < 1e-9);
    }
}
