//! So many requests a minute for each caller.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_mins(1);
/// Callers that are remembered; those who have all their requests back are forgotten first.
const MOST_CALLERS: usize = 10_000;

/// A generic cell rate algorithm (ITU-T I.371): a caller who was silent for a minute may send all
/// requests of a minute at once, and gets one back after the other.
#[derive(Debug)]
pub struct RateLimit {
    per_minute: u32,
    /// When each caller will have all his requests back.
    full_at: Mutex<BTreeMap<String, Instant>>,
}

impl RateLimit {
    /// At least one request a minute.
    pub fn new(per_minute: u32) -> Self {
        Self { per_minute: per_minute.max(1), full_at: Mutex::default() }
    }

    /// Counts `cost` requests of a caller; more than a minute's count as a minute's.
    ///
    /// # Errors
    /// How long to wait, where he has sent too many.
    pub fn take(&self, caller: &str, cost: u32, now: Instant) -> Result<(), Duration> {
        let cost = PERIOD * cost.min(self.per_minute) / self.per_minute;
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let before = full_at.get(caller).copied().unwrap_or(now).max(now);
        let after = before + cost;
        let over = (after - now).saturating_sub(PERIOD);
        if !over.is_zero() {
            return Err(over);
        }
        if full_at.len() >= MOST_CALLERS && !full_at.contains_key(caller) {
            full_at.retain(|_, full_at| *full_at > now);
            if full_at.len() >= MOST_CALLERS {
                return Err(PERIOD);
            }
        }
        full_at.insert(caller.to_owned(), after);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minutes_requests_may_come_at_once_and_come_back_one_by_one() {
        let limit = RateLimit::new(6);
        let start = Instant::now();
        for _ in 0..6 {
            assert_eq!(limit.take("a", 1, start), Ok(()));
        }
        assert_eq!(limit.take("a", 1, start), Err(Duration::from_secs(10)));
        assert_eq!(limit.take("b", 1, start), Ok(()), "each caller for himself");
        let later = start + Duration::from_secs(10);
        assert_eq!(limit.take("a", 1, later), Ok(()));
        assert_eq!(limit.take("a", 1, later), Err(Duration::from_secs(10)));
    }

    #[test]
    fn a_batch_counts_its_questions_and_is_never_impossible() {
        let limit = RateLimit::new(6);
        let start = Instant::now();
        assert_eq!(limit.take("a", 4, start), Ok(()));
        assert_eq!(limit.take("a", 4, start), Err(Duration::from_secs(20)));
        assert_eq!(limit.take("a", 100, start + PERIOD), Ok(()));
    }

    #[test]
    fn callers_are_forgotten_once_they_have_everything_back() {
        let limit = RateLimit::new(1);
        let start = Instant::now();
        for at in 0..MOST_CALLERS {
            assert_eq!(limit.take(&at.to_string(), 1, start), Ok(()));
        }
        assert_eq!(limit.take("one more", 1, start), Err(PERIOD));
        assert_eq!(limit.take("one more", 1, start + PERIOD), Ok(()));
        assert_eq!(limit.full_at.lock().expect("sound").len(), 1);
    }
}
