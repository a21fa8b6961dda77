//! Affinity: where a program works through the same range again and again, each part goes to the worker that had it
//! last (Acar, Blelloch and Blumofe 2000; the `affinity_partitioner` of oneTBB).
//!
//! The range consists of cells, 16 for each worker. A loop hands out cells (`loops/affine.rs`). A division forks parts:
//! its worker keeps the part of which it had more, and leaves the other one where it leaves all frames, with the name
//! of the group that had most of it. For a while only that group may begin it
//! ([`Unbegun::may_be_begun_by`](crate::engine::frame::Unbegun)). On an inter-socket level a group is a squad, and what
//! is handed to a squad lies in its pool; elsewhere a group is a worker. Within a squad nothing is handed, because its
//! workers share their cache.

use crate::constructs::join::{self, Context};
use crate::constructs::strand::Strand;
use crate::engine::share::at_fork;
use crate::sync::{AtomicUsize, Ordering};
use filch_policy::{Halving, cells_of, first_holders};
use std::mem;
use std::ops::Range;

/// Which worker had each part of a range last: of a loop, for [`Strand::for_each_affine`], or of a division, for
/// [`Strand::join_affine`] and [`Strand::join_inter_affine`].
#[derive(Debug, Default)]
pub struct Affinity {
    /// The seat that had each cell in earlier rounds.
    had: Vec<usize>,
    /// The seat that has it in this round, or [`NOBODY`]. Written by the worker that begins the cell or a part with it;
    /// the loop or the fork orders what the cells do.
    has: Vec<AtomicUsize>,
}

const NOBODY: usize = usize::MAX;

impl Affinity {
    /// Nothing is known yet. In the first round, each worker has an equal part.
    pub const fn new() -> Self {
        Affinity { had: Vec::new(), has: Vec::new() }
    }

