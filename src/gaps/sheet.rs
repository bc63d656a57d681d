//! Everything that is known of one section.

use std::collections::BTreeMap;

use serde::Serialize;
use time::Date;

use super::asked::Asked;
use super::finding::{Finding, Named};
use super::group_fit::GroupFit;
use super::sentences::Readability;
use super::{Study, vocabulary};
use crate::domain::Query;
use crate::pipeline::{PipelineError, SearchRequest};

/// Words that are worth a line.
const MOST_WORDS: usize = 12;
/// Questions longer than this are no questions.
const LONGEST: usize = 20_000;

/// One section with everything that was measured of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sheet {
    /// The section.
    pub section: Named,
    /// Day of the last revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<String>,
    /// Words of its text.
    pub words: usize,
    /// The compendium's median; absent in small ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usual_words: Option<f64>,
    /// How hard it is to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readability: Option<Readability>,
    /// Local outlier factor, about 1 in company; absent in small compendia.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlier_factor: Option<f64>,
    /// Which groups its meaning and its words look like; absent without groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_fit: Option<GroupFit>,
    /// The questions that it should answer.
    pub questions: Vec<OwnQuestion>,
    /// Questions for which it is among the first five, though another section should answer them.
    pub found_for: Vec<OwnQuestion>,
    /// How often it is the first hit, over all questions that were asked.
    pub first_hits: usize,
    /// The nearest other sections, most alike first.
    pub neighbours: Vec<Neighbour>,
    /// Words that lead its own questions to it, with their share of the keyword score.
    pub leading_words: Vec<Lead>,
    /// Nouns and names that no other section uses.
    pub only_here: Vec<String>,
    /// Its findings.
    pub findings: Vec<Finding>,
}

/// A question with the place of the section.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OwnQuestion {
    /// Id in the catalog; absent for a question made from the heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The question.
    pub question: String,
    /// Rank of the section, from 1; absent beyond ten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// Whether the answer says that nothing answers the question.
    pub refused: bool,
    /// The best section that is not right; where the sheet's own is not right either, the best such
    /// one before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<Named>,
}

/// Another section.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Neighbour {
    /// Which.
    pub section: Named,
    /// Mean cosine of the windows.
    pub similarity: f64,
}

/// A word of questions that leads to a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lead {
    /// Stem, word or identifier.
    pub word: String,
    /// What it gave to the keyword score, over all questions, 0 to 1 with the others.
    pub share: f64,
}

pub(super) async fn sheet(
    study: &Study,
    ordinal: u32,
    today: Date,
) -> Result<Sheet, PipelineError> {
    let known = study.known();
    let section = known.section(ordinal);
    let figures = &known.landscape.sections[ordinal as usize];
    let own: Vec<&Asked> = known.own[ordinal as usize].clone();
    let row = |asked: &Asked| OwnQuestion {
        id: asked.id.clone(),
        question: asked.text.clone(),
        rank: asked.hits.iter().position(|hit| hit.0 == ordinal).map(|at| at + 1),
        refused: asked.refused,
        rival: rival(asked, ordinal).map(|rival| known.section(rival).into()),
    };
    let others = known.asking.leading_to(ordinal);
    let others = others.into_iter().filter(|(asked, _)| !asked.right.contains(&ordinal));
    let findings = study.findings(today).into_iter();
    let about = |finding: &Finding| {
        finding.subject.sections.iter().any(|named| named.id == section.id.as_str())
    };
    Ok(Sheet {
        section: section.into(),
        updated: section.updated.clone(),
        words: figures.words,
        usual_words: known.landscape.usual_words().map(f64::round),
        readability: Readability::of(&section.text),
        outlier_factor: figures.outlier_factor,
        group_fit: study.fits[ordinal as usize].clone(),
        questions: own.iter().map(|asked| row(asked)).collect(),
        found_for: others.map(|(asked, _)| row(asked)).collect(),
        first_hits: known.first_hits(ordinal),
        neighbours: figures
            .neighbours
            .iter()
            .map(|near| Neighbour {
                section: known.section(near.ordinal).into(),
                similarity: near.similarity,
            })
            .collect(),
        leading_words: leading_words(study, section.id.as_str(), &own).await?,
        only_here: known.vocabulary.only_in(ordinal).into_iter().take(MOST_WORDS).collect(),
        findings: findings.filter(about).collect(),
    })
}

/// What competes with a section for a question: never the section itself.
fn rival(asked: &Asked, ordinal: u32) -> Option<u32> {
    let (rival, _) = asked.rival()?;
    // It comes first of all that are not right: what is behind it took nothing from it.
    (rival != ordinal).then_some(rival)
}

/// Asks the section's own questions once more, with the reasons of the keyword search.
async fn leading_words(
    study: &Study,
    id: &str,
    own: &[&Asked],
) -> Result<Vec<Lead>, PipelineError> {
    let mut scores: BTreeMap<String, f64> = BTreeMap::new();
    for asked in own {
        let query = Query::new(&asked.text, LONGEST)
            .map_err(|error| PipelineError::Request(error.to_string()))?;
        let request = SearchRequest { k: Some(10), explain: true, ..SearchRequest::default() };
        let answer = study.pipeline.search(&query, &request).await?.answer;
        let hit = answer.hits.iter().flatten().find(|hit| hit.id == id);
        let words = vocabulary::content(&asked.text);
        for term in hit.and_then(|hit| hit.explanation.as_ref()).iter().flat_map(|e| &e.terms) {
            // Fields of one word stand under its stem, its spelling and its n-grams.
            let word = words.iter().find(|word| term.term == word.stem || term.term == word.folded);
            if let Some(word) = word {
                let surface = study.vocabulary.surface(&word.stem).to_owned();
                *scores.entry(surface).or_default() += f64::from(term.score);
            }
        }
    }
    let sum: f64 = scores.values().sum();
    let mut leads: Vec<Lead> = scores
        .into_iter()
        .map(|(word, score)| Lead { word, share: (score / sum * 1e3).round() / 1e3 })
        .filter(|lead| lead.share > 0.0)
        .collect();
    leads.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.word.cmp(&b.word)));
    leads.truncate(MOST_WORDS);
    Ok(leads)
}

#[cfg(test)]
mod tests {
    use super::super::asked::tests::asked;
    use super::*;

    #[test]
    fn no_section_is_its_own_rival() {
        let foreign = asked(1, &[1, 2, 3]);
        assert_eq!(rival(&foreign, 2), None, "of the wrong ones it is the best itself");
        assert_eq!(rival(&foreign, 3), Some(2));
        assert_eq!(rival(&asked(2, &[3, 2]), 2), Some(3));
        assert_eq!(rival(&asked(2, &[2]), 2), None);
    }
}
