//! Small changes, each tried on a copy.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::route::{Routed, round};
use super::super::{Pipeline, PipelineError};
use super::trial::{Bench, Setting};
use crate::analysis::{is_function_word, words};
use crate::domain::{Change, ChangeKind, Section};
use crate::retrieval::lexical::LexicalIndex;

/// Words of the question that are tried, the rarest first.
const WORDS: usize = 5;
/// Words of the heading that a synonym is tried for.
const TITLE_WORDS: usize = 2;
/// Least lead on the scale of the scores: less is a tie that the next change of any text turns.
const LEAD: f64 = 0.005;

/// The changes that make the section the first hit, the smallest first, and how many were tried.
///
/// One word is smaller than two; among equals a word of a group comes before a synonym and that
/// before the heading. Two words for the heading are only tried where no single word works.
pub(super) async fn changes(
    pipeline: &Arc<Pipeline>,
    bench: &mut Bench<'_>,
    routed: &Routed,
) -> Result<(Vec<Change>, usize), PipelineError> {
    let section = bench.section();
    let asked = naming(pipeline, routed);
    let missing = missing(pipeline, routed, section);
    let (mut found, mut tried) = (Vec::new(), 0);
    if let Some(group) = &section.group {
        for word in &asked {
            let Some(groups) = pipeline.groups.with_word(group, word) else { continue };
            tried += 1;
            let setting = Setting { groups: &groups, ..Setting::usual(pipeline, routed) };
            if let Some(lead) = lead(bench, &setting).await? {
                let german = format!(
                    "in rules/groups.yaml „{word}“ in die Wörter der Gruppe {group} aufnehmen;"
                );
                let target = group.to_string();
                found.push(change(ChangeKind::GroupWord, &[word], target, lead, german));
            }
        }
    }
    for word in &missing {
        for own in title_words(section) {
            tried += 1;
            let analyzer = pipeline.analyzer().with_synonym(word, &own);
            let lexical = pipeline.keyword_index(move |sections, inherited| {
                LexicalIndex::in_memory(sections, inherited, &analyzer)
            });
            let lexical = lexical.await?;
            let setting = Setting { lexical: &lexical, ..Setting::usual(pipeline, routed) };
            if let Some(lead) = lead(bench, &setting).await? {
                let german =
                    format!("in rules/synonyms.yaml unter `finds` eintragen: {word}: [{own}];");
                found.push(change(ChangeKind::Synonym, &[word], own, lead, german));
            }
        }
    }
    let nouns: Vec<&String> =
        missing.iter().filter(|word| is_for_headings(word, routed.query.original())).collect();
    for &word in &nouns {
        tried += 1;
        found.extend(titled(pipeline, bench, routed, &[word]).await?);
    }
    if found.is_empty() {
        for (at, &first) in nouns.iter().enumerate() {
            for &second in &nouns[at + 1..] {
                tried += 1;
                found.extend(titled(pipeline, bench, routed, &[first, second]).await?);
            }
        }
    }
    found.sort_by(|a, b| {
        (a.words.len(), a.kind)
            .cmp(&(b.words.len(), b.kind))
            .then_with(|| b.lead.total_cmp(&a.lead))
            .then_with(|| a.words.cmp(&b.words))
    });
    Ok((found, tried))
}

/// The section with words added to its heading.
async fn titled(
    pipeline: &Arc<Pipeline>,
    bench: &mut Bench<'_>,
    routed: &Routed,
    words: &[&String],
) -> Result<Option<Change>, PipelineError> {
    let section = bench.section();
    let added: Vec<&str> = words.iter().map(|word| word.as_str()).collect();
    let title = format!("{} ({})", section.title, added.join(", "));
    let rewritten = bench.rewritten(&title).await?;
    let (at, heading) = (bench.target as usize, title.clone());
    let analyzer = pipeline.analyzer().clone();
    let lexical = pipeline.keyword_index(move |sections, inherited| {
        let mut sections = sections.to_vec();
        sections[at].title = heading;
        LexicalIndex::in_memory(&sections, inherited, &analyzer)
    });
    let lexical = lexical.await?;
    let usual = Setting::usual(pipeline, routed);
    let setting = Setting { lexical: &lexical, rewritten: Some(&rewritten), ..usual };
    let Some(lead) = lead(bench, &setting).await? else { return Ok(None) };
    // An id that follows from the heading would change with it, and the catalog names the id.
    let anchor = section.id.as_str().rsplit('#').next().unwrap_or_default();
    let german = format!(
        "die Überschrift in „{title}“ ändern und dabei die Kennung {{#{anchor}}} behalten;"
    );
    Ok(Some(change(ChangeKind::TitleWord, words, title, lead, german)))
}

fn change(
    kind: ChangeKind,
    words: &[&String],
    target: String,
    lead: f64,
    german: String,
) -> Change {
    let words = words.iter().map(|word| (*word).clone()).collect();
    Change { kind, words, target, lead: round(lead), german }
}

/// The lead of the section under a setting, where it is first and not by a hair.
async fn lead(bench: &mut Bench<'_>, setting: &Setting<'_>) -> Result<Option<f64>, PipelineError> {
    let ordered = bench.order(setting).await?;
    Ok(ordered.lead(bench.target).filter(|lead| *lead >= LEAD))
}

/// Words of the question that name something, the rarest in the compendium first.
fn naming(pipeline: &Pipeline, routed: &Routed) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let named = words(routed.query.original())
        .into_iter()
        .filter(|word| !is_function_word(&word.folded) && word.folded.chars().count() > 2);
    let mut named: Vec<(usize, String)> = named
        .filter(|word| seen.insert(word.stem.clone()))
        .map(|word| {
            let holds = |section: &&Section| holds(section, &word.stem);
            (pipeline.index.sections().iter().filter(holds).count(), word.surface)
        })
        .collect();
    // Stable: equally rare words stay in the order of the question.
    named.sort_by_key(|(count, _)| *count);
    named.into_iter().take(WORDS).map(|(_, word)| word).collect()
}

/// Whether a word can stand in a heading: a noun, as far as its writing tells. „Aufschieben überwinden
/// (hilft)“ would be found, and nobody would write it.
fn is_for_headings(word: &str, question: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        || !question.contains(char::is_uppercase)
}

/// Those of them that the section has neither itself nor by a synonym.
pub(super) fn missing(pipeline: &Pipeline, routed: &Routed, section: &Section) -> Vec<String> {
    let synonyms = pipeline.analyzer().synonyms();
    let stem = |word: &str| words(word).into_iter().next().map(|word| word.stem);
    let told = |stem: &String| synonyms.telling(stem).iter().any(|other| holds(section, other));
    let lacks =
        |word: &String| stem(word).is_some_and(|stem| !holds(section, &stem) && !told(&stem));
    naming(pipeline, routed).into_iter().filter(lacks).collect()
}

fn holds(section: &Section, stem: &str) -> bool {
    let has = |text: &str| words(text).iter().any(|word| word.stem == stem);
    has(&section.title) || has(&section.text)
}

/// The words of a heading that name something, the longest first.
fn title_words(section: &Section) -> Vec<String> {
    let named = words(&section.title)
        .into_iter()
        .filter(|word| !is_function_word(&word.folded) && word.folded.chars().count() > 3);
    let mut named: Vec<String> = named.map(|word| word.surface).collect();
    named.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    named.truncate(TITLE_WORDS);
    named
}
