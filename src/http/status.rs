//! What serves, with what, since when, and what is wrong with the files.

use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::{ApiError, ProblemNote};
use super::guard::needs;
use super::openapi::GetErrors;
use super::state::State;
use crate::access::{Caller, Role};
use crate::pipeline::Pipeline;

/// Answer to `GET /v1/status`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StatusBody {
    /// Version of Wegweiser.
    version: &'static str,
    /// Since the process started.
    uptime_seconds: u64,
    /// Sections that the caller may see.
    sections: usize,
    /// Groups that have sections.
    groups: usize,
    /// Intents.
    intents: usize,
    /// Shortcut rules.
    rules: usize,
    /// Questions of the catalog that the caller may see.
    questions: usize,
    /// The embedding model.
    model: ModelBody,
    /// llama3; `null` where it is not configured.
    #[schema(required = true)]
    llm: Option<LlmBody>,
    /// Questions that are worked on now.
    running: usize,
    /// Questions that wait now.
    waiting: usize,
    /// `failed` where the files on disk can not be loaded and an older state answers; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    reload: Option<&'static str>,
    /// What to mend in the files; empty for keys that may not see all audiences, since it may name
    /// sections of any.
    problems: Vec<ProblemNote>,
}

/// The embedding model.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ModelBody {
    /// Its name.
    name: String,
    /// SHA-256 of what decides its vectors.
    digest: String,
    /// Numbers in a vector.
    dimension: usize,
}

/// llama3 behind Ollama.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LlmBody {
    /// Model and address.
    name: String,
    /// Whether it answers as fast as questions need it.
    ready: bool,
    /// Questions that it was asked.
    asked: u64,
    /// Of them those that it decided, now or before.
    decided: u64,
    /// Of them those that it was too slow for, too busy for, or not ready for.
    late: u64,
    /// Of them those that failed otherwise.
    failed: u64,
}

/// What serves, and whether the files on disk do; role `qa`. What is wrong with them is told to keys
/// of all audiences.
#[utoipa::path(get, path = "/v1/status", responses(
    (status = 200, description = "What serves", body = StatusBody),
    GetErrors,
))]
pub(super) async fn status(
    state: web::Data<State>,
    caller: Caller,
) -> Result<HttpResponse, ApiError> {
    needs(&caller, Role::Qa)?;
    let view = state.view(&caller)?;
    let pipeline = &view.pipeline;
    let model = pipeline.model();
    Ok(HttpResponse::Ok().json(StatusBody {
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: state.started().elapsed().as_secs(),
        sections: pipeline.section_count(),
        groups: pipeline.section_groups().count(),
        intents: pipeline.intents().ids().len(),
        rules: pipeline.rules().rules().len(),
        questions: view.questions.len(),
        model: ModelBody {
            name: model.name.clone(),
            digest: model.digest.clone(),
            dimension: model.dimension,
        },
        llm: llm(pipeline).await,
        running: state.admission.taken(),
        waiting: state.admission.waiting(),
        reload: state.has_problems().then_some("failed"),
        problems: state.problems_for(&caller),
    }))
}

async fn llm(pipeline: &Pipeline) -> Option<LlmBody> {
    let llm = pipeline.llm()?;
    let counts = llm.counts();
    Some(LlmBody {
        name: llm.describe(),
        // Waits for nothing; where it is not ready, a probe starts.
        ready: llm.until_ready(std::time::Duration::ZERO).await,
        asked: counts.asked,
        decided: counts.decided + counts.cached,
        late: counts.slow + counts.busy + counts.not_ready,
        failed: counts.failed + counts.not_pulled + counts.no_label,
    })
}
