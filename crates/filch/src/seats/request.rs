//! Somebody who waits for a seat, and how one gets there: handed over, or lent.

use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, Mutex, Ordering, lock};
use std::sync::Arc;
use std::time::Duration;

/// A place in the queue.
pub(crate) struct Request {
    grant: Mutex<Option<Grant>>,
    parker: Parker,
}

/// A seat that a request has got.
pub(crate) struct Grant {
    pub(crate) seat: usize,
    /// Where it is another's, to be given back.
    pub(crate) loan: Option<Loan>,
}

impl Request {
    pub(crate) fn new() -> Self {
        Request { grant: Mutex::new(None), parker: Parker::new() }
    }

    /// Grants it. Once, by whoever has taken it out of the queue.
    pub(crate) fn grant(&self, grant: Grant) {
        *lock(&self.grant) = Some(grant);
        self.parker.unpark();
    }

    /// The seat, once there is one.
    pub(crate) fn granted(&self) -> Option<Grant> {
        lock(&self.grant).take()
    }

    /// Sleeps until it is granted or somebody calls.
    pub(crate) fn wait(&self) {
        self.parker.park();
    }

    /// As [`wait`](Self::wait), for so long at most.
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
    /// The worker that the borrower is to occupy.
    pub(crate) spare: usize,
    pub(crate) receipt: Arc<Receipt>,
}

/// By which a lender knows whether its seat is back.
pub(crate) struct Receipt {
    returned: AtomicBool,
}

impl Receipt {
    pub(crate) fn new() -> Self {
        Receipt { returned: AtomicBool::new(false) }
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
