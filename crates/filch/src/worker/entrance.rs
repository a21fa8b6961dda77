//! Where runs from outside come in: one seat for the caller, and a queue for those who find it taken.
//!
//! A caller that gets the seat occupies worker 0 and runs its own work. One that does not leaves a frame in the queue,
//! for a thread of the team to run, and waits for whichever comes first: the frame's end or the seat.
//! All of it under one lock: whether the seat is taken, the queue, and the claim of a frame that leaves the queue.

use super::execute::execute;
use super::{Header, Ladder, Team, current};
use crate::sync::{AtomicUsize, Condvar, Mutex, Ordering, lock};
use std::collections::VecDeque;
use std::ptr::NonNull;

pub(crate) struct Entrance {
    state: Mutex<State>,
    /// The seat is free again, or a queued frame is done.
    changed: Condvar,
    /// Length of the queue, for a look without the lock.
    queued: AtomicUsize,
}

struct State {
    seat_is_taken: bool,
    queue: VecDeque<NonNull<Header>>,
}

// SAFETY: the frames in the queue are there to be run by whichever thread removes them; they live until they are done or
// their owner has removed them.
unsafe impl Send for State {}

/// How a run from outside came to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// The caller has the seat: it runs the work itself.
    Seated,
    /// A thread of the team has run it.
    Done,
}

impl Entrance {
    pub(super) fn new() -> Self {
        Entrance {
            state: Mutex::new(State { seat_is_taken: false, queue: VecDeque::new() }),
            changed: Condvar::new(),
            queued: AtomicUsize::new(0),
        }
    }

    /// Whether nobody waits in the queue.
    pub(super) fn is_quiet(&self) -> bool {
        self.queued.load(Ordering::SeqCst) == 0
    }

    /// Gets the seat, or has `frame` run by the team, whichever comes first.
    ///
    /// # Safety
    ///
    /// `frame` is a whole frame that lives until this returns, and the caller does not touch it meanwhile. After
    /// [`Entry::Seated`] nobody else knows it.
    unsafe fn enter(&self, team: &Team, frame: NonNull<Header>) -> Entry {
        let mut state = lock(&self.state);
        if !state.seat_is_taken {
            state.seat_is_taken = true;
            return Entry::Seated;
        }
        state.queue.push_back(frame);
        self.queued.fetch_add(1, Ordering::SeqCst);
        team.wake_idle();
        loop {
            state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
            match state.queue.iter().position(|&queued| queued == frame) {
                Some(at) if !state.seat_is_taken => {
                    state.queue.remove(at);
                    self.queued.fetch_sub(1, Ordering::SeqCst);
                    state.seat_is_taken = true;
                    return Entry::Seated;
                }
                Some(_) => {}
                // It has been begun: from here on the seat is of no use, and the frame another's until it is done.
                None => {
                    // SAFETY: it lives until this returns.
                    let header = unsafe { frame.as_ref() };
                    // SAFETY: it has left the queue under this lock, claimed.
                    if unsafe { header.claim() }.done.is_set() {
                        return Entry::Done;
                    }
                }
            }
        }
    }

    fn leave(&self) {
        lock(&self.state).seat_is_taken = false;
        self.changed.notify_all();
    }

    /// Runs the oldest frame of the queue. False if there is none.
    ///
    /// # Safety
    ///
    /// The caller occupies `ladder`, which is empty, and runs no task on it.
    pub(super) unsafe fn run_next(&self, ladder: &Ladder) -> bool {
        if self.is_quiet() {
            return false;
        }
        let worker = ladder.owner();
        let frame = {
            let mut state = lock(&self.state);
            let Some(frame) = state.queue.pop_front() else { return false };
            self.queued.fetch_sub(1, Ordering::SeqCst);
            // SAFETY: just removed from the queue, under its lock.
            unsafe { Header::set_claim(frame, worker.tasks.begin(worker.index)) };
            frame
        };
        worker.counters.runs_submitted.bump();
        enter_run(ladder, || {
            // SAFETY: forwarded; claimed above. The owner is looked after below, whether or not it has announced itself.
            unsafe { execute(ladder, ladder.first(), frame, || {}) };
        });
        // Under the lock, so that the owner is either past its look at `done`, and sleeps, or will see it.
        drop(lock(&self.state));
        self.changed.notify_all();
        true
    }
}

/// Runs `f` as a run on an empty ladder: closed, so that the first fork announces it.
fn enter_run<R>(ladder: &Ladder, f: impl FnOnce() -> R) -> R {
    struct Exit<'a>(&'a Ladder);
    impl Drop for Exit<'_> {
        fn drop(&mut self) {
            let bottom = self.0.first();
            // SAFETY: `enter_run` is called by the occupant, and every task pops what it pushes.
            if unsafe { bottom.is_closed() } {
                // SAFETY: as above.
                unsafe { bottom.open() };
            } else {
                self.0.owner().team().deactivate();
            }
        }
    }
    // SAFETY: the caller occupies the ladder, and it is empty.
    unsafe { ladder.first().close() };
    let _exit = Exit(ladder);
    f()
}

impl Team {
    /// Runs `seated` here, as the occupant of worker 0, or has `frame` run by a thread of the team.
    ///
    /// `Some` is what `seated` returned, and then nobody has touched the frame; `None`: the frame is done.
    ///
    /// # Safety
    ///
    /// `frame` is a whole frame that lives until this returns, and `seated` is the only other one to touch it.
    pub(crate) unsafe fn run_from_outside<R>(
        &self,
        frame: NonNull<Header>,
        seated: impl FnOnce(super::Rung) -> R,
    ) -> Option<R> {
        struct Leave<'a>(&'a Team);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.worker(0).tasks.end();
                self.0.entrance.leave();
            }
        }
        // SAFETY: forwarded.
        match unsafe { self.entrance.enter(self, frame) } {
            Entry::Done => None,
            Entry::Seated => {
                let ladder: &Ladder = &self.ladders()[0];
                ladder.owner().tasks.begin(0);
                let _leave = Leave(self);
                let first = ladder.first();
                Some(current::occupy(self, ladder, first, || enter_run(ladder, || seated(first))))
            }
        }
    }
}
