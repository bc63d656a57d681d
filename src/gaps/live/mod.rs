//! Live questions that were answered badly → topics, the most painful first, each with one proposal.
//!
//! ```text
//! Log ─ sift ─ bad wordings ─ asked again today ─┬─ answered by now, or but for a slip: only counted
//!                                                ├─ answered where the asker may not look ─ release
//!                                                └─ cluster (meaning + words) ─ label ─ propose ─ Topic
//! ```
//!
//! Each question is judged over what its asker could see. A report is for somebody who may see certain
//! sections; it holds no question of anybody who may see others, and no section that he may not see.

mod cluster;
mod label;
mod links;
mod look;
mod propose;
mod sift;
mod terms;
mod topic;
mod withheld;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

pub use sift::{Bad, Failure};
pub use topic::Topic;

use super::Finding;
use crate::analysis::words;
use crate::catalog::{Origin, Question};
use crate::domain::{Audiences, Query, Vector};
use crate::eval::ask_all;
use crate::normalise::normalise;
use crate::pipeline::{Pipeline, PipelineError, Views};
use crate::query_log::{Log, without_placeholders};
use crate::rules::RuleSet;
use cluster::{Similarities, average_link};
use look::Looked;
use terms::{Features, Term, Terms};

/// Sections whose titles tell how alike different topics of the compendium are: enough pairs for a
/// steady quantile, few enough to embed in seconds.
const TITLES: usize = 300;
/// Two questions are of one topic where they are more alike than this share of all pairs of sections:
/// the compendium itself says how fine its topics are.
const QUANTILE: f64 = 0.97;
/// Deviations of the cosine that all words in common are worth.
const WORDS: f64 = 4.0;
/// A topic that was asked for less often is an accident.
const FEWEST: usize = 2;

/// What a log says about the compendium.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Live {
    /// Topics, the most impact first.
    pub topics: Vec<Topic>,
    /// Questions in the log, of those whose askers see no more than the reader of this.
    pub questions: usize,
    /// Of them answered badly.
    pub failed: usize,
    /// Of the badly answered ones: those that the present compendium answers.
    pub solved: usize,
    /// Of the badly answered ones: those that are answered where a slip of the pen is put right.
    pub misspelt: usize,
    /// Of the badly answered ones: those that a section answers which their askers may not see.
    pub withheld: usize,
    /// Of the badly answered ones: alone with their topic.
    pub single: usize,
    /// Of the badly answered ones: wordings too rare to be looked at in so large a log.
    pub left_out: usize,
    /// Lines of the log that could not be read.
    pub damaged: usize,
    /// Records that the log lost.
    pub dropped: u64,
}

impl Live {
    /// The topics as findings, in the same order.
    pub fn findings(&self) -> Vec<Finding> {
        self.topics.iter().map(Topic::finding).collect()
    }
}

