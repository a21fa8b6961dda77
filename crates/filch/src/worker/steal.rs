//! A steal: take a frame from another worker's ladder and run it.

use super::execute::execute;
use super::{Header, Ladder, Rung, Team};
use crate::ladder::Miss;

/// Takes the oldest frame of `victim`, if `may_take` says so once it is certain that there is one, and runs it at `top` of
/// `ladder`, the caller's own. False if there was nothing to be had.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`, and has room for a task.
pub(super) unsafe fn take_from(
    team: &Team,
    victim: &Ladder,
    ladder: &Ladder,
    top: Rung,
    may_take: impl FnOnce() -> bool,
) -> bool {
    let worker = ladder.owner();
    worker.counters.steal_attempts.bump();
    let taken = victim.take(team.period_ns(), |frame| {
        may_take() && {
            let task = worker.tasks.begin(worker.index);
            // SAFETY: `take` calls this under L, before H moves.
            unsafe { Header::set_claim(frame, task) };
            true
        }
    });
    match taken {
        Ok(frame) => {
            worker.counters.forks_taken.bump();
            let wake = || victim.owner().parker.unpark();
            // SAFETY: claimed above; the rest is forwarded.
            unsafe { execute(ladder, top, frame, wake) };
            true
        }
        Err(miss) => {
            if miss == Miss::Failed {
                worker.counters.failed_takes.bump();
            }
            false
        }
    }
}
