//! Settings: every one has a default; file < environment < flag.
//!
//! `wegweiser.yaml` is read by [`load`]; environment variables `WEGWEISER_…` and flags are one
//! table in the command line parser, and win over the file.

mod read;
mod service;
mod telemetry;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub use read::load;
pub use service::{REQUESTS_PER_MINUTE, Service, is_link_base};
pub use telemetry::{SERVICE_NAME, Telemetry};

use crate::domain::{EnrichmentPlan, FacetMode, Fusion};

/// Name of the settings file that is read from the working folder where no other is named.
pub const FILE: &str = "wegweiser.yaml";

/// All settings in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Folder (or file) of the compendium; `None` is `./compendium` where it exists, else the
    /// demo compendium inside the binary.
    pub compendium: Option<PathBuf>,
    /// Folder of the rules; `None` is `./rules` where it exists, else the rules inside the binary.
    pub rules: Option<PathBuf>,
    /// Folder of the question catalog; need not exist.
    pub catalog: PathBuf,
    /// Where index and cache live.
    pub data_dir: PathBuf,
    /// Where `serve` listens.
    pub listen: SocketAddr,
    /// Longest question, in characters.
    pub question_limit: usize,
    /// Who embeds.
    pub embedding: Embedding,
    /// llama3 for the intent, where no rule decides; `None` leaves it to the classifier inside.
    pub ollama: Option<Ollama>,
    /// How channels are fused.
    pub fusion: Fusion,
    /// What sections get from their documents when the index is built.
    pub enrichment: EnrichmentPlan,
    /// Whether the model of [`Config::ollama`] reads the documents, too; only where that is set.
    pub enrichment_llm: bool,
    /// What a customer or product that a question names does to the search.
    pub facet_mode: FacetMode,
    /// Who may ask, and when files are read again.
    pub service: Service,
    /// The log of questions; `None`, the default, keeps none.
    pub query_log: Option<QueryLog>,
    /// The audit of who asked what; `None`, the default, keeps none.
    pub question_audit: Option<QueryLog>,
    /// Where traces go; `None`, the default, sends none.
    pub telemetry: Option<Telemetry>,
}

/// A log with a line for each question, where it is switched on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryLog {
    /// Where its files are; by default [`QUERY_LOG`] or [`QUESTION_AUDIT`] in the data folder.
    pub folder: PathBuf,
    /// How many days are kept, today included; 1 to 3650.
    pub days: u32,
}

/// Who embeds sections and questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embedding {
    /// The model inside the binary.
    InProcess,
    /// A model behind Ollama.
    Ollama {
        /// Address of the server.
        url: String,
        /// Model name, for example `nomic-embed-text`.
        model: String,
    },
}

/// llama3 behind Ollama.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ollama {
    /// Address of the server.
    pub url: String,
    /// Model name.
    pub model: String,
    /// How long one question waits for its intent.
    pub time_limit: Duration,
    /// How long one chat answer may take.
    pub answer_time_limit: Duration,
}

/// The default of [`Config::listen`].
pub const LISTEN: &str = "127.0.0.1:8080";
/// The default of [`Config::catalog`].
pub const CATALOG: &str = "catalog";
/// The default of [`Config::question_limit`].
pub const QUESTION_LIMIT: usize = 2_000;
/// The default model of [`Ollama`].
pub const LLM: &str = "llama3";
/// The default of [`Ollama::time_limit`], in milliseconds.
pub const LLM_TIME_LIMIT_MS: u64 = 1_500;
/// The default of [`Ollama::answer_time_limit`], in milliseconds: llama3 writes ten sentences in it on
/// a small graphics card; a processor alone manages a few.
pub const ANSWER_TIME_LIMIT_MS: u64 = 30_000;
/// The default model of [`Embedding::Ollama`].
pub const EMBEDDING_MODEL: &str = "nomic-embed-text";

/// The default name of [`QueryLog::folder`].
pub const QUERY_LOG: &str = "query-log";
/// The default of [`QueryLog::days`].
pub const QUERY_LOG_DAYS: u32 = 30;
/// The default name of the folder of [`Config::question_audit`].
pub const QUESTION_AUDIT: &str = "question-audit";
/// The default number of its days.
pub const QUESTION_AUDIT_DAYS: u32 = 90;

/// Settings as they were written, in the file or as flags; what is absent is left to the next layer.
#[derive(Debug, Default)]
pub struct Layer {
    /// See [`Config::compendium`].
    pub compendium: Option<PathBuf>,
    /// See [`Config::rules`].
    pub rules: Option<PathBuf>,
    /// See [`Config::data_dir`].
    pub data_dir: Option<PathBuf>,
    /// See [`Config::listen`].
    pub listen: Option<SocketAddr>,
    /// See [`Service::keys`].
    pub keys: Option<PathBuf>,
    /// See [`Service::allow_anonymous`]; only `true` says anything.
    pub allow_anonymous: bool,
    /// See [`Ollama::url`].
    pub ollama_url: Option<String>,
    /// See [`Ollama::model`].
    pub ollama_model: Option<String>,
    /// See [`Config::enrichment_llm`]; only `true` says anything.
    pub enrichment_llm: bool,
    /// See [`Config::facet_mode`].
    pub facet_mode: Option<FacetMode>,
    /// See [`QueryLog::folder`]; naming it switches the log on.
    pub query_log: Option<PathBuf>,
    /// See [`QueryLog::days`]; alone it switches nothing on.
    pub query_log_days: Option<u32>,
    /// See [`Telemetry::endpoint`]; naming it switches traces on.
    pub telemetry_endpoint: Option<String>,
    /// See [`Telemetry::service_name`]; alone it switches nothing on.
    pub service_name: Option<String>,
}
