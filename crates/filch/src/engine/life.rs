//! The life of a thread of the team: it sleeps, looks for work, takes a seat, gets work and runs it, and leaves the
//! seat.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::seat::held;
use crate::engine::share::thief::Thief;
use crate::engine::tasks::Pool;
use crate::engine::team::{Ladder, Team};
use crate::engine::wait::rest::{SEARCH_NS, Spin, plan};
use crate::protocol::sleep::{Plan, Sleep, Woken};
use crate::sync::clock;
use std::cell::Cell;
use std::time::Duration;

/// How long the sentinel of a team that is no longer active lingers, so that the next of a burst of runs wakes nobody.
const LINGER: Duration = Duration::from_millis(1);

/// From so long without work on there is time for a chore.
const BORED_AFTER: Duration = Duration::from_millis(100);

/// Lives as thread `me` of `team` until the team is dismissed. Calls `chore`, which must return soon, now and then when
/// there has been no work for long.
pub(crate) fn live(team: &Team, me: usize, chore: fn()) {
    // If this thread unwound, the team would have too few threads, and work would be left.
    let abort = AbortOnUnwind::arm();
    let mut idle_since = clock::now_ns();
    team.sleepers.begin_idle();
    // Called, or with work: then it pays to look for a while.
    let mut is_keen = false;
    while !team.is_leaving() {
        if (is_keen || has_work(team)) && work(team, me, is_keen, &mut idle_since) {
            is_keen = true;
            continue;
        }
        let idle = Duration::from_nanos(clock::now_ns() - idle_since);
        if idle > BORED_AFTER && !team.sleepers.is_active() {
            chore();
        }
        team.worker(me).counters.parks.bump();
        let plan = plan(idle, has_work(team));
        let woken = team.sleepers.sleep(me, plan, idle < LINGER, |sleep| {
            if sleep == Sleep::Watch {
                team.watch();
            }
            team.is_leaving() || sleep == Sleep::Watch && (has_work(team) || team.pools().any(Pool::has_any))
        });
        is_keen = woken == Woken::Called;
        if !is_keen && matches!(plan, Plan::Watch(_)) && has_work(team) && !team.pools().any(Pool::is_due) {
            team.worker(me).counters.late_wakes.bump();
        }
        let now = clock::now_ns();
        if is_keen {
            team.worker(me).counters.idle_ns.add(now - idle_since);
            idle_since = now;
        }
    }
    team.worker(me).counters.idle_ns.add(clock::now_ns() - idle_since);
    team.sleepers.leave(me);
    abort.disarm();
}

/// Whether a worker seems to have something to share, and a seat is free to run it on.
fn has_work(team: &Team) -> bool {
    let is_latent = |ladder: &Ladder| ladder.has_frame() || !ladder.owner().shelf.is_empty();
    (team.all_ladders().any(is_latent) || team.pools().any(|pool| !pool.is_empty())) && team.seats.has_free()
}

/// Takes a seat if one is free, and runs the work that there is. Returns true if there was some.
fn work(team: &Team, me: usize, is_keen: bool, idle_since: &mut u64) -> bool {
    let Some(seat) = team.seats.try_sit(me) else { return false };
    let ladder = team.ladder(seat);
    let has_worked = held::occupy(team, ladder, ladder.first(), || search(team, ladder, me, is_keen, idle_since));
    team.leave_seat(seat);
    has_worked
}

fn search(team: &Team, ladder: &Ladder, me: usize, is_keen: bool, idle_since: &mut u64) -> bool {
    let worker = ladder.owner();
    let is_called = || team.is_leaving() || team.seats.is_wanted();
    let mut has_worked = false;
    let (mut spin, mut since) = (Spin::new(), clock::now_ns());
    let mut is_first = true;
    // A thread that waits for a seat gets this one between two tasks.
    while !is_called() {
        // A task may have called fork(2) and returned in the child, where the other threads of the team do not exist.
        team.must_have_threads();
        let found = Cell::new(0);
        // What is found at the first look has been lying there: more of those who sleep shall come.
        let has_waited = is_first;
        is_first = false;
        let going_busy = || {
            found.set(clock::now_ns());
            team.sleepers.going_busy(me);
            if has_waited {
                team.sleepers.call_for_more();
            }
        };
        let thief = Thief {
            team,
            ladder,
            top: ladder.first(),
            is_called: &is_called,
            going_busy: &going_busy,
            is_met_with_silence: Cell::new(false),
        };
        // SAFETY: this thread occupies the ladder, which is empty between two tasks.
        if unsafe { thief.visit_all() } {
            team.sleepers.begin_idle();
            worker.counters.idle_ns.add(found.get() - *idle_since);
            *idle_since = clock::now_ns();
            has_worked = true;
            is_first = true;
            (spin, since) = (Spin::new(), *idle_since);
        } else {
            if thief.is_met_with_silence.get() {
                // The thread of that victim may be waiting for this processor.
                std::thread::yield_now();
            }
            spin.pause();
            if !(is_keen || has_worked) || clock::now_ns() - since > SEARCH_NS {
                break;
            }
        }
    }
    has_worked
}
