//! llama3 via Ollama, against a server that plays scripts over real HTTP.

mod answers;
mod catalog;
mod chat;
mod enrichment;
mod evaluation;
mod harness;
#[allow(dead_code, reason = "shared with tests/service, which uses all of it")]
#[path = "../service/harness.rs"]
mod http;
mod live;
mod load;
mod readiness;
mod service;
