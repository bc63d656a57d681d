//! Far more callers than a server has places for: how long searches, refusals and `/healthz` take, also
//! while files are read again and while the language model is slow.
//!
//! `cargo bench --bench load` starts the release binary over the demo compendium, in a folder of its own;
//! `cargo bench --bench load -- FILE` another binary. It takes two minutes, a minute more where `data/cache` has no
//! embeddings yet. Callers run on the same machine and take cores from the server. Exit code 1: a bar was
//! missed, or an answer was wrong.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod callers;
mod server;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use callers::{Heard, Question, Service, Wanted};
use server::{Running, slow_model};

/// How long each kind of load lasts.
const LASTS: Duration = Duration::from_secs(10);
/// Bars: refusals, and `/healthz`.
const REFUSED_P99: Duration = Duration::from_millis(50);
const HEALTH_P99: Duration = Duration::from_millis(200);

#[tokio::main]
async fn main() -> ExitCode {
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let binary = named.unwrap_or_else(|| env!("CARGO_BIN_EXE_wegweiser").to_owned());
    let mut folder = Running::folder();
    let server = Running::start(PathBuf::from(&binary), &mut folder, &[]);
    let service = Service::new(&server.address);
    let questions = service.questions(&folder.catalog).await;
    let (decided, undecided): (Vec<_>, Vec<_>) =
        questions.into_iter().partition(|question| question.by_rule);
    println!("{} questions decided by rules, {} not", decided.len(), undecided.len());
    println!("{}", Heard::HEAD);
    let all: Vec<Question> = decided.iter().chain(&undecided).cloned().collect();

    let mut heard = Vec::new();
    let quiet = service.load(&all, &[], 1, LASTS).await;
    heard.push(("one caller", quiet));
    heard.push(("64 callers", service.load(&all, &[], 64, LASTS).await));
    heard.push(("400 callers", service.load(&all, &[], 400, LASTS).await));
    heard.push(("64 ask, 4 explain", {
        let explaining = service.explaining(&decided, 4, LASTS);
        let (heard, ()) = tokio::join!(service.load(&all, &[], 64, LASTS), explaining);
        heard
    }));
    let other = {
        folder.change(1);
        service.reload().await;
        let texts = service.answers(&all).await;
        folder.change(0);
        service.reload().await;
        texts
    };
    heard.push(("64, files change", {
        let reloading = service.reloading(&folder, LASTS);
        let (heard, reloads) = tokio::join!(service.load(&all, &other, 64, LASTS), reloading);
        println!("{reloads} reloads meanwhile");
        heard
    }));
    drop(server);

    let model = slow_model(Duration::from_millis(1_200));
    let server = Running::start(PathBuf::from(&binary), &mut folder, &["--ollama-url", &model]);
    let service = Service::new(&server.address);
    service.until_model(&undecided).await;
    // The model decides otherwise than the classifier.
    let undecided: Vec<Question> = undecided
        .into_iter()
        .map(|question| Question { wanted: Wanted::Anything, ..question })
        .collect();
    heard.push(("32 of 64, slow model", {
        let others = service.load(&undecided, &[], 32, LASTS);
        let (heard, _) = tokio::join!(service.load(&decided, &[], 32, LASTS), others);
        heard
    }));
    drop(server);

    for (name, heard) in &mut heard {
        println!("{}", heard.row(name));
    }
    let mut missed = false;
    for (name, heard) in &mut heard {
        let (refused, health) =
            (Heard::share(&mut heard.refused, 99), Heard::share(&mut heard.health, 99));
        for (what, took, bar) in
            [("refusals", refused, REFUSED_P99), ("/healthz", health, HEALTH_P99)]
        {
            if took > bar {
                println!("MISSED, {name}: p99 of {what} is {took:?}, the bar is {bar:?}");
                missed = true;
            }
        }
        if heard.wrong > 0 {
            println!("WRONG, {name}: {} answers, for example: {}", heard.wrong, heard.example);
            missed = true;
        }
    }
    if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
