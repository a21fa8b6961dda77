//! The graph of the threads that wait, across teams. It decides about loans of seats (`loans.rs`).
//!
//! The graph contains each thread that holds a seat and waits: for another seat, or at a join or the end of a scope in
//! a team that it has entered from another team. One process-wide lock protects the graph. Each entry is made, updated
//! and removed by its own thread; other threads read it under that lock. What a waiter at a join or at the end of a
//! scope depends on is read from the workers of its team (`Tasks`), which change without notice. So an answer may be
//! out of date, and waiters look again.
//!
//! A waiter depends on each other waiter that holds what it waits for:
//!
//! | it waits for | it depends on |
//! |---|---|
//! | a seat of a team | each thread that holds a seat there |
//! | the return of its own seat | the thread that has the seat |
//! | the end of a join or of a scope | each thread that runs a part of it |

use crate::engine::frame::task::Goal;
use crate::engine::seats::held_seats;
use crate::engine::team::Team;
use crate::protocol::seats::Request;
use crate::sync::process::PerProcess;
use crate::sync::{AtomicUsize, Ordering, lock};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard};

/// The threads that hold a seat and wait, if they wait for another seat or hold several.
static WAITERS: PerProcess<Mutex<Vec<Arc<Waiter>>>> = PerProcess::new(Mutex::new(Vec::new()));

/// How many of them wait for a seat. Most processes never have such a thread.
static REQUESTS: PerProcess<AtomicUsize> = PerProcess::new(AtomicUsize::new(0));

/// A thread that waits.
struct Waiter {
    /// The workers that the thread occupies. They include those whose seats it has lent, because it cannot go on there
    /// without their seats.
    holds: Mutex<Vec<Place>>,
    waits_for: WaitsFor,
}

/// The name of a worker that a thread occupies. The pointer is only compared, never followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    team: *const Team,
    worker: usize,
}

enum WaitsFor {
    /// For a seat of this team.
    Seat { team: *const Team, request: Arc<Request> },
    /// For its own seat, which the occupant of this spare worker has. The thread is called by way of the request.
    Return { team: *const Team, spare: usize, call: Arc<Request> },
    /// For the end of this goal, in a team on whose seat the thread is.
    End { team: *const Team, goal: Goal },
}

// SAFETY: teams are `Sync`. The pointers to teams are only names, except those of `End`, which are followed only while
// their waiter is registered. Meanwhile the waiter is on a seat of that team, which therefore lives.
unsafe impl Send for Waiter {}
// SAFETY: as for `Send`, directly above; `holds` is behind a lock.
unsafe impl Sync for Waiter {}

impl Waiter {
    fn update(&self) {
        let mut holds = lock(&self.holds);
        holds.clear();
        holds.extend(held_seats::occupied().map(|ladder| {
            let worker = ladder.owner();
            Place { team: worker.team(), worker: worker.index }
        }));
    }

    fn holds(&self, is: impl Fn(Place) -> bool) -> bool {
        lock(&self.holds).iter().any(|&place| is(place))
    }

    fn call(&self) {
        match &self.waits_for {
            WaitsFor::Seat { request, .. } => request.call(),
            WaitsFor::Return { call, .. } => call.call(),
            WaitsFor::End { team, .. } => {
                // SAFETY: the waiter is registered, so it is on a seat of this team, which therefore lives.
                let team = unsafe { &**team };
                lock(&self.holds)
                    .iter()
                    .filter(|place| ptr::eq(place.team, team))
                    .for_each(|place| team.worker(place.worker).parker.unpark());
            }
        }
    }
}

/// The entry of this thread. It is removed on drop.
pub(crate) struct Registered(Arc<Waiter>);

impl Registered {
    fn new(waits_for: WaitsFor) -> Self {
        let waiter = Arc::new(Waiter { holds: Mutex::new(Vec::new()), waits_for });
        waiter.update();
        let mut waiters = lock(WAITERS.get());
        if matches!(waiter.waits_for, WaitsFor::Seat { .. }) {
            REQUESTS.get().fetch_add(1, Ordering::SeqCst);
            waiters.iter().for_each(|other| other.call());
        }
        waiters.push(Arc::clone(&waiter));
        Registered(waiter)
    }

