//! Seats: how many threads work for a team at once, and which threads wait for a seat.
//!
//! A team of n workers has n seats, each with a ladder. A thread that works for the team holds a seat: a caller of
//! `run` for as long as its run lasts, a thread of the team only while it looks for work or runs some. So at most n
//! threads work for the team. The exceptions are callers that have been let in without a seat because the queue did not
//! move.
//!
//! * A caller takes a free seat, or queues and sleeps until one is handed to it. It announces that it waits *before* it
//!   looks at the seats once more, and a thread that leaves frees its seat *before* it looks for waiting callers. All
//!   four accesses are sequentially consistent, so one of the two sees the other.
//! * A thread that leaves and sees a waiting caller hands its seat over. The seat is never free in between.
//! * A thread of the team hands its seat over between two tasks if a caller waits.
//!
//! `engine/entry/loans.rs` describes loans, which keep threads that hold seats in several teams from waiting for each
//! other for ever. It also says how a caller goes on without a seat when the queue does not move. `models/seats.pml`
//! checks the protocol, with its mutants. Loom checks these sources (`loom_tests.rs`). May import: `sync`.

#[cfg(all(test, loom))]
mod loom_tests;
mod request;

pub(crate) use request::{Grant, Loan, Receipt, Request};

use crate::sync::{AtomicBool, AtomicUsize, Mutex, Ordering, full_fence, lock};
use crossbeam_utils::CachePadded;
use std::collections::VecDeque;
use std::sync::Arc;

/// The seats of one team.
pub(crate) struct Seats {
    taken: Box<[CachePadded<AtomicBool>]>,
    /// The length of the queue, or more. Read without the lock.
    waiting: AtomicUsize,
    queue: Mutex<VecDeque<Arc<Request>>>,
}

impl Seats {
    pub(crate) fn new(seats: usize) -> Self {
        Seats {
            taken: (0..seats).map(|_| CachePadded::new(AtomicBool::new(false))).collect(),
            waiting: AtomicUsize::new(0),
            queue: Mutex::new(VecDeque::new()),
        }
    }

    /// Takes a free seat: `preferred`, if it is free.
    pub(crate) fn try_sit(&self, preferred: usize) -> Option<usize> {
        let count = self.taken.len();
        (0..count).map(|i| (preferred + i) % count).find(|&seat| self.try_take(seat))
    }

    /// Whether a seat is free.
    pub(crate) fn has_free(&self) -> bool {
        self.taken.iter().any(|taken| !taken.load(Ordering::Relaxed))
    }

    /// How many seats there are.
    pub(crate) fn count(&self) -> usize {
        self.taken.len()
    }

    /// How many of them are free. A hint.
    pub(crate) fn free(&self) -> usize {
        self.taken.iter().filter(|taken| !taken.load(Ordering::Relaxed)).count()
    }

    /// How many callers wait for a seat. A hint.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Whether a worker is on this seat.
    pub(crate) fn is_taken(&self, seat: usize) -> bool {
        self.taken[seat].load(Ordering::Relaxed)
    }

    fn try_take(&self, seat: usize) -> bool {
        let taken = &self.taken[seat];
        // SeqCst: this is also the second look of a caller that has announced that it waits. The exchange acquires what
        // the last occupant of the seat has left behind.
        !taken.load(Ordering::SeqCst) && taken.compare_exchange(false, true, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Takes a free seat, or queues for one. A request that is returned will be granted, unless it is cancelled.
    pub(crate) fn sit_or_queue(&self, preferred: usize) -> Result<usize, Arc<Request>> {
        let request = Arc::new(Request::new());
        let mut queue = lock(&self.queue);
        self.waiting.fetch_add(1, Ordering::SeqCst);
        full_fence();
        if !mutant!("seat_no_second_look")
            && let Some(seat) = self.try_sit(preferred)
        {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            return Ok(seat);
        }
        queue.push_back(Arc::clone(&request));
        Err(request)
    }

    /// The place of a request in the queue, if it is there.
    pub(crate) fn place(&self, request: &Arc<Request>) -> Option<usize> {
        lock(&self.queue).iter().position(|queued| Arc::ptr_eq(queued, request))
    }

    /// Takes a request out of the queue. Returns false if it has been granted already.
    pub(crate) fn cancel(&self, request: &Arc<Request>) -> bool {
        let mut queue = lock(&self.queue);
        let place = queue.iter().position(|queued| Arc::ptr_eq(queued, request));
        if let Some(place) = place {
            queue.remove(place);
            self.waiting.fetch_sub(1, Ordering::SeqCst);
        }
        place.is_some()
    }

    /// Whether a caller waits for a seat.
    pub(crate) fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    /// Leaves a seat, and hands it to the caller that has waited longest. Returns true if there is none, so that the
    /// seat is free now.
    pub(crate) fn leave(&self, seat: usize) -> bool {
        if self.is_wanted() && self.hand_over(seat) {
            return false;
        }
        self.taken[seat].store(false, Ordering::SeqCst);
        full_fence();
        // A caller may have queued since the look above, and may have seen this seat taken.
        if self.is_wanted() && !mutant!("leave_no_second_look") {
            let mut queue = lock(&self.queue);
            if let Some(request) = queue.front()
                && self.try_take(seat)
            {
                request.grant(Grant { seat, loan: None });
                queue.pop_front();
                self.waiting.fetch_sub(1, Ordering::SeqCst);
                return false;
            }
        }
        true
    }

    fn hand_over(&self, seat: usize) -> bool {
        let Some(request) = self.pop() else { return false };
        request.grant(Grant { seat, loan: None });
        true
    }

    fn pop(&self) -> Option<Arc<Request>> {
        let request = lock(&self.queue).pop_front()?;
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        Some(request)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// For Miri, which knows what weakly ordered machines may do. Loom would not notice an access that is weaker than
    /// it should be, because under loom a fence (`full_fence`) stands beside it.
    #[test]
    fn a_seat_that_is_left_while_somebody_queues_is_not_lost() {
        for _ in 0..if cfg!(miri) { 40 } else { 200 } {
            let seats = Seats::new(1);
            assert_eq!(seats.try_sit(0), Some(0));
            std::thread::scope(|scope| {
                let leaver = scope.spawn(|| seats.leave(0));
                let has_seat = match seats.sit_or_queue(0) {
                    Ok(_) => true,
                    Err(request) => !leaver.join().expect("no panic") && request.granted().is_some(),
                };
                assert!(has_seat, "the seat is free, and a caller waits for it");
            });
        }
    }

    #[test]
    fn a_seat_goes_to_whoever_has_waited_longest() {
        let seats = Seats::new(2);
        assert_eq!((seats.try_sit(1), seats.try_sit(1), seats.try_sit(0)), (Some(1), Some(0), None));
        let first = seats.sit_or_queue(0).expect_err("both seats are taken");
        let second = seats.sit_or_queue(0).expect_err("both seats are taken");
        assert!(!seats.leave(1), "the seat is handed over");
        assert_eq!(first.granted().map(|grant| grant.seat), Some(1));
        assert!(second.granted().is_none());
        assert!(seats.cancel(&second) && !seats.cancel(&second));
        assert!(seats.leave(0) && !seats.is_wanted());
        assert_eq!(seats.sit_or_queue(1).ok(), Some(0), "the seat that is free");
    }
}
