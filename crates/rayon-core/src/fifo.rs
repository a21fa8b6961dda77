//! The order of [`spawn_fifo`](crate::spawn_fifo()): first in, first out among the tasks that a thread has spawned this
//! way, and newest first between these and the others, as in rayon.
//!
//! The task itself lies in a queue of the thread that has spawned it. What is spawned, newest first like the others, is
//! a ticket for the oldest task of that queue. There are as many tickets as tasks, so each ticket finds one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Fifo(Mutex<VecDeque<Job>>);

thread_local! {
    static OWN: Arc<Fifo> = Arc::default();
}

/// Puts `job` into the queue of the calling thread, and returns a ticket for it or for an earlier one.
pub(crate) fn ticket(job: impl FnOnce() + Send + 'static) -> impl FnOnce() + Send + 'static {
    let own = OWN.with(Arc::clone);
    own.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(Box::new(job));
    move || {
        let job = own.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        // Without the lock: this is code of the user.
        job.expect("there are as many tickets as jobs")();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_in_any_order_run_jobs_in_theirs() {
        let order = Arc::new(Mutex::new(vec![]));
        let spawned: Vec<_> = (0..3)
            .map(|i| {
                let order = Arc::clone(&order);
                ticket(move || order.lock().unwrap().push(i))
            })
            .collect();
        spawned.into_iter().rev().for_each(|ticket| ticket());
        assert_eq!(*order.lock().unwrap(), [0, 1, 2]);
    }
}
