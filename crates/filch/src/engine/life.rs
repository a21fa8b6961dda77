//! The life of a thread of the team: it sleeps, looks for work, takes a seat, gets work and runs it, and leaves the
//! seat.

use crate::engine::entry::unseated;
use crate::engine::meters::activity::Activity;
use crate::engine::seats::held_seats;
use crate::engine::share::thief::Thief;
use crate::engine::spawned::SpawnQueue;
use crate::engine::team::Occupied;
use crate::engine::team::{Ladder, Team};
use crate::engine::wait::rest::pause;
use crate::protocol::sleep::{Sleep, Woken};
use crate::sync::abort::AbortOnUnwind;
use crate::sync::clock;
use filch_policy::{Plan, Searcher};
use std::cell::Cell;

/// Lives as thread `me` of `team` until the team is dismissed. Calls `chore`, which must return soon, now and then when
/// there has been no work for long.
pub(crate) fn live(team: &Team, me: usize, chore: fn()) {
    live_until(team, me, chore, &|| false);
}

/// Lives as a thread of the reserve of `team` until the team is dismissed. It is called out.
pub(crate) fn live_in_reserve(team: &Team, number: usize, chore: fn()) {
    while team.reserve.await_call(number, || team.is_over()) {
        live_until(team, team.ladders().len() + number, chore, &|| team.reserve.goes_back(number));
        if team.is_over() {
            break;
        }
    }
}

/// Lives as thread `me` until the team is dismissed; or until `leaves`, which is asked when the thread has nothing to
/// do. The threads beyond the number of workers are those of the reserve.
fn live_until(team: &Team, me: usize, chore: fn(), leaves: &dyn Fn() -> bool) {
    let (worker, is_of_reserve) = (team.worker(me % team.ladders().len()), team.is_of_reserve(me));
    // If this thread unwound, the team would have too few threads, and work would be left.
    let abort = AbortOnUnwind::arm();
    let mut searcher = Searcher::begin(clock::now_ns());
    team.sleepers.begin_idle();
    while !team.is_over() {
        if searcher.looks(|| has_work(team, me)) && work(team, me, &mut searcher) {
            continue;
        }
        let now = clock::now_ns();
        if searcher.is_bored(now, team.sleepers.is_active()) {
            chore();
        }
        if leaves() {
            break;
        }
        worker.counters.parks.bump();
        let plan = searcher.plan(now, has_work(team, me));
        let sleeping = Activity::Sleep.without_worker();
        // A thread of the reserve has no worker of its name.
        let shows = |sleeps| _ = (!is_of_reserve).then(|| worker.meters.record().set_asleep(sleeps));
        shows(true);
        let woken = team.sleepers.sleep(me, plan, searcher.lingers(now), |sleep| {
            if sleep == Sleep::Watch {
                team.watch_for(worker);
            }
            team.is_over()
                || !is_of_reserve && team.bound_to(me).has_any()
                // It alone may run this without a seat, and is called for it.
                || is_of_reserve && may_do_without_seat(team)
                || sleep == Sleep::Watch && (has_work(team, me) || team.spawn_queues().any(SpawnQueue::has_any))
        });
        drop(sleeping);
        shows(false);
        let is_called = woken == Woken::Called;
        if is_called {
            // There is something new to ask for.
            worker.forget_refusals();
        }
        if !is_called
            && matches!(plan, Plan::Watch(_))
            && has_work(team, me)
            && !team.spawn_queues().any(SpawnQueue::is_due)
        {
            worker.counters.late_wakes.bump();
        }
        if let Some(idle_ns) = searcher.note_woken(is_called, clock::now_ns()) {
            worker.counters.idle_ns.add(idle_ns);
        }
    }
    // Somebody may wait for what is bound to this thread.
    while !is_of_reserve && !team.unbind(me) {
        work_without_seat(team, me, &mut searcher);
    }
    worker.counters.idle_ns.add(clock::now_ns() - searcher.idle_since_ns());
    team.sleepers.leave(me);
    abort.disarm();
}

/// Whether a worker seems to have something to share, and a seat is free for thread `me` to run it on; or whether there
/// is something that only this thread may run.
fn has_work(team: &Team, me: usize) -> bool {
    let is_of_reserve = team.is_of_reserve(me);
    if team.has_bound(me) || is_of_reserve && may_do_without_seat(team) {
        return true;
    }
    if let Some(squads) = &team.squads {
        // What there is may be for some of the seats only. A thread sits on its own one if that is free.
        let seats = if is_of_reserve || team.seats.is_taken(me) { 0..team.ladders().len() } else { me..me + 1 };
        let is_latent = |ladder: &Ladder| team.may_get_from(ladder) || !ladder.owner().shelf.is_empty();
        let mut free =
            seats.map(|seat| team.ladder_on(seat).owner()).filter(|worker| !team.seats.is_taken(worker.seat()));
        return free.any(|worker| {
            team.all_ladders().any(|ladder| is_latent(ladder) && team.are_mates(worker, ladder))
                || squads.has_any() && team.may_begin_across(worker)
                || team.spawn_queues().any(|queue| !queue.is_empty())
        });
    }
    team.has_latent() && team.seats.has_free()
}

