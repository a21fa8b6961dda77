//! Traversals without a strand.

use super::run::here;
use crate::constructs::{PhaseEnd, Traverse, Traversed, Worklist};
use std::ops::ControlFlow;

/// Visits `roots` and all items that the visits add: [`Traverse::run`] with adaptive batches.
///
/// `visit` gets a [`Worklist`] and an item. It may add items to this phase ([`Worklist::push`]) or to the next one
/// ([`Worklist::push_next`]). Unless the traversal is stopped, each item is visited exactly once, by any worker. The
/// order is unspecified, except that a phase begins only when the phase before it is over on all workers. `make` makes
/// a workspace for each worker that takes part. `visit` gets it from [`Worklist::workspace`]; no other worker uses it
/// at the same time.
///
/// The following example is a parallel form of depth-first search. The first visit that reaches a vertex claims it
/// (Cong et al. 2008, sections 1.2 and 3.3):
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
///
/// let graph = [vec![1, 2], vec![0, 3], vec![0, 3], vec![1, 2], vec![]];
/// let seen: Vec<_> = graph.iter().map(|_| AtomicBool::new(false)).collect();
/// seen[0].store(true, Relaxed);
/// let found = filch::traverse([0], Vec::new, |list, v: usize| {
///     list.workspace().push(v);
///     for &w in &graph[v] {
///         if !seen[w].swap(true, Relaxed) {
///             list.push(w);
///         }
///     }
/// });
/// let mut found = found.workspaces.concat();
/// found.sort();
/// assert_eq!(found, [0, 1, 2, 3]);
/// ```
/// With [`push_next`](Worklist::push_next) in place of `push` it is a breadth-first search, and [`Worklist::phase`] is
/// the distance from the root.
///
/// Work: that of the visits; a store and two comparisons for each item; two locks for each batch, for which only
/// thieves and the worker that begins a phase contend. Span: the longest chain of visits in which each adds the next,
/// with one batch for each link of the chain; and for each phase, one lock for each worker. Memory: the items that
/// wait, and a few batches for each worker.
///
/// Items and workspaces move between workers, and several workers use `visit` and `make` at once. A visit cannot keep
/// its worklist or workspace, and cannot lend it to another worker:
/// ```compile_fail,E0277
/// let root = std::rc::Rc::new(1); // items
/// filch::traverse([root], || (), |_, _| ());
/// ```
/// ```compile_fail,E0277
/// filch::traverse([1], || std::rc::Rc::new(1), |_, _| ()); // workspaces
/// ```
/// ```compile_fail,E0277
/// let seen = std::cell::Cell::new(0);
/// filch::traverse([1], || (), |_, n| seen.set(n));
/// ```
/// ```compile_fail,E0277
/// let made = std::cell::Cell::new(0);
/// filch::traverse([1], || made.set(1), |_, _| ());
/// ```
/// ```compile_fail,E0521
/// let kept = std::sync::Mutex::new(None);
/// filch::traverse([1], || 0, |list, _| *kept.lock().unwrap() = Some(list.workspace()));
/// ```
/// ```compile_fail,E0277
/// filch::traverse([1], || (), |list, _| {
///     filch::join(|| list.push(2), || ());
/// });
/// ```
/// ```compile_fail,E0499
/// filch::traverse([1], || 0, |list, _| {
///     let workspace = list.workspace();
///     list.push(2);
///     *workspace += 1;
/// });
/// ```
///
/// # Panics
///
/// If `visit`, `make` or the action at the end of a phase panics, with the payload of the first panic. Visits under way
/// are finished, and all other items are dropped. Outside of any run, also as [`run`](crate::run).
pub fn traverse<T, W, M, V>(roots: impl IntoIterator<Item = T>, make: M, visit: V) -> Traversed<W>
where
    T: Send,
    W: Send,
    M: Fn() -> W + Sync + Send,
    V: Fn(&mut Worklist<'_, T, W>, T) + Sync + Send,
{
    Traverse::new().run(roots, make, visit)
}

impl<E: FnMut(PhaseEnd) -> ControlFlow<()> + Send> Traverse<E> {
    /// [`traverse`] with these settings.
    ///
    /// # Panics
    ///
    /// As [`traverse`].
    pub fn run<T, W, M, V>(self, roots: impl IntoIterator<Item = T>, make: M, visit: V) -> Traversed<W>
    where
        T: Send,
        W: Send,
        M: Fn() -> W + Sync + Send,
        V: Fn(&mut Worklist<'_, T, W>, T) + Sync + Send,
    {
        self.run_batches(roots, make, move |list, batch| list.visit_each(batch, &visit))
    }

    /// Like [`run`](Self::run), but `visit` gets a batch at a time, so that it can prefetch what later items need. It
    /// removes the items that it visits from the vector, and adds none to it. It is called again for the items that it
    /// leaves there.
    ///
    /// ```
    /// let total = filch::Traverse::new().run_batches(0..100u64, || 0, |list, batch| {
    ///     *list.workspace() += batch.drain(..).sum::<u64>();
    /// });
    /// assert_eq!(total.workspaces.iter().sum::<u64>(), 4950);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`traverse`].
    pub fn run_batches<T, W, M, V>(self, roots: impl IntoIterator<Item = T>, make: M, visit: V) -> Traversed<W>
    where
        T: Send,
        W: Send,
        M: Fn() -> W + Sync + Send,
        V: Fn(&mut Worklist<'_, T, W>, &mut Vec<T>) + Sync + Send,
    {
        let roots = roots.into_iter().collect();
        here(|s| self.run_here(s, roots, make, visit))
    }
}
