//! The life of the thread that [beats](super::beat).

use crate::engine::abort::AbortOnUnwind;
use crate::engine::team::{Ladder, Team};
use crate::sync::{Ordering, clock, timer};
use filch_policy::Beat;
use std::thread;
use std::time::Duration;

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
        ladder.raise();
        if !worker.is_busy.load(Ordering::Relaxed) {
            // It waits for the end of a scope, above older frames.
            worker.parker.unpark();
        }
    }
    true
}
