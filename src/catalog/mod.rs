//! The question catalog: questions with the answer that is expected of them, run as a regression
//! suite over rules, groups, sections and model.

mod baseline;
pub mod generate;
mod load;
mod preview;
mod question;
pub mod report;
mod run;

pub use baseline::{Baseline, BaselineError, Cause, Diff, Kept, Metric, Turned};
pub(crate) use load::text;
pub use load::{load, parse};
pub use preview::{EditedSection, Preview, State, preview};
pub use question::{Expected, Origin, Question, Source, Status, labelled, labelled_each};
pub use run::{
    Answerable, Code, DecidingRule, Figures, Finding, Found, Outcome, Run, Share, Summary, Ticket,
    Tickets, Verdict, run,
};
pub(crate) use run::{HAIR, UNSURE};
