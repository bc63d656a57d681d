//! Callers, and what they hear.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};

use crate::server::Folder;

/// Questions that are asked in turn.
const MOST_QUESTIONS: usize = 120;
/// Refused callers come again after this, far sooner than they are told to.
const AGAIN_AFTER: Duration = Duration::from_millis(100);
/// `/healthz` is asked this often, each time over a new connection.
const HEALTH_EVERY: Duration = Duration::from_millis(10);

/// A question with its answer.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) body: String,
    pub(crate) text: String,
    pub(crate) by_rule: bool,
    pub(crate) wanted: Wanted,
}

/// What an answer must be.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// This, or what was said in the other state of the files.
    Body(Arc<str>),
    /// Any answer of 200.
    Anything,
}

/// What callers heard.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) answered: Vec<Duration>,
    pub(crate) refused: Vec<Duration>,
    /// Questions whose place in the queue was too far behind.
    pub(crate) late: usize,
    pub(crate) health: Vec<Duration>,
    pub(crate) wrong: usize,
    pub(crate) example: String,
}

impl Heard {
    pub(crate) const HEAD: &str = "callers               answers  per s    p50 ms   p99 ms  refused   \
        p50 ms   p99 ms  healthz   p50 ms   p99 ms   late  wrong";

    /// The duration that so many percent are not above; zero of nothing.
    pub(crate) fn share(of: &mut [Duration], percent: usize) -> Duration {
        of.sort_unstable();
        let last = of.len().saturating_sub(1);
        of.get((of.len() * percent / 100).min(last)).copied().unwrap_or_default()
    }

    pub(crate) fn row(&mut self, name: &str) -> String {
        let mut ms = |of: fn(&mut Self) -> &mut Vec<Duration>, percent| {
            Self::share(of(self), percent).as_secs_f64() * 1e3
        };
        let searches = [ms(|of| &mut of.answered, 50), ms(|of| &mut of.answered, 99)];
        let refused = [ms(|of| &mut of.refused, 50), ms(|of| &mut of.refused, 99)];
        let health = [ms(|of| &mut of.health, 50), ms(|of| &mut of.health, 99)];
        format!(
            "{name:20} {:8} {:6.0} {:9.1} {:8.1} {:8} {:8.1} {:8.1} {:8} {:8.1} {:8.1} {:6} {:6}",
            self.answered.len(),
            self.answered.len() as f64 / crate::LASTS.as_secs_f64(),
            searches[0],
            searches[1],
            self.refused.len(),
            refused[0],
            refused[1],
            self.health.len(),
            health[0],
            health[1],
            self.late,
            self.wrong
        )
    }

    fn add(&mut self, other: Self) {
        self.answered.extend(other.answered);
        self.refused.extend(other.refused);
        self.health.extend(other.health);
        self.late += other.late;
        self.wrong += other.wrong;
        if self.example.is_empty() {
            self.example = other.example;
        }
    }

    fn miss(&mut self, what: &str) {
        self.wrong += 1;
        self.example = what.chars().take(300).collect();
    }
}

/// A server under load.
#[derive(Debug, Clone)]
pub(crate) struct Service {
    address: String,
    client: Client,
}

impl Service {
    pub(crate) fn new(address: &str) -> Self {
        // Shorter than the server keeps an idle connection: it may close one that is just used again.
        let idle = Duration::from_secs(3);
        let client = Client::builder().no_proxy().pool_idle_timeout(idle).build();
        let client = client.expect("a client");
        Self { address: address.to_owned(), client }
    }

    async fn post(&self, path: &str, body: String) -> reqwest::Result<(u16, String)> {
        let request = self.client.post(format!("{}{path}", self.address));
        let sent = request.header("content-type", "application/json").body(body).send().await?;
        let status = sent.status().as_u16();
        Ok((status, sent.text().await?))
    }

    /// Questions of the catalog with their answers.
    pub(crate) async fn questions(&self, catalog: &Path) -> Vec<Question> {
        let catalog = wegweiser::catalog::load(catalog).expect("the catalog of this repository");
        let step = (catalog.len() / MOST_QUESTIONS).max(1);
        let mut questions = Vec::new();
        for asked in catalog.iter().step_by(step) {
            let body = json!({ "question": asked.question }).to_string();
            let (status, text) = self.post("/v1/search", body.clone()).await.expect("an answer");
            assert_eq!(status, 200, "{text}");
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            // A question in parts may have one that no rule decides.
            let by_rule =
                answer["intent"]["source"] == "rule" && answer["trace"]["parts"].is_null();
            let wanted = Wanted::Body(text.into());
            questions.push(Question { body, text: asked.question.clone(), by_rule, wanted });
        }
        questions
    }

