//! Teams in children of fork(2): the team that works in place of one whose threads stayed in the parent.
//!
//! The parent's threads are where they were at that moment: on seats, holding L, with a frame half run. A run from
//! outside goes to the *heir* of the team, which has one worker and exists in this process only. Heirs are published
//! without a lock, because the child may fork in turn. The run in which the process forked goes on, on its own ladder:
//! it has what no worker had taken, and takes back what no worker had begun. If it would wait for what another thread
//! had begun, or for a lock that another thread held, it aborts the process with a message; so does a thread of the
//! pool that returns from its task in a child. Dropping a team of the parent joins no threads.

use crate::engine::seats::held_seats;
use crate::engine::team::Team;
use crate::sync::Ordering;
use filch_policy::{Costs, Rules, Scheduler};
use std::sync::Arc;

/// How many workers an heir has: the thread that enters it.
const WORKERS: usize = 1;

impl Team {
    /// The team that the calling thread works for, or would work for, if it enters this one: the last heir, unless this
    /// team is that of the present process, or the thread is inside the run in which the parent of its process forked.
    pub(crate) fn in_force(&self) -> &Team {
        let mut team = self;
        while team.is_left_behind() && held_seats::seat_in(team).is_none() {
            team = team.heir();
        }
        team
    }

    /// This team; or in a child of the process that it belongs to, the team that works in its place.
    pub(crate) fn here(&self) -> &Team {
        let mut team = self;
        while team.is_left_behind() {
            team = team.heir();
        }
        team
    }

    /// How many workers that team has. Unlike the team itself, this is known without memory.
    pub(crate) fn workers_in_force(&self) -> usize {
        if self.is_left_behind() && held_seats::seat_in(self).is_none() { WORKERS } else { self.ladders().len() }
    }

    /// The team to run on if this one belongs to a parent process. It has one worker and no threads. It may itself be
    /// left behind by a further fork(2).
    #[cold]
    pub(crate) fn heir(&self) -> &Team {
        let mut heir = self.heir.load(Ordering::Acquire);
        if heir.is_null() {
            let scheduler = Scheduler::serial();
            let rules = Rules::new(&scheduler, Costs::NONE, false).with_fixed_shapes(self.rules.fixes_shapes());
            let made = Team::new(
                WORKERS,
                self.capacity,
                scheduler,
                rules,
                self.sharing,
                crate::engine::team::lifetime::Layout::default(),
                self.threads.without_threads(),
            );
            let made = Arc::into_raw(made.expect("there is no memory for a ladder, in a child of fork(2)")).cast_mut();
            // There is no lock here, because another thread might hold it when this process is forked in turn.
            heir = match self.heir.compare_exchange(heir, made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => made,
                Err(other) => {
                    // SAFETY: `made` comes from `Arc::into_raw` above, and no other thread has seen it.
                    drop(unsafe { Arc::from_raw(made) });
                    other
                }
            };
        }
        // SAFETY: the pointer is not null, and the heir is freed only when this team is dropped.
        unsafe { &*heir }
    }
}
