//! One place to sleep: a token, a lock and a condition.
//!
//! The sleeper waits for the token and takes it; a waker leaves it. A token left while nobody sleeps makes the next
//! sleep return at once, so a wake-up between the last look and the sleep is not lost. It belongs to a worker's cell,
//! not to a thread, because different threads may occupy one cell in turn and the cell outlives them all.

use super::{Condvar, Mutex, lock};
use std::time::Duration;

pub(crate) struct Parker {
    token: Mutex<bool>,
    left: Condvar,
}

impl Parker {
    pub(crate) fn new() -> Self {
        Parker { token: Mutex::new(false), left: Condvar::new() }
    }

    /// Sleeps until a token is there, and takes it.
    pub(crate) fn park(&self) {
        let mut token = lock(&self.token);
        while !*token {
            token = self.left.wait(token).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
        *token = false;
    }

    /// Sleeps until a token is there or `limit` has passed, and takes the token. True if there was one.
    pub(crate) fn park_timeout(&self, limit: Duration) -> bool {
        let mut token = lock(&self.token);
        if !*token && !limit.is_zero() {
            // A spurious wake-up ends the sleep early; every caller looks again anyway.
            token = match self.left.wait_timeout(token, limit) {
                Ok((token, _)) => token,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        std::mem::take(&mut *token)
    }

    /// Takes the token, if there is one, without sleeping.
    pub(crate) fn drop_token(&self) {
        *lock(&self.token) = false;
    }

    /// Leaves a token, and wakes the sleeper if there is one.
    pub(crate) fn unpark(&self) {
        *lock(&self.token) = true;
        self.left.notify_one();
    }
}
