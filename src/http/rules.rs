//! The shortcut rules over the questions of the catalog: how often each decides, which never does,
//! and what a pattern that is being written would match.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, web};
use regex::bytes::Regex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::error::{ApiError, Fault};
use super::guard::needs;
use super::openapi::{GetErrors, QuestionErrors};
use super::state::{State, View};
use super::wire;
use crate::access::{Caller, Role};
use crate::catalog::Question;
use crate::domain::{IntentId, NormalisedQuery, Query, chain};
use crate::normalise::normalise;
use crate::rules::{Outcome, Scope, pattern};

type Reply = Result<HttpResponse, ApiError>;

/// A pattern that is tried; the longest shipped one has a third of it.
const LONGEST_PATTERN: usize = 2_000;
/// Matches that are listed.
const MOST_MATCHES: usize = 200;
/// Questions longer than this are no questions.
const LONGEST_QUESTION: usize = 20_000;

/// Answer to `GET /v1/rules`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RulesBody {
    /// Questions of the catalog that were put to the rules.
    questions: usize,
    /// Of them those that a rule decides.
    decided: usize,
    /// All rules in the order of the file.
    rules: Vec<RuleBody>,
}

/// A shortcut rule with what it does to the catalog.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RuleBody {
    /// Rule id.
    id: String,
    /// The intent that it decides.
    intent: String,
    /// Regular expression over the normalised question.
    pattern: String,
    /// What calls it off.
    #[serde(skip_serializing_if = "Option::is_none")]
    unless: Option<String>,
    /// `core` or `full`: which view of the question it reads.
    scope: &'static str,
    /// The highest wins.
    priority: i32,
    /// Why it is there.
    reason: String,
    /// `file:line:column`.
    place: String,
    /// Questions that it decides.
    won: usize,
    /// Questions that it matches, but a rule of higher priority decides.
    lost: usize,
    /// Questions that it matches, but its `unless` calls it off.
    vetoed: usize,
    /// Whether it matches questions and decides none: others always come first.
    shadowed: bool,
    /// The rules that decided in its place, with how many questions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lost_to: BTreeMap<String, usize>,
}

/// Body of `POST /v1/rules/try`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(super) struct TryBody {
    /// A regular expression as in `rules/shortcuts.yaml`, over the question in lower case with `ae`
    /// for `ä`; at most 2,000 characters.
    #[schema(example = r"\b(nutzen|vorteile?)\b", min_length = 1, max_length = 2000)]
    pattern: String,
    /// What calls it off; empty for nothing.
    #[serde(default)]
    unless: Option<String>,
    /// Which view of the question is read: its core, or all of it.
    #[serde(default)]
    scope: TriedScope,
}

/// Which view of a question a pattern reads.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum TriedScope {
    /// Without greeting and politeness.
    #[default]
    Core,
    /// All of it.
    Full,
}

/// What a pattern does to the catalog.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TriedBody {
    /// Questions of the catalog.
    questions: usize,
    /// Questions that it matches and `unless` does not call off.
    matched: usize,
    /// Questions that it matches and `unless` calls off.
    vetoed: usize,
    /// The first 200 that it matches.
    matches: Vec<TriedMatch>,
}

/// A question that a pattern matches.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TriedMatch {
    /// Id in the catalog.
    id: String,
    /// The question.
    question: String,
    /// What the pattern reads of it.
    read: String,
    /// What of that it matches.
    matched: String,
    /// The intent that the catalog expects; `null` where it says nothing.
    #[schema(required = true)]
    expected: Option<String>,
    /// The intent that a rule decides now; `null` where none does.
    #[schema(required = true)]
    decided: Option<String>,
    /// The rule that decides now.
    #[schema(required = true)]
    rule: Option<String>,
}

/// The shortcut rules with what they do to the catalog as the caller sees it; role `qa`.
#[utoipa::path(get, path = "/v1/rules", responses(
    (status = 200, description = "All rules", body = RulesBody),
    GetErrors,
))]
pub(super) async fn rules(state: web::Data<State>, caller: Caller) -> Reply {
    needs(&caller, Role::Qa)?;
    let view = state.view(&caller)?;
    let body = tokio::task::spawn_blocking(move || counted(&view));
    Ok(HttpResponse::Ok().json(body.await.map_err(|_| ApiError::Busy)?))
}

