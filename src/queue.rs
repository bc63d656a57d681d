//! A bounded queue for places of which there are few.
//!
//! Whoever waits a moment is better served than one who is turned away, as long as the queue is
//! bounded. Whoever gives up leaves it: a turn belongs to the future that waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Some places, and a queue before them in which the first to come is the first to be served.
#[derive(Debug)]
pub struct Queue {
    places: Arc<Semaphore>,
    all: usize,
    waiting: AtomicUsize,
    most_waiting: usize,
    longest_wait: Duration,
}

/// A place that was taken; it is given back when dropped.
pub type Place = OwnedSemaphorePermit;

/// Why there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoPlace {
    /// All places are taken, and as many wait as may.
    #[error("all places are taken, and too many wait")]
    Full,
    /// No place became free in time.
    #[error("no place became free in time")]
    Late,
}

impl Queue {
    /// `all` places, at least one, for which `most_waiting` may wait, each at most `longest_wait`.
    pub fn new(all: usize, most_waiting: usize, longest_wait: Duration) -> Self {
        let all = all.max(1);
        let places = Arc::new(Semaphore::new(all));
        Self { places, all, waiting: AtomicUsize::new(0), most_waiting, longest_wait }
    }

    /// Waits for a place.
    ///
    /// # Errors
    /// See [`NoPlace`]; a full queue is told at once.
    pub async fn enter(&self) -> Result<Place, NoPlace> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(place);
        }
        let turn = Turn::take(&self.waiting);
        if turn.ahead >= self.most_waiting {
            return Err(NoPlace::Full);
        }
        let place = Arc::clone(&self.places).acquire_owned();
        match tokio::time::timeout(self.longest_wait, place).await {
            Ok(place) => Ok(place.expect("the semaphore is never closed")),
            Err(_) => Err(NoPlace::Late),
        }
    }

    /// How many wait now.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// How many places are taken now.
    pub fn taken(&self) -> usize {
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
    use super::*;

    const MOST_WAITING: usize = 100;
    const LONGEST_WAIT: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn the_queue_is_fair_and_bounded_and_whoever_gives_up_leaves_it() {
        let queue = Arc::new(Queue::new(1, MOST_WAITING, LONGEST_WAIT));
        let first = queue.enter().await.expect("free");
        let mut waiting = Vec::new();
        let (told, mut order) = tokio::sync::mpsc::unbounded_channel();
        for at in 0..MOST_WAITING {
            let (queue, told) = (Arc::clone(&queue), told.clone());
            waiting.push(tokio::spawn(async move {
                let _place = queue.enter().await.expect("it waits its turn");
                told.send(at).expect("heard");
            }));
            tokio::task::yield_now().await;
        }
        assert_eq!((queue.waiting(), queue.taken()), (MOST_WAITING, 1));
        assert_eq!(queue.enter().await.map(drop), Err(NoPlace::Full));
        waiting[0].abort();
        while queue.waiting() == MOST_WAITING {
            tokio::task::yield_now().await;
        }
        drop(first);
        for at in 1..MOST_WAITING {
            assert_eq!(order.recv().await, Some(at), "first come, first served");
        }
        for task in waiting {
            let _ = task.await;
        }
        assert_eq!((queue.waiting(), queue.taken()), (0, 0));
    }

    #[tokio::test]
    async fn nobody_waits_longer_than_the_limit() {
        let queue = Queue::new(1, MOST_WAITING, Duration::from_millis(20));
        let _place = queue.enter().await.expect("free");
        assert_eq!(queue.enter().await.map(drop), Err(NoPlace::Late));
        assert_eq!(queue.waiting(), 0);
    }
}
