//! The reserve: threads of a team beyond one for each worker, which work while others block, and for urgent tasks.
//!
//! A thread of the reserve is *out* while it lives as the other threads of the team do, and otherwise sleeps here. One
//! is wanted for each thread that blocks, and for each urgent task; for no more of these at a time than there are
//! workers, so that they have no more than half of the processors. At least as many are out as are wanted: a thread
//! goes back when it has nothing to do, and not before.
//!
//! All state is under one lock. A thread that goes back sees there that more are out than are wanted, and is asleep for
//! whoever wants one next. So either it sees that wish, or is called for it.
//!
//! Loom checks these sources (below). May import: `sync`.

use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, Mutex, Ordering, lock};

pub(crate) struct Reserve {
    state: Mutex<State>,
    /// Whether a thread blocks. Written under the lock.
    is_needed: AtomicBool,
    /// Where each thread sleeps.
    beds: Box<[Parker]>,
}

struct State {
    /// How many threads block.
    blocked: usize,
    /// How many of them have left no seat, and how many threads of the reserve work in place of these without one.
    unseated: usize,
    beside: usize,
    /// How many urgent tasks are not over, and for how many of them a thread is wanted at most.
    urgent: usize,
    most_urgent: usize,
    /// How many threads of the reserve are out.
    out: usize,
    asleep: Vec<usize>,
    /// The threads that have not been started.
    unborn: Vec<usize>,
}

impl State {
    fn wanted(&self) -> usize {
        self.blocked + self.urgent.min(self.most_urgent)
    }
}

impl Reserve {
    /// With so many threads at most. None of them exists yet.
    pub(crate) fn new(most: usize, workers: usize) -> Self {
        let state = State {
            blocked: 0,
            unseated: 0,
            beside: 0,
            urgent: 0,
            most_urgent: workers,
            out: 0,
            asleep: Vec::new(),
            unborn: (0..most).rev().collect(),
        };
        Reserve {
            state: Mutex::new(state),
            is_needed: AtomicBool::new(false),
            beds: (0..most).map(|_| Parker::new()).collect(),
        }
    }

    /// How many threads it has at most.
    pub(crate) fn most(&self) -> usize {
        self.beds.len()
    }

    /// The calling thread is about to block, and perhaps to leave its seat. Calls a thread out if too few are; `start`
    /// starts one, which is out, and returns false if it cannot.
    pub(crate) fn begin_blocking(&self, leaves_seat: bool, start: impl FnOnce(usize) -> bool) {
        let note = |state: &mut State| {
            self.count_blocked(state, state.blocked + 1);
            state.unseated += usize::from(!leaves_seat);
        };
        self.want(note, start);
    }

    /// The calling thread does not block any more.
    pub(crate) fn end_blocking(&self, has_left_seat: bool) {
        let mut state = lock(&self.state);
        let blocked = state.blocked - 1;
        self.count_blocked(&mut state, blocked);
        state.unseated -= usize::from(!has_left_seat);
    }

    /// Whether a thread of the reserve may work without a seat, in place of one that blocks and has left none.
    pub(crate) fn may_work_beside(&self) -> bool {
        let state = lock(&self.state);
        state.beside < state.unseated
    }

    /// The calling thread begins to work so, if it may. Returns whether it does.
    pub(crate) fn begin_beside(&self) -> bool {
        let mut state = lock(&self.state);
        let begins = state.beside < state.unseated;
        state.beside += usize::from(begins);
        begins
    }

    /// Whether fewer threads block than work so.
    pub(crate) fn is_beside_over(&self) -> bool {
        let state = lock(&self.state);
        state.beside > state.unseated
    }

    pub(crate) fn end_beside(&self) {
        lock(&self.state).beside -= 1;
    }

    fn count_blocked(&self, state: &mut State, blocked: usize) {
        state.blocked = blocked;
        self.is_needed.store(blocked > 0, Ordering::Relaxed);
    }

    /// Whether a thread seems to block. A hint.
    pub(crate) fn is_needed(&self) -> bool {
        self.is_needed.load(Ordering::Relaxed)
    }

