//! How many questions are worked on at once; the others wait in the order in which they came.
//!
//! A question that waits a moment is better served than one that is turned away, as long as the
//! queue is bounded. Whoever gives up leaves the queue: a place belongs to the future that waits.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::error::ApiError;

/// Questions that may wait; the next one is told at once to come back.
const MOST_WAITING: usize = 256;
/// Longest wait: what clients usually wait for an answer.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Questions beyond those that the cores are busy with: so many may wait for llama3, and those that a
/// rule decides must not stand behind them.
const WAITING_FOR_LLM: usize = 4;

#[derive(Debug)]
pub(super) struct Admission {
    places: Semaphore,
    all: usize,
    waiting: AtomicUsize,
    longest_wait: Duration,
}

impl Default for Admission {
    /// Two questions for each core: one computes while the other reads and writes.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new(2 * cores + WAITING_FOR_LLM, LONGEST_WAIT)
    }
}

impl Admission {
    fn new(all: usize, longest_wait: Duration) -> Self {
        Self { places: Semaphore::new(all), all, waiting: AtomicUsize::new(0), longest_wait }
    }

    /// Waits for a place; it is given back when dropped.
    pub(super) async fn enter(&self) -> Result<SemaphorePermit<'_>, ApiError> {
        if let Ok(place) = self.places.try_acquire() {
            return Ok(place);
        }
        let turn = Turn::take(&self.waiting);
        if turn.ahead >= MOST_WAITING {
            return Err(ApiError::Busy);
        }
        match tokio::time::timeout(self.longest_wait, self.places.acquire()).await {
            Ok(place) => Ok(place.expect("the semaphore is never closed")),
            Err(_) => Err(ApiError::Busy),
        }
    }

    /// Questions that wait now.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Questions that are worked on now.
    pub(super) fn running(&self) -> usize {
        self.all - self.places.available_permits()
    }
}

/// A turn in the queue, given back when the wait ends in any way.
struct Turn<'a> {
    waiting: &'a AtomicUsize,
    ahead: usize,
}

impl<'a> Turn<'a> {
    fn take(waiting: &'a AtomicUsize) -> Self {
        Self { waiting, ahead: waiting.fetch_add(1, Ordering::AcqRel) }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn the_queue_is_fair_and_bounded_and_whoever_gives_up_leaves_it() {
        let admission = Arc::new(Admission::new(1, LONGEST_WAIT));
        let first = admission.enter().await.expect("free");
        let mut waiting = Vec::new();
        let (told, mut order) = tokio::sync::mpsc::unbounded_channel();
        for at in 0..MOST_WAITING {
            let (admission, told) = (Arc::clone(&admission), told.clone());
            waiting.push(tokio::spawn(async move {
                let _place = admission.enter().await.expect("it waits its turn");
                told.send(at).expect("heard");
            }));
            tokio::task::yield_now().await;
        }
        assert_eq!((admission.waiting(), admission.running()), (MOST_WAITING, 1));
        assert!(matches!(admission.enter().await, Err(ApiError::Busy)));
        waiting[0].abort();
        while admission.waiting() == MOST_WAITING {
            tokio::task::yield_now().await;
        }
        drop(first);
        for at in 1..MOST_WAITING {
            assert_eq!(order.recv().await, Some(at), "first come, first served");
        }
        assert_eq!((admission.waiting(), admission.running()), (0, 0));
    }

    #[tokio::test]
    async fn nobody_waits_longer_than_the_limit() {
        let admission = Admission::new(1, Duration::from_millis(20));
        let _place = admission.enter().await.expect("free");
        assert!(matches!(admission.enter().await, Err(ApiError::Busy)));
        assert_eq!(admission.waiting(), 0);
    }
}
