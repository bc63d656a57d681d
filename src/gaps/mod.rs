//! Content gaps: what editors must write next.
//!
//! ```text
//! catalog ─┐
//!          ├─ asked ─┐
//! headings ┘         ├─ known ─ findings, one kind a module ─ ranked report
//! sections ─ landscape, vocabulary, groups ─┘              └─ sheet of one section
//! ```
//!
//! What is *usual* is taken from the compendium itself (`eval::sections`); `docs/gaps.md` says where
//! each bound comes from.

mod append;
mod asked;
mod conflict;
mod finding;
mod group_fit;
mod known;
pub mod live;
mod map;
mod outdated;
mod promote;
pub mod report;
mod rivals;
mod sentences;
mod sheet;
mod terms;
mod ticket;
mod twins;
mod unfound;
mod vocabulary;
mod weak;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use time::Date;

pub use asked::OtherCatalog;
pub use finding::{Action, Code, Evidence, Finding, Mend, Named, Severity, Subject, number, rank};
pub use group_fit::GroupFit;
pub use map::Point;
pub use promote::{Draft, Promoted, Wordings, draft, promote};
pub use sentences::Readability;
pub use sheet::{Lead, Neighbour, OwnQuestion, Sheet};
pub use ticket::{FileError, Filed, LIVE_FILE, file_questions};

use crate::catalog::Question;
use crate::domain::{Section, SectionId};
use crate::eval::sections::Landscape;
use crate::pipeline::{Pipeline, PipelineError};
use asked::Asking;
use known::Known;
use vocabulary::Vocabulary;

/// A compendium with everything that was measured and asked.
#[derive(Debug)]
pub struct Study {
    pipeline: Arc<Pipeline>,
    landscape: Landscape,
    vocabulary: Vocabulary,
    asking: Asking,
    fits: Vec<Option<GroupFit>>,
    means: Vec<Option<Vec<f32>>>,
    /// Whether the catalog belongs to another compendium and was left out.
    other_catalog: bool,
}

/// The ranked list with what it was made from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The day that counts as today, `YYYY-MM-DD`.
    pub today: String,
    /// Number of sections.
    pub sections: usize,
    /// Questions of the catalog that were asked.
    pub catalog_questions: usize,
    /// Questions made from headings, for sections without a question in the catalog.
    pub heading_questions: usize,
    /// Whether the catalog belongs to another compendium and was left out.
    pub other_catalog: bool,
    /// Sections with a finding above a hint.
    pub flagged_sections: usize,
    /// Number of findings by severity.
    pub severities: BTreeMap<Severity, usize>,
    /// Most impact first.
    pub findings: Vec<Finding>,
    /// Every section as a point; near means alike.
    pub map: Vec<Point>,
}

impl Study {
    /// Asks the catalog's questions, and one made from its heading for each section that has none.
    /// `progress` hears how many are done, and of how many.
    ///
    /// # Errors
    /// A question can not be searched at all.
    pub async fn new(
        pipeline: Arc<Pipeline>,
        questions: &[Question],
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Self, PipelineError> {
        let exists = |id: &SectionId| pipeline.ordinal(id).is_some();
        let gone = asked::gone(questions, exists);
        let other_catalog = gone.is_err();
        let questions = if other_catalog { &[] } else { questions };
        let to_ask = asked::to_ask(&pipeline, questions);
        let total = to_ask.len();
        let asked = asked::ask(&pipeline, to_ask, |done| progress(done, total)).await?;
        let asking = Asking { asked, gone: gone.unwrap_or_default() };
        let means = pipeline.section_means();
        let landscape = Landscape::measure(pipeline.sections(), &means);
        let vocabulary = Vocabulary::new(pipeline.sections(), pipeline.analyzer());
        let known = Known::new(pipeline.sections(), &landscape, &vocabulary, &asking);
        let fits = group_fit::measure(&known, &means);
        Ok(Self { pipeline, landscape, vocabulary, asking, fits, means, other_catalog })
    }

    fn known(&self) -> Known<'_> {
        Known::new(self.pipeline.sections(), &self.landscape, &self.vocabulary, &self.asking)
    }

    /// All findings, ranked.
    pub fn findings(&self, today: Date) -> Vec<Finding> {
        let known = self.known();
        let mut found = unfound::findings(&known);
        found.extend(rivals::findings(&known));
        found.extend(conflict::findings(&known));
        found.extend(twins::findings(&known));
        found.extend(weak::findings(&known));
        found.extend(group_fit::findings(&known, &self.fits));
        found.extend(terms::findings(&known, self.pipeline.analyzer()));
        found.extend(outdated::findings(&known, today));
        rank(&mut found);
        found
    }

    /// The findings with the map; `others` come from elsewhere, for example from live questions.
    pub fn report(&self, today: Date, others: Vec<Finding>) -> Report {
        let mut findings = self.findings(today);
        findings.extend(others);
        rank(&mut findings);
        let mut severities = BTreeMap::new();
        for finding in &findings {
            *severities.entry(finding.severity).or_default() += 1;
        }
        let from_catalog = self.asking.asked.iter().filter(|asked| asked.id.is_some()).count();
        Report {
            today: today.to_string(),
            sections: self.pipeline.section_count(),
            catalog_questions: from_catalog,
            heading_questions: self.asking.asked.len() - from_catalog,
            other_catalog: self.other_catalog,
            flagged_sections: flagged(&findings).len(),
            severities,
            map: map::points(self.pipeline.sections(), &self.means, &findings),
            findings,
        }
    }

    /// Everything about one section.
    ///
    /// # Errors
    /// Its questions can not be searched.
    pub async fn sheet(&self, ordinal: u32, today: Date) -> Result<Sheet, PipelineError> {
        sheet::sheet(self, ordinal, today).await
    }

    /// The section at an ordinal.
    pub fn section(&self, ordinal: u32) -> &Section {
        &self.pipeline.sections()[ordinal as usize]
    }
}

/// Ids of the sections that are the first subject of a finding above a hint.
fn flagged(findings: &[Finding]) -> BTreeSet<&str> {
    let bad = findings.iter().filter(|finding| finding.severity > Severity::Hint);
    bad.flat_map(|finding| &finding.subject.sections).map(|named| named.id.as_str()).collect()
}

#[cfg(test)]
mod tests;
