//! Work that takes longer than a request: one piece at a time, so that questions keep their cores.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use utoipa::ToSchema;

/// Where such work runs.
#[derive(Debug)]
pub(super) struct Background {
    runtime: OnceLock<Handle>,
    turn: Arc<Semaphore>,
}

/// How far a piece of work is; shared by who does it and who asks.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Whether it has its turn, or had it.
    begun: AtomicBool,
    done: AtomicUsize,
    total: AtomicUsize,
}

/// How far a piece of work is, as it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct ProgressBody {
    /// Whether other work is before it: a run of the catalog, or another report.
    waiting: bool,
    /// Questions asked so far.
    done: usize,
    /// Questions to ask; 0 while that is not known.
    total: usize,
}

impl Default for Background {
    fn default() -> Self {
        Self { runtime: OnceLock::new(), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl Background {
    /// Takes the runtime of this task: the threads that serve requests are not to be kept busy.
    pub(super) fn live_here(&self) {
        // Whoever came first has it.
        let _ = self.runtime.set(Handle::current());
    }

    /// Starts work that waits until all other work in turn is done; `progress` tells when it begins.
    pub(super) fn in_turn(
        &self,
        progress: &Arc<Progress>,
        work: impl Future<Output = ()> + Send + 'static,
    ) {
        let (turn, progress) = (Arc::clone(&self.turn), Arc::clone(progress));
        self.at_once(async move {
            let _turn = turn.acquire_owned().await.expect("the semaphore is never closed");
            progress.begun.store(true, Ordering::Relaxed);
            work.await;
        });
    }

    /// Starts short work.
    pub(super) fn at_once<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        match self.runtime.get() {
            Some(runtime) => runtime.spawn(work),
            // Nothing keeps this state in step: what serves was put in by hand.
            None => tokio::spawn(work),
        }
    }
}

impl Progress {
    pub(super) fn set(&self, done: usize, total: usize) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    pub(super) fn body(&self) -> ProgressBody {
        ProgressBody {
            waiting: !self.begun.load(Ordering::Relaxed),
            done: self.done.load(Ordering::Relaxed),
            total: self.total.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn one_piece_of_work_ends_before_the_next_begins() {
        let background = Background::default();
        let told = Arc::new(Mutex::new(Vec::new()));
        let (send, mut done) = tokio::sync::mpsc::unbounded_channel();
        for name in ["a", "b"] {
            let (told, send) = (Arc::clone(&told), send.clone());
            let progress = Arc::new(Progress::default());
            assert!(progress.body().waiting);
            background.in_turn(&Arc::clone(&progress), async move {
                assert!(!progress.body().waiting);
                told.lock().expect("sound").push(format!("{name} begins"));
                tokio::task::yield_now().await;
                told.lock().expect("sound").push(format!("{name} ends"));
                send.send(()).expect("heard");
            });
        }
        for _ in 0..2 {
            done.recv().await.expect("ended");
        }
        let told = told.lock().expect("sound").clone();
        assert_eq!(told, ["a begins", "a ends", "b begins", "b ends"]);
    }
}
