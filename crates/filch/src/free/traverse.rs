//! Traversals: where they begin.

use super::run::here;
use crate::constructs::{PhaseEnd, Traverse, Traversed, Worklist};
use std::ops::ControlFlow;

/// Visits `roots`, and all that visits add: [`Traverse::run`] with adaptive batches.
///
/// `visit` gets a [`Worklist`] and an item; it may add items to this phase ([`Worklist::push`]) or to the next one
/// ([`Worklist::push_next`]). Each item is visited once, unless the traversal is stopped, by any worker, in no order
/// but this: a phase begins when the one before is over everywhere. `make` makes a workspace for each worker that takes
/// part, which `visit` reaches by [`Worklist::workspace`], and no other worker at the same time.
///
/// A depth-first search of sorts, each vertex of which is claimed by whoever comes first (xws.txt, sections 1.2 and
/// 3.3):
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
/// With [`push_next`](Worklist::push_next) in place of `push` it goes in breadth, and [`Worklist::phase`] is the
/// distance.
///
/// Work: what the visits do; per item a store and two comparisons; per batch two locks, for which only thieves contend
/// and who begins a phase. Span: that
/// of the longest chain of visits that added each other, and of a batch on each link, plus per phase a lock for each
/// worker. Memory: the items that wait, and some batches' worth per worker.
///
/// Items and workspaces go from worker to worker, `visit` and `make` are used by several at once, and what a visit has
/// in hand is neither kept nor lent to another worker:
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
/// If `visit` or `make` does, or the action at a phase's end, with what the first of them panicked with: batches under
/// way are finished, what else waits is dropped. And as [`run`](crate::run), where it comes to the global pool.
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
        // The latest first: what it leads to is likely to be at hand.
        self.run_batches(roots, make, move |list, batch| {
            while !list.is_stopped()
                && let Some(item) = batch.pop()
            {
                visit(list, item);
            }
        })
    }

    /// As [`run`](Self::run), but `visit` gets a batch at a time, and so knows of items before it comes to them: it can
    /// have the memory fetch what they will need. It removes from the vector what it visits, and adds nothing to
    /// it; it is called again for what it leaves.
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
