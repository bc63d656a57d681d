//! The shipped rules, examples and demo compendium as they are asked. The index stays in the target
//! folder: the first run embeds and trains for about a minute, later ones only open it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tokio::runtime::Runtime;
use wegweiser::catalog;
use wegweiser::config::{self, Layer};
use wegweiser::domain::day;
use wegweiser::domain::{Answer, Query, Source};
use wegweiser::gaps::{Code, Severity, Study};
use wegweiser::pipeline::assemble::{Assembly, Listener};
use wegweiser::pipeline::{Pipeline, SearchRequest};

struct Silent;

impl Listener for Silent {
    fn building(&mut self, _why: &str) {}
    fn waiting(&mut self) {}
    fn progress(&mut self, _done: usize, _total: usize) {}
}

fn shipped() -> &'static (Runtime, Arc<Pipeline>) {
    static SHIPPED: OnceLock<(Runtime, Arc<Pipeline>)> = OnceLock::new();
    SHIPPED.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let over = Layer {
            compendium: Some(root.join("compendium")),
            rules: Some(root.join("rules")),
            data_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shipped")),
            ..Layer::default()
        };
        let config = config::load(None, over).expect("settings without problems");
        let runtime = Runtime::new().expect("a runtime");
        let assembly =
            runtime.block_on(Assembly::prepare(&config)).expect("files without problems");
        let index = assembly.index(&mut Silent).expect("an index");
        let pipeline = {
            let _inside = runtime.enter();
            assembly.pipeline(&config, index)
        };
        (runtime, Arc::new(pipeline))
    })
}

fn route(question: &str) -> Answer {
    let (runtime, pipeline) = shipped();
    let query = Query::new(question, 2_000).expect("a question");
    runtime.block_on(pipeline.route(&query)).expect("an answer").answer
}

#[test]
fn what_is_no_german_question_has_no_intent() {
    for text in [
        "Schönes Wetter heute, oder?",
        "asdf",
        "asdf qwertz",
        "👍",
        "Hallo!",
        "Guten Tag zusammen",
        "Danke schön!",
        "ok",
        "What is spaced repetition?",
        "How can I reset my password?",
        "Pourquoi le ciel est-il bleu ?",
        "lorem ipsum dolor",
        "!!!",
    ] {
        let answer = route(text);
        assert_eq!(answer.intent.id, "unknown", "{text}: {:?}", answer.intent);
        assert_eq!(answer.intent.source, Source::Default, "{text}");
        assert_eq!(answer.trace.profile, "neutral", "{text}");
        assert!(answer.groups.iter().all(|group| group.score > 0.0), "{text}");
    }
}

#[test]
fn the_confidence_is_that_of_the_intent_shown() {
    for question in ["Schönes Wetter heute, oder?", "asdf", "unterlagen bafög antrag"] {
        let answer = route(question);
        let of_it = answer.trace.classifier.iter().find(|guess| guess.id == answer.intent.id);
        let confidence = of_it.expect("among the best guesses").confidence;
        assert!((confidence - answer.intent.confidence).abs() < 1e-9, "{answer:?}");
        assert!(confidence > 0.3, "{answer:?}");
    }
}

#[test]
fn what_is_called_off_does_not_decide() {
    let answer = route("Ich will nicht kündigen, nur meine Adresse ändern");
    assert!(answer.trace.core.contains("adresse"), "{}", answer.trace.core);
    assert!(!answer.trace.core.contains("kuendig"), "{}", answer.trace.core);
}

#[test]
fn two_questions_at_once_find_both_sections() {
    let (runtime, pipeline) = shipped();
    let question = "Wie lege ich einen Leitner-Kasten an und wer hat die Vergessenskurve entdeckt?";
    let query = Query::new(question, 2_000).expect("a question");
    let request = SearchRequest::default();
    let answer = runtime.block_on(pipeline.search(&query, &request)).expect("an answer").answer;
    assert_eq!(answer.intent.id, "how");
    assert_eq!(answer.intent.also, ["who"]);
    let groups: Vec<&str> = answer.groups.iter().map(|group| group.id.as_str()).collect();
    assert!(groups.contains(&"Methoden_und_Techniken"), "{groups:?}");
    assert!(groups.contains(&"Personen_und_Forschung"), "{groups:?}");
    let hits = answer.hits.expect("a search has hits");
    let top: Vec<&str> = hits.iter().take(5).map(|hit| hit.id.as_str()).collect();
    assert!(top.iter().any(|id| id.contains("leitner")), "{top:?}");
    assert!(top.iter().any(|id| id.starts_with("personen-und-forschung#")), "{top:?}");
}

/// The weak sections that were planned when the compendium was written, with their codes.
#[test]
fn the_planned_weak_sections_are_found_and_hardly_any_other() {
    let (runtime, pipeline) = shipped();
    let questions = catalog::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog"))
        .expect("a sound catalog");
    let study = runtime
        .block_on(Study::new(Arc::clone(pipeline), &questions, |_, _| ()))
        .expect("every question can be asked");
    let report = study.report(day("2026-11-30").expect("a day"), Vec::new());
    for (code, section) in [
        (Code::Thin, "wirkung-und-entwicklung#wirkung-von-bewegung-auf-das-lernen"),
        (Code::Twins, "wirkung-und-entwicklung#wirkung-von-pausen"),
        (Code::Twins, "planung-und-organisation#pausen-einplanen"),
        (Code::Isolated, "planung-und-organisation#unterlagen-ordnen"),
        (Code::Cannibalised, "probleme-und-loesungen#blackout-in-der-pruefung"),
    ] {
        let found = report.findings.iter().any(|finding| {
            let about = finding.subject.sections.iter().any(|named| named.id == section);
            about && finding.code == code && finding.severity >= Severity::Warning
        });
        assert!(found, "{code} {section}");
    }
    assert!(report.flagged_sections * 10 <= report.sections, "{}", report.flagged_sections);
    // The catalog's run warns of the same sections.
    let weak: Vec<_> = questions
        .into_iter()
        .filter(|question| {
            question.right().any(|id| {
                id.as_str().ends_with("#unterlagen-ordnen")
                    || id.as_str().contains("#wirkung-von-bewegung")
            })
        })
        .collect();
    let run = runtime.block_on(catalog::run(pipeline, &weak, |_| ())).expect("a run");
    for (section, code) in [
        ("planung-und-organisation#unterlagen-ordnen", "W-ISOLATED"),
        ("wirkung-und-entwicklung#wirkung-von-bewegung-auf-das-lernen", "W-THIN"),
    ] {
        let mut of_section = run.questions.iter().filter(|outcome| outcome.expected == [section]);
        assert!(of_section.clone().count() >= 3);
        assert!(
            of_section.all(|outcome| outcome.codes().iter().any(|found| found.as_str() == code)),
            "{code}"
        );
    }
}
