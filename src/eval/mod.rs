//! Measuring: labelled questions through the real pipeline, and what came out.

pub mod dataset;
pub mod intent;
pub mod metrics;
mod parallel;
pub mod retrieval;

pub use dataset::{DatasetError, LabelledQuestion};
pub use metrics::{Ranks, Scores};
pub(crate) use parallel::ask_all;
