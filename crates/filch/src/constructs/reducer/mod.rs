//! Reducers: variables that parallel branches update as if the branches ran one after the other.
//!
//! [`monoids`] has what can be reduced. [`slot`] is the place of a view. This module decides which task uses which
//! view.
//!
//! A reducer owns all its views. The first view belongs to the task in which the reducer was made, its *home*. Another
//! task gets a view of its own, the identity, when it first needs one. `engine/views/hypermap.rs` and
//! `engine/views/order.rs` know the views of each task, and their order, by names. A join links names only. So all code
//! of the user (`identity`, `combine`, drops of views) runs inside a method of the reducer, while the reducer is
//! borrowed.
//!
//! No two of these calls have the same view at the same time. A task is run by one thread, which finds the task's view
//! by the task's own numbers. If one call runs inside another on the same thread, the mark in the view says that it is
//! in use. The views of a task that has ended belong to the task that has absorbed it.

pub mod monoids;
mod slot;

use crate::engine::views::hypermap;
use crate::engine::views::order::ViewOrder;
use crate::sync::{AtomicU64, Ordering};
use monoids::Monoid;
use slot::{Held, Slot};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

/// A variable that parallel branches update without waiting for each other, and that ends with the value of the serial
/// program.
///
/// Each branch sees a *view*. A branch that stays on its worker continues with the view of its parent. A branch that
/// has moved to another worker starts with the identity of the [`Monoid`], when it first uses the reducer. Views are
/// combined in the order of the serial program. So the operation must be associative but need not be commutative, and
/// the result does not depend on which worker ran which branch (hyperobjects: Frigo, Halpern, Leiserson and
/// Lewin-Berlin 2009).
///
/// ```
/// use filch::{Reducer, Strand, monoids::Append};
///
/// fn walk(mut s: Strand<'_>, letters: &str, out: &Reducer<Append<String>>) {
///     if letters.len() < 2 {
///         return out.update(|text| text.push_str(letters));
///     }
///     let (left, right) = letters.split_at(letters.len() / 2);
///     s.join(|s| walk(s, left, out), |s| walk(s, right, out));
/// }
///
/// let text = Reducer::new(Append::new());
/// filch::run(|s| walk(s, "in the order of the serial program", &text));
/// assert_eq!(text.into_inner(), "in the order of the serial program");
/// ```
///
/// The tasks of a [`scope`](crate::scope) have no order, nor have the children of a [`Procedure`](crate::Procedure)
/// that move, nor the branches of [`join_affine`](crate::Strand::join_affine), and so neither have their updates. There
/// the operation must be commutative for the result to be deterministic.
///
/// Code should not rely on what a view contains before the end: it has the updates of this branch, and perhaps some
/// earlier ones, but never later ones.
///
/// **Cost.** In the task where the reducer was made, an update costs a comparison and a mark more than an update of a
/// plain variable, and allocates nothing. A branch that has moved pays for its view once, an allocation and a lock, and
/// then two comparisons for each update. Work: one `combine` for each branch that moved and updated, when the branch
/// that waited for it next updates, or at the end. Memory: that many views until then. A loop over cheap items should
/// sum up in a local variable and update the reducer once.
///
/// **Threads and runs.** A run counts as a part of what its caller does, on any pool. Threads that are not part of the
/// computation may update a reducer, too. Their views are combined at the end, in the order in which the threads first
/// updated. The same holds for a run in the destructor of a thread-local variable, unless the reducer was made there.
///
/// **Panics.** After a panic in a branch the value is valid, but which updates of that branch and of branches in
/// parallel with it are included is unspecified. If `combine` panics, its right operand is lost.
///
/// Views must be `Send`:
///
/// Views must be `Send`.
/// ```compile_fail,E0277
/// let views = filch::monoids::of(std::rc::Rc::<u32>::default, |_, _| ());
/// let shared = filch::Reducer::new(views);
/// ```
/// A view cannot leave an update:
/// ```compile_fail
/// let list = filch::Reducer::new(filch::monoids::Append::<Vec<u32>>::new());
/// let view = list.update(|view| view);
/// ```
/// A reducer cannot end while a branch may update it:
/// ```compile_fail,E0505
/// let sum = filch::Reducer::new(filch::monoids::Sum::<u32>::new());
/// filch::join(|| sum.put(1), || sum.into_inner());
/// ```
pub struct Reducer<M: Monoid> {
    /// The number of this reducer.
    id: u64,
    /// The number of the task in which it was made.
    home: u64,
    /// A turn of the home task in which `first` can be used as it is, because all other views come after it. Written by
    /// the home task. Other tasks compare it with their own turns, which differ.
    turn: AtomicU64,
    first: Slot<M::View>,
    rest: LaterViews<M::View>,
    monoid: M,
}

// SAFETY: a shared reducer hands each view to one thread at a time, as the head of this module explains. So it is
// enough that views are `Send`, and `Monoid` guarantees that. The monoid is `Sync`.
unsafe impl<M: Monoid> Sync for Reducer<M> {}

impl<M: Monoid> Reducer<M> {
    /// Makes a reducer whose value is the identity.
    ///
    /// ```
    /// use filch::{Reducer, monoids::Sum};
    ///
    /// let hits = Reducer::new(Sum::<u32>::new());
    /// filch::join(|| hits.put(1), || hits.put(2));
    /// assert_eq!(hits.into_inner(), 3);
    /// ```
    pub fn new(monoid: M) -> Self {
        let first = Slot::new(monoid.identity());
        let id = hypermap::fresh_number();
        let (home, turn) = (hypermap::task(), AtomicU64::new(hypermap::turn()));
        Reducer { id, home, turn, first, rest: LaterViews::new(id, home), monoid }
    }

