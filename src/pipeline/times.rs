//! How long the stages of one answer took. Kept apart from the answer, which must not vary.

use std::time::{Duration, Instant};

/// Wall-clock time by stage, in the order in which the stages ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Times {
    started: Instant,
    last: Instant,
    stages: Vec<(&'static str, Duration)>,
}

impl Times {
    /// Starts the clock.
    pub(super) fn start() -> Self {
        let now = Instant::now();
        Self { started: now, last: now, stages: Vec::with_capacity(8) }
    }

    /// A stage ended now; it began where the one before ended.
    pub(super) fn stage(&mut self, name: &'static str) {
        let now = Instant::now();
        self.stages.push((name, now - self.last));
        self.last = now;
    }

    /// The stages with their durations.
    pub fn stages(&self) -> &[(&'static str, Duration)] {
        &self.stages
    }

    /// From the question to the end of the last stage.
    pub fn total(&self) -> Duration {
        self.last - self.started
    }

    /// From the question to now.
    pub fn since_start(&self) -> Duration {
        self.started.elapsed()
    }

    /// Value of the header `Server-Timing` (W3C), durations in milliseconds.
    pub fn server_timing(&self) -> String {
        let mut entries: Vec<String> =
            self.stages.iter().map(|(name, took)| format!("{name};dur={:.3}", ms(*took))).collect();
        entries.push(format!("total;dur={:.3}", ms(self.total())));
        entries.join(", ")
    }
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