/// Clusters the badly answered questions of a log into topics, for somebody who may see what `reader`
/// says. Equal logs give equal topics.
///
/// `views` must show what the reader sees, and what the askers see of it ([`Log::audiences`]). Words of
/// the `catalog` are no slips of the pen.
/// `progress` hears how many wordings have been asked again, and of how many.
///
/// # Errors
/// A question can not be searched at all, or a view is missing.
pub async fn clusters(
    views: &Views,
    reader: &Audiences,
    log: &Log,
    catalog: &[Question],
    mut progress: impl FnMut(usize, usize),
) -> Result<Live, PipelineError> {
    let pipeline = &view(views, reader)?;
    let reader = views.seen(reader);
    let sifted = sift::sift(log, |asked| Some(views.seen(asked)).filter(|a| reader.include(a)));
    let mut seen_by: BTreeMap<&Audiences, Arc<Pipeline>> = BTreeMap::new();
    for bad in &sifted.bad {
        seen_by.insert(&bad.audiences, view(views, &bad.audiences)?);
    }
    let failed = sifted.bad.iter().map(|bad| bad.failed).sum::<usize>() + sifted.left_out;
    let labelled = || pipeline.intents().labelled().map(|(_, text)| text.as_str());
    let good = sifted.good.iter().map(String::as_str);
    let spelled = labelled().chain(ruled(pipeline.rules())).chain(written(catalog));
    let terms =
        Terms::new(pipeline.analyzer(), pipeline.sections(), labelled(), good).spelling(spelled);
    let total = sifted.bad.len();
    let ask = |bad: &Bad| {
        let (own, whole) = (Arc::clone(&seen_by[&bad.audiences]), Arc::clone(pipeline));
        let bad = bad.clone();
        let question = without_placeholders(&bad.question);
        let named = named(&terms, without_frame(&question));
        let corrected = terms.corrected(&question);
        async move { look::look(own, &whole, bad, &named, corrected.as_deref()).await }
    };
    let looked = ask_all(&sifted.bad, ask, |done| progress(done, total)).await?;
    let (solved, open): (Vec<Looked>, Vec<Looked>) =
        looked.into_iter().partition(Looked::is_solved);
    let (misspelt, open): (Vec<Looked>, Vec<Looked>) =
        open.into_iter().partition(|looked| looked.misspelt);
    let (withheld, open): (Vec<Looked>, Vec<Looked>) =
        open.into_iter().partition(|looked| looked.withheld.is_some());
    let scale = Scale::of(pipeline, &terms).await?;
    let clusters = scale.clusters(&terms, &open);
    let clusters = joined(pipeline, &scale, &terms, clusters, &open).await?;
    let (several, alone): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
        clusters.into_iter().partition(|cluster| {
            cluster.iter().map(|at| open[*at].bad.failed).sum::<usize>() >= FEWEST
        });
    let labels = label::labels(&terms, &several, &open);
    let mut topics = Vec::with_capacity(several.len());
    for (cluster, label) in several.iter().zip(labels) {
        let questions: Vec<&Looked> = cluster.iter().map(|at| &open[*at]).collect();
        topics.push(propose::topic(pipeline, &scale, &terms, label, &questions).await?);
    }
    topics.extend(withheld::topics(pipeline, &withheld));
    topics.sort_by(|a, b| b.impact().total_cmp(&a.impact()).then_with(|| a.label.cmp(&b.label)));
    Ok(Live {
        topics,
        questions: sifted.questions,
        failed,
        solved: solved.iter().map(|looked| looked.bad.failed).sum(),
        misspelt: misspelt.iter().map(|looked| looked.bad.failed).sum(),
        withheld: withheld.iter().map(|looked| looked.bad.failed).sum(),
        single: alone.iter().flatten().map(|at| open[*at].bad.failed).sum(),
        left_out: sifted.left_out,
        damaged: log.damaged,
        dropped: log.dropped,
    })
}

/// The words of rules, and of their examples.
fn ruled(rules: &RuleSet) -> impl Iterator<Item = &str> {
    rules.rules().iter().flat_map(|rule| {
        let patterns =
            std::iter::once(&rule.pattern).chain(&rule.unless).map(regex::bytes::Regex::as_str);
        let examples = rule.positive.iter().chain(&rule.negative);
        patterns.chain(examples.map(|example| example.question.as_str()))
    })
}

/// The questions that somebody wrote with care: neither what readers typed nor slips made on purpose.
fn written(catalog: &[Question]) -> impl Iterator<Item = &str> {
    let careful = catalog.iter().filter(|one| one.origin != Origin::Live && one.tier != "typo");
    careful.map(|one| one.question.as_str())
}

/// What shows exactly what these audiences may see.
fn view(views: &Views, audiences: &Audiences) -> Result<Arc<Pipeline>, PipelineError> {
    let missing = || {
        PipelineError::Request(format!("there is no index of what the audiences {audiences} see"))
    };
    views.of(audiences).cloned().ok_or_else(missing)
}

/// Clusters of one topic in different words (`Kaffee`, `Koffein`) become one: what they are called is
/// compared by meaning alone, on the scale of the titles.
async fn joined(
    pipeline: &Pipeline,
    scale: &Scale,
    terms: &Terms<'_>,
    clusters: Vec<Vec<usize>>,
    looked: &[Looked],
) -> Result<Vec<Vec<usize>>, PipelineError> {
    let mut vectors = Vec::with_capacity(clusters.len());
    for label in label::labels(terms, &clusters, looked) {
        vectors.push(pipeline.meaning(&label.text.replace(',', " ")).await?);
    }
    let alike = |a: usize, b: usize| scale.deviations(&vectors[a], &vectors[b]);
    let families = average_link(Similarities::new(clusters.len(), alike), scale.same_meaning);
    Ok(families
        .into_iter()
        .map(|family| {
            let mut members: Vec<usize> =
                family.into_iter().flat_map(|at| clusters[at].iter().copied()).collect();
            members.sort_unstable();
            members
        })
        .collect())
}

