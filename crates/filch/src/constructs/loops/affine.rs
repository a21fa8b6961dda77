//! Loops with affinity: each part goes to the worker that had it last (Acar, Blelloch and Blumofe 2000; the
//! `affinity_partitioner` of oneTBB).
//!
//! The items are divided into cells, each of which is an ordinary loop. Two ordinary loops hand out the cells. The
//! first has one turn for each worker: in it, whichever worker gets the turn runs the cells that it holds, and then
//! those of others who have not come for a while. The second runs what is left. Workers compete for cells by one atomic
//! exchange for each, so a cell runs once, whoever holds it.

use super::indexed::{Access, Indexed, Part};
use crate::constructs::strand::Strand;
use crate::sync::{AtomicBool, AtomicUsize, Ordering, clock};
use filch_policy::{first_holders, may_begin_handed, part_of};

/// Which worker had each part of a loop last, for [`Strand::for_each_affine`].
#[derive(Debug, Default)]
pub struct Affinity {
    cells: Vec<Cell>,
}

#[derive(Debug)]
struct Cell {
    /// The worker that ran the cell last. Written by the worker that begins it; others only read it to choose.
    holder: AtomicUsize,
    /// Whether a worker has begun the cell in this loop.
    is_begun: AtomicBool,
}

impl Cell {
    fn holder(&self) -> usize {
        self.holder.load(Ordering::Relaxed)
    }

    fn is_begun(&self) -> bool {
        self.is_begun.load(Ordering::Relaxed)
    }

    /// Whether this is the first call for the cell in this loop. The loops order all that a cell does.
    fn begin(&self, worker: usize) -> bool {
        let is_first = !self.is_begun() && !self.is_begun.swap(true, Ordering::Relaxed);
        if is_first {
            self.holder.store(worker, Ordering::Relaxed);
        }
        is_first
    }
}

impl Affinity {
    /// Nothing is known yet. In the first loop, each worker has an equal part.
    pub const fn new() -> Self {
        Affinity { cells: Vec::new() }
    }

    /// Begins a loop of so many workers. With another number of workers, nothing is known.
    fn begin(&mut self, workers: usize) -> &[Cell] {
        if self.cells.len() == first_holders(workers).count() {
            self.cells.iter_mut().for_each(|cell| *cell.is_begun.get_mut() = false);
        } else {
            let cell = |worker| Cell { holder: AtomicUsize::new(worker), is_begun: AtomicBool::new(false) };
            self.cells = first_holders(workers).map(cell).collect();
        }
        &self.cells
    }
}

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
        let (access, begun_ns) = (items.access(), clock::now_ns());
        let cells = affinity.begin(workers);
        let run_if_first = |s: &mut Strand<'_>, me: usize, place: usize| {
            if cells[place].begin(me) {
                // SAFETY: the cell begins once, and no two cells have the same items.
                let part = unsafe { Part::new(access, part_of(place, access.len(), cells.len())) };
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
            for place in (0..cells.len()).filter(|&place| cells[place].holder() == me) {
                run_if_first(&mut s, me, place);
            }
            // From the end, where their holders come last.
            for place in (0..cells.len()).rev().filter(|&place| !cells[place].is_begun()) {
                if may_begin_handed(me, cells[place].holder(), clock::now_ns().saturating_sub(begun_ns)) {
                    run_if_first(&mut s, me, place);
                }
            }
        });
        self.for_each(0..cells.len(), |mut s, place| {
            let me = worker_of(&s);
            run_if_first(&mut s, me, place);
        });
    }
}