    /// There is an urgent task. Calls a thread out as [`begin_blocking`](Self::begin_blocking) does.
    pub(crate) fn begin_urgent(&self, start: impl FnOnce(usize) -> bool) {
        self.want(|state| state.urgent += 1, start);
    }

    /// An urgent task is over.
    pub(crate) fn end_urgent(&self) {
        lock(&self.state).urgent -= 1;
    }

    /// Notes a wish, and calls a thread out if more are wanted than are out.
    fn want(&self, note: impl FnOnce(&mut State), start: impl FnOnce(usize) -> bool) {
        let unborn = {
            let mut state = lock(&self.state);
            note(&mut state);
            if state.out >= state.wanted() {
                return;
            }
            if let Some(thread) = state.asleep.pop() {
                state.out += 1;
                if !mutant!("reserve_not_called") {
                    self.beds[thread].unpark();
                }
                return;
            }
            let Some(unborn) = state.unborn.pop() else { return };
            state.out += 1;
            unborn
        };
        if !start(unborn) {
            let mut state = lock(&self.state);
            state.out -= 1;
            state.unborn.push(unborn);
        }
    }

    /// Thread `me`, which is out, has nothing to do. Returns whether it goes back: if more are out than are wanted.
    pub(crate) fn goes_back(&self, me: usize) -> bool {
        let mut state = lock(&self.state);
        let goes_back = state.out > state.wanted() || mutant!("reserve_goes_back");
        if goes_back {
            state.out -= 1;
            state.asleep.push(me);
        }
        goes_back
    }

    /// Sleeps as thread `me` until it is out, and returns true; or until `is_over`.
    pub(crate) fn await_call(&self, me: usize, is_over: impl Fn() -> bool) -> bool {
        loop {
            if !lock(&self.state).asleep.contains(&me) {
                return true;
            }
            if is_over() {
                return false;
            }
            self.beds[me].park();
        }
    }

    /// Makes the threads that sleep look whether it is over.
    pub(crate) fn wake_all(&self) {
        lock(&self.state).asleep.iter().for_each(|&thread| self.beds[thread].unpark());
    }
}

#[cfg(all(test, loom))]
mod tests {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;
    use std::mem::take;

    /// A reserve with a thread that goes back, and what it is to do.
    struct Shared {
        reserve: Reserve,
        is_due: Mutex<bool>,
        is_done: Parker,
        /// Where threads sleep that are out.
        elsewhere: Parker,
        is_over: AtomicBool,
    }

    impl Shared {
        /// What a thread of the reserve does.
        fn live(&self) {
            let is_over = || self.is_over.load(Ordering::SeqCst);
            while self.reserve.await_call(0, is_over) && !is_over() {
                if take(&mut *lock(&self.is_due)) {
                    self.is_done.unpark();
                }
                if !self.reserve.goes_back(0) {
                    self.elsewhere.park();
                }
            }
        }

        /// Blocks until the other thread has done something.
        fn block(&self) {
            *lock(&self.is_due) = true;
            self.reserve.begin_blocking(true, |_| unreachable!("the thread lives"));
            self.elsewhere.unpark();
            self.is_done.park();
            self.reserve.end_blocking(true);
        }
    }

    #[test]
    fn what_a_thread_waits_for_that_blocks_is_done_by_one_of_the_reserve() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let shared = Arc::new(Shared {
                reserve: Reserve::new(1, 1),
                is_due: Mutex::new(false),
                is_done: Parker::new(),
                elsewhere: Parker::new(),
                is_over: AtomicBool::new(false),
            });
            let is_started = std::cell::Cell::new(false);
            shared.reserve.begin_blocking(true, |_| {
                is_started.set(true);
                true
            });
            assert!(is_started.get());
            let thread = thread::spawn({
                let shared = Arc::clone(&shared);
                move || shared.live()
            });
            shared.reserve.end_blocking(true);
            shared.block();
            shared.is_over.store(true, Ordering::SeqCst);
            shared.elsewhere.unpark();
            shared.reserve.wake_all();
            thread.join().unwrap();
        });
    }
}
