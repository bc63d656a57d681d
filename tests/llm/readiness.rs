//! Loading, failing, returning: who waits, who asks, what is remembered and counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use wegweiser::intent::{Llm, LlmCounts, LlmError};

use crate::harness::{Asked, LIMIT, Server, Step, ask, cold, open, ready, reply, response, says};

const HOW: &str = r#"{"intent": "how"}"#;
const SOON: Duration = Duration::from_secs(8);

async fn not_ready(llm: &Llm, question: &str) {
    let started = Instant::now();
    let error = ask(llm, question).await.expect_err("the model is not ready");
    assert!(matches!(error, LlmError::NotReady { .. }), "{error}");
    assert!(started.elapsed() < LIMIT / 2, "nobody waits for a model that loads");
}

#[tokio::test]
async fn a_cold_start_is_waited_for_once_and_never_cancelled() {
    let server = Server::start(|asked: &Asked| {
        if asked.number > 1 {
            return says(HOW);
        }
        let load = Step::Pause(Duration::from_secs(2));
        [vec![load], says(HOW)].concat()
    })
    .await;
    let llm = cold(&server.url, LIMIT);
    llm.warm_up();
    llm.warm_up();
    for at in 0..20 {
        not_ready(&llm, &format!("Wie geht Schritt {at}?")).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(server.asked().len(), 1, "one probe loads the model");
    assert!(llm.until_ready(SOON).await);
    // The load was above the limit of a question, so that a second probe had to be faster.
    assert_eq!((server.asked().len(), server.questions()), (2, 0));
    assert_eq!(ask(&llm, "Wie geht Schritt 1?").await.expect("a label"), "how");
}

#[tokio::test]
async fn a_model_that_is_always_too_slow_costs_no_question_anything() {
    let server = Server::start(|_| {
        let thought = Step::Pause(LIMIT + Duration::from_millis(200));
        [vec![thought], says(HOW)].concat()
    })
    .await;
    let llm = cold(&server.url, LIMIT);
    assert!(!llm.until_ready(Duration::from_secs(3)).await);
    not_ready(&llm, "Wie geht das?").await;
    assert!(server.asked().len() >= 2 && server.questions() == 0, "only probes ask");
}

#[tokio::test]
async fn one_question_pays_for_a_failure_and_the_next_is_asked_after_the_return() {
    let broken = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&broken);
    let server = Server::start(move |_| {
        if switch.load(Ordering::SeqCst) {
            response("503 Service Unavailable", r#"{"error":"busy"}"#)
        } else {
            says(HOW)
        }
    })
    .await;
    let llm = cold(&server.url, LIMIT);
    assert!(llm.until_ready(SOON).await);
    assert_eq!(ask(&llm, "Wie geht Schritt 1?").await.expect("a label"), "how");
    broken.store(true, Ordering::SeqCst);
    let error = ask(&llm, "Wie geht Schritt 2?").await.expect_err("broken");
    assert!(matches!(error, LlmError::Failed { .. }), "{error}");
    for _ in 0..10 {
        not_ready(&llm, "Wie geht Schritt 2?").await;
    }
    assert_eq!(server.questions(), 2, "the others were not sent");
    assert_eq!(
        ask(&llm, "wie geht schritt 1").await.expect("remembered"),
        "how",
        "what is known needs no server"
    );
    broken.store(false, Ordering::SeqCst);
    assert!(llm.until_ready(SOON).await, "a probe notices the return");
    assert_eq!(ask(&llm, "Wie geht Schritt 2?").await.expect("no failure is remembered"), "how");
    assert_eq!(
        llm.counts(),
        LlmCounts {
            asked: 14,
            cached: 1,
            decided: 2,
            not_ready: 10,
            failed: 1,
            ..LlmCounts::default()
        }
    );
}

#[tokio::test]
async fn a_server_that_starts_later_is_found() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    drop(listener);
    let llm = cold(&format!("http://{address}"), LIMIT);
    not_ready(&llm, "Wie geht das?").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    not_ready(&llm, "Wie geht das?").await;
    let listener = TcpListener::bind(address).await.expect("the same port");
    let server = Server::on(listener, |_| says(HOW));
    assert!(llm.until_ready(SOON).await);
    assert_eq!(ask(&llm, "Wie geht das?").await.expect("a label"), "how");
    assert_eq!(server.questions(), 1);
}

