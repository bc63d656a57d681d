//! Whether a section's text looks like its own group, and whether groups are in proportion.

use std::collections::BTreeMap;

use serde::Serialize;

use super::finding::{Action, Code, Evidence, Finding, Mend, Severity, Subject, number};
use super::known::Known;
use crate::domain::dot;
use crate::eval::sections::{NOTABLE, OUTLYING, Spread};

/// Margins between two centroids that differ by less do not differ.
const LEAST_MARGIN_SCALE: f64 = 0.002;
/// Added to every count of a word, so that no word is impossible (Lidstone).
const SMOOTHING: f64 = 0.5;
/// Fewer sections of a group have no centre.
const FEWEST: usize = 3;
/// A group in which questions and sections are out of proportion by less needs nobody.
const DISPROPORTION: f64 = 2.0;

/// What centroid and classifier say of one section.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupFit {
    /// The group that the section names.
    pub own: String,
    /// The group whose centre is nearest, without the section itself.
    pub by_meaning: String,
    /// The group that uses words like these (multinomial naive Bayes), without the section itself.
    pub by_words: String,
    /// Similarity with its own group's centre less that with the best other; below 0 the other is
    /// nearer.
    pub margin: f64,
}

/// Of every section that has a group, by ordinal; empty without two groups of three sections.
pub(super) fn measure(known: &Known<'_>, means: &[Option<Vec<f32>>]) -> Vec<Option<GroupFit>> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, section) in known.sections.iter().enumerate() {
        if let (Some(group), Some(_)) = (&section.group, &means[at]) {
            groups.entry(group.as_str()).or_default().push(at);
        }
    }
    groups.retain(|_, members| members.len() >= FEWEST);
    if groups.len() < 2 {
        return vec![None; known.sections.len()];
    }
    let words = Words::new(known, &groups);
    (0..known.sections.len())
        .map(|at| {
            let own = known.sections[at].group.as_ref()?.as_str();
            groups.contains_key(own).then_some(())?;
            let mean = means[at].as_ref()?;
            let similar: Vec<(f64, &str)> = groups
                .iter()
                .map(|(group, members)| (to_centre(at, mean, members, means), *group))
                .collect();
            let best = |of: &[(f64, &str)]| best(of).map(|(_, group)| group.to_owned());
            let others: Vec<(f64, &str)> =
                similar.iter().copied().filter(|(_, group)| *group != own).collect();
            let of_own = similar.iter().find(|(_, group)| *group == own)?.0;
            Some(GroupFit {
                own: own.to_owned(),
                by_meaning: best(&similar)?,
                by_words: best(&words.scores(known, at))?,
                margin: of_own - others.iter().map(|(score, _)| *score).fold(f64::MIN, f64::max),
            })
        })
        .collect()
}

fn best<'g>(scores: &[(f64, &'g str)]) -> Option<(f64, &'g str)> {
    scores.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
}

/// Cosine with the mean of a group's other sections.
fn to_centre(at: usize, mean: &[f32], members: &[usize], means: &[Option<Vec<f32>>]) -> f64 {
    let mut centre = vec![0.0_f32; mean.len()];
    for other in members.iter().filter(|other| **other != at) {
        for (sum, value) in centre.iter_mut().zip(means[*other].iter().flatten()) {
            *sum += value;
        }
    }
    let length = |of: &[f32]| f64::from(dot(of, of)).sqrt().max(f64::MIN_POSITIVE);
    f64::from(dot(mean, &centre)) / length(mean) / length(&centre)
}

/// Words of the groups.
struct Words<'g> {
    groups: Vec<(&'g str, BTreeMap<&'g str, usize>, usize)>,
    different: f64,
}

impl<'g> Words<'g> {
    fn new(known: &'g Known<'_>, groups: &BTreeMap<&'g str, Vec<usize>>) -> Self {
        let count = |members: &Vec<usize>| {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for (stem, times) in members.iter().flat_map(|at| &known.vocabulary.counts[*at]) {
                *counts.entry(stem.as_str()).or_default() += times;
            }
            counts
        };
        let groups = groups.iter().map(|(group, members)| {
            let counts = count(members);
            let total = counts.values().sum();
            (*group, counts, total)
        });
        Self { groups: groups.collect(), different: known.vocabulary.stems().count() as f64 }
    }

    /// Log-likelihood of a section's words in every group, its own words taken out of its group.
    fn scores(&self, known: &Known<'_>, at: usize) -> Vec<(f64, &'g str)> {
        let own = &known.vocabulary.counts[at];
        let group = known.sections[at].group.as_ref().map(crate::domain::GroupId::as_str);
        let size: usize = own.values().sum();
        let score = |(name, counts, total): &(&'g str, BTreeMap<&'g str, usize>, usize)| {
            let inside = group == Some(*name);
            let rest = (total - if inside { size } else { 0 }) as f64 + SMOOTHING * self.different;
            let of_word = |(stem, times): (&String, &usize)| {
                let seen = counts.get(stem.as_str()).copied().unwrap_or_default();
                let seen = (seen - if inside { *times } else { 0 }) as f64 + SMOOTHING;
                *times as f64 * (seen / rest).ln()
            };
            (own.iter().map(of_word).sum(), *name)
        };
        self.groups.iter().map(score).collect()
    }
}