    /// Calls `f` with this branch's view.
    ///
    /// It takes no strand, because the view depends on the task that the thread is running, not on the place of the
    /// next fork.
    ///
    /// ```
    /// use filch::{Reducer, monoids::Append};
    ///
    /// let list = Reducer::new(Append::<Vec<_>>::new());
    /// filch::join(|| list.update(|list| list.push('a')), || list.update(|list| list.extend(['b', 'c'])));
    /// assert_eq!(list.into_inner(), ['a', 'b', 'c']);
    /// ```
    ///
    /// # Panics
    ///
    /// If `f` updates the same reducer, even in a branch that it forks, if that branch stays on this worker. Also if
    /// `f`, `identity` or `combine` panics.
    #[inline]
    pub fn update<R>(&self, f: impl FnOnce(&mut M::View) -> R) -> R {
        f(&mut self.hold())
    }

    /// Combines this branch's view with `right`.
    ///
    /// # Panics
    ///
    /// As [`update`](Self::update).
    #[inline]
    pub fn put(&self, right: M::View) {
        self.monoid.combine(&mut self.hold(), right);
    }

    /// Returns the value. Every branch that could update the reducer has ended, because it would have to borrow the
    /// reducer.
    ///
    /// # Panics
    ///
    /// If `combine` panics.
    pub fn into_inner(self) -> M::View {
        let Reducer { first, mut rest, monoid, .. } = self;
        let mut view = first.into_inner();
        for right in rest.take() {
            monoid.combine(&mut view, right.into_inner());
        }
        view
    }

    /// Marks this task's view as in use.
    #[inline]
    fn hold(&self) -> Held<'_, M::View> {
        let turn = hypermap::current_turn();
        // Numbers are never used again, and 0 is not a number of a turn. So if the turns are equal, this is the home
        // task.
        if turn == self.turn.load(Ordering::Relaxed) {
            // SAFETY: this is the home task, to which the first view belongs.
            unsafe { self.first.hold() }
        } else if let Some(view) = hypermap::known(self.id) {
            // SAFETY: `known` returns views of this task only. The view is in the table of this reducer, because only
            // its own task removes it.
            let slot = unsafe { view.cast::<Slot<M::View>>().as_ref() };
            // SAFETY: the view belongs to this task.
            unsafe { slot.hold() }
        } else {
            self.find()
        }
    }

    /// This task's view, made if necessary, and combined with the views that the task has absorbed.
    #[cold]
    #[inline(never)]
    fn find(&self) -> Held<'_, M::View> {
        if hypermap::task() == self.home {
            // SAFETY: this is the home task, to which the first view belongs.
            let mut held = unsafe { self.first.hold() };
            while let Some(right) = hypermap::remove_first(self.id) {
                // SAFETY: the view has just been removed, and the task to which it belonged has ended.
                let right = unsafe { Slot::from_table(right) };
                self.monoid.combine(&mut held, right.into_inner());
            }
            // The loop has found that no other view is left, and no code has run since then that could absorb one.
            self.turn.store(hypermap::turn(), Ordering::Relaxed);
            return held;
        }
        let first = match hypermap::first(self.id) {
            Some(view) => view.cast(),
            None => {
                let view = Slot::for_table(self.monoid.identity());
                let order = self.rest.order();
                // `identity` may have updated this reducer, and so made a view. Then the new one comes after it.
                if !hypermap::add_last(self.id, order, view.cast()) {
                    // SAFETY: the view stays in the table until the reducer ends, and no other thread knows it.
                    let slot = unsafe { view.as_ref() };
                    // SAFETY: the view was made for this task.
                    return unsafe { slot.hold() };
                }
                hypermap::first(self.id).map_or(view, NonNull::cast)
            }
        };
        // SAFETY: this task's first view stays in the table while the task runs.
        let slot: &Slot<M::View> = unsafe { first.as_ref() };
        // SAFETY: the view belongs to this task.
        let mut held = unsafe { slot.hold() };
        while let Some(right) = hypermap::remove_second(self.id) {
            // SAFETY: the view has just been removed. The task to which it belonged has ended, or it is the one made
            // above.
            let right = unsafe { Slot::from_table(right) };
            self.monoid.combine(&mut held, right.into_inner());
        }
        hypermap::set_known(self.id, first.cast());
        held
    }
}

impl<M: Monoid + Default> Default for Reducer<M> {
    fn default() -> Self {
        Reducer::new(M::default())
    }
}

impl<M: Monoid> fmt::Debug for Reducer<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reducer").finish_non_exhaustive()
    }
}

/// The table of all views but the first. The `ViewOrder` has pointers to them; only this type frees them.
struct LaterViews<V> {
    id: u64,
    home: u64,
    /// Made together with the first of these views.
    order: OnceLock<Arc<ViewOrder>>,
    views: PhantomData<Box<Slot<V>>>,
}

impl<V> LaterViews<V> {
    fn new(id: u64, home: u64) -> Self {
        LaterViews { id, home, order: OnceLock::new(), views: PhantomData }
    }

    fn order(&self) -> &Arc<ViewOrder> {
        self.order.get_or_init(|| Arc::new(ViewOrder::new(self.home)))
    }

    /// Removes all views, in order.
    fn take(&mut self) -> Vec<Box<Slot<V>>> {
        let Some(order) = self.order.get() else { return Vec::new() };
        hypermap::forget(self.id);
        // SAFETY: each of these views was made by `for_table` and leaves the table now. The reducer is not shared any
        // more, so no thread is using a view.
        order.end().into_iter().map(|view| unsafe { Slot::from_table(view) }).collect()
    }
}

impl<V> Drop for LaterViews<V> {
    fn drop(&mut self) {
        drop(self.take());
    }
}
