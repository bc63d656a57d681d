//! The enrichment of a build: symbols from the text, concepts measured on vectors.

use std::collections::{BTreeMap, BTreeSet};

use super::build::{BuildError, Ingredients, Progress, embedding};
use crate::analysis::{stem, words};
use crate::domain::{Section, Use, Vector};
use crate::embedding::Passage;
use crate::embedding::cache::EmbeddingCache;
use crate::enrichment::concepts::{self, Candidate, Concept, Topics};
use crate::enrichment::{Documents, Enrichment, Readings};

/// Symbols of all documents and, where they are asked for, the concepts of all sections.
///
/// Concepts cost one embedding for each distinct term, at most twelve a document, and one more of
/// each section that gets any; all of them are cached.
pub(super) fn enrichment(
    from: &Ingredients<'_>,
    readings: &Readings,
    cache: &mut EmbeddingCache,
    progress: &mut Progress<'_>,
) -> Result<Enrichment, BuildError> {
    let plan = from.manifest.enrichment;
    let mut enrichment = Enrichment::of(plan, from.sections, from.analyzer.symbols(), readings);
    if plan.concepts != Use::Off {
        let chosen = concepts(from, (&enrichment, readings), cache, progress)?;
        enrichment.set_concepts(chosen);
    }
    Ok(enrichment)
}

fn concepts(
    from: &Ingredients<'_>,
    (enrichment, readings): (&Enrichment, &Readings),
    cache: &mut EmbeddingCache,
    progress: &mut Progress<'_>,
) -> Result<Vec<Vec<Concept>>, BuildError> {
    let documents = Documents::of(from.sections);
    let mut chosen = vec![Vec::new(); from.sections.len()];
    let mut candidates = concepts::candidates(from.sections, &documents, from.analyzer);
    for (at, (ordinals, candidates)) in documents.iter().zip(&mut candidates).enumerate() {
        let mut known: BTreeSet<Vec<String>> =
            candidates.iter().map(|term| term.stems.clone()).collect();
        let borderline = ordinals.iter().flat_map(|ordinal| enrichment.borderline(*ordinal));
        let read = readings.of(at).map_or(&[][..], |reading| &reading.concepts);
        let of_document: Vec<&Section> =
            ordinals.iter().map(|ordinal| &from.sections[*ordinal as usize]).collect();
        let proposed = concepts::proposed(read, &of_document, from.analyzer);
        let further: Vec<Candidate> =
            borderline.chain(proposed).filter(|term| known.insert(term.stems.clone())).collect();
        candidates.extend(further);
    }
    let mut terms: BTreeMap<&str, usize> = BTreeMap::new();
    for candidate in candidates.iter().flatten() {
        let next = terms.len();
        terms.entry(&candidate.text).or_insert(next);
    }
    if terms.is_empty() {
        return Ok(chosen);
    }
    let mut passages = vec![None; terms.len()];
    for (text, at) in &terms {
        passages[*at] = from.embedder.windows("", "", text).into_iter().next();
    }
    let passages: Vec<Passage> = passages.into_iter().flatten().collect();
    let vectors = cache.embed_all(from.embedder, &passages, &mut embedding(progress))?;
    let plain = section_vectors(from, cache, &|_| String::new(), progress)?;
    let topics = Topics::of(&documents, &plain);
    for (ordinals, candidates) in documents.iter().zip(&candidates) {
        // A document of one section has no topic beyond it.
        if ordinals.len() < 2 {
            continue;
        }
        for (receivers, givers) in Documents::shared(ordinals, from.sections) {
            let seen: Vec<BTreeSet<String>> =
                givers.iter().map(|ordinal| own_stems(&from.sections[*ordinal as usize])).collect();
            // A term that only hidden sections have is hidden, too.
            let told = |term: &&Candidate| seen.iter().any(|own| says(own, term));
            let told: Vec<&Candidate> = candidates.iter().filter(told).collect();
            for ordinal in receivers {
                let vector = &plain[ordinal as usize];
                let Some(around) = topics.around(ordinal, vector) else { continue };
                let own = own_stems(&from.sections[ordinal as usize]);
                let terms: Vec<(&Candidate, &Vector)> = told
                    .iter()
                    .filter(|term| !says(&own, term))
                    .map(|term| (*term, &vectors[terms[term.text.as_str()]]))
                    .collect();
                chosen[ordinal as usize] = concepts::choose(vector, around, &terms);
            }
        }
    }
    verified(from, cache, progress, (&plain, &topics), chosen)
}

/// The estimate said yes; the section embedded with its terms decides. One that did not come nearer
/// to its document gets none.
fn verified(
    from: &Ingredients<'_>,
    cache: &mut EmbeddingCache,
    progress: &mut Progress<'_>,
    (plain, topics): (&[Vector], &Topics),
    mut chosen: Vec<Vec<Concept>>,
) -> Result<Vec<Vec<Concept>>, BuildError> {
    let mut trial = Enrichment::default();
    trial.set_concepts(chosen.clone());
    let plan = from.manifest.enrichment;
    let enriched = section_vectors(from, cache, &|ordinal| trial.head(plan, ordinal), progress)?;
    for (ordinal, concepts) in chosen.iter_mut().enumerate() {
        let (before, after) = (&plain[ordinal], &enriched[ordinal]);
        let around = topics.around(ordinal as u32, before);
        if around.is_none_or(|around| concepts::gain(before, after, around) <= 0.0) {
            concepts.clear();
        }
    }
    Ok(chosen)
}

/// One vector a section: the mean direction of its windows.
fn section_vectors(
    from: &Ingredients<'_>,
    cache: &mut EmbeddingCache,
    head: &dyn Fn(u32) -> String,
    progress: &mut Progress<'_>,
) -> Result<Vec<Vector>, BuildError> {
    let (mut passages, mut counts) = (Vec::new(), Vec::with_capacity(from.sections.len()));
    for (ordinal, section) in from.sections.iter().enumerate() {
        let windows = from.embedder.windows(&head(ordinal as u32), &section.title, &section.text);
        counts.push(windows.len());
        passages.extend(windows);
    }
    let vectors = cache.embed_all(from.embedder, &passages, &mut embedding(progress))?;
    let mut rest = vectors.as_slice();
    let means = counts.into_iter().map(|count| {
        let (own, others) = rest.split_at(count);
        rest = others;
        concepts::mean(own.iter()).unwrap_or_else(|| own[0].clone())
    });
    Ok(means.collect())
}

/// Whether a section has all words of a term.
fn says(own: &BTreeSet<String>, term: &Candidate) -> bool {
    term.stems.iter().all(|stem| own.contains(stem))
}

fn own_stems(section: &Section) -> BTreeSet<String> {
    let texts = [&section.title, &section.text];
    texts.into_iter().flat_map(|text| words(text)).map(|word| stem(&word.folded)).collect()
}
