//! A real model, where `WEGWEISER_OLLAMA_URL` names one; `WEGWEISER_OLLAMA_MODEL` is llama3 else.
//!
//! `WEGWEISER_OLLAMA_URL=http://127.0.0.1:11434 cargo test --test llm live -- --nocapture`

use std::time::{Duration, Instant};

use wegweiser::intent::{Intents, Llm, LlmOptions};

use crate::harness::ask;

/// None of them is in the prompt; two intents have a second question, `unknown` has four.
const QUESTIONS: [(&str, &str); 20] = [
    ("Was ist eigentlich ein Kartoffelkäfer?", "definition"),
    ("Aus welchem Grund färben sich Blätter im Herbst?", "why"),
    ("Wie kommt es, dass Honig nicht verdirbt?", "why"),
    ("Welchen Nutzen hat eine Hecke im Garten?", "benefit"),
    ("Wie wechsle ich einen Fahrradschlauch?", "how"),
    ("In welchem Jahr wurde das Telefon erfunden?", "when"),
    ("Wer hat die Glühbirne erfunden?", "who"),
    ("Wo wächst Pfeffer?", "where"),
    ("Welche Arten von Schrauben gibt es?", "which_list"),
    ("Was ist besser, Gas oder Strom?", "compare"),
    ("Was geschieht, wenn man zu spät kündigt?", "condition"),
    ("Braucht man für Drohnen einen Führerschein?", "yes_no"),
    ("Mein Rechner startet nicht mehr, was nun?", "troubleshoot"),
    ("Wie viele Tage Urlaub stehen mir zu?", "quantity"),
    ("was kostet ein reisepass", "quantity"),
    ("Wie könnte eine Einladung zum Sommerfest aussehen?", "example"),
    ("Guten Morgen!", "unknown"),
    ("Danke, das war nett von dir.", "unknown"),
    ("What time is it in Tokyo?", "unknown"),
    ("jklö jklö", "unknown"),
];

#[tokio::test]
async fn a_real_model_classifies_twenty_questions() {
    let setting = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let Some(url) = setting("WEGWEISER_OLLAMA_URL") else {
        println!("skipped: WEGWEISER_OLLAMA_URL names no server");
        return;
    };
    let model = setting("WEGWEISER_OLLAMA_MODEL").unwrap_or_else(|| "llama3".to_owned());
    let intents = include_str!("../../rules/intents.yaml");
    let intents = Intents::load("intents.yaml", intents).expect("the shipped intents");
    // Without the limit of the service: latency is measured here, not met.
    let options = LlmOptions { url, model, time_limit: Duration::from_mins(1), at_once: 1 };
    let prompt = include_str!("../../rules/intent_prompt.md");
    let llm = Llm::new(options, prompt, &intents).expect("an address");
    assert!(llm.until_ready(Duration::from_mins(5)).await, "{} is not ready", llm.describe());

    let (mut right, mut times) = (0, Vec::new());
    for (question, label) in QUESTIONS {
        let started = Instant::now();
        let answer = ask(&llm, question).await;
        times.push(started.elapsed());
        match answer {
            Ok(intent) if intent == label => right += 1,
            Ok(intent) => println!("{intent} instead of {label}: {question}"),
            Err(error) => println!("{error}: {question}"),
        }
    }
    times.sort_unstable();
    println!(
        "{}: {right} of {} right; median {} ms, slowest {} ms",
        llm.describe(),
        QUESTIONS.len(),
        times[times.len() / 2].as_millis(),
        times[times.len() - 1].as_millis()
    );
    assert!(llm.counts().failed + llm.counts().slow == 0, "{:?}", llm.counts());
}
