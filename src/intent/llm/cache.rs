//! Answers of the model by question.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use sha2::{Digest, Sha256};

use crate::analysis;
use crate::domain::IntentId;

/// Answers in memory; with 32 bytes of key and a short name each, about a megabyte.
const MOST: NonZeroUsize = NonZeroUsize::new(8_192).expect("not zero");

/// What a model answered under a prompt; an answer without a label is never in it.
#[derive(Debug)]
pub(super) struct Cache {
    /// Digest of everything but the question that makes an answer.
    base: Sha256,
    answers: Mutex<LruCache<Key, Label>>,
}

/// What was decided; `None` is `unknown`.
type Label = Option<IntentId>;

/// Digest of model, prompt and question.
pub(super) type Key = [u8; 32];

impl Cache {
    pub(super) fn new(model: &str, prompt: &str) -> Self {
        let mut base = Sha256::new();
        for part in [model, prompt] {
            base.update(Sha256::digest(part.as_bytes()));
        }
        Self { base, answers: Mutex::new(LruCache::new(MOST)) }
    }

    /// Questions that differ in case, spelling of umlauts, blanks or final marks have one key.
    /// Quotations are not masked, as rules see them: the model reads them.
    pub(super) fn key(&self, question: &str) -> Key {
        let folded = analysis::fold(question);
        let words: Vec<&str> = folded.split_whitespace().collect();
        let mut key = self.base.clone();
        key.update(words.join(" ").trim_end_matches(['?', '.', '!', ' ']).as_bytes());
        key.finalize().into()
    }

    pub(super) fn get(&self, key: &Key) -> Option<Label> {
        self.lock().get(key).cloned()
    }

    pub(super) fn put(&self, key: Key, intent: Label) {
        self.lock().put(key, intent);
    }

    /// A panic while the lock was held can not leave half an answer behind.
    fn lock(&self) -> MutexGuard<'_, LruCache<Key, Label>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_question_share_an_answer_and_other_questions_do_not() {
        let cache = Cache::new("llama3", "Anweisung");
        let key = cache.key("Wozu dient die Übung?");
        for same in ["wozu dient die uebung", " Wozu  dient die ÜBUNG ?!"] {
            assert_eq!(cache.key(same), key, "{same}");
        }
        for other in ["Wozu dient eine Übung?", "Wozu dient „die Übung“?"] {
            assert_ne!(cache.key(other), key, "{other}");
        }
        assert_ne!(Cache::new("llama3.2", "Anweisung").key("Wozu dient die Übung?"), key);
        assert_ne!(Cache::new("llama3", "Anweisung 2").key("Wozu dient die Übung?"), key);
    }

    #[test]
    fn the_answer_that_was_not_needed_for_longest_makes_room() {
        let cache = Cache::new("llama3", "Anweisung");
        let key = |at: usize| cache.key(&format!("Frage {at}"));
        for at in 0..MOST.get() {
            cache.put(key(at), None);
        }
        assert_eq!(cache.get(&key(0)), Some(None));
        cache.put(key(MOST.get()), None);
        assert_eq!((cache.get(&key(0)), cache.get(&key(1))), (Some(None), None));
        assert_eq!(cache.lock().len(), MOST.get());
    }
}
