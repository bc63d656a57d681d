//! Verdicts on answers made by hand.

use super::judge::{Target, judge, orphan};
use super::{Code, Outcome, Run, Ticket, Verdict};
use crate::catalog::{Expected, Origin, Question, Status};
use crate::domain::{
    Answer, Channels, GroupAnswer, GroupTrace, Hit, IntentAnswer, IntentGuess, Payment, Place,
    Reason, RuleTrace, SectionId, Source, Trace,
};

/// The id of a section.
fn id(text: &str) -> SectionId {
    SectionId::try_from(text).expect("an id")
}

/// A question that `d#right` answers, asked for its benefit.
pub(crate) fn question() -> Question {
    Question {
        id: "q-1".to_owned(),
        question: "Was bringt das?".to_owned(),
        expected: Expected::Section { section: id("d#right"), acceptable: vec![id("d#too")] },
        intent: Some("benefit".to_owned()),
        also: None,
        group: Some("Wirkung".to_owned()),
        origin: Origin::Human,
        status: Status::Settled,
        tier: "title".to_owned(),
        source: None,
        place: Place { file: "catalog/a.yaml".to_owned(), line: 7, column: 5 },
    }
}

/// Hits with these ids, a tenth apart in score.
fn hits(ids: &[&str]) -> Vec<Hit> {
    let hit = |(at, id): (usize, &&str)| Hit {
        rank: at + 1,
        id: (*id).to_owned(),
        title: format!("Titel {id}"),
        path: Vec::new(),
        facets: std::collections::BTreeMap::default(),
        group: Some("Wirkung".to_owned()),
        score: 0.9 - at as f64 / 10.0,
        snippet: String::new(),
        channels: Channels::default(),
        neighbours: Vec::new(),
        explanation: None,
        found_for: None,
    };
    ids.iter().enumerate().map(hit).collect()
}

/// An answer as [`question`] wants it: a rule decided, a phrase paid.
pub(crate) fn answer(ids: &[&str]) -> Answer {
    let paid = Payment {
        reason: Reason::Phrase,
        what: "was bringt".to_owned(),
        at: Some((0, 10)),
        amount: 2.5,
    };
    let rule = RuleTrace {
        id: "benefit_bringt".to_owned(),
        intent: "benefit".to_owned(),
        priority: 5,
        place: "rules/shortcuts.yaml:12:5".to_owned(),
        outcome: "won",
        matched: "was bringt".to_owned(),
    };
    Answer {
        question: "Was bringt das?".to_owned(),
        intent: IntentAnswer {
            id: "benefit".to_owned(),
            source: Source::Rule,
            rule: Some("benefit_bringt".to_owned()),
            confidence: 1.0,
            also: Vec::new(),
        },
        facets: Vec::new(),
        groups: vec![GroupAnswer { id: "Wirkung".to_owned(), score: 2.5 }],
        prefix: None,
        warnings: Vec::new(),
        answerable: Some(true),
        confidence: Some(0.9),
        degraded: Vec::new(),
        similar_identifiers: Vec::new(),
        hits: Some(hits(ids)),
        trace: Trace {
            rules: vec![rule],
            groups: vec![GroupTrace { id: "Wirkung".to_owned(), score: 2.5, paid: vec![paid] }],
            ..Trace::default()
        },
    }
}

/// The outcome of a question with an answer.
pub(crate) fn judged(question: &Question, answer: &Answer) -> Outcome {
    judge(question, &Target::default(), answer)
}

fn codes(question: &Question, answer: &Answer) -> Vec<&'static str> {
    judged(question, answer).codes().iter().map(|code| code.as_str()).collect()
}

#[test]
fn a_right_answer_passes_and_so_does_an_acceptable_one() {
    for first in ["d#right", "d#too"] {
        let outcome = judged(&question(), &answer(&[first, "d#other"]));
        assert_eq!((outcome.verdict, outcome.rank), (Verdict::Pass, Some(1)), "{outcome:?}");
        assert!((outcome.margin.expect("a rival") - 0.1).abs() < 1e-9);
    }
}

#[test]
fn a_section_at_rank_two_to_five_warns_with_its_rival() {
    let outcome = judged(&question(), &answer(&["d#other", "d#right"]));
    let [finding] = outcome.findings.as_slice() else { panic!("{outcome:?}") };
    assert_eq!((finding.code, outcome.verdict), (Code::Rank, Verdict::Warn));
    assert_eq!(finding.reason, "rank 2 (0.80) behind `d#other` (0.90)");
    assert_eq!(finding.rival.as_ref().expect("a rival").section, "d#other");
    let rule = finding.rule.as_ref().expect("a rule");
    assert_eq!(
        (rule.id.as_str(), rule.place.as_str()),
        ("benefit_bringt", "rules/shortcuts.yaml:12:5")
    );
    assert_eq!(codes(&question(), &answer(&["a", "b", "c", "d", "d#right"])), ["W-RANK"]);
}

