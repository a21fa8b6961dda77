//! Heartbeat scheduling: at a beat, a worker leaves its oldest frame for others, whatever the load (Acar, Charguéraud,
//! Guatto, Rainey and Sieczkowski 2018, sections 2 and 4).
//!
//! A [beat](crate::engine::team::beat) is an ask made by a clock. The worker finds it at its next return, as it finds
//! the ask of a thief: the beat has raised E. It promotes its oldest frame, or half of what is left of its outermost
//! loop: puts it on its shelf, and calls a sleeper. If it comes back for the frame before another worker has begun it,
//! it takes the frame back. If the beat is due when the worker has no frame, the fork that brings the next one promotes
//! it at once.
//!
//! The thread that beats [lives](live) here.

use crate::engine::team::Sharing;
use crate::engine::team::calls::signal;
use crate::engine::team::{Ladder, Team, Worker};
use crate::engine::team::{Latent, Leaving};
use crate::sync::abort::AbortOnUnwind;
use crate::sync::{clock, timer};
use filch_policy::Beat;
use std::thread;
use std::time::Duration;

pub(super) struct Heartbeat;

impl Sharing for Heartbeat {
    fn leaves(&self, worker: &Worker) -> bool {
        worker.rules().beat().is_some_and(|beat| worker.beat.is_due(beat, clock::now_ns()))
    }

    /// Takes the beat that has been given to this worker, or spends the one that is due.
    fn may_leave(&self, worker: &Worker) -> bool {
        if take_beat(worker, true) {
            return true;
        }
        let spends = worker.rules().beat().is_some_and(|beat| worker.beat.spend(beat, clock::now_ns()));
        if spends {
            worker.counters.beats.bump();
        }
        spends
    }

    fn is_wanted(&self, worker: &Worker) -> bool {
        worker.is_asked() || worker.beat.is_given()
    }

    fn at_return(&self, latent: Latent<'_>) -> Leaving {
        let worker = latent.worker();
        let answer = latent.accept().map(|asker| latent.hand_over(asker));
        // E was lowered before: a beat that comes later raises E again.
        if !worker.beat.is_given() {
            return Leaving { answer, ..Leaving::default() };
        }
        let shelved = latent.shelve();
        let is_postponed = shelved.is_none();
        take_beat(worker, !is_postponed);
        if is_postponed {
            worker.counters.empty_beats.bump();
        }
        Leaving { answer, shelved, is_postponed }
    }

    fn begins_activity(&self, team: &Team) {
        team.beater.wake();
    }
}

/// Takes the beat for this worker, if there is one. If it is not `is_used` for a promotion, it is due again at once.
fn take_beat(worker: &Worker, is_used: bool) -> bool {
    worker.beat.take(clock::now_ns(), is_used, &worker.poll_times)
}

/// A sleep that is as long as this must end when the team is dismissed.
const LONG: Duration = Duration::from_millis(10);

/// Lives as the thread that beats for `team`, until the team is dismissed.
pub(crate) fn live(team: &Team, beat: Beat) {
    // If this thread unwound, nothing would be promoted any more.
    let abort = AbortOnUnwind::arm();
    timer::be_punctual();
    let mut active_ns = clock::now_ns();
    let mut before_ns = active_ns;
    while !team.is_over() {
        let now_ns = clock::now_ns();
        if team.sleepers.is_active() {
            active_ns = now_ns;
        } else if !beat.lingers(now_ns - active_ns) {
            team.beater.0.park();
            active_ns = clock::now_ns();
            before_ns = active_ns;
            continue;
        }
        for ladder in team.all_ladders() {
            if give(ladder, beat, now_ns) {
                ladder.owner().counters.latent_ns.add(now_ns - before_ns);
            }
        }
        before_ns = now_ns;
        let period = Duration::from_nanos(beat.round_ns());
        if period < LONG {
            thread::sleep(period);
        } else {
            team.beater.0.park_timeout(period);
        }
    }
    abort.disarm();
}

/// Gives the worker of this ladder a beat, if one is due. Returns whether the worker has a frame; if it has none, its
/// next fork will find out.
pub(crate) fn give(ladder: &Ladder, beat: Beat, now_ns: u64) -> bool {
    let worker = ladder.owner();
    if !ladder.has_frame() {
        if worker.beat.is_due(beat, now_ns) {
            ladder.be_eager();
        }
        return false;
    }
    if worker.beat.give(beat, now_ns) {
        worker.counters.beats.bump();
        // After the beat: the worker looks for it when it finds E raised.
        signal(ladder);
    }
    true
}
