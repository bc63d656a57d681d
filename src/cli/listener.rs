//! Tells a person at a terminal how a build is getting on.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print;
use crate::pipeline::assemble::Listener;

/// Without a terminal a line is written at most this often.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A progress bar with rate and remaining time on a terminal, plain lines otherwise.
pub(super) struct Terminal {
    bar: Option<ProgressBar>,
    interactive: bool,
    started: Instant,
    last_line: Instant,
    /// Texts that were in the cache do not count for the rate.
    reason: Option<String>,
}

impl Terminal {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        let interactive = std::io::stderr().is_terminal();
        Self { bar: None, interactive, started: now, last_line: now, reason: None }
    }

    /// Why an index was built; `None` where there was one that fits.
    pub(super) fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }
}

impl Listener for Terminal {
    fn building(&mut self, why: &str) {
        print::note(&format!("building the index: {why}"));
        self.reason = Some(why.to_owned());
        self.started = Instant::now();
        self.last_line = self.started;
    }

    fn waiting(&mut self) {
        print::note("another process is building the index; waiting for it");
    }

    fn progress(&mut self, done: usize, total: usize) {
        self.done(("embedding", "embedded", "texts"), done, total);
    }

    fn reading(&mut self, done: usize, total: usize) {
        self.done(("reading", "the model read", "documents"), done, total);
    }
}

impl Terminal {
    /// `doing` and `did` are for the bar and for lines.
    fn done(&mut self, (doing, did, what): (&str, &str, &str), done: usize, total: usize) {
        if self.interactive {
            let bar = self.bar.get_or_insert_with(|| bar(doing, what, total));
            bar.set_position(done as u64);
            if done == total {
                bar.finish_and_clear();
                self.bar = None;
            }
        } else if self.last_line.elapsed() >= LINE_EVERY || done == total {
            let seconds = self.started.elapsed().as_secs_f64().max(0.001);
            let rate = done as f64 / seconds;
            let left = (total - done) as f64 / rate.max(0.001);
            let rate = if rate < 1.0 { format!("{rate:.2}") } else { format!("{rate:.0}") };
            print::note(&format!("{did} {done} of {total} {what}, {rate}/s, {left:.0} s left"));
            self.last_line = Instant::now();
        }
        if done == total {
            // What comes next has a rate of its own.
            self.started = Instant::now();
        }
    }
}

fn bar(doing: &str, what: &str, total: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!(
        "{doing} [{{bar:40}}] {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left"
    ))
    .expect("a constant template")
    .progress_chars("=> ");
    ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr())
        .with_style(style)
}
