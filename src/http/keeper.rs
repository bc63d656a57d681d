//! Keeps what serves in step with the files: loads them first, watches them, loads them on request.
//!
//! New files are read, checked and built aside; then everything is swapped at once. A question that
//! is under way ends with what it began with. Where the new files have problems, the old state goes
//! on serving, and the log, `/readyz` and `/metrics` say so.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::State;
use super::state::Readiness;
use super::watch::{Fingerprint, Stamp};
use crate::access::{Action, Audiences};
use crate::catalog::{self, Question};
use crate::config::Config;
use crate::domain::{Place, Problem, chain};
use crate::embedding::EmbedError;
use crate::eval::DatasetError;
use crate::pipeline::Views;
use crate::pipeline::assemble::{AssembleError, Assembly, Listener, Models};

/// Files are looked at this often at most; a change is loaded once two looks agree.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// After a look so many times its own duration passes before the next: with very many files on a slow
/// disk, looking must not be all that is done.
const LOOKING_SHARE: u32 = 20;
/// Problems that are logged; `/readyz` has all.
const MOST_LOGGED: usize = 20;

/// The task that keeps a [`State`] up to date.
#[derive(Debug)]
pub struct Keeper {
    config: Config,
    state: Arc<State>,
    models: Option<Models>,
    /// Identity of the files that serve.
    serving: Option<String>,
}

impl Keeper {
    /// A keeper of this state under these settings.
    pub fn new(config: Config, state: Arc<State>) -> Self {
        Self { config, state, models: None, serving: None }
    }

    /// Loads everything, then keeps it in step until it is dropped.
    ///
    /// # Errors
    /// The first load fails: nothing can be answered.
    pub async fn run(mut self) -> Result<Infallible, AssembleError> {
        self.state.background.live_here();
        let asked = self.state.asked();
        // Looked at before they are read: what changes meanwhile is noticed.
        let mut keys = Stamp::of(&self.config.service.keys);
        let mut seen = self.look().await;
        if let Err(problems) = self.state.gate().refresh(&self.config.service.keys) {
            self.tell(problems.into_list());
        }
        self.load(true).await?;
        let views = self.state.views();
        let sections = views.map_or(0, |views| views.whole().section_count());
        tracing::info!(sections, "ready");
        let Some(mut asked) = asked else { return std::future::pending().await };
        let mut changed = None;
        let mut next_look = Instant::now();
        loop {
            tokio::select! {
                reload = asked.recv() => {
                    let Some(reload) = reload else { return std::future::pending().await };
                    seen = self.look().await;
                    let outcome = self.reload(&reload.by).await;
                    // Whoever asked may be gone.
                    let _ = reload.done.send(outcome);
                }
                () = tokio::time::sleep(LOOK_EVERY) => {
                    // A key that was revoked must not wait for anything else.
                    let keys_now = Stamp::of(&self.config.service.keys);
                    if keys != keys_now {
                        keys = keys_now;
                        if !self.refresh_keys() {
                            let _ = self.reload("watch").await;
                        }
                    }
                    if !self.config.service.watch || Instant::now() < next_look {
                        continue;
                    }
                    let started = Instant::now();
                    let now = self.look().await;
                    next_look = Instant::now() + started.elapsed() * LOOKING_SHARE;
                    if now == seen {
                        changed = None;
                    } else if changed.as_ref() == Some(&now) {
                        seen = now;
                        changed = None;
                        // The reason is told where it is found.
                        let _ = self.reload("watch").await;
                    } else {
                        changed = Some(now);
                    }
                }
            }
        }
    }

    /// Takes new keys at once; says whether that is all that is to be done.
    fn refresh_keys(&self) -> bool {
        if let Err(problems) = self.state.gate().refresh(&self.config.service.keys) {
            self.tell(problems.into_list());
            return true;
        }
        tracing::info!("the keys were read again");
        let views = self.state.views();
        let known = |audiences| views.as_ref().is_some_and(|views| views.of(audiences).is_some());
        self.state.gate().audiences().iter().all(known)
    }

    async fn reload(&mut self, by: &str) -> Result<usize, Vec<Problem>> {
        let started = Instant::now();
        let keys = self.state.gate().refresh(&self.config.service.keys);
        let loaded = match keys {
            Ok(()) => self.load(false).await.map_err(problems),
            Err(found) => Err(found.into_list()),
        };
        let action = match &loaded {
            Ok(sections) => Action::Reloaded { sections: *sections },
            Err(found) => Action::ReloadFailed { problems: found.len() },
        };
        self.state.note_action(by, action);
        self.state.metrics.reloaded(loaded.as_ref().map_or_else(Vec::len, |_| 0));
        match &loaded {
            Ok(sections) => {
                let duration_ms = started.elapsed().as_secs_f64() * 1e3;
                tracing::info!(sections, duration_ms, by, "the files were read again and serve");
            }
            Err(found) => self.tell(found.clone()),
        }
        loaded
    }

