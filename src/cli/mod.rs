//! The command line. Exit codes: 0 clean, 1 findings, 2 failure.

mod catalog;
mod eval;
mod eval_answerable;
mod eval_enrichment;
mod eval_groups;
mod eval_intent;
mod eval_prefix;
mod eval_trec;
mod explain;
mod files;
mod gaps;
mod groups;
mod index;
mod keys;
mod lint;
mod listener;
mod print;
mod route;
mod search;
mod serve;
mod tune;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::{self, Config, Layer};
use crate::domain::{FacetMode, Problems, Query};
use crate::embedding::Remembered;
use crate::indexing::Index;
use crate::pipeline::Pipeline;
use crate::pipeline::assemble::{AssembleError, Assembly, Listener};
use crate::telemetry::{self, LogFormat};

/// Routes German questions into a knowledge base and says why.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = true)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
struct Global {
    /// Settings file [default: wegweiser.yaml where it exists]
    #[arg(long, global = true, env = "WEGWEISER_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of Markdown, or folder with sections.jsonl [default: ./compendium, else the demo
    /// inside the binary]
    #[arg(long, global = true, env = "WEGWEISER_COMPENDIUM", value_name = "PATH")]
    compendium: Option<PathBuf>,
    /// Folder of the rules [default: ./rules, else those inside the binary]
    #[arg(long, global = true, env = "WEGWEISER_RULES", value_name = "FOLDER")]
    rules: Option<PathBuf>,
    /// Where index and cache live [default: data]
    #[arg(long, global = true, env = "WEGWEISER_DATA_DIR", value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
    /// File of API keys [default: keys.json in the data folder]
    #[arg(long, global = true, env = "WEGWEISER_KEYS", value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Ollama server for the intent where no rule decides, e.g. `http://127.0.0.1:11434`
    #[arg(long, global = true, env = "WEGWEISER_OLLAMA_URL", value_name = "URL")]
    ollama_url: Option<String>,
    /// Model of that server [default: llama3]
    #[arg(long, global = true, env = "WEGWEISER_OLLAMA_MODEL", value_name = "NAME")]
    ollama_model: Option<String>,
    /// Let the model of that server read the documents, too, when the index is built; see
    /// docs/enrichment.md
    #[arg(
        long,
        global = true,
        env = "WEGWEISER_ENRICHMENT_LLM",
        value_parser = clap::builder::FalseyValueParser::new()
    )]
    enrichment_llm: bool,
    /// What a customer or product of rules/taxonomy.yaml in the question does [default: boost]
    #[arg(long, global = true, env = "WEGWEISER_FACET_MODE", value_name = "MODE")]
    facet_mode: Option<Facets>,
    /// Log filter, e.g. info or wegweiser=debug [default: info for serve, warn otherwise]
    #[arg(long, global = true, env = "WEGWEISER_LOG", value_name = "FILTER")]
    log_filter: Option<String>,
    /// Form of the log
    #[arg(
        long,
        global = true,
        env = "WEGWEISER_LOG_FORMAT",
        value_name = "FORM",
        default_value = "text"
    )]
    log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Facets {
    /// Raise the sections that carry it
    Boost,
    /// Find no others, where any carries it
    Filter,
    /// Only say so
    Off,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build the index, or say that it is up to date
    Index(index::Arguments),
    /// Show how and where a question would be searched
    Route(Question),
    /// Find sections for a question
    Search(search::Arguments),
    /// Find sections and say where every score comes from; with --section why that one is not the
    /// first, and which small change would make it so
    Explain(explain::Arguments),
    /// Measure on labelled questions
    #[command(subcommand)]
    Eval(eval::Evaluation),
    /// Keep the catalog of questions and run it as a regression suite
    #[command(subcommand)]
    Catalog(catalog::Command),
    /// Say what editors must write next; exit code 1 where something is worse than a hint
    Gaps(gaps::Arguments),
    /// Work on the groups' word lists
    #[command(subcommand)]
    Groups(groups::Groups),
    /// Learn the weights of the channels from labelled questions
    Tune(tune::Arguments),
    /// Check all files and run the examples of the rules
    Lint(lint::Arguments),
    /// Answer questions over HTTP
    Serve {
        /// Address and port [default: 127.0.0.1:8080]
        #[arg(long, env = "WEGWEISER_LISTEN", value_name = "ADDRESS:PORT")]
        listen: Option<SocketAddr>,
        #[command(flatten)]
        query_log: QueryLog,
        #[command(flatten)]
        traces: Traces,
        /// Let everybody read what is for everybody, without a key
        #[arg(
            long,
            env = "WEGWEISER_ALLOW_ANONYMOUS",
            value_parser = clap::builder::FalseyValueParser::new()
        )]
        allow_anonymous: bool,
        /// Check settings, keys, rules and compendium, then end without answering
        #[arg(long)]
        check_config: bool,
    },
    /// Make, list and revoke API keys
    #[command(subcommand)]
    Keys(keys::Command),
}