/// The question without greeting and politeness before it.
fn without_frame(question: &str) -> &str {
    let Ok(query) = Query::new(question, usize::MAX) else { return question };
    let core: BTreeSet<String> =
        words(normalise(&query).core()).into_iter().map(|word| word.folded).collect();
    let first = words(question).into_iter().find(|word| core.contains(&word.folded));
    let start = first.and_then(|word| question.char_indices().nth(word.span.0));
    start.map_or(question, |(offset, _)| &question[offset..])
}

/// What a text names, without the furniture of a question; the text itself where it names nothing.
fn named(terms: &Terms<'_>, text: &str) -> String {
    let found = terms.of(text);
    let heavy = found.iter().map(|term| term.weight).fold(0.0, f64::max) / 2.0;
    let told = found.iter().filter(|term| term.weight >= heavy);
    let said = |term: &Term| term.spelled_out.clone().unwrap_or_else(|| term.surface.clone());
    let told: Vec<String> = told.map(said).collect();
    if told.is_empty() { text.to_owned() } else { told.join(" ") }
}

/// How alike two texts are, in deviations of the compendium's own titles.
struct Scale {
    mean: f64,
    deviation: f64,
    /// From here on two questions are of one topic.
    threshold: f64,
    /// The same by meaning alone, in deviations.
    same_meaning: f64,
}

impl Scale {
    /// Measures the titles of the compendium with one another.
    async fn of(pipeline: &Arc<Pipeline>, terms: &Terms<'_>) -> Result<Self, PipelineError> {
        let sections = pipeline.sections();
        let step = sections.len().div_ceil(TITLES).max(1);
        let titles: Vec<String> =
            sections.iter().step_by(step).map(|section| named(terms, &section.title)).collect();
        let features: Vec<Features> =
            titles.iter().map(|title| Features::of(&terms.of(title))).collect();
        let ask = |title: &String| {
            let (pipeline, title) = (Arc::clone(pipeline), title.clone());
            async move { pipeline.meaning(&title).await }
        };
        let vectors = ask_all(&titles, ask, |_| ()).await?;
        let cosine = |a: usize, b: usize| f64::from(vectors[a].cosine(&vectors[b]));
        let cosines = Similarities::new(vectors.len(), cosine);
        let (mean, deviation) = cosines.mean_and_deviation();
        let same_meaning =
            cosines.quantile(QUANTILE).map_or(2.0, |cosine| (cosine - mean) / deviation);
        let mut scale = Self { mean, deviation, threshold: 0.0, same_meaning };
        let alike = |a: usize, b: usize| {
            scale.alike((&vectors[a], &features[a]), (&vectors[b], &features[b]))
        };
        let quantile = Similarities::new(vectors.len(), alike).quantile(QUANTILE);
        // Fewer than two sections: two deviations and a quarter of the words.
        scale.threshold = quantile.unwrap_or(2.0 + WORDS / 4.0);
        Ok(scale)
    }

    /// Deviations by which a cosine lies above that of two titles.
    fn deviations(&self, a: &Vector, b: &Vector) -> f64 {
        (f64::from(a.cosine(b)) - self.mean) / self.deviation
    }

    fn alike(&self, a: (&Vector, &Features), b: (&Vector, &Features)) -> f64 {
        self.deviations(a.0, b.0) + WORDS * a.1.cosine(b.1)
    }

    fn clusters(&self, terms: &Terms<'_>, looked: &[Looked]) -> Vec<Vec<usize>> {
        let features: Vec<Features> =
            looked.iter().map(|looked| Features::of(&terms.of(&looked.named))).collect();
        let alike = |a: usize, b: usize| {
            self.alike((&looked[a].vector, &features[a]), (&looked[b].vector, &features[b]))
        };
        average_link(Similarities::new(looked.len(), alike), self.threshold)
    }
}
