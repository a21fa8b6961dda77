//! Who waits, across teams: the graph that loans of seats are decided by (`crossing.rs`).
//!
//! In it is every thread that holds a seat and waits, for another seat or at a join or scope's end in a team that it
//! has entered from another. One process-wide lock guards it. Each entry is made, brought up to date and removed by its
//! own thread; the others read it, under that lock. What a waiter at a join or a scope's end depends on is read from
//! its team's workers (`Tasks`), which change without notice; so an answer may be late, and whoever waits asks again.
//!
//! A waiter depends on every other that holds what it waits for: who waits for a seat of a team, on everybody who holds
//! one there; who waits for its own to come back, on whoever has it; who waits at a join or a scope's end, on whoever
//! runs a part of what it waits for.

use crate::engine::seat::held;
use crate::engine::task::Goal;
use crate::engine::team::Team;
use crate::protocol::seats::Request;
use crate::sync::process::PerProcess;
use crate::sync::{AtomicUsize, Ordering, lock};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard};

/// Everybody who holds a seat, has asked for another, and waits.
static WAITERS: PerProcess<Mutex<Vec<Arc<Waiter>>>> = PerProcess::new(Mutex::new(Vec::new()));

/// Requests for seats among them. Most processes never have one.
static REQUESTS: PerProcess<AtomicUsize> = PerProcess::new(AtomicUsize::new(0));

/// A thread that waits.
struct Waiter {
    /// The ladders that it occupies. That of a seat that it has lent is among them: it cannot go on there without it.
    holds: Mutex<Vec<Place>>,
    waits_for: WaitsFor,
}

/// A worker that a thread occupies, by name: compared and, for the team of a task that is being waited for, followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    team: *const Team,
    worker: usize,
}

enum WaitsFor {
    /// A seat of this team.
    Seat { team: *const Team, request: Arc<Request> },
    /// Its own seat, which the occupant of this spare worker has. The request is for being called by.
    Return { team: *const Team, spare: usize, call: Arc<Request> },
    /// The end of this. The waiter is in that team.
    End { team: *const Team, goal: Goal },
}

// SAFETY: the pointers to teams are names, except for those of `End`, which are followed only while its waiter is
// registered, and so on a seat of that team; teams are `Sync`.
unsafe impl Send for Waiter {}
// SAFETY: as above; `holds` is behind a lock.
unsafe impl Sync for Waiter {}

impl Waiter {
    fn update(&self) {
        let mut holds = lock(&self.holds);
        holds.clear();
        held::for_each_occupied(|ladder| {
            let worker = ladder.owner();
            holds.push(Place { team: worker.team(), worker: worker.index });
        });
    }

    fn holds(&self, is: impl Fn(Place) -> bool) -> bool {
        lock(&self.holds).iter().any(|&place| is(place))
    }

    fn call(&self) {
        match &self.waits_for {
            WaitsFor::Seat { request, .. } => request.call(),
            WaitsFor::Return { call, .. } => call.call(),
            WaitsFor::End { team, .. } => {
                // SAFETY: registered, so it is on a seat of this team.
                let team = unsafe { &**team };
                lock(&self.holds)
                    .iter()
                    .filter(|place| ptr::eq(place.team, team))
                    .for_each(|place| team.worker(place.worker).parker.unpark());
            }
        }
    }
}

/// An entry of this thread among the waiters.
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

    /// For a thread that waits for the end of `goal` in `team`, and holds another seat.
    pub(crate) fn for_end(team: &Team, goal: Goal) -> Self {
        Self::new(WaitsFor::End { team, goal })
    }

    /// For a thread that waits for a seat of `team`, and holds one elsewhere.
    pub(crate) fn for_seat(team: &Team, request: &Arc<Request>) -> Self {
        Self::new(WaitsFor::Seat { team, request: Arc::clone(request) })
    }

    /// For a thread whose own seat of `team` is out, with the occupant of this spare worker. It is called by `call`.
    pub(crate) fn for_return(team: &Team, spare: usize, call: &Arc<Request>) -> Self {
        Self::new(WaitsFor::Return { team, spare, call: Arc::clone(call) })
    }

    /// Looks at who waits, while nobody comes or goes. `None` where nobody waits for a seat.
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

/// Makes everybody look again.
pub(crate) fn call_all() {
    lock(WAITERS.get()).iter().for_each(|waiter| waiter.call());
}

/// The graph, as one waiter sees it.
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

    /// Whether this waiter's progress depends on `other`'s.
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
                // One that has just been granted waits no more, but for the lock that this thread holds.
                WaitsFor::Seat { team, request } => {
                    if request.is_open() {
                        reach(&|place| ptr::eq(place.team, *team));
                    }
                }
                WaitsFor::Return { team, spare, .. } => {
                    reach(&|place| place == Place { team: *team, worker: *spare });
                }
                WaitsFor::End { team, goal } => {
                    // SAFETY: its waiter is registered.
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
