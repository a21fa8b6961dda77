//! A place to sleep: a token, a lock and a condition variable.
//!
//! The sleeper waits for the token and takes it; a thread that wakes it leaves the token. A token that is left while no
//! thread sleeps makes the next sleep return at once, so a wake-up between the last look and the sleep is not lost. A
//! parker is not tied to a thread: different threads may occupy a worker in turn, and the worker's parker outlives them
//! all.

use super::{Condvar, Mutex, clock, lock};
use std::time::Duration;

pub(crate) struct Parker {
    token: Mutex<bool>,
    left: Condvar,
}

impl Parker {
    pub(crate) fn new() -> Self {
        Parker { token: Mutex::new(false), left: Condvar::new() }
    }

    /// Sleeps until there is a token, and takes it.
    pub(crate) fn park(&self) {
        let mut token = lock(&self.token);
        while !*token {
            token = self.left.wait(token).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
        *token = false;
    }

    /// Sleeps until there is a token or `limit` has passed, and takes the token. Returns whether there was one.
    pub(crate) fn park_timeout(&self, limit: Duration) -> bool {
        let mut token = lock(&self.token);
        if !*token && !limit.is_zero() {
            // A spurious wake-up ends the sleep early. That does no harm, because every caller looks again anyway.
            let (left, wait) = self.left.wait_timeout(token, limit).unwrap_or_else(std::sync::PoisonError::into_inner);
            if wait.timed_out() {
                clock::slept(limit);
            }
            token = left;
        }
        std::mem::take(&mut *token)
    }

    /// Takes the token, if there is one, without sleeping. Returns whether there was one.
    pub(crate) fn take_token(&self) -> bool {
        std::mem::take(&mut *lock(&self.token))
    }

    /// Leaves a token, and wakes the sleeper if there is one.
    pub(crate) fn unpark(&self) {
        *lock(&self.token) = true;
        self.left.notify_one();
    }
}
