//! Wegweiser routes German questions into a knowledge base and says why.
//!
//! ```text
//! Query ─ normalise ─ rules ─┬─ hit ───────────────┐
//!                            └─ none ─ classifier ─┴─ intent ─ groups ─ prefix ─ embed ─ vector ┐
//!                                                        │ profile                              ├ fuse ─ Answer
//!                                                        └───────────── lexical ────────────────┘
//! ```
//!
//! Imports go one way: `cli`, `http` → `pipeline` → `indexing` → the stages (`rules`, `intent`,
//! `groups`, `embedding`, `enrichment`, `retrieval`, `compendium`), which do not know one another → `normalise`,
//! `analysis`, `ollama`, `queue`, `yaml` → `domain`.

pub mod access;
pub mod analysis;
pub mod catalog;
pub mod chat;
pub mod cli;
pub mod compendium;
pub mod config;
pub mod domain;
pub mod embedding;
pub mod enrichment;
pub mod eval;
pub mod gaps;
pub mod groups;
pub mod http;
pub mod indexing;
pub mod intent;
pub mod lint;
pub mod normalise;
pub mod ollama;
pub mod pipeline;
pub mod query_log;
pub mod queue;
pub mod retrieval;
pub mod rules;
pub mod telemetry;
pub mod yaml;
