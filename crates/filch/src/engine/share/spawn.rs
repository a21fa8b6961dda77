//! Spawning: a task is left where it will be found.

use crate::engine::tasks::{Core, Job};
use crate::engine::{chaos, current};
use std::ptr;

impl Core {
    /// Leaves `job` where it will be found. By any thread.
    ///
    /// # Safety
    ///
    /// The caller is the scope's body, or one of its tasks, or part of one of these.
    pub(crate) unsafe fn spawn(&self, job: Job) {
        let team = self.team();
        self.pending.add();
        current::with_ladder(|ladder| {
            match ladder.filter(|ladder| ptr::eq(ladder.owner().team(), team)) {
                Some(ladder) => {
                    ladder.owner().pool.put(self.head(), job);
                    self.make_known();
                    chaos::at_spawn(team);
                }
                None => {
                    team.foreign.put(self.head(), job);
                    self.make_known();
                    // It is not the team's, and will not look for work when it is through with this.
                    team.sleepers.call_one();
                }
            }
        });
    }

    /// Leaves `job` for that time, by the clock: then whoever has nothing to do finds it. Nobody is called for it, but
    /// the sentinel if it sleeps for long.
    ///
    /// # Safety
    ///
    /// As [`spawn`](Self::spawn).
    pub(crate) unsafe fn spawn_later(&self, job: Job, due_ns: u64) {
        self.pending.add();
        self.team().foreign.put_later(self.head(), job, due_ns);
        // It may be asleep for longer than that; when it finds that nothing is due yet, it naps.
        self.tell_sentinel();
    }
}