/// The question log is off unless a folder is named here or `query_log` stands in the settings.
#[derive(Debug, Args)]
struct QueryLog {
    /// Keep a log of the questions in this folder; see docs/query-log.md
    #[arg(long, env = "WEGWEISER_QUERY_LOG", value_name = "FOLDER")]
    query_log: Option<PathBuf>,
    /// How many days of it are kept, 1 to 3650 [default: 30]
    #[arg(long, env = "WEGWEISER_QUERY_LOG_DAYS", value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..=3650))]
    query_log_days: Option<u32>,
}

/// Traces are off unless a collector is named here or `telemetry` stands in the settings.
#[derive(Debug, Args)]
struct Traces {
    /// Send traces to a collector that takes OTLP over HTTP, e.g. `http://127.0.0.1:4318`
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL")]
    otlp_endpoint: Option<String>,
    /// Name of this service in them [default: wegweiser]
    #[arg(long, env = "OTEL_SERVICE_NAME", value_name = "NAME")]
    service_name: Option<String>,
}

#[derive(Debug, Args)]
struct Output {
    /// Form of the output
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Format,
}

impl Output {
    /// Prints a report in the form that was asked for.
    fn show<Report: serde::Serialize>(
        &self,
        report: &Report,
        text: impl FnOnce(&Report) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match self.format {
            Format::Json => print::json(report),
            Format::Text => text(report),
        }
    }
}

#[derive(Debug, Args)]
struct Question {
    /// The question, in German
    #[arg(value_name = "QUESTION", required_unless_present = "asked")]
    text: Option<String>,
    /// The question as a flag
    #[arg(long = "question", id = "asked", value_name = "QUESTION", conflicts_with = "text")]
    asked: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Question {
    /// The question, whichever way it was written.
    fn text(&self) -> &str {
        self.text.as_deref().or(self.asked.as_deref()).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Parses the arguments, runs the command, and turns its outcome into an exit code.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            print::failure(&error.into());
            return ExitCode::from(2);
        }
    };
    let outcome = runtime.block_on(dispatch(arguments));
    // A build that was interrupted by a signal must not keep the process: it changes nothing that
    // is in use, and the next build sweeps it away.
    runtime.shutdown_background();
    match outcome {
        Ok(code) => code,
        Err(error) if print::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print::failure(&error);
            ExitCode::from(2)
        }
    }
}

async fn dispatch(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { global, command } = arguments;
    let (usual, over) = match &command {
        Command::Serve { listen, query_log, traces, allow_anonymous, .. } => {
            let QueryLog { query_log, query_log_days } = query_log;
            let Traces { otlp_endpoint, service_name } = traces;
            let over = Layer {
                listen: *listen,
                query_log: query_log.clone(),
                query_log_days: *query_log_days,
                allow_anonymous: *allow_anonymous,
                telemetry_endpoint: otlp_endpoint.clone(),
                service_name: service_name.clone(),
                ..Layer::default()
            };
            ("info", over)
        }
        Command::Index(_)
        | Command::Route(_)
        | Command::Search(_)
        | Command::Explain(_)
        | Command::Eval(_)
        | Command::Catalog(_)
        | Command::Gaps(_)
        | Command::Groups(_)
        | Command::Tune(_)
        | Command::Keys(_)
        | Command::Lint(_) => ("warn", Layer::default()),
    };
    telemetry::start(global.log_format, global.log_filter.as_deref().unwrap_or(usual))?;
    let config = settings(global, over)?;
    match command {
        Command::Index(arguments) => index::run(&config, &arguments).await,
        Command::Route(question) => route::run(&config, &question).await,
        Command::Search(arguments) => search::run(&config, &arguments).await,
        Command::Explain(arguments) => explain::run(&config, &arguments).await,
        Command::Eval(evaluation) => eval::run(&config, &evaluation).await,
        Command::Catalog(command) => return catalog::run(&config, &command).await,
        Command::Tune(arguments) => tune::run(&config, &arguments).await,
        Command::Gaps(arguments) => return gaps::run(&config, &arguments).await,
        Command::Groups(groups) => groups::run(&config, &groups).await,
        Command::Lint(arguments) => return lint::run(&config, &arguments),
        Command::Keys(command) => keys::run(&config, &command),
        Command::Serve { check_config: true, .. } => serve::check(&config),
        Command::Serve { .. } => serve::run(config).await,
    }?;
    Ok(ExitCode::SUCCESS)
}