    /// Reads the files and swaps them in.
    async fn load(&mut self, is_first: bool) -> Result<usize, AssembleError> {
        let assembly = Assembly::prepare_with(&self.config, self.models.as_ref()).await?;
        for notice in assembly.sources().compendium.notices.iter().filter(|_| is_first) {
            tracing::warn!("{notice}");
        }
        self.models = Some(assembly.models().clone());
        let wanted = self.state.gate().audiences();
        let identity = assembly.sources().identity();
        if let Some(sections) = self.unchanged(&identity, &wanted) {
            self.load_catalog();
            return Ok(sections);
        }
        let (config, state) = (self.config.clone(), Arc::clone(&self.state));
        let built = tokio::task::spawn_blocking(move || {
            Views::build(&assembly, &config, &wanted, &mut Progress { state, is_first })
        });
        let views = built.await.map_err(EmbedError::Task)??;
        if let (Some(llm), Some(ollama), false) =
            (views.whole().llm(), &self.config.ollama, is_first)
        {
            llm.until_ready(ollama.time_limit).await;
        }
        let sections = views.whole().section_count();
        self.state.serve(views);
        self.serving = Some(identity);
        self.load_catalog();
        Ok(sections)
    }

    /// How many sections serve, where these files are those that they are made of and everybody has his
    /// view: then nothing is swapped, and what was made of them (a report takes long) stays.
    fn unchanged(&self, identity: &str, wanted: &[Audiences]) -> Option<usize> {
        self.serving.as_ref().filter(|serving| *serving == identity)?;
        let views = self.state.views()?;
        let complete = wanted.iter().all(|audiences| views.of(audiences).is_some());
        complete.then(|| views.whole().section_count())
    }

    fn load_catalog(&self) {
        let (questions, problems) = read_catalog(&self.config.catalog);
        // Questions of a catalog with problems stay as they were.
        if let Some(questions) = questions {
            self.state.ask_about(questions);
        }
        self.state.note_problems(problems);
    }

    fn tell(&self, found: Vec<Problem>) {
        for problem in found.iter().take(MOST_LOGGED) {
            tracing::error!("the old state goes on serving: {problem}");
        }
        self.state.note_problems(found);
    }

    async fn look(&self) -> Fingerprint {
        let config = self.config.clone();
        let look = tokio::task::spawn_blocking(move || Fingerprint::of(Assembly::folders(&config)));
        look.await.unwrap_or_default()
    }
}

/// Questions of the catalog do not serve; a wrong file there is told and stops nothing.
fn read_catalog(folder: &Path) -> (Option<Vec<Question>>, Vec<Problem>) {
    if !folder.is_dir() {
        return (Some(Vec::new()), Vec::new());
    }
    match catalog::load(folder) {
        Ok(questions) => (Some(questions), Vec::new()),
        Err(DatasetError::Problems(problems)) => (None, problems.into_list()),
        Err(error) => (None, vec![failed(folder.display().to_string(), &error)]),
    }
}

fn problems(error: AssembleError) -> Vec<Problem> {
    if let AssembleError::Problems(problems) = error {
        problems.into_list()
    } else {
        vec![failed("index".to_owned(), &error)]
    }
}

fn failed(what: String, error: &dyn std::error::Error) -> Problem {
    Problem {
        place: Place::start_of(what),
        code: "reload-failed",
        message: chain(error),
        mend: "mend the cause and reload".to_owned(),
    }
}

/// Writes into the state that `/readyz` shows, and into the log at every tenth.
struct Progress {
    state: Arc<State>,
    is_first: bool,
}

impl Listener for Progress {
    fn building(&mut self, why: &str) {
        tracing::info!("building the index: {why}");
    }

    fn waiting(&mut self) {
        tracing::info!("another process is building the index; waiting for it");
    }

    fn progress(&mut self, done: usize, total: usize) {
        if self.is_first {
            self.state.report(Readiness::Building { done, total });
        }
        if done * 10 / total.max(1) != done.saturating_sub(1) * 10 / total.max(1) {
            tracing::info!(done, total, "embedding");
        }
    }

    fn reading(&mut self, done: usize, total: usize) {
        if self.is_first {
            self.state.report(Readiness::Building { done, total });
        }
        if done * 10 / total.max(1) != done.saturating_sub(1) * 10 / total.max(1) {
            tracing::info!(done, total, "the model reads documents");
        }
    }
}