#[test]
fn a_section_behind_rank_five_fails() {
    let outcome = judged(&question(), &answer(&["a", "b", "c", "d", "e", "d#right"]));
    assert_eq!((outcome.verdict, outcome.rank), (Verdict::Fail, Some(6)));
    assert_eq!(outcome.findings[0].reason, "`d#right` is only at rank 6; first is `a` (0.90)");
    let outcome = judged(&question(), &answer(&["a"]));
    assert_eq!(
        outcome.findings[0].reason,
        "`d#right` is not among the first 1; first is `a` (0.90)"
    );
    assert_eq!(codes(&question(), &answer(&[])), ["F-MISSING"]);
}

#[test]
fn a_wrong_group_names_the_words_that_misled() {
    let mut answer = answer(&["d#right"]);
    answer.groups.insert(0, GroupAnswer { id: "Probleme".to_owned(), score: 3.0 });
    let paid =
        |reason, what: &str, amount| Payment { reason, what: what.to_owned(), at: None, amount };
    answer.trace.groups.insert(
        0,
        GroupTrace {
            id: "Probleme".to_owned(),
            score: 3.0,
            paid: vec![paid(Reason::Word, "Fehler", 1.0), paid(Reason::Negated, "Angst", 0.0)],
        },
    );
    let outcome = judged(&question(), &answer);
    let [finding] = outcome.findings.as_slice() else { panic!("{outcome:?}") };
    assert_eq!(finding.code, Code::Group);
    assert_eq!(
        finding.reason,
        "first group Probleme instead of Wirkung: paid “Fehler” +1.0, “Angst” is negated; to the \
         right one phrase “was bringt” +2.5"
    );
    assert_eq!(finding.misled_by, [paid(Reason::Word, "Fehler", 1.0)]);
}

#[test]
fn no_group_is_no_wrong_group() {
    let answer = Answer { groups: Vec::new(), ..answer(&["d#right"]) };
    assert_eq!(codes(&question(), &answer), [""; 0]);
}

#[test]
fn a_wrong_intent_names_who_decided_it() {
    let question = Question { intent: Some("how".to_owned()), ..question() };
    let outcome = judged(&question, &answer(&["d#right"]));
    assert_eq!(outcome.codes(), [Code::Intent]);
    assert_eq!(
        outcome.findings[0].reason,
        "benefit instead of how: rule `benefit_bringt` (rules/shortcuts.yaml:12:5) matched “was bringt”"
    );
}

#[test]
fn an_unsure_classifier_is_a_fallback_and_nobody_is_one_too() {
    let mut answer = answer(&["d#right"]);
    answer.trace.rules.clear();
    answer.intent.source = Source::Classifier;
    answer.intent.confidence = 0.49;
    assert_eq!(codes(&question(), &answer), ["W-FALLBACK"]);
    answer.intent.confidence = 0.5;
    assert_eq!(codes(&question(), &answer), [""; 0]);
    answer.intent = IntentAnswer {
        id: "unknown".to_owned(),
        source: Source::Default,
        rule: None,
        confidence: 0.15,
        also: Vec::new(),
    };
    answer.trace.classifier = vec![IntentGuess { id: "how".to_owned(), confidence: 0.15 }];
    let outcome = judged(&question(), &answer);
    assert_eq!(outcome.codes(), [Code::Intent, Code::Fallback]);
    assert_eq!(
        outcome.findings[0].reason,
        "unknown instead of benefit: nobody decided, the classifier's best has 0.15, then how 0.15"
    );
}

#[test]
fn a_lead_of_less_than_three_hundredths_is_a_hair() {
    let mut answer = answer(&["d#right", "d#too", "d#other"]);
    let with = |answer: &mut Answer, scores: [f64; 3]| {
        for (hit, score) in answer.hits.iter_mut().flatten().zip(scores) {
            hit.score = score;
        }
    };
    with(&mut answer, [1.0, 0.99, 0.975]);
    assert_eq!(codes(&question(), &answer), ["W-MARGIN"], "`d#too` is no rival, `d#other` is");
    with(&mut answer, [1.0, 0.99, 0.96]);
    assert_eq!(codes(&question(), &answer), [""; 0]);
}

