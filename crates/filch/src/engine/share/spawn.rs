//! Spawning: a task is put where it will be found.

use crate::engine::recording;
use crate::engine::scopes::group::Group;
use crate::engine::seats::current;
use crate::engine::spawned::{Spawned, Task};
use crate::engine::team::Occupied;
use std::ptr;

impl Group {
    /// A task of this scope, counted in. May be called by any thread.
    ///
    /// # Safety
    ///
    /// What `task` borrows lives until this scope is finished. The caller is the body of the scope or one of its tasks,
    /// or is part of one of these.
    pub(crate) unsafe fn task(&self, task: impl Task) -> Spawned {
        // SAFETY: the scope is finished after its tasks.
        let job = unsafe { recording::job(self.head().addr().get(), task) };
        self.count_in();
        // SAFETY: what the caller is has been counted, so this scope lives until this task has been counted out, too.
        unsafe { Spawned::new(self.head(), job) }
    }

    /// Puts a task of this scope into a queue. May be called by any thread.
    pub(crate) fn spawn(&self, task: Spawned) {
        let team = self.team();
        // Not by `current::with`: a job would be copied into the closure.
        // SAFETY: a thread with a hint occupies the ladder of the hint, and does not leave its seat meanwhile.
        let here = current::hint().map(|hint| unsafe { Occupied::at(hint) });
        if let Some(here) = here.filter(|here| ptr::eq(here.owner().team(), team)) {
            here.spawned().put(task);
            self.make_known();
            team.sharing.at_spawn(team);
        } else {
            team.foreign.put(task);
            self.make_known();
            // This thread does not belong to the team, so it will not look for work later.
            team.sleepers.call_one();
        }
    }

    /// Puts a task into a queue for the time `due_ns`, at which idle threads find it. Calls only the sentinel, and only
    /// if that sleeps until it is called.
    pub(crate) fn spawn_later(&self, task: Spawned, due_ns: u64) {
        self.team().foreign.put_later(task, due_ns);
        // The sentinel might sleep beyond that time. Once it has been called and finds nothing that is due, it naps.
        self.tell_sentinel();
    }
}
