//! Measuring: labelled questions through the real pipeline, and what came out.

pub mod answerable;
pub mod bootstrap;
pub mod dataset;
pub mod enrichment;
pub mod export;
pub mod graded;
pub mod groups;
pub mod intent;
pub mod metrics;
mod parallel;
pub mod prefix;
pub mod prefix_chart;
pub mod retrieval;
pub mod sections;
pub mod suggest;
pub mod trec;
pub mod tune;
pub mod twins;

pub use dataset::{DatasetError, LabelledQuestion};
pub use metrics::{Ranks, Scores};
pub(crate) use parallel::ask_all;
