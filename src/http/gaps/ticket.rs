//! `POST /v1/gaps/promote`: the questions of a finding go into the catalog, and stay open there until
//! a run answers them.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::background::ProgressBody;
use super::super::error::{ApiError, ProblemBody, ProblemNote};
use super::super::guard::needs;
use super::super::openapi::QuestionErrors;
use super::super::state::State;
use super::super::wire;
use super::{Reply, entry, outcome};
use crate::access::{Action, Audiences, Caller, Role};
use crate::domain::chain;
use crate::gaps::{FileError, Filed, LIVE_FILE, Promoted, file_questions};

/// Body of `POST /v1/gaps/promote`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the form; bodies are read field by field")]
pub(super) struct PromoteBody {
    /// Id of a finding of `GET /v1/gaps`.
    #[schema(example = "G-UNANSWERED:Legasthenie")]
    finding: String,
}

/// What was written.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PromotedBody {
    /// Id of the finding.
    finding: String,
    /// The file of the catalog that has the questions.
    file: String,
    /// Ids of the questions that were added and are open: they fail until somebody writes what is
    /// missing.
    opened: Vec<String>,
    /// Ids of the questions that were added and are refused as they should be: they guard that.
    guarding: Vec<String>,
    /// Questions that were not added, because they pass as the compendium stands.
    passing: Vec<String>,
    /// Questions of the finding that stood in the catalog already, in this file or another one.
    known: usize,
}

/// Adds the questions of a finding to `live.yaml` in the folder of the catalog, as `wegweiser gaps
/// promote` does: open, with `origin: live`; they are asked first, and what passes already is left out.
/// Role `editor`, and the key must see all sections,
/// for the catalog asks about all of them. What stands in the catalog in any spelling is not added
/// again. The audit log keeps who did it. The finding is one of the report that was made last.
#[utoipa::path(post, path = "/v1/gaps/promote", request_body = PromoteBody, responses(
    (status = 200, description = "The questions stand in the catalog", body = PromotedBody),
    (status = 202, description = "Nothing was written: the report is being made; ask again",
        body = ProgressBody),
    (status = 404, description = "`finding_unknown`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 409, description = "`finding_without_question`, `catalog_invalid`, `catalog_unwritable`",
        body = ProblemBody, content_type = "application/problem+json"),
    QuestionErrors,
))]
pub(in crate::http) async fn promote(
    state: web::Data<State>,
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply {
    needs(&caller, Role::Editor)?;
    let wanted = wire::read_promote(&request, payload).await?;
    let view = state.view(&caller)?;
    if view.audiences != Audiences::All {
        return Err(ApiError::AudiencesTooFew);
    }
    let entry = entry(&state, view);
    let findings = match outcome(&state, &entry) {
        Ok(Some(done)) => Arc::clone(&done.told.load().findings),
        // A promotion changes the catalog, and that the report: who goes on down the list he has
        // before him must not wait for the next one.
        _ if !entry.before.is_empty() => Arc::clone(&entry.before),
        Ok(None) => return Ok(HttpResponse::Accepted().json(entry.progress.body())),
        Err(error) => return Err(error),
    };
    let shown = || wanted.chars().take(200).collect();
    let finding = findings.iter().find(|finding| finding.id == wanted).cloned();
    let finding = finding.ok_or_else(|| ApiError::UnknownFinding(shown()))?;
    if !finding.is_promotable() {
        return Err(ApiError::FindingWithoutQuestion(shown()));
    }
    let (file, whole) = (state.catalog_folder().join(LIVE_FILE), Arc::clone(&entry.pipeline));
    // Away from the threads that serve, and to its end also where the caller hangs up.
    let work = async move { file_questions(&finding, &file, &whole).await };
    let filed = state.background.at_once(work).await.map_err(|_| ApiError::Busy)?;
    let Filed { file, promoted, known } = filed.map_err(refusal)?;
    let Promoted { opened, guarding, passing, .. } = promoted;
    let questions = opened.len() + guarding.len();
    if questions > 0 {
        let action = Action::Promoted { finding: &wanted, file: &file, questions };
        state.note_action(&caller.name, action);
    }
    let body = PromotedBody { finding: wanted, file, opened, guarding, passing, known };
    Ok(HttpResponse::Ok().json(body))
}

fn refusal(error: FileError) -> ApiError {
    match error {
        FileError::Problems(problems) => {
            ApiError::CatalogInvalid(problems.list().iter().map(ProblemNote::from).collect())
        }
        FileError::Search(error) => error.into(),
        FileError::Read { ref path, .. } | FileError::Write { ref path, .. } => {
            tracing::error!(error = %chain(&error), "nothing was written into the catalog");
            ApiError::CatalogUnwritable(path.display().to_string())
        }
    }
}
