//! Answers to one kind of question, and the questions that are being asked.

use std::{
    collections::HashMap,
    fmt,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use imprint_core::{OwnerId, StoreError};
use tokio::sync::OnceCell;

use super::{kept::Kept, stamp::Stamp, weight::Weight};
use crate::Generation;

type Key<K> = (OwnerId, K);

/// An answer on its way; all who asked in one generation wait for it.
type Asked<V> = Weak<OnceCell<Arc<V>>>;

/// The questions that are being asked.
type Questions<K, V> = HashMap<(Key<K>, Generation), Asked<V>>;

/// What was answered, with what it lasts for.
type Answers<K, S, V> = Kept<Key<K>, (S, Arc<V>)>;

/// Answers by question, each with the stamp that says what it lasts for.
pub(super) struct Memory<K: Hash + Eq, S, V> {
    kept: Mutex<Answers<K, S, V>>,
    asked: Mutex<Questions<K, V>>,
}

impl<K, S, V> Memory<K, S, V>
where
    K: Clone + Hash + Eq,
    S: Stamp<V>,
    V: Clone + Weight,
{
    /// Remembers at most so many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            kept: Mutex::new(Kept::new(limit)),
            asked: Mutex::default(),
        }
    }

    /// The answer, remembered or asked for. `generation` and `now` are from before this call.
    /// When who asks first fails or goes away, the next one asks.
    pub(super) async fn answer<F>(
        &self,
        key: Key<K>,
        generation: Generation,
        now: S,
        ask: impl FnOnce() -> F,
    ) -> Result<V, StoreError>
    where
        F: Future<Output = Result<V, StoreError>>,
    {
        let answer = match self.remembered(&key, &now) {
            Some(answer) => answer,
            None => self.asked(key, generation, now, ask).await?,
        };
        Ok(V::clone(&answer))
    }

    fn remembered(&self, key: &Key<K>, now: &S) -> Option<Arc<V>> {
        let mut kept = lock(&self.kept);
        let (stamp, answer) = kept.get(key)?;
        stamp.stands(now).then(|| Arc::clone(answer))
    }

    async fn asked<F>(
        &self,
        key: Key<K>,
        generation: Generation,
        now: S,
        ask: impl FnOnce() -> F,
    ) -> Result<Arc<V>, StoreError>
    where
        F: Future<Output = Result<V, StoreError>>,
    {
        let cell = self.cell(&key, generation);
        let answer = cell.get_or_try_init(|| async {
            let answer = Arc::new(ask().await?);
            if S::lasts(&answer) {
                let bytes = answer.bytes();
                lock(&self.kept).put(key, (now, Arc::clone(&answer)), bytes);
            }
            Ok(answer)
        });
        answer.await.cloned()
    }

    fn cell(&self, key: &Key<K>, generation: Generation) -> Arc<OnceCell<Arc<V>>> {
        let mut asked = lock(&self.asked);
        let question = (key.clone(), generation);
        if let Some(cell) = asked.get(&question).and_then(Weak::upgrade) {
            return cell;
        }
        asked.retain(|_, cell| cell.strong_count() > 0);
        let cell = Arc::default();
        asked.insert(question, Arc::downgrade(&cell));
        cell
    }
}

impl<K: Hash + Eq, S, V> fmt::Debug for Memory<K, S, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    impl Weight for u64 {
        fn beyond(&self) -> usize {
            0
        }
    }

    const QUESTION: Key<()> = (OwnerId::LOCAL, ());

    fn generation(change: u64) -> Generation {
        Generation { file: 0, change }
    }

    fn memory() -> Memory<(), Generation, u64> {
        Memory::new(1_000)
    }

    /// The answer in this generation, from a store that counts how often it is asked.
    async fn answer(memory: &Memory<(), Generation, u64>, now: u64, asked: &AtomicU64) -> u64 {
        let now = generation(now);
        let ask = || async { Ok(asked.fetch_add(1, Ordering::Relaxed)) };
        memory.answer(QUESTION, now, now, ask).await.unwrap()
    }

    #[tokio::test]
    async fn a_generation_is_asked_for_once() {
        let (memory, asked) = (memory(), AtomicU64::new(0));
        for now in [1, 1, 2, 2, 1] {
            answer(&memory, now, &asked).await;
        }
        assert_eq!(asked.into_inner(), 3);
    }

    #[tokio::test]
    async fn who_asks_at_once_waits_for_one_answer() {
        let memory = memory();
        let asked = AtomicU64::new(0);
        let now = generation(1);
        let ask = || async {
            // The others come to wait meanwhile.
            tokio::task::yield_now().await;
            Ok(asked.fetch_add(1, Ordering::Relaxed))
        };
        let one = || memory.answer(QUESTION, now, now, ask);
        let answers = tokio::join!(one(), one(), one());
        assert_eq!(
            answers.0.unwrap() + answers.1.unwrap() + answers.2.unwrap(),
            0
        );
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert!(
            lock(&memory.asked)
                .values()
                .all(|asked| asked.strong_count() == 0)
        );
    }

    #[tokio::test]
    async fn a_failure_is_not_remembered() {
        let memory = memory();
        let now = generation(1);
        let fail = || async { Err(StoreError::Full) };
        let failed = memory.answer(QUESTION, now, now, fail).await;
        assert!(matches!(failed, Err(StoreError::Full)));
        assert_eq!(answer(&memory, 1, &AtomicU64::new(5)).await, 5);
    }

    #[tokio::test]
    async fn who_goes_away_keeps_nobody_waiting() {
        let memory = Arc::new(memory());
        let now = generation(1);
        let stuck = tokio::spawn({
            let memory = memory.clone();
            async move {
                memory
                    .answer(QUESTION, now, now, std::future::pending)
                    .await
            }
        });
        tokio::task::yield_now().await;
        let next = tokio::spawn({
            let memory = memory.clone();
            async move { answer(&memory, 1, &AtomicU64::new(5)).await }
        });
        tokio::task::yield_now().await;
        assert!(!next.is_finished());
        stuck.abort();
        assert_eq!(next.await.unwrap(), 5);
    }
}
