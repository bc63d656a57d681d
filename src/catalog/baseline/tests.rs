use super::{Baseline, BaselineError, Diff};
use crate::catalog::Question;
use crate::catalog::report;
use crate::catalog::run::Run;
use crate::catalog::run::tests::{answer, judged, question};
use crate::domain::{Answer, Source};

/// A run of `q-1` and `q-2` with these answers.
fn run(first: &Answer, second: &Answer) -> Run {
    let other = Question { id: "q-2".to_owned(), question: "Wozu\ndas?".to_owned(), ..question() };
    Run::new(vec![judged(&other, second), judged(&question(), first)])
}

fn right() -> Answer {
    answer(&["d#right"])
}

#[test]
fn a_baseline_has_a_line_a_question_and_comes_back_whole() {
    let baseline = Baseline::of(&run(&right(), &answer(&["d#other", "d#right"])));
    let text = baseline.to_text();
    assert_eq!(
        text.lines().take(6).collect::<Vec<_>>(),
        [
            "{",
            "\"format\": 1,",
            "\"questions\": {",
            r#""q-1": {"verdict":"PASS","codes":[],"rank":1,"intent":"benefit","by":"rule benefit_bringt","groups":["Wirkung"],"paid":["Wirkung: phrase “was bringt” +2.5"]},"#,
            r#""q-2": {"verdict":"WARN","codes":["W-RANK"],"rank":2,"intent":"benefit","by":"rule benefit_bringt","groups":["Wirkung"],"paid":["Wirkung: phrase “was bringt” +2.5"]}"#,
            "},",
        ]
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("neu/basis.json");
    baseline.save(&file).expect("saved");
    assert_eq!(Baseline::load(&file).expect("sound"), baseline);
    let noted = baseline.made_of("0123".to_owned());
    assert!(
        noted.to_text().starts_with("{\n\"format\": 1,\n\"sources\": \"0123\",\n\"questions\"")
    );
    noted.save(&file).expect("saved");
    assert_eq!(Baseline::load(&file).expect("sound").sources(), Some("0123"));
}

#[test]
fn a_file_that_is_no_baseline_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.json");
    let load = |text: &str| {
        std::fs::write(&file, text).expect("written");
        Baseline::load(&file).expect_err("no baseline")
    };
    assert!(matches!(load("{}"), BaselineError::Form { .. }));
    let other = r#"{"format": 9, "questions": {}, "metrics": {}}"#;
    assert!(matches!(load(other), BaselineError::Format { found: 9, .. }));
    let nowhere = Baseline::load(&folder.path().join("b.json"));
    assert!(matches!(nowhere, Err(BaselineError::File { what: "read", .. })));
}

#[test]
fn equal_runs_differ_in_nothing() {
    let run = run(&right(), &right());
    let diff = Diff::new(&Baseline::of(&run), &run, 0.0);
    assert!(diff.worse.is_empty() && diff.better.is_empty() && diff.otherwise.is_empty());
    assert!(diff.causes.is_empty() && !diff.is_a_regression());
}

#[test]
fn a_rule_and_a_word_that_are_gone_are_named() {
    let base = Baseline::of(&run(&right(), &right()));
    let mut worse = answer(&["a", "b", "c", "d", "e", "d#right"]);
    worse.trace.rules.clear();
    worse.intent.source = Source::Classifier;
    worse.groups.clear();
    worse.trace.groups.clear();
    let diff = Diff::new(&base, &run(&right(), &worse), 0.01);
    assert_eq!(diff.broken().map(|turned| turned.id.as_str()).collect::<Vec<_>>(), ["q-2"]);
    assert!(diff.is_a_regression());
    let causes: Vec<_> = diff.causes.iter().map(|c| (c.what.as_str(), c.before, c.now)).collect();
    assert_eq!(
        causes,
        [("Wirkung: phrase “was bringt” +2.5", 2, 1), ("rule benefit_bringt", 2, 1)]
    );
    let told = report::diff(&diff);
    let wanted = "worse   q-2  PASS, rank 1 → FAIL F-MISSING, rank 6\n        \
                  Wozu das?  catalog/a.yaml:7:5\n        \
                  intent benefit by rule benefit_bringt → benefit by classifier\n        \
                  groups Wirkung → none\n        \
                  no longer paid: Wirkung: phrase “was bringt” +2.5\n        \
                  F-MISSING  `d#right` is only at rank 6; first is `a` (0.90)\n";
    assert!(told.starts_with(wanted), "{told}");
    assert!(told.contains("r@1                  1.0000 → 0.5000  -0.5000  FELL"), "{told}");
}

#[test]
fn a_file_is_blamed_where_the_old_one_brings_the_outcome_back() {
    let base = Baseline::of(&run(&right(), &right()));
    let late = answer(&["d#other", "d#right"]);
    let mut diff = Diff::new(&base, &run(&late, &late), 0.01);
    diff.blame(&run(&right(), &late), |_| "groups.yaml".to_owned());
    let blamed: Vec<(&str, &[String])> =
        diff.worse.iter().map(|turned| (turned.id.as_str(), &*turned.turned_by)).collect();
    assert_eq!(blamed, [("q-1", &["groups.yaml".to_owned()][..]), ("q-2", &[])]);
    assert_eq!(report::diff(&diff).matches("turned by groups.yaml").count(), 1);
    assert_eq!(diff.turned().count(), 2);
}

#[test]
fn a_figure_may_fall_by_the_tolerance_and_a_warning_is_no_failure() {
    let base = Baseline::of(&run(&right(), &right()));
    let late = run(&right(), &answer(&["d#other", "d#right"]));
    let diff = Diff::new(&base, &late, 0.5);
    assert_eq!((diff.worse.len(), diff.broken().count()), (1, 0));
    assert!(!diff.is_a_regression(), "{:?}", diff.metrics);
    assert!(Diff::new(&base, &late, 0.49).is_a_regression(), "r@1 fell by a half");
    let back = Diff::new(&Baseline::of(&late), &run(&right(), &right()), 0.0);
    assert_eq!((back.better.len(), back.is_a_regression()), (1, false));
}

#[test]
fn a_figure_that_is_gone_fell() {
    let silent = Answer { answerable: None, ..right() };
    let diff = Diff::new(&Baseline::of(&run(&right(), &right())), &run(&silent, &silent), 1.0);
    let fell: Vec<&str> = diff.metrics.iter().filter(|m| m.fell).map(|m| m.name.as_str()).collect();
    assert_eq!(fell, ["answerable_precision", "answerable_recall", "refused"]);
}

#[test]
fn new_and_gone_questions_are_listed() {
    let both = run(&right(), &right());
    let one = Run::new(vec![judged(&question(), &right())]);
    let diff = Diff::new(&Baseline::of(&both), &one, 0.01);
    assert_eq!(diff.gone, ["q-2"]);
    let diff = Diff::new(&Baseline::of(&one), &both, 0.01);
    assert_eq!(diff.new.keys().collect::<Vec<_>>(), ["q-2"]);
}
