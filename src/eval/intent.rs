//! Labelled questions through rules, classifier and both; without a file, by cross-validation.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Serialize;

use crate::domain::{IntentId, Query};
use crate::intent::{
    Evidence, Example, Intents, Judged, Lessons, Llm, TrainError, UNSURE, calibration_error,
    log_softmax,
};
use crate::normalise::normalise;
use crate::pipeline::{Pipeline, PipelineError};
use crate::rules::RuleSet;

/// Name of the intent of questions that have none.
pub const UNKNOWN: &str = "unknown";

/// How long an evaluation waits for a llama3 that loads or has failed.
const LLM_RETURN: Duration = Duration::from_mins(1);

/// How one way to decide did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Figures {
    /// Questions.
    pub n: usize,
    /// Questions that were decided at all.
    pub decided: usize,
    /// Share of all questions decided exactly as labelled.
    pub strict: f64,
    /// Share decided as labelled or as one of the `acceptable` intents.
    pub acceptable: f64,
    /// Share decided for an intent with the right retrieval profile.
    pub profile: f64,
    /// Of the decided ones, share decided exactly as labelled.
    pub strict_of_decided: f64,
    /// Expected calibration error, ten classes; absent where there are no probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration_error: Option<f64>,
}

/// Precision and recall of one intent in the combined decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByIntent {
    /// Questions with this label.
    pub n: usize,
    /// Of those decided for it, the share that is right; 1 where none was.
    pub precision: f64,
    /// Of those labelled with it, the share that was found.
    pub recall: f64,
}

/// A question that was decided otherwise than labelled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mistake {
    /// The question.
    pub question: String,
    /// Its label.
    pub intent: String,
    /// What was decided.
    pub decided: String,
    /// `rule`, `llm`, `classifier` or `default`.
    pub source: String,
    /// Whether the decision is one of the acceptable ones.
    pub acceptable: bool,
}

/// Outcome of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The rules alone: a question without a rule counts as wrong.
    pub rules: Figures,
    /// The classifier alone.
    pub classifier: Figures,
    /// llama3 alone, where it is configured: what it did not decide in time counts as wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm: Option<Figures>,
    /// Rules first, then llama3 where configured, then the classifier.
    pub combined: Figures,
    /// The classifier with less evidence; cross-validation only.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ablation: BTreeMap<&'static str, Figures>,
    /// By label, of the combined decision.
    pub intents: BTreeMap<String, ByIntent>,
    /// Label → decision → count, of the combined decision.
    pub confusion: BTreeMap<String, BTreeMap<String, usize>>,
    /// Wrong combined decisions.
    pub errors: Vec<Mistake>,
}

/// A question with the decision of each way.
struct Row {
    question: String,
    label: String,
    acceptable: BTreeSet<String>,
    rule: Option<String>,
    classifier: (String, f64),
    /// `None` where llama3 is not configured or did not decide.
    llm: Option<String>,
    combined: (String, String),
}

/// The labelled examples of `rules/intents.yaml`, each judged by a classifier that had not seen it.
///
/// # Errors
/// A training fails.
pub fn cross_validate(
    rules: &RuleSet,
    intents: &Intents,
    examples: &[Example],
) -> Result<Report, TrainError> {
    let lessons = Lessons::new(examples);
    let rows = |evidence| -> Result<Vec<Row>, TrainError> {
        let judged = lessons.out_of_fold(evidence)?;
        Ok(examples
            .iter()
            .zip(&judged)
            .map(|(example, judged)| row(rules, example, judged))
            .collect())
    };
    let both = rows(Evidence::Both)?;
    let mut report = report(intents, &both);
    for (name, evidence) in [("embedding", Evidence::Embedding), ("surface", Evidence::Surface)] {
        report.ablation.insert(name, figures(intents, &rows(evidence)?, by_classifier));
    }
    Ok(report)
}

fn row(rules: &RuleSet, example: &Example, judged: &Judged) -> Row {
    let shares = log_softmax(&judged.logits, judged.temperature);
    let best = (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b]).then(b.cmp(a)));
    let confidence = best.map_or(0.0, |at| shares[at].exp());
    let class = best.and_then(|at| judged.classes[at].as_ref()).filter(|_| confidence >= UNSURE);
    let classifier = class.map_or(UNKNOWN, IntentId::as_str).to_owned();
    let rule = rules.decide(&example.query).won.map(|won| won.rule.intent.to_string());
    let combined = match &rule {
        Some(intent) => (intent.clone(), "rule".to_owned()),
        None => (classifier.clone(), "classifier".to_owned()),
    };
    Row {
        question: example.query.original().to_owned(),
        label: example.intent.as_ref().map_or(UNKNOWN, IntentId::as_str).to_owned(),
        acceptable: BTreeSet::new(),
        rule,
        classifier: (classifier, confidence),
        llm: None,
        combined,
    }
}

/// A line of a file of labelled questions.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct LabelledIntent {
    /// The question.
    pub question: String,
    /// Its intent, or `unknown`.
    pub intent: String,
    /// Other intents that are as good.
    #[serde(default)]
    pub acceptable: Vec<String>,
}

