//! A request for a seat, and the two ways in which it is granted: a seat is handed over, or lent.

use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, Mutex, Ordering, lock};
use std::sync::Arc;
use std::time::Duration;

/// A caller's place in the queue for a seat.
pub(crate) struct Request {
    state: Mutex<State>,
    parker: Parker,
}

enum State {
    Open,
    Granted(Grant),
    /// Its thread has fetched the grant.
    Taken,
}

/// A seat that has been granted to a request.
pub(crate) struct Grant {
    pub(crate) seat: usize,
    /// Set if the seat is another thread's, to which it must be given back.
    pub(crate) loan: Option<Loan>,
}

impl Request {
    pub(crate) fn new() -> Self {
        Request { state: Mutex::new(State::Open), parker: Parker::new() }
    }

    /// Grants the request. Called once, by the thread that takes it out of the queue.
    pub(crate) fn grant(&self, grant: Grant) {
        *lock(&self.state) = State::Granted(grant);
        self.parker.unpark();
    }

    /// Fetches the grant, once there is one.
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

    /// Sleeps until the request is granted or another thread calls.
    #[cfg(all(test, loom))]
    pub(crate) fn wait(&self) {
        self.parker.park();
    }

    /// Sleeps until the request is granted or another thread calls, for `limit` at most.
    pub(crate) fn wait_timeout(&self, limit: Duration) {
        self.parker.park_timeout(limit);
    }

    /// Makes the waiting thread look again.
    pub(crate) fn call(&self) {
        self.parker.unpark();
    }
}

/// A seat that its holder has lent to a thread that it waits for.
pub(crate) struct Loan {
    pub(crate) receipt: Arc<Receipt>,
}

/// Tells a lender whether its seat is back.
pub(crate) struct Receipt {
    /// The worker that the borrower occupies.
    pub(crate) spare: usize,
    returned: AtomicBool,
}

impl Receipt {
    pub(crate) fn new(spare: usize) -> Self {
        Receipt { spare, returned: AtomicBool::new(false) }
    }

    /// Called when the borrower has left, and touches nothing of the seat any more.
    pub(crate) fn give_back(&self) {
        self.returned.store(true, Ordering::Release);
    }

    /// Whether the seat is back. Acquires what the borrower has left behind.
    pub(crate) fn is_returned(&self) -> bool {
        self.returned.load(Ordering::Acquire)
    }
}
