//! `POST /v1/reload`: read the files again, now.

use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::{ApiError, ProblemBody};
use super::guard::needs;
use super::openapi::GetErrors;
use super::state::State;
use crate::access::{Caller, Role};

/// Body of the answer to `POST /v1/reload`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReloadBody {
    /// Sections that serve now, as far as the caller may see them.
    sections: usize,
}

/// Reads rules, compendium and keys again and answers once they serve; role `admin`. Questions go on
/// being answered from what was loaded before, also where the files have problems.
#[utoipa::path(post, path = "/v1/reload", responses(
    (status = 200, description = "The files serve", body = ReloadBody),
    (status = 409, description = "`files_invalid`: what was loaded before goes on serving",
        body = ProblemBody, content_type = "application/problem+json"),
    GetErrors,
))]
pub(super) async fn reload(
    state: web::Data<State>,
    caller: Caller,
) -> Result<HttpResponse, ApiError> {
    needs(&caller, Role::Admin)?;
    let sections = state.reload(&caller).await?;
    Ok(HttpResponse::Ok().json(ReloadBody { sections }))
}