/// Runs labelled questions through the real pipeline.
///
/// # Errors
/// A question can not be routed at all.
pub async fn evaluate(
    pipeline: &Pipeline,
    questions: &[LabelledIntent],
    mut progress: impl FnMut(usize),
) -> Result<Report, PipelineError> {
    let mut rows = Vec::with_capacity(questions.len());
    let mut patience = LLM_RETURN;
    for (at, labelled) in questions.iter().enumerate() {
        let query = Query::new(&labelled.question, 20_000).map_err(|error| {
            PipelineError::Request(format!(
                "`{}`: {error}",
                crate::domain::shortened(&labelled.question)
            ))
        })?;
        let llm = match pipeline.llm() {
            Some(llm) => by_llm(llm, &query, &mut patience).await,
            None => None,
        };
        let answer = pipeline.route(&query).await?.answer;
        let guess = pipeline.classified(&query).await?;
        let rule = answer.trace.rules.iter().find(|rule| rule.outcome == "won");
        let source = format!("{:?}", answer.intent.source).to_lowercase();
        rows.push(Row {
            question: labelled.question.clone(),
            label: labelled.intent.clone(),
            acceptable: labelled.acceptable.iter().cloned().collect(),
            rule: rule.map(|rule| rule.intent.clone()),
            classifier: guess,
            llm,
            combined: (answer.intent.id, source),
        });
        progress(at + 1);
    }
    let mut report = report(pipeline.intents(), &rows);
    report.llm = pipeline
        .llm()
        .map(|_| figures(pipeline.intents(), &rows, |row| Some((row.llm.as_deref()?, None))));
    Ok(report)
}

/// What llama3 says, whatever the rules say; its answer is remembered, so that the pipeline asks
/// nothing twice. A failure costs one question, not those that follow while it recovers; once it
/// did not recover, nothing waits for it any more.
async fn by_llm(llm: &Llm, query: &Query, patience: &mut Duration) -> Option<String> {
    if !llm.until_ready(*patience).await {
        *patience = Duration::ZERO;
    }
    let intent = llm.classify(&normalise(query)).await.ok()?;
    Some(intent.as_ref().map_or(UNKNOWN, IntentId::as_str).to_owned())
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of every way to decide")]
fn by_classifier(row: &Row) -> Option<(&str, Option<f64>)> {
    Some((&row.classifier.0, Some(row.classifier.1)))
}

fn figures(
    intents: &Intents,
    rows: &[Row],
    decision: impl Fn(&Row) -> Option<(&str, Option<f64>)>,
) -> Figures {
    let profile = |label: &str| {
        let id = IntentId::try_from(label).ok().filter(|_| label != UNKNOWN);
        intents.profile(id.as_ref()).name.clone()
    };
    let (mut decided, mut strict, mut acceptable, mut by_profile) = (0, 0, 0, 0);
    let mut answers = Vec::new();
    for row in rows {
        let Some((intent, confidence)) = decision(row) else { continue };
        decided += 1;
        let right = intent == row.label;
        let fine = right || row.acceptable.contains(intent);
        strict += usize::from(right);
        acceptable += usize::from(fine);
        by_profile += usize::from(fine || profile(intent) == profile(&row.label));
        answers.extend(confidence.map(|confidence| (confidence, right)));
    }
    let share = |count: usize, of: usize| round(count as f64 / of.max(1) as f64);
    Figures {
        n: rows.len(),
        decided,
        strict: share(strict, rows.len()),
        acceptable: share(acceptable, rows.len()),
        profile: share(by_profile, rows.len()),
        strict_of_decided: share(strict, decided),
        calibration_error: (!answers.is_empty()).then(|| round(calibration_error(&answers))),
    }
}

fn report(intents: &Intents, rows: &[Row]) -> Report {
    let mut confusion: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut decided: BTreeMap<&str, usize> = BTreeMap::new();
    let mut errors = Vec::new();
    for row in rows {
        let (intent, source) = &row.combined;
        *confusion.entry(row.label.clone()).or_default().entry(intent.clone()).or_default() += 1;
        *decided.entry(intent).or_default() += 1;
        if *intent != row.label {
            errors.push(Mistake {
                question: row.question.clone(),
                intent: row.label.clone(),
                decided: intent.clone(),
                source: source.clone(),
                acceptable: row.acceptable.contains(intent),
            });
        }
    }
    let by_intent = |(label, decisions): (&String, &BTreeMap<String, usize>)| {
        let n: usize = decisions.values().sum();
        let right = decisions.get(label).copied().unwrap_or_default();
        let claimed = decided.get(label.as_str()).copied().unwrap_or_default();
        let precision = if claimed == 0 { 1.0 } else { round(right as f64 / claimed as f64) };
        (label.clone(), ByIntent { n, precision, recall: round(right as f64 / n.max(1) as f64) })
    };
    Report {
        rules: figures(intents, rows, |row| Some((row.rule.as_deref()?, None))),
        classifier: figures(intents, rows, by_classifier),
        llm: None,
        combined: figures(intents, rows, |row| Some((&row.combined.0, None))),
        ablation: BTreeMap::new(),
        intents: confusion.iter().map(by_intent).collect(),
        confusion,
        errors,
    }
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