/// The settings; `over` holds the flags of the command itself.
fn settings(global: Global, over: Layer) -> Result<Config, Problems> {
    let over = Layer {
        compendium: global.compendium,
        rules: global.rules,
        data_dir: global.data_dir,
        keys: global.keys,
        ollama_url: global.ollama_url,
        ollama_model: global.ollama_model,
        enrichment_llm: global.enrichment_llm,
        facet_mode: global.facet_mode.map(|mode| match mode {
            Facets::Boost => FacetMode::Boost,
            Facets::Filter => FacetMode::Filter,
            Facets::Off => FacetMode::Off,
        }),
        ..over
    };
    config::load(global.config.as_deref(), over)
}

/// The pipeline for one question; builds the index where there is none.
async fn pipeline(config: &Config) -> Result<Pipeline, AssembleError> {
    opened(config, Assembly::prepare(config).await?).await
}

async fn opened(config: &Config, assembly: Assembly) -> Result<Pipeline, AssembleError> {
    let (assembly, index, _) = indexed(assembly, listener::Terminal::new()).await?;
    joined(config, assembly, index).await
}

/// A command asks once and ends: it gives llama3 a moment to be ready, which a service does not.
async fn joined(
    config: &Config,
    assembly: Assembly,
    index: Index,
) -> Result<Pipeline, AssembleError> {
    let pipeline = assembly.pipeline(config, index);
    if let (Some(llm), Some(ollama)) = (pipeline.llm(), &config.ollama) {
        llm.until_ready(ollama.time_limit).await;
    }
    Ok(pipeline)
}

/// The pipeline for questions that are asked again after every change: their embeddings are kept.
async fn measured(config: &Config) -> Result<(Arc<Pipeline>, Stopwatch), AssembleError> {
    let (assembly, watch) = remembering(config).await?;
    let pipeline = Arc::new(opened(config, assembly).await?);
    Ok((pipeline, watch.restarted()))
}

/// Files and model, before the index, with the memory of questions that were asked before.
async fn remembering(config: &Config) -> Result<(Assembly, Stopwatch), AssembleError> {
    let mut assembly = Assembly::prepare(config).await?;
    let remembered = assembly
        .remember_questions()
        .inspect_err(|error| print::note(&format!("all questions are embedded: {error}")));
    Ok((assembly, Stopwatch { started: Instant::now(), remembered: remembered.ok() }))
}

/// Says what a measurement took.
struct Stopwatch {
    started: Instant,
    remembered: Option<Arc<Remembered>>,
}

impl Stopwatch {
    /// The same, started anew: building an index is not what is measured.
    fn restarted(self) -> Self {
        Self { started: Instant::now(), ..self }
    }

    /// One line beside the report, which is the same however long it took.
    fn tell(&self) {
        let seconds = self.started.elapsed().as_secs_f64();
        let embedded = self.remembered.as_ref().map_or_else(String::new, |remembered| {
            let (recalled, computed) = remembered.counts();
            format!("{computed} texts embedded, {recalled} remembered, ")
        });
        print::note(&format!("{embedded}{seconds:.1} s"));
    }
}

/// Opens or builds the index on a thread that may block; gives the listener back.
async fn indexed<L: Listener + Send + 'static>(
    assembly: Assembly,
    mut listener: L,
) -> Result<(Assembly, Index, L), AssembleError> {
    let task = tokio::task::spawn_blocking(move || {
        assembly.index(&mut listener).map(|index| (assembly, index, listener))
    });
    task.await.map_err(crate::embedding::EmbedError::Task)?
}

fn query(config: &Config, question: &str) -> anyhow::Result<Query> {
    Ok(Query::new(question, config.question_limit)?)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn no_command_has_arguments_that_contradict_each_other() {
        Arguments::command().debug_assert();
    }
}
