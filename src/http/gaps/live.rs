//! What readers ask and do not get: the topics of the question log, for the report.
//!
//! A question can name what a hidden section says: a caller gets the questions of those who see no more
//! than he does, and the log says what its askers saw.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

use super::super::background::Progress;
use super::super::state::{State, View};
use crate::access::Audiences;
use crate::catalog::Question;
use crate::domain::chain;
use crate::gaps::{Finding, live};
use crate::pipeline::Views;
use crate::query_log;

/// After reading, so many times its own duration passes before the log is read again: all its badly
/// answered questions are asked anew, and readers wait in the same queue.
const READING_SHARE: u32 = 20;

/// Where the questions of readers are.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// Nobody switched the log on.
    Off,
    /// In this folder, for a caller who sees this.
    Folder {
        /// The folder of the log.
        folder: PathBuf,
        /// What serves: also what the askers saw.
        views: Arc<Views>,
        /// What the caller sees.
        audiences: Audiences,
    },
}

/// What a log says, with what it was read from.
#[derive(Debug)]
pub(super) struct Topics {
    pub(super) body: LiveBody,
    pub(super) findings: Vec<Finding>,
    bytes: Option<u64>,
    read: Instant,
    took: Duration,
}

/// The question log in the report.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LiveBody {
    /// `read`; `off`: there is no log; `failed`: the log of the service says why.
    state: &'static str,
    /// What was read; absent but for `read`.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<LogBody>,
}

/// What a log holds; its findings are `G-UNANSWERED`, `G-BAD-ANSWER` and `G-WITHHELD`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LogBody {
    /// When it was read.
    read: String,
    /// Questions in it, of those whose askers see no more than the caller.
    questions: usize,
    /// Of them answered badly.
    failed: usize,
    /// Of these: answered by now.
    solved: usize,
    /// Of these: answered but for a slip of the pen.
    misspelt: usize,
    /// Of these: answered by a section that their askers may not see.
    withheld: usize,
    /// Of these: alone with their topic.
    single: usize,
    /// Of these: wordings too rare to be looked at in so large a log.
    left_out: usize,
    /// Lines that could not be read.
    damaged: usize,
    /// Records that the log lost.
    dropped: u64,
}

impl Source {
    /// What a caller with this view gets of the log.
    pub(super) fn of(state: &State, view: &View, views: Option<&Arc<Views>>) -> Self {
        match (state.query_log(), views) {
            (Some(log), Some(views)) => Self::Folder {
                folder: log.folder().to_owned(),
                views: Arc::clone(views),
                audiences: view.audiences.clone(),
            },
            (None, _) | (_, None) => Self::Off,
        }
    }
}

impl Topics {
    /// Reads the log and asks its badly answered questions again. What fails there is told; the rest
    /// of the report stands without it.
    pub(super) async fn read(source: &Source, catalog: &[Question], progress: &Progress) -> Self {
        let started = Instant::now();
        let without = |state| Self {
            body: LiveBody { state, log: None },
            findings: Vec::new(),
            bytes: None,
            read: started,
            took: started.elapsed(),
        };
        let Source::Folder { folder, views, audiences } = source else { return without("off") };
        // What comes meanwhile makes the size another one.
        let (bytes, folder) = (query_log::size(folder).ok(), folder.clone());
        let read = tokio::task::spawn_blocking(move || query_log::read(&folder)).await;
        let log = match read {
            Ok(Ok(mut log)) => {
                // What keys saw that are gone, nothing shows any more.
                log.entries.retain(|entry| views.of(&entry.asked.audiences).is_some());
                log
            }
            Ok(Err(error)) => {
                tracing::error!(error = %chain(&error), "the question log can not be read");
                return without("failed");
            }
            Err(_) => return without("failed"),
        };
        let read =
            OffsetDateTime::now_utc().replace_nanosecond(0).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let live = match live::clusters(views, audiences, &log, catalog, |done, all| {
            progress.set(done, all);
        })
        .await
        {
            Ok(live) => live,
            Err(error) => {
                tracing::error!(error = %chain(&error), "the question log can not be asked again");
                return without("failed");
            }
        };
        let findings = live.findings();
        let live::Live { questions, failed, solved, misspelt, withheld, single, left_out, .. } =
            live;
        let body = LogBody {
            read: read.format(&Rfc3339).expect("a year of four digits"),
            questions,
            failed,
            solved,
            misspelt,
            withheld,
            single,
            left_out,
            damaged: live.damaged,
            dropped: live.dropped,
        };
        Self {
            body: LiveBody { state: "read", log: Some(body) },
            findings,
            bytes,
            read: Instant::now(),
            took: started.elapsed(),
        }
    }

    /// Whether it is time to look at the log again.
    pub(super) fn is_due(&self, source: &Source) -> bool {
        matches!(source, Source::Folder { .. }) && self.read.elapsed() >= self.took * READING_SHARE
    }

    /// Whether there is something new in the log.
    pub(super) fn is_stale(&self, source: &Source) -> bool {
        let Source::Folder { folder, .. } = source else { return false };
        query_log::size(folder).ok() != self.bytes
    }
}
