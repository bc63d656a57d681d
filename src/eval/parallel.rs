//! Questions side by side through the pipeline, outcomes in their order.

use std::future::Future;
use std::time::Duration;

use tokio::task::JoinSet;

use crate::pipeline::PipelineError;

/// How long a question waits before it asks again for a place of the embedding model.
const AGAIN: Duration = Duration::from_millis(20);

/// Runs `ask` for every item, as many at once as keep the cores busy; `progress` hears how many are
/// done. The outcomes stand in the order of the items, whichever came first.
///
/// A service refuses a question when all places of the embedding model are taken; a measurement asks
/// again, since only its own questions take them.
///
/// # Errors
/// The first failure; the others are called off.
pub(crate) async fn ask_all<Item, Outcome, Asking>(
    items: impl IntoIterator<Item = Item>,
    ask: impl Fn(Item) -> Asking,
    progress: impl FnMut(usize),
) -> Result<Vec<Outcome>, PipelineError>
where
    Item: Clone,
    Outcome: Send + 'static,
    Asking: Future<Output = Result<Outcome, PipelineError>> + Send + 'static,
{
    let at_once = std::thread::available_parallelism().map_or(1, usize::from) * 2;
    ask_some(at_once, items, ask, progress).await
}

async fn ask_some<Item, Outcome, Asking>(
    at_once: usize,
    items: impl IntoIterator<Item = Item>,
    ask: impl Fn(Item) -> Asking,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Outcome>, PipelineError>
where
    Item: Clone,
    Outcome: Send + 'static,
    Asking: Future<Output = Result<Outcome, PipelineError>> + Send + 'static,
{
    let items: Vec<Item> = items.into_iter().collect();
    let mut running: JoinSet<(usize, Result<Outcome, PipelineError>)> = JoinSet::new();
    let mut outcomes: Vec<(usize, Outcome)> = Vec::with_capacity(items.len());
    let mut next = items.iter().cloned().enumerate();
    loop {
        while running.len() < at_once
            && let Some((at, item)) = next.next()
        {
            let asking = ask(item);
            running.spawn(async move { (at, asking.await) });
        }
        let Some(joined) = running.join_next().await else { break };
        let (at, outcome) = joined.expect("an evaluation does not panic");
        if matches!(outcome, Err(PipelineError::Busy)) {
            let asking = ask(items[at].clone());
            running.spawn(async move {
                tokio::time::sleep(AGAIN).await;
                (at, asking.await)
            });
            continue;
        }
        outcomes.push((at, outcome?));
        progress(outcomes.len());
    }
    outcomes.sort_by_key(|(at, _)| *at);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn outcomes_keep_the_order_of_the_items() {
        let slow_first = |item: u64| async move {
            tokio::time::sleep(Duration::from_millis(20 - 2 * item)).await;
            Ok(item)
        };
        for at_once in [1, 2, 10, 100] {
            let mut heard = Vec::new();
            let asked = ask_some(at_once, 0..10, slow_first, |done| heard.push(done)).await;
            assert_eq!(asked, Ok((0..10).collect::<Vec<u64>>()), "{at_once} at once");
            assert_eq!(heard, (1..=10).collect::<Vec<usize>>());
        }
    }

    #[tokio::test]
    async fn a_question_that_found_no_place_asks_again() {
        let asked = Arc::new(AtomicUsize::new(0));
        let busy_at_first = |item: u64| {
            let asked = Arc::clone(&asked);
            async move {
                let times = asked.fetch_add(1, Ordering::Relaxed);
                if times < 3 { Err(PipelineError::Busy) } else { Ok(item) }
            }
        };
        let outcomes = ask_all(0..5, busy_at_first, |_| ()).await.expect("it waits");
        assert_eq!(outcomes, (0..5).collect::<Vec<u64>>());
        assert_eq!(asked.load(Ordering::Relaxed), 8);
    }

    #[tokio::test]
    async fn a_failure_ends_it() {
        let fail = |item: u64| async move {
            if item == 3 { Err(PipelineError::NoChannel) } else { Ok(item) }
        };
        assert_eq!(ask_all(0..10, fail, |_| ()).await, Err(PipelineError::NoChannel));
    }
}
