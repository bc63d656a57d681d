//! Sections by their ids.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::{ApiError, ProblemBody};
use super::openapi::GetErrors;
use super::state::State;
use crate::access::{Caller, Role};
use crate::domain::{GroupId, Section, SectionId};
use crate::pipeline::Pipeline;

/// A section as `GET /v1/sections/{id}` shows it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SectionBody<'a> {
    /// Section id.
    id: &'a str,
    /// Heading.
    title: &'a str,
    /// Headings above it.
    path: &'a [String],
    /// Semantic group.
    group: Option<&'a str>,
    /// Plain text; paragraphs are parted by an empty line.
    text: &'a str,
    /// Facets by name.
    facets: &'a BTreeMap<String, BTreeSet<String>>,
    /// Day of the last revision.
    updated: Option<&'a str>,
    /// `file:line:column` of the heading, for the role `qa` and above: lines tell what stands between.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl<'a> SectionBody<'a> {
    fn new(section: &'a Section, role: Role) -> Self {
        Self {
            id: section.id.as_str(),
            title: &section.title,
            path: &section.path,
            group: section.group.as_ref().map(GroupId::as_str),
            text: &section.text,
            facets: &section.facets,
            updated: section.updated.as_deref(),
            place: (role >= Role::Qa).then(|| section.place.to_string()),
        }
    }
}

/// One section. The `#` of the id is written `%23`. A section that the caller may not see is one
/// that does not exist.
#[utoipa::path(get, path = "/v1/sections/{id}",
    params(("id" = String, Path, description = "Section id, `#` as `%23`")),
    responses(
        (status = 200, description = "The section", body = SectionBody<'static>),
        (status = 404, description = "`section_unknown`", body = ProblemBody,
            content_type = "application/problem+json"),
        GetErrors,
    )
)]
pub(super) async fn section(
    state: web::Data<State>,
    caller: Caller,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let pipeline = state.pipeline(&caller)?;
    let wanted = known_section(&pipeline, &id)?;
    let found = pipeline.section(&wanted).expect("it is known");
    Ok(HttpResponse::Ok().json(SectionBody::new(found, caller.role)))
}

/// The id of a section that exists for the caller of this pipeline.
pub(super) fn known_section(pipeline: &Pipeline, id: &str) -> Result<SectionId, ApiError> {
    let unknown = || ApiError::UnknownSection(id.chars().take(200).collect());
    let found = SectionId::try_from(id).map_err(|_| unknown())?;
    pipeline.section(&found).map(|_| found).ok_or_else(unknown)
}
