//! Measuring: labelled questions through the real pipeline, and what came out.

pub mod dataset;
pub mod export;
pub mod graded;
pub mod intent;
pub mod metrics;
pub mod retrieval;
pub mod trec;

pub use dataset::{DatasetError, LabelledQuestion};
pub use metrics::{Ranks, Scores};
