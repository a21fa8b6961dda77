//! Somebody who waits for a seat, and how one gets there: handed over, or lent.

use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, Mutex, Ordering, lock};
use std::sync::Arc;
use std::time::Duration;

/// A place in the queue.
pub(crate) struct Request {
    state: Mutex<State>,
    parker: Parker,
}

enum State {
    Open,
    Granted(Grant),
    /// Its thread has the grant, and has not gone on yet.
    Taken,
}

/// A seat that a request has got.
pub(crate) struct Grant {
    pub(crate) seat: usize,
    /// Where it is another's, to be given back.
    pub(crate) loan: Option<Loan>,
}

impl Request {
    pub(crate) fn new() -> Self {
        Request { state: Mutex::new(State::Open), parker: Parker::new() }
    }

    /// Grants it. Once, by whoever has taken it out of the queue.
    pub(crate) fn grant(&self, grant: Grant) {
        *lock(&self.state) = State::Granted(grant);
        self.parker.unpark();
    }

    /// The seat, once there is one.
    pub(crate) fn granted(&self) -> Option<Grant> {
        let mut state = lock(&self.state);
        match std::mem::replace(&mut *state, State::Taken) {
            State::Granted(grant) => Some(grant),
            before => {
                *state = before;
                None
            }
        }
    }

    /// Whether its thread still waits for a seat.
    pub(crate) fn is_open(&self) -> bool {
        matches!(*lock(&self.state), State::Open)
    }

    /// Sleeps until it is granted or somebody calls.
    #[cfg(all(test, loom))]
    pub(crate) fn wait(&self) {
        self.parker.park();
    }

    /// Sleeps until it is granted or somebody calls, for so long at most.
    pub(crate) fn wait_timeout(&self, limit: Duration) {
        self.parker.park_timeout(limit);
    }

    /// Makes the waiting thread look again.
    pub(crate) fn call(&self) {
        self.parker.unpark();
    }
}

/// A seat that its holder has lent to somebody it waits for.
pub(crate) struct Loan {
    pub(crate) receipt: Arc<Receipt>,
}

/// By which a lender knows whether its seat is back.
pub(crate) struct Receipt {
    /// The worker that the borrower occupies.
    pub(crate) spare: usize,
    returned: AtomicBool,
}

impl Receipt {
    pub(crate) fn new(spare: usize) -> Self {
        Receipt { spare, returned: AtomicBool::new(false) }
    }

    /// The borrower has left, and touches nothing of the seat any more.
    pub(crate) fn give_back(&self) {
        self.returned.store(true, Ordering::Release);
    }

    /// Acquires what the borrower left behind.
    pub(crate) fn is_returned(&self) -> bool {
        self.returned.load(Ordering::Acquire)
    }
}