#[test]
fn a_refusal_is_judged_where_the_answer_says_whether_it_is_one() {
    let off = Question {
        expected: Expected::Refused,
        intent: None,
        group: None,
        tier: "off_topic".to_owned(),
        ..question()
    };
    let said = |answerable| Answer { answerable, ..answer(&["d#other"]) };
    assert_eq!(codes(&off, &said(Some(true))), ["F-ANSWERED-OFFTOPIC"]);
    assert_eq!(codes(&off, &said(Some(false))), [""; 0]);
    assert_eq!(codes(&off, &said(None)), [""; 0]);
    let refused = Answer { answerable: Some(false), ..answer(&["d#right"]) };
    assert_eq!(codes(&question(), &refused), ["F-REFUSED"]);
    let run = Run::new(vec![
        judged(&off, &said(Some(true))),
        judged(&off, &said(Some(false))),
        judged(&question(), &answer(&["d#right"])),
        judged(&question(), &refused),
    ]);
    let answerable = run.summary.answerable.expect("the answers say");
    assert_eq!(
        (answerable.n, answerable.precision, answerable.recall, answerable.refused),
        (4, 0.5, 0.5, 0.5)
    );
    let lame = Answer { degraded: vec!["vector".to_owned()], ..answer(&["d#right"]) };
    let lame = Run::new(vec![judged(&question(), &lame)]);
    assert_eq!(lame.summary.degraded["vector"], 1);
    let silent = Run::new(vec![judged(&off, &said(None))]);
    assert_eq!(silent.summary.answerable, None);
}

#[test]
fn a_question_in_parts_needs_all_sections_among_the_first_five() {
    let parts = Question {
        expected: Expected::Sections(vec![id("d#right"), id("d#second")]),
        also: Some("how".to_owned()),
        ..question()
    };
    let mut answer = answer(&["a", "d#second", "b", "c", "d#right"]);
    answer.intent.also = vec!["how".to_owned()];
    let outcome = judged(&parts, &answer);
    assert_eq!((outcome.verdict, outcome.rank), (Verdict::Pass, Some(5)), "{outcome:?}");
    answer.intent.also.clear();
    answer.hits = Some(hits(&["d#right", "a", "b", "c", "d", "d#second"]));
    let outcome = judged(&parts, &answer);
    assert_eq!(outcome.codes(), [Code::Missing, Code::Intent]);
    assert!(outcome.findings[0].reason.starts_with("not among the first 5: `d#second`"));
    assert_eq!(outcome.findings[1].reason, "the second part's intent how was not seen");
    let run = Run::new(vec![outcome]);
    assert!(run.summary.in_parts.expect("one").share < f64::EPSILON);
    assert_eq!(run.summary.all.retrieval.n, 0, "ranks are of questions with one section");
}

#[test]
fn a_section_that_is_gone_fails_and_is_in_no_figure() {
    let gone = id("d#right");
    let outcome = orphan(&question(), &[&gone]);
    assert_eq!((outcome.verdict, outcome.codes()), (Verdict::Fail, vec![Code::UnknownSection]));
    assert_eq!(outcome.findings[0].reason, "not in the compendium: `d#right`");
    let run = Run::new(vec![outcome]);
    assert_eq!(
        (run.summary.all.n, run.summary.all.retrieval.n, run.summary.all.intent.n),
        (1, 0, 0)
    );
    assert!(run.has_failures());
}

#[test]
fn a_gap_that_fails_is_open_and_does_not_fail_the_run() {
    let gap = Question { id: "luecke".to_owned(), status: Status::Open, ..question() };
    let open = judged(&gap, &answer(&["d#a", "d#b"]));
    assert_eq!((open.verdict, open.ticket), (Verdict::Warn, Some(Ticket::Open)));
    assert!(open.findings.iter().any(|finding| finding.code == Code::Missing));
    let run = Run::new(vec![open]);
    assert!(!run.has_failures());
    assert_eq!(run.summary.all.n, 0, "what is still to be written is in no figure");
    let tickets = run.summary.tickets.as_ref().expect("a gap");
    assert_eq!((tickets.open.as_slice(), tickets.closed.len()), (&["luecke".to_owned()][..], 0));
    let text = crate::catalog::report::text(&run);
    assert!(text.contains("OPEN  luecke"), "{text}");
    assert!(text.contains("open, still to be written: luecke"), "{text}");
}