pub(super) fn findings(known: &Known<'_>, fits: &[Option<GroupFit>]) -> Vec<Finding> {
    let margins: Vec<f64> = fits.iter().flatten().map(|fit| fit.margin).collect();
    let spread = Spread::of(&margins, LEAST_MARGIN_SCALE);
    let of = |(ordinal, fit): (u32, &Option<GroupFit>)| {
        wrong_group(known, ordinal, fit.as_ref()?, spread?)
    };
    let mut found: Vec<Finding> = (0..).zip(fits).filter_map(of).collect();
    found.extend(imbalance(known));
    found
}

fn wrong_group(known: &Known<'_>, ordinal: u32, fit: &GroupFit, spread: Spread) -> Option<Finding> {
    if fit.by_meaning == fit.own || fit.by_words != fit.by_meaning {
        return None;
    }
    let score = -spread.score(fit.margin);
    if score < NOTABLE {
        return None;
    }
    let severity = if score >= OUTLYING { Severity::Warning } else { Severity::Hint };
    let section = known.section(ordinal);
    let (own, other) = (fit.own.replace('_', " "), fit.by_meaning.replace('_', " "));
    let message = format!(
        "„{}“ steht in der Gruppe {own}, liest sich aber wie {other}: in Sinn und Wörtern.",
        section.title
    );
    let mend = Mend {
        group: Some(fit.by_meaning.clone()),
        ..Mend::new(
            Action::ChangeGroup,
            format!(
                "Setzen Sie in {} die Gruppe {}; soll der Abschnitt in {own} bleiben, schreiben Sie, \
                 was diese Gruppe fragt.",
                section.place, fit.by_meaning
            ),
        )
    };
    let figure = Evidence::Figure {
        what: "Abstand zur eigenen Gruppe (unter 0: die andere ist näher)".to_owned(),
        value: fit.margin,
        usual: Some(spread.median),
        bound: Some(spread.at(-NOTABLE)),
    };
    Some(
        Finding::new(Code::WrongGroup, severity, Subject::section(section), message, mend)
            .reaching(known.reach(ordinal))
            .because([figure])
            .because(known.neighbours(ordinal, 3)),
    )
}

/// Groups with far more questions than sections, or far fewer sections than the others: adjusted by
/// what chance would give (Pearson residuals).
fn imbalance(known: &Known<'_>) -> Vec<Finding> {
    let mut sections: BTreeMap<&str, usize> = BTreeMap::new();
    let mut questions: BTreeMap<&str, usize> = BTreeMap::new();
    for (ordinal, section) in known.each() {
        if let Some(group) = &section.group {
            *sections.entry(group.as_str()).or_default() += 1;
            *questions.entry(group.as_str()).or_default() += known.own[ordinal as usize].len();
        }
    }
    if sections.len() < 2 {
        return Vec::new();
    }
    let (all, asked): (usize, usize) = (sections.values().sum(), questions.values().sum());
    let even = all as f64 / sections.len() as f64;
    let mut found = Vec::new();
    for (group, count) in &sections {
        let name = group.replace('_', " ");
        let (count, asked_here) = (*count as f64, questions[group] as f64);
        let residual = (count - even) / even.sqrt();
        let fair = asked as f64 * count / all as f64;
        let demand = (asked_here - fair) / fair.sqrt().max(1.0);
        let (message, mend, figure) = if -residual >= OUTLYING && count * DISPROPORTION <= even {
            (
                format!("Die Gruppe {name} hat nur {} Abschnitte.", number(count)),
                Mend::new(
                    Action::NewSection,
                    format!("Schreiben Sie Abschnitte für {name}, oder lösen Sie die Gruppe auf."),
                ),
                Evidence::figure("Abschnitte", count, Some(even.round())),
            )
        } else if residual >= OUTLYING && count >= even * DISPROPORTION {
            (
                format!(
                    "Die Gruppe {name} hat {} Abschnitte, viel mehr als die anderen.",
                    number(count)
                ),
                Mend::new(
                    Action::ChangeGroup,
                    format!(
                        "Teilen Sie {name}: Eine Gruppe, in der fast alles steht, hilft keiner Suche."
                    ),
                ),
                Evidence::figure("Abschnitte", count, Some(even.round())),
            )
        } else if demand >= OUTLYING && asked_here >= fair * DISPROPORTION {
            (
                format!("Nach {name} wird viel öfter gefragt, als Abschnitte da sind."),
                Mend::new(
                    Action::NewSection,
                    format!("Schreiben Sie für {name} mehr: Die Fragen dieser Gruppe zeigen, was."),
                ),
                Evidence::figure("Fragen", asked_here, Some(fair.round())),
            )
        } else {
            continue;
        };
        let finding =
            Finding::new(Code::Imbalance, Severity::Hint, Subject::group(*group), message, mend);
        found.push(finding.reaching(asked_here).because([figure]));
    }
    found
}