    /// Begins a division of so many items, and returns all of them as one part, for [`Strand::join_affine`].
    ///
    /// Costs some nanoseconds for each of 16 cells per worker.
    pub fn divide(&mut self, s: &Strand<'_>, items: u64) -> AffinePart<'_> {
        let whole = AffinePart { of: self.round(s), part: (0, items), items };
        whole.note(s);
        whole
    }

    /// Begins a round. With another number of workers, nothing is known.
    pub(super) fn round(&mut self, s: &Strand<'_>) -> &Self {
        let workers = s.occupied().owner().num_workers();
        if self.had.len() == first_holders(workers).count() {
            for (had, has) in self.had.iter_mut().zip(&mut self.has) {
                let last = mem::replace(has.get_mut(), NOBODY);
                *had = if last == NOBODY { *had } else { last };
            }
        } else {
            self.had = first_holders(workers).collect();
            self.has = self.had.iter().map(|_| AtomicUsize::new(NOBODY)).collect();
        }
        self
    }

    /// The seat that had each cell last.
    pub(super) fn had(&self) -> &[usize] {
        &self.had
    }

    /// Whether a worker has begun the cell in this round.
    pub(super) fn is_begun(&self, cell: usize) -> bool {
        self.has[cell].load(Ordering::Relaxed) != NOBODY
    }

    /// Gives a cell to the first worker that asks for it in this round. Returns whether this is it.
    pub(super) fn begin(&self, cell: usize, seat: usize) -> bool {
        let has = &self.has[cell];
        !self.is_begun(cell) && has.compare_exchange(NOBODY, seat, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// A part of a range that is divided repeatedly ([`Affinity::divide`]).
#[derive(Clone, Copy, Debug)]
pub struct AffinePart<'a> {
    of: &'a Affinity,
    part: (u64, u64),
    items: u64,
}

impl AffinePart<'_> {
    /// The first `middle` items of this part, and the others.
    fn split_at(self, middle: u64) -> [Self; 2] {
        let (begin, end) = self.part;
        let middle = begin.saturating_add(middle).min(end);
        [(begin, middle), (middle, end)].map(|part| AffinePart { part, ..self })
    }

    fn cells(self) -> Range<usize> {
        cells_of(self.part.0..self.part.1, self.items, self.of.had.len())
    }

    /// The worker of `s` has this part, unless it hands on some of it.
    fn note(self, s: &Strand<'_>) {
        let seat = s.occupied().owner().seat();
        self.of.has[self.cells()].iter().for_each(|has| has.store(seat, Ordering::Relaxed));
    }

    /// What the worker of `s` does with two parts that it may fork.
    fn halving(s: &Strand<'_>, [first, second]: [Self; 2]) -> Option<Halving> {
        let worker = s.occupied().owner();
        let groups = |part: Self| {
            let seats = part.of.had[part.cells()].iter();
            seats.map(|&seat| worker.group_of(seat)).collect::<Option<Vec<_>>>()
        };
        Some(Halving::of(worker.group_of(worker.seat())?, [&groups(first)?, &groups(second)?]))
    }
}

impl Strand<'_> {
    /// Like [`join`](Self::join), for a division that is repeated over the same data, such as the sweeps of an
    /// iterative solver. The first branch has the first `middle` items of `part`, and the second one the others. The
    /// worker begins with the branch of which it had more in the last division with this [`Affinity`], and offers the
    /// other one first to the worker that had most of that. If that one does not come within 50 µs, any worker may
    /// begin it, and this one does if it is free earlier.
    ///
    /// Under [`Scheduler::cab`](crate::Scheduler::cab), inter-socket tasks go to squads instead of workers, and
    /// intra-socket tasks are forked as by `join`. So this combines with [`divide`](Self::divide).
    ///
    /// This pays if the data of a worker fits into its caches, or if memory belongs to sockets. Work: that of `join`,
    /// if `part` is a 16th of what each worker has, or less; about a microsecond otherwise, and two allocations.
    ///
    /// [Reducers](crate::Reducer) combine the updates of the branches in the order in which they begin, which may be
    /// either one; so their operation must be commutative.
    ///
    /// # Panics
    ///
    /// As [`join`](Self::join), where "first" is the branch that begins.
    ///
    /// ```
    /// use filch::{AffinePart, Affinity, Strand};
    ///
    /// fn halve(mut s: Strand<'_>, part: AffinePart<'_>, cells: &mut [f64]) {
    ///     if cells.len() <= 64 {
    ///         return cells.iter_mut().for_each(|cell| *cell *= 0.5);
    ///     }
    ///     let middle = cells.len() / 2;
    ///     let (left, right) = cells.split_at_mut(middle);
    ///     s.join_affine(part, middle as u64, |s, part| halve(s, part, left), |s, part| halve(s, part, right));
    /// }
    ///
    /// let (mut affinity, mut cells) = (Affinity::new(), vec![1.0; 1000]);
    /// filch::run(|mut s| {
    ///     for _ in 0..10 {
    ///         let all = affinity.divide(&s, 1000);
    ///         s.divide(2, 8 * 1000, |s| halve(s, all, &mut cells));
    ///     }
    /// });
    /// assert!(cells.iter().all(|&cell| cell == 0.5_f64.powi(10)));
    /// ```
    pub fn join_affine<'a, A, B, RA, RB>(&mut self, part: AffinePart<'a>, middle: u64, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>, AffinePart<'a>) -> RA + Send,
        B: FnOnce(Strand<'_>, AffinePart<'a>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let [first, second] = part.split_at(middle);
        let halving = if part.cells().len() > 1 { AffinePart::halving(self, [first, second]) } else { None };
        let (a, b) = (|s: Strand<'_>| a(s, first), |s: Strand<'_>| b(s, second));
        match halving {
            Some(Halving { keeps_first: false, hands_to }) => {
                let (rb, ra) = self.fork_for(hands_to, b, (first, a));
                (ra, rb)
            }
            halving => self.fork_for(halving.and_then(|halving| halving.hands_to), a, (second, b)),
        }
    }

    /// [`join`](Self::join), which notes who runs the second branch. With `to`, that group may begin it before others.
    fn fork_for<A, B, RA, RB>(&mut self, to: Option<usize>, a: A, (part, b): (AffinePart<'_>, B)) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>) -> RA,
        B: FnOnce(Strand<'_>) -> RB + Send,
        RB: Send,
    {
        let a = |s: Strand<'_>, _: Context| a(s);
        let b = |s: Strand<'_>, context: Context| {
            if context.migrated() {
                part.note(&s);
            }
            b(s)
        };
        match to {
            Some(_) => join::share(at_fork::top_of_forked(self.occupied()), to, a, b),
            None => self.join_context(a, b),
        }
    }
}
