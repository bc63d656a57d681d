//! Settings: every one has a default; file < environment < flag.
//!
//! `wegweiser.yaml` is read by [`load`]; environment variables `WEGWEISER_…` and flags are one
//! table in the command line parser, and win over the file.

mod service;
mod telemetry;

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

pub use service::{REQUESTS_PER_MINUTE, Service, is_link_base};
pub use telemetry::{SERVICE_NAME, Telemetry};

use crate::domain::{EnrichmentPlan, FacetMode, Fusion, Place, Problem, Problems, Use};
use crate::yaml::{self, Located};

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

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    compendium: Option<PathBuf>,
    rules: Option<PathBuf>,
    catalog: Option<PathBuf>,
    data_dir: Option<PathBuf>,
    listen: Option<Located<String>>,
    question_limit: Option<Located<usize>>,
    embedding: EmbeddingEntry,
    ollama: Option<OllamaEntry>,
    fusion: Fusion,
    enrichment: EnrichmentEntry,
    facet_mode: FacetMode,
    access: service::AccessEntry,
    cors: service::CorsEntry,
    reload: service::ReloadEntry,
    public_url: Option<Located<String>>,
    query_log: Option<QueryLogEntry>,
    question_audit: Option<QueryLogEntry>,
    telemetry: telemetry::TelemetryEntry,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryLogEntry {
    folder: Option<PathBuf>,
    days: Option<Located<u32>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct EnrichmentEntry {
    symbols: Option<Use>,
    concepts: Option<Use>,
    llm: Option<Located<Switch>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Switch {
    Off,
    On,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct EmbeddingEntry {
    source: EmbeddingSource,
    url: Option<String>,
    model: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EmbeddingSource {
    #[default]
    InProcess,
    Ollama,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct OllamaEntry {
    url: Option<String>,
    model: Option<String>,
    time_limit_ms: Option<Located<u64>>,
    answer_time_limit_ms: Option<Located<u64>>,
}

/// Reads the settings: the named file, or [`FILE`] in the working folder where it exists; then the
/// layer of environment and flags on top.
///
/// # Errors
/// All problems of the file at once. A named file that does not exist is a problem, too.
pub fn load(named: Option<&Path>, over: Layer) -> Result<Config, Problems> {
    let path = named.unwrap_or(Path::new(FILE));
    let name = path.display().to_string();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
            String::new()
        }
        Err(error) => {
            return Err(Problems::from(Problem {
                place: Place::start_of(name),
                code: "config-unreadable",
                message: format!("the settings can not be read: {error}"),
                mend: "name an existing file, or leave out --config: every setting has a default"
                    .to_owned(),
            }));
        }
    };
    let file: File =
        if text.trim().is_empty() { File::default() } else { yaml::read(&name, &text, 1)? };
    merge(&name, file, over)
}

fn merge(name: &str, file: File, over: Layer) -> Result<Config, Problems> {
    let mut problems = Vec::new();
    let listen = listen(name, file.listen.as_ref(), &mut problems);
    let question_limit = question_limit(name, file.question_limit.as_ref(), &mut problems);
    let entry = file.ollama.unwrap_or_default();
    let time_limit_ms = milliseconds(
        name,
        "time_limit_ms",
        "config-time-limit",
        (entry.time_limit_ms.as_ref(), LLM_TIME_LIMIT_MS),
        50..=60_000,
        &mut problems,
    );
    let answer_time_limit_ms = milliseconds(
        name,
        "answer_time_limit_ms",
        "config-answer-time-limit",
        (entry.answer_time_limit_ms.as_ref(), ANSWER_TIME_LIMIT_MS),
        100..=600_000,
        &mut problems,
    );
    // An empty variable is how compose files and shells say "not set".
    let url = over.ollama_url.or(entry.url).filter(|url| !url.trim().is_empty());
    let embedding = match file.embedding.source {
        EmbeddingSource::InProcess => Embedding::InProcess,
        EmbeddingSource::Ollama => Embedding::Ollama {
            url: file
                .embedding
                .url
                .or_else(|| url.clone())
                .unwrap_or_else(|| "http://127.0.0.1:11434".to_owned()),
            model: file.embedding.model.unwrap_or_else(|| EMBEDDING_MODEL.to_owned()),
        },
    };
    let data_dir = over.data_dir.or(file.data_dir).unwrap_or_else(|| PathBuf::from("data"));
    let access = service::AccessEntry {
        keys: over.keys.or(file.access.keys),
        allow_anonymous: over.allow_anonymous || file.access.allow_anonymous,
        ..file.access
    };
    let service = Service::read(
        name,
        &data_dir,
        access,
        file.cors,
        file.reload,
        file.public_url,
        &mut problems,
    );
    let (query_log, question_audit) = {
        let named = over.query_log.filter(|folder| !folder.as_os_str().is_empty());
        let asked = (file.query_log, named, over.query_log_days);
        let audited = (file.question_audit, None, None);
        (
            daily_log(name, &data_dir, &QUESTIONS, asked, &mut problems),
            daily_log(name, &data_dir, &AUDITED, audited, &mut problems),
        )
    };
    let telemetry = Telemetry::read(
        name,
        file.telemetry,
        over.telemetry_endpoint,
        over.service_name,
        &mut problems,
    );
    let switched = (file.enrichment.llm.as_ref(), over.enrichment_llm);
    let enrichment_llm = enrichment_llm(name, switched, url.is_some(), &mut problems);
    Problems::check(problems)?;
    let usual = EnrichmentPlan::default();
    Ok(Config {
        compendium: over.compendium.or(file.compendium),
        rules: over.rules.or(file.rules),
        catalog: file.catalog.unwrap_or_else(|| PathBuf::from(CATALOG)),
        data_dir,
        listen: over.listen.unwrap_or(listen),
        question_limit,
        embedding,
        ollama: url.map(|url| Ollama {
            url,
            model: over.ollama_model.or(entry.model).unwrap_or_else(|| LLM.to_owned()),
            time_limit: Duration::from_millis(time_limit_ms),
            answer_time_limit: Duration::from_millis(answer_time_limit_ms),
        }),
        fusion: file.fusion,
        facet_mode: over.facet_mode.unwrap_or(file.facet_mode),
        enrichment_llm,
        enrichment: EnrichmentPlan {
            symbols: file.enrichment.symbols.unwrap_or(usual.symbols),
            concepts: file.enrichment.concepts.unwrap_or(usual.concepts),
        },
        service,
        query_log,
        question_audit,
        telemetry,
    })
}

fn listen(
    file: &str,
    written: Option<&Located<String>>,
    problems: &mut Vec<Problem>,
) -> SocketAddr {
    let usual = LISTEN.parse().expect("a constant address");
    let Some(written) = written else { return usual };
    written.value.parse().unwrap_or_else(|_| {
        problems.push(Problem {
            place: written.place(file),
            code: "config-listen",
            message: format!("`{}` is not an address with a port", written.value),
            mend: format!("write for example `listen: {LISTEN}`"),
        });
        usual
    })
}

fn question_limit(
    file: &str,
    written: Option<&Located<usize>>,
    problems: &mut Vec<Problem>,
) -> usize {
    let Some(limit) = written else { return QUESTION_LIMIT };
    if !(1..=20_000).contains(&limit.value) {
        problems.push(Problem {
            place: limit.place(file),
            code: "config-question-limit",
            message: format!("`question_limit: {}` is out of range", limit.value),
            mend: "write a number of characters from 1 to 20000".to_owned(),
        });
    }
    limit.value
}

/// What is usual for a log.
struct UsualLog {
    folder: &'static str,
    days: u32,
    /// Code of the problem that its days are out of range.
    code: &'static str,
}

const QUESTIONS: UsualLog =
    UsualLog { folder: QUERY_LOG, days: QUERY_LOG_DAYS, code: "config-query-log-days" };
const AUDITED: UsualLog = UsualLog {
    folder: QUESTION_AUDIT,
    days: QUESTION_AUDIT_DAYS,
    code: "config-question-audit-days",
};

/// A log as it was written in the file and as flags; `None` where nobody switched it on.
fn daily_log(
    file: &str,
    data_dir: &Path,
    usual: &UsualLog,
    (entry, folder, days): (Option<QueryLogEntry>, Option<PathBuf>, Option<u32>),
    problems: &mut Vec<Problem>,
) -> Option<QueryLog> {
    if entry.is_none() && folder.is_none() {
        return None;
    }
    let (written, kept) = entry.map_or((None, None), |entry| (entry.folder, entry.days));
    if let Some(kept) = &kept
        && !(1..=3_650).contains(&kept.value)
    {
        problems.push(Problem {
            place: kept.place(file),
            code: usual.code,
            message: format!("`days: {}` is out of range", kept.value),
            mend: "write how many days of questions are kept, from 1 to 3650".to_owned(),
        });
    }
    let kept = kept.map_or(usual.days, |kept| kept.value);
    let folder = folder.or(written).unwrap_or_else(|| data_dir.join(usual.folder));
    Some(QueryLog { folder, days: days.unwrap_or(kept) })
}

/// Whether a model reads the documents, from file and flag; that needs a server.
fn enrichment_llm(
    file: &str,
    (entry, flag): (Option<&Located<Switch>>, bool),
    has_server: bool,
    problems: &mut Vec<Problem>,
) -> bool {
    let written = entry.filter(|llm| llm.value == Switch::On);
    let is_on = flag || written.is_some();
    if is_on && !has_server {
        problems.push(Problem {
            place: written.map_or_else(|| Place::start_of(file), |llm| llm.place(file)),
            code: "config-enrichment-llm",
            message: "a model is to read the documents, and no server is named".to_owned(),
            mend: "write for example `ollama: {url: 'http://127.0.0.1:11434'}`, or leave out `llm: on`"
                .to_owned(),
        });
    }
    is_on
}

/// A time limit as it was written, else the usual one.
fn milliseconds(
    file: &str,
    setting: &str,
    code: &'static str,
    (written, usual): (Option<&Located<u64>>, u64),
    range: RangeInclusive<u64>,
    problems: &mut Vec<Problem>,
) -> u64 {
    let Some(limit) = written else { return usual };
    if !range.contains(&limit.value) {
        problems.push(Problem {
            place: limit.place(file),
            code,
            message: format!("`{setting}: {}` is out of range", limit.value),
            mend: format!("write milliseconds from {} to {}", range.start(), range.end()),
        });
    }
    limit.value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, over: Layer) -> Result<Config, Problems> {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("wegweiser.yaml");
        std::fs::write(&path, text).expect("written");
        load(Some(&path), over)
    }

    #[test]
    fn every_setting_has_a_default_and_a_flag_wins_over_the_file() {
        let config = parse("", Layer::default()).expect("an empty file is fine");
        assert_eq!(config.listen.to_string(), LISTEN);
        assert_eq!((config.ollama, config.embedding), (None, Embedding::InProcess));
        let over = Layer { listen: Some("127.0.0.1:1".parse().expect("fine")), ..Layer::default() };
        let config =
            parse("listen: 0.0.0.0:90\nollama: {url: 'http://x:1'}\n", over).expect("fine");
        assert_eq!(config.listen.to_string(), "127.0.0.1:1");
        assert_eq!(config.ollama.expect("named").model, LLM);
    }

    #[test]
    fn enrichment_is_switched_by_type() {
        let config = parse("enrichment: {symbols: off, concepts: both}\n", Layer::default());
        let expected = EnrichmentPlan { symbols: Use::Off, concepts: Use::Both };
        assert_eq!(config.expect("fine").enrichment, expected);
        assert!(parse("enrichment: {symbols: ja}\n", Layer::default()).is_err());
    }

    #[test]
    fn a_model_that_reads_needs_a_server_and_is_off_until_somebody_switches_it_on() {
        let with = "ollama: {url: 'http://x:1'}\n";
        let on = |text: &str, over: Layer| parse(text, over).map(|config| config.enrichment_llm);
        assert_eq!(on(with, Layer::default()).ok(), Some(false));
        let flag = || Layer { enrichment_llm: true, ..Layer::default() };
        assert_eq!(on(with, flag()).ok(), Some(true));
        let written = format!("{with}enrichment: {{llm: on}}\n");
        assert_eq!(on(&written, Layer::default()).ok(), Some(true));
        assert_eq!(on("enrichment: {llm: off}\n", Layer::default()).ok(), Some(false));
        for (text, over, line) in
            [("\nenrichment: {llm: on}\n", Layer::default(), 2), ("", flag(), 1)]
        {
            let problems = on(text, over).expect_err("no server");
            let found = &problems.list()[0];
            assert_eq!((found.code, found.place.line), ("config-enrichment-llm", line));
        }
        assert!(on("enrichment: {llm: both}\n", Layer::default()).is_err());
    }

    #[test]
    fn a_flag_says_what_a_named_facet_does() {
        let text = "facet_mode: filter\n";
        let mode = |over: Layer| parse(text, over).expect("fine").facet_mode;
        assert_eq!(mode(Layer::default()), FacetMode::Filter);
        let over = Layer { facet_mode: Some(FacetMode::Off), ..Layer::default() };
        assert_eq!(mode(over), FacetMode::Off);
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let text = "listen: here\nquestion_limit: 0\nollama: {time_limit_ms: 1, answer_time_limit_ms: \
                    1}\nquery_log: {days: 0}\nquestion_audit: {days: 0}\ntelemetry: {endpoint: x}\n";
        let problems = parse(text, Layer::default()).expect_err("seven problems");
        let codes: Vec<&str> = problems.list().iter().map(|problem| problem.code).collect();
        assert_eq!(
            codes,
            [
                "config-listen",
                "config-question-limit",
                "config-time-limit",
                "config-answer-time-limit",
                "config-query-log-days",
                "config-question-audit-days",
                "config-telemetry-endpoint",
            ]
        );
    }

    #[test]
    fn the_question_log_is_off_until_somebody_switches_it_on() {
        let log = |text: &str, over: Layer| parse(text, over).expect("fine").query_log;
        assert_eq!(log("", Layer::default()), None);
        let days_alone = Layer { query_log_days: Some(3), ..Layer::default() };
        assert_eq!(log("", days_alone), None);
        let empty = Layer { query_log: Some(PathBuf::new()), ..Layer::default() };
        assert_eq!(log("", empty), None);
        let on = log("data_dir: d\nquery_log: {}\n", Layer::default()).expect("on");
        assert_eq!((on.folder, on.days), (PathBuf::from("d/query-log"), QUERY_LOG_DAYS));
        let named = Layer {
            query_log: Some(PathBuf::from("other")),
            query_log_days: Some(3),
            ..Layer::default()
        };
        let on = log("query_log: {folder: here, days: 7}\n", named).expect("on");
        assert_eq!((on.folder, on.days), (PathBuf::from("other"), 3));
        assert!(parse("query_log: {tage: 7}\n", Layer::default()).is_err());
    }

    #[test]
    fn the_audit_of_questions_is_off_until_somebody_switches_it_on() {
        let audit = |text: &str| parse(text, Layer::default()).expect("fine").question_audit;
        assert_eq!(audit("query_log: {}\n"), None);
        let on = audit("data_dir: d\nquestion_audit: {}\n").expect("on");
        assert_eq!((on.folder, on.days), (PathBuf::from("d/question-audit"), QUESTION_AUDIT_DAYS));
        let on = audit("question_audit: {folder: here, days: 7}\n").expect("on");
        assert_eq!((on.folder, on.days), (PathBuf::from("here"), 7));
    }

    #[test]
    fn a_way_to_fuse_has_one_of_four_names() {
        for fusion in Fusion::ALL {
            let text = format!("fusion: {}\n", fusion.as_str());
            assert_eq!(parse(&text, Layer::default()).expect("fine").fusion, fusion);
        }
        let problems = parse("listen: 127.0.0.1:80\nfusion: minmax\n", Layer::default());
        let problems = problems.expect_err("no such name");
        let problem = &problems.list()[0];
        assert_eq!(problem.place.line, 2);
        let told = format!("{} {}", problem.message, problem.mend);
        assert!(told.contains("`minmax`") && told.contains("min-max"), "{told}");
    }

    #[test]
    fn an_empty_address_of_ollama_is_none() {
        let over = Layer { ollama_url: Some(String::new()), ..Layer::default() };
        assert_eq!(parse("", over).expect("fine").ollama, None);
    }

    #[test]
    fn a_named_file_must_exist() {
        assert!(load(Some(Path::new("/nowhere.yaml")), Layer::default()).is_err());
    }
}
