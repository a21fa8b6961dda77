//! Spawning: a task is put where it will be found.

use crate::engine::group::Core;
use crate::engine::task_pool::Job;
use crate::engine::{chaos, current};
use std::ptr;

impl Core {
    /// Puts `job` into a pool. May be called by any thread.
    ///
    /// # Safety
    ///
    /// The caller is the body of the scope or one of its tasks, or is part of one of these.
    pub(crate) unsafe fn spawn(&self, job: Job) {
        let team = self.team();
        self.pending.add();
        current::with_ladder(|ladder| {
            match ladder.filter(|ladder| ptr::eq(ladder.owner().team(), team)) {
                Some(ladder) => {
                    // SAFETY: counted in above, and this scope lives until the task has been counted out.
                    unsafe { ladder.owner().pool.put(self.head(), job) };
                    self.make_known();
                    chaos::at_spawn(team);
                }
                None => {
                    // SAFETY: as above.
                    unsafe { team.foreign.put(self.head(), job) };
                    self.make_known();
                    // This thread does not belong to the team, so it will not look for work later.
                    team.sleepers.call_one();
                }
            }
        });
    }

    /// Puts `job` into a pool for the time `due_ns`, at which idle threads find it. Calls only the sentinel, and only
    /// if that sleeps until it is called.
    ///
    /// # Safety
    ///
    /// As for [`spawn`](Self::spawn).
    pub(crate) unsafe fn spawn_later(&self, job: Job, due_ns: u64) {
        self.pending.add();
        // SAFETY: counted in above, and this scope lives until the task has been counted out.
        unsafe { self.team().foreign.put_later(self.head(), job, due_ns) };
        // The sentinel might sleep beyond that time. Once it has been called and finds nothing that is due, it naps.
        self.tell_sentinel();
    }
}