    /// What the questions are answered now, in their order.
    pub(crate) async fn answers(&self, questions: &[Question]) -> Vec<String> {
        let mut answers = Vec::new();
        for question in questions {
            let answer = self.post("/v1/search", question.body.clone()).await.expect("an answer");
            answers.push(answer.1);
        }
        answers
    }

    /// Waits until the language model decides.
    pub(crate) async fn until_model(&self, undecided: &[Question]) {
        for attempt in 0..200 {
            // Not one of the questions themselves: their answers are remembered.
            let question = format!("{} ({attempt})", undecided[0].text);
            let body = json!({ "question": question }).to_string();
            let answer = self.post("/v1/route", body).await.expect("an answer").1;
            if answer.contains(r#""source":"llm""#) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        panic!("the model is never asked");
    }

    /// Asks with so many callers at once, each one question after the other, and looks at `/healthz`. An
    /// answer must be the wanted one, or that in `other`.
    pub(crate) async fn load(
        &self,
        questions: &[Question],
        other: &[String],
        callers: usize,
        lasts: Duration,
    ) -> Heard {
        let (questions, other) = (Arc::<[Question]>::from(questions), Arc::<[String]>::from(other));
        let end = Instant::now() + lasts;
        let mut tasks = Vec::new();
        for caller in 0..callers {
            let (service, questions, other) =
                (self.clone(), Arc::clone(&questions), Arc::clone(&other));
            tasks.push(tokio::spawn(async move {
                service.calls(&questions, &other, caller, end).await
            }));
        }
        let service = self.clone();
        tasks.push(tokio::spawn(async move { service.looks(end).await }));
        let mut heard = Heard::default();
        for task in tasks {
            heard.add(task.await.expect("no panic"));
        }
        heard
    }

    async fn calls(
        &self,
        questions: &[Question],
        other: &[String],
        caller: usize,
        end: Instant,
    ) -> Heard {
        let mut heard = Heard::default();
        let mut at = caller * 7;
        while Instant::now() < end {
            let of = at % questions.len();
            at += 1;
            let question = &questions[of];
            let started = Instant::now();
            match self.post("/v1/search", question.body.clone()).await {
                Ok((200, text)) => {
                    heard.answered.push(started.elapsed());
                    if let Wanted::Body(wanted) = &question.wanted
                        && text != **wanted
                        && other.get(of) != Some(&text)
                    {
                        heard.miss(&format!("a mixed answer: {text}"));
                    }
                }
                Ok((503, text)) if text.contains(r#""code":"busy""#) => {
                    heard.refused.push(started.elapsed());
                    tokio::time::sleep(AGAIN_AFTER).await;
                }
                Ok((503, text)) if text.contains(r#""code":"too_slow""#) => heard.late += 1,
                Ok((status, text)) => heard.miss(&format!("{status}: {text}")),
                Err(error) => heard.miss(&format!("{error:?}")),
            }
        }
        heard
    }

    async fn looks(&self, end: Instant) -> Heard {
        let mut heard = Heard::default();
        while Instant::now() < end {
            let client = Client::builder().no_proxy().build().expect("a client");
            let started = Instant::now();
            match client.get(format!("{}/healthz", self.address)).send().await {
                Ok(reply) if reply.status() == 200 => heard.health.push(started.elapsed()),
                other => heard.miss(&format!("/healthz: {other:?}")),
            }
            tokio::time::sleep(HEALTH_EVERY).await;
        }
        heard
    }

    /// Asks why a section is not the first, which tries changes of the files in memory.
    pub(crate) async fn explaining(&self, questions: &[Question], callers: usize, lasts: Duration) {
        let end = Instant::now() + lasts;
        let section = "wirkung-und-entwicklung#nutzen-des-verteilten-lernens";
        let mut tasks = Vec::new();
        for caller in 0..callers {
            let (service, questions) = (self.clone(), questions.to_vec());
            tasks.push(tokio::spawn(async move {
                for question in questions.iter().cycle().skip(caller * 11) {
                    if Instant::now() >= end {
                        return;
                    }
                    let body = json!({"question": question.text, "section": section}).to_string();
                    let (status, text) =
                        service.post("/v1/explain", body).await.expect("an answer");
                    assert!(status == 200 || status == 503, "{status}: {text}");
                }
            }));
        }
        for task in tasks {
            task.await.expect("no panic");
        }
    }

    pub(crate) async fn reload(&self) {
        let (status, text) = self.post("/v1/reload", String::new()).await.expect("an answer");
        assert_eq!(status, 200, "{text}");
    }

    /// Changes a file to and fro and reloads; says how often.
    pub(crate) async fn reloading(&self, folder: &Folder, lasts: Duration) -> usize {
        let end = Instant::now() + lasts;
        let mut reloads = 0;
        while Instant::now() < end {
            reloads += 1;
            folder.change(reloads % 2);
            self.reload().await;
        }
        folder.change(0);
        self.reload().await;
        reloads
    }
}
