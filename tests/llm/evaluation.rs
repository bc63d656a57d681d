//! Figures of llama3 beside those of rules and classifier.

use wegweiser::config::Ollama;
use wegweiser::eval::intent::{LabelledIntent, evaluate};
use wegweiser::pipeline::assemble::{Assembly, Listener};

use crate::harness::{Asked, LIMIT, Server, response, says};
use crate::http::settings;

struct Silent;

impl Listener for Silent {
    fn building(&mut self, _why: &str) {}
    fn waiting(&mut self) {}
    fn progress(&mut self, _done: usize, _total: usize) {}
}

fn labelled(question: &str, intent: &str) -> LabelledIntent {
    let (question, intent) = (question.to_owned(), intent.to_owned());
    LabelledIntent { question, intent, acceptable: Vec::new() }
}

#[tokio::test]
async fn the_model_is_asked_each_question_once_and_judged_alone() {
    let ollama = Server::start(|asked: &Asked| {
        match asked.request["messages"][1]["content"].as_str().unwrap_or_default() {
            "Frage: Was ist Interleaving?" => says(r#"{"intent": "definition"}"#),
            "Frage: Karteikasten Aufbau Reihenfolge" => says(r#"{"intent": "how"}"#),
            "Frage: Regen im Herbst" => says(r#"{"intent": "unknown"}"#),
            "Frage: Zettel im Keller, ein Jammer" => response("500 Oops", ""),
            _ => says(r#"{"intent": "why"}"#),
        }
    })
    .await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = settings(folder.path());
    config.ollama = Some(Ollama {
        url: ollama.url.clone(),
        model: "llama3".to_owned(),
        time_limit: LIMIT,
        answer_time_limit: LIMIT,
    });
    let assembly = Assembly::prepare(&config).await.expect("files without problems");
    let index = assembly.index(&mut Silent).expect("an index");
    let pipeline = assembly.pipeline(&config, index);
    let questions = [
        labelled("Was ist Interleaving?", "definition"),
        labelled("Karteikasten Aufbau Reihenfolge", "how"),
        labelled("Regen im Herbst", "unknown"),
        labelled("Zettel im Keller, ein Jammer", "unknown"),
        labelled("Lampe kaputt im Flur", "troubleshoot"),
    ];
    let report = evaluate(&pipeline, &questions, |_| ()).await.expect("a report");
    let llm = report.llm.expect("llama3 is configured");
    assert_eq!((llm.n, llm.decided), (5, 4));
    assert!((llm.strict - 0.6).abs() < 1e-9, "{llm:?}");
    assert_eq!(ollama.questions(), 5, "the pipeline hears what was said before");
    let counts = pipeline.llm().expect("llama3 is configured").counts();
    assert_eq!((counts.decided, counts.failed), (4, 1));
}
