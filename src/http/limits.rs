//! How much at once, and how long.

use std::time::Duration;

use crate::queue::Queue;

/// Limits of requests; the defaults are those that `docs/api.md` tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Questions that are worked on at the same time; at least 1.
    pub at_once: usize,
    /// Questions that may wait for a place; the next one is told at once to come back.
    pub waiting: usize,
    /// Longest wait for a place.
    pub wait: Duration,
    /// Longest time for an answer, from the moment a question has its place.
    pub answer: Duration,
    /// Longest time for saying why a section is not the first hit.
    pub trial: Duration,
    /// Longest time in which a body may arrive.
    pub body: Duration,
}

/// Questions beyond those that the cores are busy with: so many may wait for llama3, and those that a
/// rule decides must not stand behind them.
const WAITING_FOR_LLM: usize = 4;

impl Default for Limits {
    /// Two questions for each core: one computes while the other reads and writes. Clients usually wait
    /// half a minute; an answer takes that long only where a remote model hangs. Saying why tries each
    /// change on a keyword index of its own, dozens in turn: seconds, on a busy machine a minute.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            at_once: 2 * cores + WAITING_FOR_LLM,
            waiting: 256,
            wait: Duration::from_secs(30),
            answer: Duration::from_secs(30),
            trial: Duration::from_mins(2),
            body: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// The queue in which questions wait.
    pub(super) fn queue(&self) -> Queue {
        Queue::new(self.at_once, self.waiting, self.wait)
    }
}
