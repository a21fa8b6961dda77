//! Loops with [affinity](crate::constructs::affinity).
//!
//! The items are divided into cells, each of which is an ordinary loop. Two ordinary loops hand out the cells. The
//! first has one turn for each worker: in it, whichever worker gets the turn runs the cells that it had, and then
//! those of others who have not come for a while. The second runs what is left. Workers compete for cells by one atomic
//! exchange for each, so a cell runs once, whoever had it.

use super::indexed::{Access, Indexed, Part};
use crate::constructs::affinity::Affinity;
use crate::constructs::strand::Strand;
use crate::sync::clock;
use filch_policy::{may_begin_handed, part_of};

impl Strand<'_> {
    /// Like [`for_each`](Self::for_each), for a loop that is repeated over the same data, such as the sweeps of an
    /// iterative solver. Each part goes to the worker that had it in the last loop with this `affinity`, if that worker
    /// comes for it soon, because its caches may still hold the data.
    ///
    /// This pays if the data of a worker fits into its caches, or if memory belongs to sockets. It costs some
    /// microseconds and 16 loops for each worker, so it does not pay if a loop is short. If a body runs other parallel
    /// code, that code is shared as usual.
    ///
    /// ```
    /// let (mut affinity, mut cells) = (filch::Affinity::new(), vec![1.0_f64; 1000]);
    /// filch::run(|mut s| {
    ///     for _ in 0..10 {
    ///         s.for_each_affine(&mut affinity, &mut cells, |_, cell| *cell *= 0.5);
    ///     }
    /// });
    /// assert!(cells.iter().all(|&cell| cell == 0.5_f64.powi(10)));
    /// ```
    ///
    /// # Panics
    ///
    /// If `body` panics. One of the panics is passed on; other parts may have run or not.
    #[expect(clippy::redundant_closure, reason = "the standard library's call by reference is not inlined")]
    pub fn for_each_affine<I, F>(&mut self, affinity: &mut Affinity, items: I, body: F)
    where
        I: Indexed,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        let workers = self.occupied().owner().num_workers();
        let (access, begun_ns) = (items.items().into_access(), clock::now_ns());
        let affinity = affinity.round(self);
        let had = affinity.had();
        let run_if_first = |s: &mut Strand<'_>, me: usize, cell: usize| {
            if affinity.begin(cell, me) {
                // SAFETY: the cell begins once, and no two cells have the same items.
                let part = unsafe { Part::new(access, part_of(cell, access.len(), had.len())) };
                s.for_each(
                    part,
                    #[inline(always)]
                    |s, item| body(s, item),
                );
            }
        };
        let worker_of = |s: &Strand<'_>| s.occupied().owner().seat();
        self.for_each(0..workers, |mut s, _| {
            let me = worker_of(&s);
            for cell in (0..had.len()).filter(|&cell| had[cell] == me) {
                run_if_first(&mut s, me, cell);
            }
            // From the end, where their holders come last.
            for cell in (0..had.len()).rev().filter(|&cell| !affinity.is_begun(cell)) {
                if may_begin_handed(me, had[cell], clock::now_ns().saturating_sub(begun_ns)) {
                    run_if_first(&mut s, me, cell);
                }
            }
        });
        self.for_each(0..had.len(), |mut s, cell| {
            let me = worker_of(&s);
            run_if_first(&mut s, me, cell);
        });
    }
}