fn counted(view: &View) -> RulesBody {
    let rules = view.pipeline.rules();
    let mut bodies: BTreeMap<&str, RuleBody> = BTreeMap::new();
    for rule in rules.rules() {
        let body = RuleBody {
            id: rule.id.to_string(),
            intent: rule.intent.to_string(),
            pattern: rule.pattern.to_string(),
            unless: rule.unless.as_ref().map(ToString::to_string),
            scope: scope(rule.scope),
            priority: rule.priority,
            reason: rule.reason.clone(),
            place: rule.place.to_string(),
            won: 0,
            lost: 0,
            vetoed: 0,
            shadowed: false,
            lost_to: BTreeMap::new(),
        };
        bodies.insert(rule.id.as_str(), body);
    }
    let mut decided = 0;
    for (_, query) in asked(&view.questions) {
        let Outcome { won, lost, vetoed } = rules.decide(&query);
        let mut count = |id: &str, how: &dyn Fn(&mut RuleBody)| {
            if let Some(rule) = bodies.get_mut(id) {
                how(rule);
            }
        };
        for found in &vetoed {
            count(found.rule.id.as_str(), &|rule| rule.vetoed += 1);
        }
        let Some(won) = won else { continue };
        decided += 1;
        count(won.rule.id.as_str(), &|rule| rule.won += 1);
        for found in &lost {
            count(found.rule.id.as_str(), &|rule| {
                rule.lost += 1;
                *rule.lost_to.entry(won.rule.id.to_string()).or_default() += 1;
            });
        }
    }
    let in_order = rules.rules().iter().filter_map(|rule| bodies.remove(rule.id.as_str()));
    let rules = in_order.map(|rule| RuleBody { shadowed: rule.won == 0 && rule.lost > 0, ..rule });
    RulesBody { questions: view.questions.len(), decided, rules: rules.collect() }
}

/// What a pattern would match in the catalog as the caller sees it; role `qa`. Nothing is changed.
#[utoipa::path(post, path = "/v1/rules/try", request_body = TryBody, responses(
    (status = 200, description = "What it matches", body = TriedBody),
    QuestionErrors,
))]
pub(super) async fn try_pattern(
    state: web::Data<State>,
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    needs(&caller, Role::Qa)?;
    let view = state.view(&caller)?;
    let mut object = wire::read(&request, payload, wire::BODY_LIMIT).await?;
    let mut faults = Vec::new();
    let matching = object.text("pattern", &mut faults);
    let unless = object.optional_text("unless", &mut faults).filter(|text| !text.is_empty());
    let scope =
        object.choice("scope", &[("core", Scope::Core), ("full", Scope::Full)], &mut faults);
    object.end(&mut faults);
    wire::sound((), faults)?;
    let matching = compiled("pattern", &matching)?;
    let unless = unless.map(|unless| compiled("unless", &unless)).transpose()?;
    let tried =
        tokio::task::spawn_blocking(move || tried(&view, &matching, unless.as_ref(), scope));
    Ok(HttpResponse::Ok().json(tried.await.map_err(|_| ApiError::Busy)?))
}

fn compiled(field: &str, text: &str) -> Result<Regex, ApiError> {
    let fault =
        |english: String, german: String| ApiError::InvalidBody(vec![Fault::new(english, german)]);
    let length = text.chars().count();
    if length == 0 || length > LONGEST_PATTERN {
        return Err(fault(
            format!("`{field}` must have 1 to {LONGEST_PATTERN} characters, it has {length}"),
            format!("„{field}“ muss 1 bis {LONGEST_PATTERN} Zeichen haben, es hat {length}"),
        ));
    }
    pattern(text).map_err(|error| {
        fault(
            format!("`{field}`: {}", chain(&error)),
            format!("„{field}“ ist kein gültiges Muster; den Grund nennt „detail“ auf Englisch"),
        )
    })
}

fn tried(view: &View, matching: &Regex, unless: Option<&Regex>, scope: Scope) -> TriedBody {
    let mut body =
        TriedBody { questions: view.questions.len(), matched: 0, vetoed: 0, matches: Vec::new() };
    for (question, query) in asked(&view.questions) {
        let read = match scope {
            Scope::Core => query.core(),
            Scope::Full => query.folded(),
        };
        let Some(found) = matching.find(read.as_bytes()) else { continue };
        if unless.is_some_and(|unless| unless.is_match(read.as_bytes())) {
            body.vetoed += 1;
            continue;
        }
        body.matched += 1;
        if body.matches.len() < MOST_MATCHES {
            let decides = view.pipeline.rules().decide(&query).won;
            body.matches.push(TriedMatch {
                id: question.id.clone(),
                question: question.question.clone(),
                read: read.to_owned(),
                // A pattern may end inside a foreign letter; the passage is for people.
                matched: String::from_utf8_lossy(found.as_bytes()).into_owned(),
                expected: question.intent.clone(),
                decided: decides.as_ref().map(|found| IntentId::to_string(&found.rule.intent)),
                rule: decides.as_ref().map(|found| found.rule.id.to_string()),
            });
        }
    }
    body
}

fn asked(questions: &[Question]) -> impl Iterator<Item = (&Question, NormalisedQuery)> {
    questions.iter().filter_map(|question| {
        let query = Query::new(&question.question, LONGEST_QUESTION).ok()?;
        Some((question, normalise(&query)))
    })
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Core => "core",
        Scope::Full => "full",
    }
}
