//! Wegweiser routes German questions into a knowledge base and says why.

pub mod analysis;
pub mod compendium;
pub mod domain;
pub mod embedding;
pub mod eval;
pub mod groups;
pub mod intent;
pub mod normalise;
pub mod retrieval;
pub mod rules;
pub mod yaml;