#[tokio::test]
async fn answers_are_remembered_and_failures_are_not() {
    let (server, llm) = ready(says(r#"{"intent": "banane"}"#)).await;
    for _ in 0..2 {
        let error = ask(&llm, "Wie geht das?").await.expect_err("no label");
        assert!(matches!(error, LlmError::NoLabel { .. }), "{error}");
    }
    assert_eq!(server.questions(), 2, "an answer without a label is asked again, and at once");
    assert_eq!((llm.counts().no_label, llm.counts().asked), (2, 2));

    let (server, llm) = ready(says(HOW)).await;
    for same in ["Wie geht die Übung?", "wie geht die uebung", "WIE GEHT  DIE ÜBUNG?!"] {
        assert_eq!(ask(&llm, same).await.expect("a label"), "how");
    }
    assert_eq!(server.questions(), 1);
    ask(&llm, "Wie geht eine Übung?").await.expect("a label");
    assert_eq!(server.questions(), 2);
    let counts = llm.counts();
    assert_eq!((counts.asked, counts.cached, counts.decided), (4, 2, 2));
}

#[tokio::test]
async fn each_failure_is_counted_under_its_kind() {
    let count = async |steps: Vec<Step>| {
        let (_server, llm) = ready(steps).await;
        ask(&llm, "Wie geht das?").await.expect_err("a failure");
        llm.counts()
    };
    let one = LlmCounts { asked: 1, ..LlmCounts::default() };
    assert_eq!(count(response("404 Not Found", "")).await, LlmCounts { not_pulled: 1, ..one });
    assert_eq!(count(response("500 Oops", "")).await, LlmCounts { failed: 1, ..one });
    assert_eq!(count(vec![Step::Pause(SOON)]).await, LlmCounts { slow: 1, ..one });
    assert_eq!(count(says("")).await, LlmCounts { no_label: 1, ..one });
}

#[tokio::test]
async fn places_are_bounded_and_a_full_house_is_no_failure() {
    let (server, llm) =
        ready([vec![Step::Pause(LIMIT / 2)], vec![open(reply(HOW))]].concat()).await;
    let mut questions = tokio::task::JoinSet::new();
    for at in 0..20 {
        let llm = llm.clone();
        questions.spawn(async move { ask(&llm, &format!("Wie geht Schritt {at}?")).await });
    }
    let answers = questions.join_all().await;
    let decided = answers.iter().filter(|answer| answer.is_ok()).count();
    let busy = answers.iter().filter(|a| matches!(a, Err(LlmError::Busy(_)))).count();
    assert_eq!((decided, busy, server.questions()), (4, 16, 4));
    assert_eq!((llm.counts().decided, llm.counts().busy), (4, 16));
    assert_eq!(ask(&llm, "Wie geht es weiter?").await.expect("still ready"), "how");
}

#[tokio::test]
async fn a_question_that_is_given_up_frees_its_place() {
    let (server, llm) = ready(vec![Step::Pause(SOON)]).await;
    for at in 0..8 {
        let question = format!("Wie geht Schritt {at}?");
        let given_up = tokio::time::timeout(LIMIT / 4, ask(&llm, &question)).await;
        assert!(given_up.is_err(), "it was under way: {given_up:?}");
    }
    assert_eq!((server.questions(), llm.counts().asked), (8, 0));
}

#[tokio::test]
async fn probes_end_with_the_last_who_could_ask() {
    let server = Server::start(|_| response("503 Service Unavailable", "")).await;
    let llm = cold(&server.url, LIMIT);
    assert!(!llm.until_ready(Duration::from_millis(300)).await);
    drop(llm);
    let before = server.asked().len();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(server.asked().len(), before);
}

#[test]
fn a_probe_that_ended_with_its_runtime_is_started_again() {
    let runtime =
        || tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let lasting = runtime();
    let server = lasting.block_on(Server::start(|_| says(HOW)));
    let llm = cold(&server.url, LIMIT);
    runtime().block_on(async { llm.warm_up() });
    assert!(lasting.block_on(async { llm.until_ready(SOON).await }));
}
