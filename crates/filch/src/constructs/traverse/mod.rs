//! Traversals: finish and async for work that follows a graph (Cong et al. 2008).
//!
//! Items come from a shared worklist, in no order, and a visit of one may add others. The traversal is over when no
//! worker has an item left. No worker waits for a particular item, so items need no frames and are not counted. They
//! are plain values in batches, and the batches lie in lanes. [`crate::protocol::lanes`] detects the end.
//!
//! - [`traversal`]: how a worker takes part
//! - [`invitations`]: which workers are called
//! - [`occupancy`]: which worker is in which lane
//! - [`batch`]: what is handed over; [`filch_policy::traversals`] decides how large batches are and what is stolen
//! - [`worklist`]: what a visit can do
//! - [`phase_end`]: what is known at the end of a phase

mod batch;
mod counts;
mod invitations;
mod occupancy;
mod phase_end;
mod traversal;
mod worklist;

pub use counts::TraversalCounts;
pub use phase_end::PhaseEnd;
pub use worklist::Worklist;

use crate::constructs::strand::Strand;
use crate::engine::seats::current;
use filch_policy::Batches;
use std::fmt;
use std::ops::ControlFlow;
use traversal::{Settings, Traversal};

/// The result of a traversal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Traversed<W> {
    /// The workspaces of the workers that took part, in no particular order.
    pub workspaces: Vec<W>,
    /// What happened during the traversal.
    pub counts: TraversalCounts,
}

/// The settings of a [`traverse`](crate::traverse()).
///
/// ```
/// use filch::{Batches, Traverse};
///
/// let counted = Traverse::new().batches(Batches::UpTo(64)).run([10], || 0, |list, n| {
///     *list.workspace() += 1;
///     for smaller in (0..n).filter(|smaller| (n + smaller) % 3 == 0) {
///         list.push(smaller);
///     }
/// });
/// assert_eq!(counted.workspaces.iter().sum::<u64>(), counted.counts.items);
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct Traverse<E = fn(PhaseEnd) -> ControlFlow<()>> {
    batches: Batches,
    at_phase_end: Option<E>,
}

impl Traverse {
    /// Adaptive batches, and no action at the end of a phase.
    pub fn new() -> Self {
        Traverse { batches: Batches::default(), at_phase_end: None }
    }
}

impl Default for Traverse {
    fn default() -> Self {
        Traverse::new()
    }
}

impl<E> Traverse<E> {
    /// Sets how items are grouped.
    pub fn batches(self, batches: Batches) -> Self {
        Traverse { batches, ..self }
    }

    /// Sets an action for the end of each phase: the barrier action of Cong et al. 2008, section 2.3.
    ///
    /// `action` is called once for each phase that ends, including the last one, by the worker that detects the end.
    /// That is after all visits of the phase, with everything that they have written, and before any visit of the next
    /// phase. If it returns [`Break`](ControlFlow::Break), no further item is visited, and the items that wait are
    /// dropped, as after [`Worklist::stop`]. A phase that is stopped, by a visit or by a panic, has no end.
    ///
    /// The action may fork, by the free functions, and may run other traversals. It cannot add items, because it has no
    /// [`Worklist`]. The traversal waits for it, so a long action should fork. A panic in it ends the traversal, like a
    /// panic in a visit.
    ///
    /// Work for each phase: the call, and the lock of each lane. Without an action: none.
    ///
    /// The following example counts the numbers that reach 8 in a given number of steps. A step halves an even number,
    /// or triples an odd number and adds one. It stops when there are ten such numbers:
    /// ```
    /// use filch::{PhaseEnd, Traverse};
    /// use std::ops::ControlFlow;
    ///
    /// let mut levels = vec![];
    /// Traverse::new()
    ///     .at_phase_end(|end: PhaseEnd| {
    ///         levels.push(end.next_items);
    ///         if end.next_items < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    ///     })
    ///     .run([8_u64], || (), |list, n| {
    ///         list.push_next(2 * n);
    ///         if n % 6 == 4 {
    ///             list.push_next((n - 1) / 3);
    ///         }
    ///     });
    /// assert_eq!(levels, [1, 2, 2, 4, 4, 6, 6, 8, 10]);
    /// ```
    /// One worker at a time calls the action, but any worker may:
    /// ```compile_fail,E0277
    /// use std::ops::ControlFlow;
    ///
    /// let phases = std::rc::Rc::new(std::cell::Cell::new(0));
    /// filch::Traverse::new()
    ///     .at_phase_end(|end| {
    ///         phases.set(end.phase);
    ///         ControlFlow::Continue(())
    ///     })
    ///     .run([1], || (), |_, _| ());
    /// ```
    pub fn at_phase_end<A>(self, action: A) -> Traverse<A>
    where
        A: FnMut(PhaseEnd) -> ControlFlow<()> + Send,
    {
        Traverse { batches: self.batches, at_phase_end: Some(action) }
    }
}

impl<E: FnMut(PhaseEnd) -> ControlFlow<()> + Send> Traverse<E> {
    /// [`run_batches`](Self::run_batches) from the place of this strand.
    pub(crate) fn run_here<T, W, M, V>(self, mut s: Strand<'_>, roots: Vec<T>, make: M, visit: V) -> Traversed<W>
    where
        T: Send,
        W: Send,
        M: Fn() -> W + Sync,
        V: Fn(&mut Worklist<'_, T, W>, &mut Vec<T>) + Sync,
    {
        let settings = current::with(|here| {
            let worker = here.expect("there is a strand").owner();
            let rules = worker.rules();
            Settings {
                batches: self.batches,
                workers: worker.num_workers(),
                home: worker.seat(),
                period_ns: rules.period_ns(),
                search_ns: rules.search_ns(),
            }
        });
        let traversal = Traversal::new(settings, roots, make, visit, self.at_phase_end);
        s.scope(|s, scope| traversal.take_part(settings.home, s, scope));
        let (workspaces, counts) = traversal.finish();
        Traversed { workspaces, counts }
    }
}

impl<E> fmt::Debug for Traverse<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Traverse").field("batches", &self.batches).finish_non_exhaustive()
    }
}