#[test]
fn in_every_report_the_numbers_add_up_to_all_questions_with_the_gaps() {
    let question = |id: &str, status, hits: &[&str]| {
        let question = Question { id: id.to_owned(), status, ..question() };
        judged(&question, &answer(hits))
    };
    let run = Run::new(vec![
        question("a", Status::Settled, &["d#right", "d#b"]),
        question("b", Status::Settled, &["d#right", "d#b"]),
        question("c", Status::Settled, &["d#b", "d#right"]),
        question("d", Status::Settled, &["d#a", "d#b"]),
        question("e", Status::Open, &["d#a", "d#b"]),
        question("f", Status::Open, &["d#a", "d#b"]),
        question("g", Status::Open, &["d#b", "d#right"]),
    ]);
    let summary = &run.summary;
    let verdicts: Vec<(Verdict, usize)> =
        summary.verdicts.iter().map(|(verdict, count)| (*verdict, *count)).collect();
    assert_eq!(verdicts, [(Verdict::Pass, 2), (Verdict::Warn, 1), (Verdict::Fail, 1)]);
    assert_eq!((summary.all.n, summary.questions()), (4, 7));
    assert_eq!(summary.codes.get(&Code::Missing), Some(&1), "those of gaps are no findings");
    let by_tier: usize = summary.by_tier.values().map(|figures| figures.n).sum();
    assert_eq!(by_tier, summary.all.n);

    let text = crate::catalog::report::text(&run);
    assert!(text.contains("7 questions: 2 PASS, 1 WARN, 1 FAIL, 2 OPEN, 1 CLOSED\n"), "{text}");
    for (label, count) in [("PASS", 2), ("WARN", 1), ("FAIL", 1), ("OPEN", 2), ("CLOSED", 1)] {
        let lines = text.lines().filter(|line| line.starts_with(&format!("{label}  ")));
        assert_eq!(lines.count(), count, "{label}");
        let page = crate::catalog::report::html(&run);
        assert!(page.contains(&format!("<li><b class=\"{label}\">{count}</b>")), "{label}");
        let rows = page.matches(&format!("<tr data-verdict=\"{label}\"")).count();
        assert_eq!(rows, count, "{label}");
        assert!(page.contains(&format!("<option value=\"{label}\">")), "{label}");
        assert!(page.contains("Alle 7 Fragen"));
    }
    let junit = crate::catalog::report::junit(&run);
    let head = r#"name="catalog" tests="7" failures="1" errors="0" skipped="2">"#;
    assert!(junit.contains(head), "{junit}");
    assert_eq!((junit.matches("<testcase ").count(), junit.matches("<skipped ").count()), (7, 2));
    assert_eq!(junit.matches("<failure ").count(), 1);
    assert!(junit.contains("closed: it passes now"), "{junit}");
}

#[test]
fn a_gap_that_passes_is_reported_as_closed() {
    let gap = Question { status: Status::Open, ..question() };
    let closed = judged(&gap, &answer(&["d#right", "d#b"]));
    assert_eq!(closed.ticket, Some(Ticket::Closed));
    let run = Run::new(vec![closed]);
    let text = crate::catalog::report::text(&run);
    assert!(text.contains("take away `status: open`"), "{text}");
    assert!(crate::catalog::report::html(&run).contains("Lücke, geschlossen"));
    assert!(serde_json::to_string(&run).expect("JSON").contains(r#""ticket":"closed""#));
}

#[test]
fn a_gap_without_a_section_is_closed_by_any_answer() {
    let gap = Question {
        status: Status::Open,
        expected: Expected::Answered,
        intent: None,
        group: None,
        ..question()
    };
    let with = |answerable| {
        let answer = Answer { answerable: Some(answerable), ..answer(&["d#a"]) };
        judged(&gap, &answer)
    };
    assert_eq!(with(false).ticket, Some(Ticket::Open));
    let closed = with(true);
    assert_eq!(closed.ticket, Some(Ticket::Closed));
    assert!(!closed.to_refuse());
}

#[test]
fn a_gap_that_readers_found_is_closed_by_an_answer_that_the_log_would_not_call_bad() {
    let with = |origin, status, confidence| {
        let expected = Expected::Answered;
        let gap = Question { status, expected, intent: None, group: None, origin, ..question() };
        let answer = Answer { answerable: Some(true), confidence, ..answer(&["d#a"]) };
        judged(&gap, &answer)
    };
    let live = |confidence| with(Origin::Live, Status::Open, confidence);
    let guess = live(Some(0.1));
    assert_eq!((guess.ticket, guess.findings[0].code), (Some(Ticket::Open), Code::Refused));
    assert!(guess.findings[0].reason.contains("0.10 only"), "{}", guess.findings[0].reason);
    assert_eq!(live(Some(super::UNSURE - 1e-9)).ticket, Some(Ticket::Open));
    assert_eq!(live(Some(super::UNSURE)).ticket, Some(Ticket::Closed));
    assert_eq!(live(None).ticket, Some(Ticket::Closed), "nobody says how sure the answer is");
    assert_eq!(with(Origin::Human, Status::Open, Some(0.1)).ticket, Some(Ticket::Closed));
    let settled = with(Origin::Live, Status::Settled, Some(0.1));
    assert_eq!(settled.verdict, Verdict::Fail, "what closed it guards it");
}
