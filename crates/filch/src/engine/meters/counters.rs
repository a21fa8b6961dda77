//! What slow paths count. No fast path touches a counter, so the counters are always on.

use crate::sync::{AtomicU64, Ordering};
use std::fmt;

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// What the workers of a pool have done since it started, as counted by its slow paths. Forks that stay with
        /// their worker are not counted, because that would cost as much as the fork.
        ///
        /// If workers run while the counters are read, each value is right, but not all are of the same moment.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Counters {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        impl Counters {
            /// Names and what they mean, in the order of the fields.
            pub fn descriptions() -> impl Iterator<Item = (&'static str, &'static str)> {
                const { [$((stringify!($name), concat!($($doc),+).trim_ascii())),+] }.into_iter()
            }

            /// Names and values, in the order of the fields.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + use<> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }

            /// What has been added since `earlier`, which was read from the same pool.
            #[must_use]
            pub fn since(&self, earlier: &Counters) -> Counters {
                Counters { $($name: self.$name.saturating_sub(earlier.$name)),+ }
            }
        }

        /// One worker's counters, on the [page](crate::engine::meters::page).
        #[derive(Default)]
        #[repr(C)]
        pub(crate) struct CounterCells {
            $(pub(crate) $name: Counter,)+
        }

        impl CounterCells {
            /// Where the counters are, by their names.
            #[allow(dead_code, reason = "for the page, which not every system has")]
            pub(crate) const OFFSETS: &[(&str, usize)] =
                &[$((stringify!($name), std::mem::offset_of!(CounterCells, $name))),+];

            /// Nothing has been counted. No other thread may count meanwhile.
            pub(crate) fn reset(&self) {
                $(self.$name.0.store(0, Ordering::Relaxed);)+
            }

            pub(crate) fn add_to(&self, sum: &mut Counters) {
                $(sum.$name += self.$name.get();)+
            }
        }
    };
}

counters! {
    /// Forks that their worker gave away: to a worker that had asked, to any worker while others had nothing to do, or
    /// by a promotion.
    forks_given,
    /// Of these, forks that were promoted at a beat.
    promotions,
    /// Of these, forks that their worker took back because no other worker had begun them.
    forks_reclaimed,
    /// Forks that another worker took, because no answer came or because the scheduler does not ask. The tasks created
    /// are these, and the forks that were given and not reclaimed.
    forks_taken,
    /// Tasks that a worker ran while it waited for one of its own forks or for the end of a scope.
    tasks_run_while_waiting,
    /// Tasks of scopes that went to another worker than the one that spawned them, and those that threads from outside
    /// the pool spawned.
    spawns_moved,
    /// Visits to another worker that had something to share.
    steal_attempts,
    /// Of these, visits that asked.
    asks,
    /// Asks that were answered with nothing, or with a fork that its worker had taken back before the asker fetched it.
    refusals,
    /// Asks that were withdrawn because no answer came.
    withdrawals,
    /// Takes that interrupted the other worker and brought nothing.
    failed_takes,
    /// Returns that found the bound raised, and so took the cold path.
    attends,
    /// Beats that a worker with latent forks was given, or that were due when it forked.
    beats,
    /// Of these, beats that found no fork when the worker came to promote one.
    empty_beats,
    /// Inter-socket tasks that the head of a squad got from a pool.
    tasks_across,
    /// Inter-socket tasks that forks made, wherever they ran: both branches of each fork above the boundary level.
    inter_tasks,
    /// Of these, tasks on the boundary level: the leaves of the inter-socket tier.
    leaf_tasks,
    /// Forks that ran serially because the ladder was full.
    overflowed_forks,
    /// Forks through a strand that was not current. They were moved to the top of the ladder.
    stale_forks,
    /// Pieces of speculations that a worker began after the abort: second branches, and parts of loops and searches,
    /// that had moved to it. It finds the abort at its first look, and runs nothing of them, except for the `identity`
    /// of a fold. Pieces that stay with their worker do not begin, and children that wait in a queue are dropped.
    begun_after_abort,
    /// Parts of searches that were ready to leave, with a copy of the workspace, and that no worker got. Their owner
    /// went on with them. All other copies are parts that have left.
    parts_unfetched,
    /// Runs whose caller had to wait for a seat, and blocking sections after which a thread had to.
    seats_awaited,
    /// Of these, runs on a seat that another waiting thread had lent.
    seats_borrowed,
    /// Runs without a seat, because the queue for seats had not moved for milliseconds or the run was urgent. Also
    /// blocking sections after which a thread went on without a seat, and times a thread of the reserve worked in place
    /// of one that blocked without a seat.
    seats_exceeded,
    /// Blocking sections whose thread left its seat to another one.
    seats_left,
    /// Times a thread of the pool, or a waiting worker, went to sleep for lack of work.
    parks,
    /// Of these sleeps, those that ended by themselves and then found work. Such sleeps begin after a millisecond
    /// without work, and a worker that makes work calls a sleeper, so this stays at or near zero.
    late_wakes,
    /// Nanoseconds that workers of the pool spent without work: searching, asleep or waiting for a fork.
    idle_ns,
    /// Nanoseconds that workers had latent forks, as seen at beats.
    latent_ns,
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{name} {value}")?;
        }
        Ok(())
    }
}

/// A number that grows.
#[derive(Default)]
#[repr(transparent)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, n: u64) {
        // The occupant of the cell is usually the only writer. But a sleeping thread counts on the cell that has its
        // number.
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    pub(crate) fn bump(&self) {
        self.add(1);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_readings_is_what_came_between() {
        let cells = CounterCells::default();
        cells.parks.add(2);
        let mut earlier = Counters::default();
        cells.add_to(&mut earlier);
        cells.parks.bump();
        cells.forks_taken.bump();
        let mut later = Counters::default();
        cells.add_to(&mut later);
        let between = later.since(&earlier);
        assert_eq!((between.parks, between.forks_taken, between.attends), (1, 1, 0));
        assert!(later.to_string().contains("parks 3"));
    }
}
