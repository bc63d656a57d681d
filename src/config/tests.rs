use std::path::Path;

use super::*;
use crate::domain::{Problems, Use};

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
    let config = parse("listen: 0.0.0.0:90\nollama: {url: 'http://x:1'}\n", over).expect("fine");
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
    for (text, over, line) in [("\nenrichment: {llm: on}\n", Layer::default(), 2), ("", flag(), 1)]
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

#[test]
fn an_address_that_no_request_can_go_to_is_told() {
    for text in [
        "ollama: {url: 'not a url'}",
        "ollama: {url: 'ftp://x'}",
        "ollama: {url: 'http://'}",
        "embedding: {source: ollama, url: 'localhost:11434'}",
    ] {
        let problems = parse(text, Layer::default()).expect_err("no address");
        assert_eq!(problems.list()[0].code, "config-ollama-url", "{text}");
    }
    assert!(parse("ollama: {url: 'http://[::1]:11434/'}", Layer::default()).is_ok());
}
