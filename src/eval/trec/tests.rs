use super::*;

/// Grades 0 to 4, a tie, documents without judgment, a topic that the run lacks (3), one without
/// relevant documents (4), one without judgments (9).
const QRELS: &str = "1 0 d1 4\n1 0 d2 0\n1 0 d3 2\n1 0 d5 1\n1 0 d9 3\n\
    2 0 d1 1\n2 0 d4 1\n2 0 d6 0\n3 0 d7 2\n4 0 d8 0\n";
const RUN: &str = "1 Q0 d2 1 9.0 x\n1 Q0 d1 2 8.5 x\n1 Q0 d7 3 8.5 x\n1 Q0 d5 4 7.0 x\n\
    1 Q0 d3 5 3.25 x\n1 Q0 d4 6 1.0 x\n2 Q0 d4 1 0.9 x\n2 Q0 d1 2 0.9 x\n2 Q0 d9 3 0.5 x\n\
    4 Q0 d8 1 1.0 x\n9 Q0 d1 1 1.0 x\n";

fn report(k: usize) -> TrecReport {
    let qrels = Qrels::parse("qrels", QRELS).expect("sound");
    evaluate(&qrels, &Run::parse("run", RUN).expect("sound"), k)
}

fn near(measured: Graded, expected: [f64; 5]) {
    let found = [measured.recall, measured.precision, measured.mrr, measured.ndcg];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{measured:?}");
    }
    // gdeval rounds to five digits.
    assert!((measured.err - expected[4]).abs() < 6e-6, "{measured:?}");
}

/// Expected values: ir-measures 0.4.3 over the two texts above; R, P, RR and nDCG come from
/// pytrec_eval-terrier 0.5.11 there, ERR from gdeval.
#[test]
fn measures_agree_with_trec_eval_and_gdeval() {
    let at3 = report(3);
    near(at3.mean, [0.3125, 0.25, 1.0 / 3.0, 0.322_539_574_486_886_3, 0.101_075]);
    near(at3.by_topic["1"], [0.25, 1.0 / 3.0, 1.0 / 3.0, 0.290_158_297_947_545_1, 0.3125]);
    near(at3.by_topic["2"], [1.0, 2.0 / 3.0, 1.0, 1.0, 0.0918]);
    let at10 = report(10);
    near(at10.mean, [0.4375, 0.125, 1.0 / 3.0, 0.359_387_489_879_514_74, 0.101_867_5]);
    near(at10.by_topic["1"], [0.75, 0.3, 1.0 / 3.0, 0.437_549_959_518_059_1, 0.315_67]);
}

#[test]
fn topics_that_one_file_lacks_are_named() {
    let report = report(10);
    assert_eq!((report.topics, report.missing), (4, vec!["3".to_owned()]));
    assert_eq!(report.unjudged, ["9"]);
}

#[test]
fn all_lines_that_are_wrong_are_told_at_once() {
    let error = Qrels::parse("q", "1 0 a 1\n\n1 0 a 2\n1 0 b viel\n1 a 1\n").expect_err("three");
    let found: Vec<_> =
        error.list().iter().map(|problem| (problem.place.line, problem.code)).collect();
    assert_eq!(found, [(3, "qrels-duplicate"), (4, "qrels-grade"), (5, "qrels-columns")]);
    let error = Run::parse("r", "1 Q0 a 1 NaN x\n1 Q0 a\n").expect_err("two");
    let found: Vec<_> = error.list().iter().map(|problem| problem.code).collect();
    assert_eq!(found, ["run-score", "run-columns"]);
}

#[test]
fn what_is_written_is_read_again() {
    let mut qrels = Qrels::default();
    qrels.judge("frage-1", "datei#abschnitt", 2);
    qrels.judge("frage-1", "datei#mit leerzeichen", 1);
    let again = Qrels::parse("q", &qrels.to_text()).expect("sound");
    assert_eq!(again.to_text(), "frage-1 0 datei#abschnitt 2\nfrage-1 0 datei#mit_leerzeichen 1\n");
    let mut run = Run::default();
    run.rank("frage-1", ["b", "a", "c"].map(str::to_owned));
    assert_eq!(Run::parse("r", &run.to_text("wegweiser")).expect("sound"), run);
}
