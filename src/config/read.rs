//! The settings file, and what environment and flags put on top.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::{
    ANSWER_TIME_LIMIT_MS, CATALOG, Config, EMBEDDING_MODEL, Embedding, EnrichmentPlan, FILE,
    FacetMode, Fusion, LISTEN, LLM, LLM_TIME_LIMIT_MS, Layer, Ollama, QUERY_LOG, QUERY_LOG_DAYS,
    QUESTION_AUDIT, QUESTION_AUDIT_DAYS, QUESTION_LIMIT, QueryLog, Service, SocketAddr, Telemetry,
    service, telemetry,
};
use crate::domain::{Place, Problem, Problems, Use};
use crate::yaml::{self, Located};

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
    let embedder = match &embedding {
        Embedding::Ollama { url, .. } => Some(url),
        Embedding::InProcess => None,
    };
    let addresses: BTreeSet<&String> = url.iter().chain(embedder).collect();
    problems.extend(addresses.into_iter().filter_map(|address| no_server(name, address)));
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

/// The problem of an address that no request can go to.
fn no_server(file: &str, address: &str) -> Option<Problem> {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let is_server = rest.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[')
            && !rest.contains(|c: char| c.is_whitespace() || c.is_control())
    });
    (!is_server).then(|| Problem {
        place: Place::start_of(file),
        code: "config-ollama-url",
        message: format!("`{address}` is no address of an Ollama server"),
        mend: "write for example `http://127.0.0.1:11434`".to_owned(),
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