    /// Registers a thread that waits for the end of `goal` in `team`, and holds another seat.
    pub(crate) fn for_end(team: &Team, goal: Goal) -> Self {
        Self::new(WaitsFor::End { team, goal })
    }

    /// Registers a thread that waits for a seat of `team`, and holds one elsewhere.
    pub(crate) fn for_seat(team: &Team, request: &Arc<Request>) -> Self {
        Self::new(WaitsFor::Seat { team, request: Arc::clone(request) })
    }

    /// Registers a thread that has lent its seat of `team` to the occupant of this spare worker. It is called by way of
    /// `call`.
    pub(crate) fn for_return(team: &Team, spare: usize, call: &Arc<Request>) -> Self {
        Self::new(WaitsFor::Return { team, spare, call: Arc::clone(call) })
    }

    /// Locks the graph, so that no thread is added or removed. `None` if no thread waits for a seat.
    pub(crate) fn look(&self) -> Option<Look<'_>> {
        if REQUESTS.get().load(Ordering::SeqCst) == 0 {
            return None;
        }
        let waiters = lock(WAITERS.get());
        self.0.update();
        Some(Look { me: &self.0, waiters })
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        lock(WAITERS.get()).retain(|waiter| !Arc::ptr_eq(waiter, &self.0));
        if matches!(self.0.waits_for, WaitsFor::Seat { .. }) {
            REQUESTS.get().fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Makes all waiters look again.
pub(crate) fn call_all() {
    lock(WAITERS.get()).iter().for_each(|waiter| waiter.call());
}

/// The locked graph, as one waiter sees it.
pub(crate) struct Look<'r> {
    me: &'r Arc<Waiter>,
    waiters: MutexGuard<'static, Vec<Arc<Waiter>>>,
}

impl Look<'_> {
    /// The requests for a seat of `wanted` that this waiter's own progress depends on.
    pub(crate) fn needed_requests(&self, wanted: &Team) -> impl Iterator<Item = &Arc<Request>> {
        self.waiters.iter().filter_map(move |other| match &other.waits_for {
            WaitsFor::Seat { team, request } => {
                (ptr::eq(*team, wanted) && !Arc::ptr_eq(other, self.me) && self.depends_on(other)).then_some(request)
            }
            WaitsFor::Return { .. } | WaitsFor::End { .. } => None,
        })
    }

    /// Whether this waiter's progress depends on that of `other`.
    fn depends_on(&self, other: &Arc<Waiter>) -> bool {
        let mut reached: Vec<&Arc<Waiter>> = vec![self.me];
        let mut followed = 0;
        while let Some(&waiter) = reached.get(followed) {
            followed += 1;
            if Arc::ptr_eq(waiter, other) {
                return true;
            }
            let mut reach = |is: &dyn Fn(Place) -> bool| {
                for next in self.waiters.iter() {
                    if next.holds(is) && !reached.iter().any(|known| Arc::ptr_eq(known, next)) {
                        reached.push(next);
                    }
                }
            };
            match &waiter.waits_for {
                // A thread whose request has just been granted waits for nothing but the lock that this thread holds.
                WaitsFor::Seat { team, request } => {
                    if request.is_open() {
                        reach(&|place| ptr::eq(place.team, *team));
                    }
                }
                WaitsFor::Return { team, spare, .. } => {
                    reach(&|place| place == Place { team: *team, worker: *spare });
                }
                WaitsFor::End { team, goal } => {
                    // SAFETY: the waiter is registered, so it is on a seat of this team, which therefore lives.
                    let its_team = unsafe { &**team };
                    for worker in its_team.in_the_way_of(*goal) {
                        reach(&|place| place == Place { team: *team, worker });
                    }
                }
            }
        }
        false
    }
}
