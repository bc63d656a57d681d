//! Questions side by side through the pipeline, outcomes in their order.

use std::future::Future;

use tokio::task::JoinSet;

use crate::pipeline::PipelineError;

/// Runs `ask` for every item, as many at once as keep the cores busy; `progress` hears how many are
/// done. The outcomes stand in the order of the items, whichever came first.
///
/// # Errors
/// The first failure; the others are called off.
pub(crate) async fn ask_all<Item, Outcome, Asking>(
    items: impl IntoIterator<Item = Item>,
    ask: impl Fn(Item) -> Asking,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Outcome>, PipelineError>
where
    Outcome: Send + 'static,
    Asking: Future<Output = Result<Outcome, PipelineError>> + Send + 'static,
{
    let at_once = std::thread::available_parallelism().map_or(1, usize::from) * 2;
    let mut running: JoinSet<(usize, Result<Outcome, PipelineError>)> = JoinSet::new();
    let mut outcomes: Vec<(usize, Outcome)> = Vec::new();
    let mut items = items.into_iter().enumerate().fuse();
    loop {
        while running.len() < at_once
            && let Some((at, item)) = items.next()
        {
            let asking = ask(item);
            running.spawn(async move { (at, asking.await) });
        }
        let Some(joined) = running.join_next().await else { break };
        let (at, outcome) = joined.expect("an evaluation does not panic");
        outcomes.push((at, outcome?));
        progress(outcomes.len());
    }
    outcomes.sort_by_key(|(at, _)| *at);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn outcomes_keep_the_order_of_the_items() {
        let slow_first = |item: u64| async move {
            tokio::time::sleep(Duration::from_millis(20 - 2 * item)).await;
            Ok(item)
        };
        let mut heard = Vec::new();
        let outcomes = ask_all(0..10, slow_first, |done| heard.push(done)).await.expect("no error");
        assert_eq!(outcomes, (0..10).collect::<Vec<u64>>());
        assert_eq!(heard, (1..=10).collect::<Vec<usize>>());
    }

    #[tokio::test]
    async fn a_failure_ends_it() {
        let fail =
            |item: u64| async move { if item == 3 { Err(PipelineError::Busy) } else { Ok(item) } };
        assert_eq!(ask_all(0..10, fail, |_| ()).await, Err(PipelineError::Busy));
    }
}
