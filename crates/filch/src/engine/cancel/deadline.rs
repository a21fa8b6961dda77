//! Deadlines: a thread of the process sleeps until the next one, and cancels its token. It begins with the first
//! deadline, and ends when there has been none for a while.
//!
//! A token that is dropped takes its entry out. The thread upgrades an entry under no lock, so if it then has the last
//! reference, the token is dropped there.

use super::token::Token;
use crate::sync::process::PerProcess;
use crate::sync::{Condvar, Mutex, boxed, clock, lock, timer};
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, PoisonError, Weak};
use std::thread;
use std::time::Duration;

/// How long the thread stays without a deadline. (Miri wants all threads to have ended when the program ends.)
const LINGERS: Duration = Duration::from_millis(if cfg!(miri) { 0 } else { 500 });

/// A thread that only sleeps and cancels.
const STACK_BYTES: usize = 128 << 10;

#[derive(Default)]
struct Deadlines {
    due: Mutex<Due>,
    /// Told when the first deadline changes, and when there is none left.
    changed: Condvar,
}

#[derive(Default)]
struct Due {
    /// Sorted. Most deadlines come after all others, and leave before them.
    tokens: VecDeque<(Key, Weak<Token>)>,
    has_thread: bool,
}

/// When a token is due, in nanoseconds of the clock, and its address.
type Key = (u64, usize);

impl Due {
    /// The place of a token, or where it would be.
    fn place_of(&self, key: Key) -> Result<usize, usize> {
        self.tokens.binary_search_by(|(other, _)| other.cmp(&key))
    }
}

static DEADLINES: PerProcess<Deadlines> = PerProcess::new(Deadlines {
    due: Mutex::new(Due { tokens: VecDeque::new(), has_thread: false }),
    changed: Condvar::new(),
});

/// Cancels `token` when `delay` has passed, unless it has an earlier deadline. An error if the system refuses a thread.
pub(crate) fn cancel_after(token: &Arc<Token>, delay: Duration) -> io::Result<()> {
    let delay_ns = u64::try_from(delay.as_nanos()).unwrap_or(u64::MAX);
    let due_ns = clock::now_ns().saturating_add(delay_ns);
    // Under the lock of the token, so that two deadlines do not cross.
    token.be_due(due_ns, || {
        let deadlines = DEADLINES.get();
        let key = (due_ns, Arc::as_ptr(token).addr());
        let mut due = lock(&deadlines.due);
        if !due.has_thread {
            let live = || live(DEADLINES.get());
            thread::Builder::new().name("filch-deadlines".to_owned()).stack_size(STACK_BYTES).spawn(boxed(live))?;
            due.has_thread = true;
        }
        let place = due.place_of(key).unwrap_or_else(|place| place);
        due.tokens.insert(place, (key, Arc::downgrade(token)));
        deadlines.changed.notify_one();
        Ok(Box::new(Entry(key)) as Box<dyn Send>)
    })
}

/// The place of a token among the deadlines, which it leaves when this is dropped: with the token, or for an earlier
/// deadline.
struct Entry(Key);

impl Drop for Entry {
    fn drop(&mut self) {
        let deadlines = DEADLINES.get();
        let mut due = lock(&deadlines.due);
        if let Ok(place) = due.place_of(self.0) {
            due.tokens.remove(place);
        }
        if due.tokens.is_empty() {
            deadlines.changed.notify_one();
        }
    }
}

/// The life of the thread.
fn live(deadlines: &Deadlines) {
    timer::be_punctual();
    let mut due = lock(&deadlines.due);
    let mut is_alone = false;
    loop {
        let now_ns = clock::now_ns();
        let next_ns = due.tokens.front().map(|&((due_ns, _), _)| due_ns);
        if next_ns.is_some_and(|next_ns| next_ns <= now_ns) {
            let now = due.tokens.pop_front();
            drop(due);
            if let Some(token) = now.and_then(|(_, token)| token.upgrade()) {
                token.cancel();
            }
            due = lock(&deadlines.due);
            continue;
        }
        if next_ns.is_none() && is_alone {
            due.has_thread = false;
            return;
        }
        let limit = next_ns.map_or(LINGERS, |next_ns| Duration::from_nanos(next_ns - now_ns));
        let woken = deadlines.changed.wait_timeout(due, limit).unwrap_or_else(PoisonError::into_inner);
        is_alone = next_ns.is_none() && woken.1.timed_out();
        due = woken.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_entry(at: usize) -> bool {
        lock(&DEADLINES.get().due).tokens.iter().any(|&((_, token), _)| token == at)
    }

    #[test]
    fn a_token_that_is_dropped_leaves_no_deadline_behind() {
        let token = Arc::new(Token::default());
        let at = Arc::as_ptr(&token).addr();
        cancel_after(&token, Duration::from_secs(3600)).expect("a thread");
        cancel_after(&token, Duration::from_secs(1800)).expect("a thread");
        cancel_after(&token, Duration::from_secs(7200)).expect("a thread");
        assert!(has_entry(at));
        let entries = lock(&DEADLINES.get().due).tokens.iter().filter(|&&((_, token), _)| token == at).count();
        assert_eq!(entries, 1, "the earliest counts");
        drop(token);
        assert!(!has_entry(at));
    }
}
