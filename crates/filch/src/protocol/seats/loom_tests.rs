//! Loom checks the seats. `cargo xtask loom` runs these tests, and the mutants that they must reject.

use super::Seats;
use crate::sync::cell::Plain;
use crate::sync::{AtomicUsize, Ordering};
use loom::sync::Arc;
use loom::thread;

struct Shared {
    seats: Seats,
    /// State that belongs to the seat: only the thread that holds the seat touches it.
    ladder: Plain<u32>,
    working: AtomicUsize,
}

impl Shared {
    fn sit_work_and_leave(&self) {
        let seat = self.seats.try_sit(0).unwrap_or_else(|| match self.seats.sit_or_queue(0) {
            Ok(seat) => seat,
            Err(request) => loop {
                if let Some(grant) = request.granted() {
                    break grant.seat;
                }
                request.wait();
            },
        });
        assert_eq!(self.working.fetch_add(1, Ordering::Relaxed), 0, "one seat, one thread");
        self.ladder.update(|ladder| *ladder += 1);
        self.working.fetch_sub(1, Ordering::Relaxed);
        self.seats.leave(seat);
    }
}

/// Several threads want one seat. Each gets it, one at a time, and sees what the one before has left behind.
fn check(threads: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let shared = Arc::new(Shared { seats: Seats::new(1), ladder: Plain::new(0), working: AtomicUsize::new(0) });
        let others: Vec<_> = (1..threads)
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.sit_work_and_leave())
            })
            .collect();
        shared.sit_work_and_leave();
        others.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(shared.ladder.get(), threads as u32);
        assert!(shared.seats.try_sit(0).is_some() && !shared.seats.is_wanted(), "the seat is free in the end");
    });
}

#[test]
fn two_callers_share_one_seat() {
    check(2);
}

#[test]
fn three_callers_share_one_seat() {
    check(3);
}
