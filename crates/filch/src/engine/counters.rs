//! What slow paths count. Nothing here is touched on a fast path, so the counters are always on.

use crate::sync::{AtomicU64, Ordering};
use std::fmt;

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// What the workers of a pool have done since it started, as its slow paths counted it. Forks that stay with
        /// their worker are not counted: that would cost as much as the fork.
        ///
        /// Taken while workers run, the figures are each right but not of one moment.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Counters {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        impl Counters {
            /// Names and values, in the order of the fields.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + use<> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }

            /// What has been added since `earlier`, a reading of the same pool.
            #[must_use]
            pub fn since(&self, earlier: &Counters) -> Counters {
                Counters { $($name: self.$name.saturating_sub(earlier.$name)),+ }
            }
        }

        /// One worker's counters.
        #[derive(Default)]
        pub(crate) struct CounterCells {
            $(pub(crate) $name: Counter,)+
        }

        impl CounterCells {
            pub(crate) fn add_to(&self, sum: &mut Counters) {
                $(sum.$name += self.$name.get();)+
            }
        }
    };
}

counters! {
    /// Forks that their worker gave away: to one that had asked, or left for whoever came, while others slept.
    forks_given,
    /// Of those, the ones that it took back because nobody had begun them.
    forks_reclaimed,
    /// Forks that another worker took, because nobody answered or the scheduler does not ask. These, and those given and not
    /// reclaimed, are the tasks created.
    forks_taken,
    /// Of the tasks, those run by a worker that was waiting for one of its own forks to come back.
    tasks_run_while_waiting,
    /// Tasks of scopes that went to another worker than the one that spawned them, and those that threads from elsewhere
    /// spawned.
    spawns_moved,
    /// Visits to another worker that had something to share.
    steal_attempts,
    /// Of those, the ones that asked.
    asks,
    /// Asks that were answered with nothing, or with a fork that its worker had taken back before the asker fetched it.
    refusals,
    /// Asks withdrawn because no answer came.
    withdrawals,
    /// Takes that interrupted the other worker and brought nothing.
    failed_takes,
    /// Returns that found the bound raised and had to settle what it was raised for.
    attends,
    /// Forks run serially because the ladder was full.
    overflowed_forks,
    /// Forks through a strand that was not current, and were moved to the top of the ladder.
    stale_forks,
    /// Runs whose caller had to wait for a seat.
    seats_awaited,
    /// Of those, the ones that another waiting thread lent its seat to.
    seats_borrowed,
    /// Of those that waited, the ones that went without: the queue for seats had stood still for milliseconds.
    seats_exceeded,
    /// Times a thread of the pool, or a waiting worker, went to sleep for lack of work.
    parks,
    /// Of those, the ones that nobody ended although there was work: it was found when the time of the sleep was over. Such sleeps
    /// begin after a millisecond without work, and whoever makes some calls the sleeper; so this stays at or near zero.
    late_wakes,
    /// Nanoseconds that workers of the pool spent without work: searching, asleep or waiting for a taken fork.
    idle_ns,
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
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, n: u64) {
        // Mostly one thread writes, the occupant of the cell; but a sleeping thread counts on the cell that bears its
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
