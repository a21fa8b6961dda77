//! A worker that is asked by its own thread, on behalf of another that nobody occupies: for measuring what giving costs.

use super::Team;
use crate::ask::Ask;
use crate::sync::{AtomicU64, Ordering};

/// Asks worker `victim` for forks, in the name of `asker`.
pub(crate) struct Nudge<'t> {
    team: &'t Team,
    victim: usize,
    asker: usize,
    seq: AtomicU64,
    counted: AtomicU64,
}

impl<'t> Nudge<'t> {
    /// Nobody occupies `asker`, and the caller `victim`.
    pub(crate) fn new(team: &'t Team, victim: usize, asker: usize) -> Self {
        Nudge { team, victim, asker, seq: AtomicU64::new(0), counted: AtomicU64::new(0) }
    }

    /// How often this has been called.
    pub(crate) fn count(&self) -> u64 {
        // One thread, so load and store need not be one operation.
        let count = self.counted.load(Ordering::Relaxed) + 1;
        self.counted.store(count, Ordering::Relaxed);
        count
    }

    /// Asks. Does nothing while a fork that was given lies there still.
    #[inline(never)]
    pub(crate) fn ask(&self) {
        let mailbox = &self.team.worker(self.asker).mailbox;
        let seq = self.seq.load(Ordering::Relaxed);
        if seq > 0 && !mailbox.is_refused() {
            return;
        }
        self.seq.store(seq + 1, Ordering::Relaxed);
        mailbox.expect_reply();
        let ask = Ask { asker: self.asker, seq: seq + 1 };
        if self.team.worker(self.victim).request.post(ask) {
            self.team.ladder(self.victim).raise();
        } else {
            mailbox.refuse();
        }
    }
}