/// Whether there is something that a thread of the reserve may run without a seat.
fn may_do_without_seat(team: &Team) -> bool {
    team.has_urgent() || team.reserve.may_work_beside() && team.has_latent()
}

/// Takes a seat if one is free, and runs the work that there is. Returns true if there was some.
fn work(team: &Team, me: usize, searcher: &mut Searcher) -> bool {
    let Some(seat) = team.seats.try_sit(me) else { return work_without_seat(team, me, searcher) };
    let ladder = team.ladder_on(seat);
    // A thread that waits for a seat gets this one between two tasks.
    let is_called = || team.is_over() || team.seats.is_wanted();
    let has_worked = search(team, ladder, me, searcher, &is_called);
    team.leave(ladder);
    has_worked
}

/// Runs what only this thread may run, and as one of the reserve what is urgent. Returns true if there was something.
fn work_without_seat(team: &Team, me: usize, searcher: &mut Searcher) -> bool {
    let mut has_worked = false;
    let going_busy = || team.sleepers.going_busy(me);
    while unseated::run_bound(&going_busy) || team.is_of_reserve(me) && unseated::run_urgent(team, &going_busy) {
        // As between two tasks on a seat.
        team.must_have_threads();
        team.sleepers.begin_idle();
        searcher.note_work(clock::now_ns());
        has_worked = true;
    }
    if team.is_of_reserve(me) && team.reserve.begin_beside() {
        has_worked |= work_beside(team, me, searcher);
        team.reserve.end_beside();
    }
    has_worked
}

/// Runs what there is in place of a thread that blocks and has left no seat. Returns true if there was something.
fn work_beside(team: &Team, me: usize, searcher: &mut Searcher) -> bool {
    let Some(spare) = team.take_spare(0) else { return false };
    let ladder = team.ladder(spare);
    ladder.owner().counters.seats_exceeded.bump();
    let is_called = || team.is_over() || team.reserve.is_beside_over();
    let has_worked = search(team, ladder, me, searcher, &is_called);
    team.give_back_spare(spare);
    has_worked
}

/// Runs what there is until `is_called`, as the worker of `ladder`, which thread `me` has taken. Returns true if there
/// was something.
fn search(team: &Team, ladder: &Ladder, me: usize, searcher: &mut Searcher, is_called: &dyn Fn() -> bool) -> bool {
    held_seats::occupy(team, ladder, ladder.first(), || search_at(team, ladder, me, searcher, is_called))
}

fn search_at(team: &Team, ladder: &Ladder, me: usize, searcher: &mut Searcher, is_called: &dyn Fn() -> bool) -> bool {
    let worker = ladder.owner();
    let mut has_worked = false;
    let mut look = searcher.look(clock::now_ns());
    let doing = Cell::new(Some(worker.activity.begin(Activity::Search)));
    while !is_called() {
        // A task may have called fork(2) and returned in the child, where the other threads of the team do not exist.
        team.must_have_threads();
        let found = Cell::new(0);
        let going_busy = || {
            found.set(clock::now_ns());
            drop(doing.take());
            team.sleepers.going_busy(me);
            if look.calls_more() {
                team.sleepers.call_for_more(team.squad_of_work(worker));
            }
        };
        let thief = Thief {
            team,
            // SAFETY: this thread occupies the ladder.
            top: unsafe { Occupied::at(ladder.first()) }.top(),
            is_called,
            going_busy: &going_busy,
            may_nap: &|| true,
            is_met_with_silence: Cell::new(false),
        };
        if thief.visit_all(None) {
            doing.set(Some(worker.activity.begin(Activity::Search)));
            team.sleepers.begin_idle();
            worker.counters.idle_ns.add(found.get() - searcher.idle_since_ns());
            let now = clock::now_ns();
            searcher.note_work(now);
            look.note_work(now);
            has_worked = true;
        } else {
            if thief.is_met_with_silence.get() {
                // The thread of that victim may be waiting for this processor.
                std::thread::yield_now();
            }
            pause(look.next_turns());
            if !look.goes_on(clock::now_ns) {
                break;
            }
        }
    }
    has_worked
}
