//! Reducers: variables that parallel branches update as if they ran one after the other.
//!
//! [`monoids`] says what can be reduced, [`slot`] is where a view lies, and here is whose turn it is.
//!
//! A reducer owns all its views. The first belongs to the task in which the reducer was made, its *home*; another task
//! gets its own when it first needs one, from the identity. Which those are and how they follow each other is known by
//! name in `engine/views/hypermap.rs` and `engine/views/order.rs`. So all code of the user's (`identity`, `combine`, drops of
//! views) runs within a call of the reducer's own methods, on a reducer that is borrowed; a join only links names.
//!
//! Why no two of these calls have the same view at once: a task is run by one thread, which finds the task's view by
//! the task's own numbers; two calls on one thread, one inside the other, meet the view's own mark that it is being
//! used. And views of a task that has ended belong to whoever has absorbed it.

pub mod monoids;
mod slot;

use crate::engine::views::hypermap;
use crate::engine::views::order::Order;
use crate::sync::{AtomicU64, Ordering};
use monoids::Monoid;
use slot::{Held, Slot};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

/// A variable that parallel branches update without waiting for each other, and whose final value is the serial one.
///
/// Each branch sees a *view*. One that has stayed where it was forked goes on with its parent's; one that has moved to
/// another worker begins with the identity of the [`Monoid`], when it first asks. Views are combined in the order of
/// the serial program, so the operation has to be associative, and need not be commutative: the result does not depend
/// on who ran what (hyperobjects: Frigo, Halpern, Leiserson, Lewin-Berlin 2009).
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
/// Tasks of a [`scope`](crate::scope) are in no order, so neither is what they contribute: there the operation has to
/// commute for the result not to depend on who ran what.
///
/// What a view shows before the end is not to be relied on: it holds the updates of this branch and perhaps some
/// before, never any after.
///
/// **Cost.** In the task where the reducer was made, an update is a comparison and a mark more than that of a plain
/// variable, and nothing is allocated. A moved branch pays for its view once (an allocation and a lock), and two
/// comparisons from then on. Work: one `combine` for each branch that has moved and updated; they take place when the
/// branch that waited for it next updates, and at the end. Memory: as many views, until then. A loop over something
/// cheap should sum up in a local variable, and update once.
///
/// **Threads and runs.** A run has its place in the order, as a part of what its caller does, on whatever pool. Threads
/// that are not part of the computation may update, too: what they did is combined at the end, in the order in which
/// they came. So is what a run does that comes from a destructor of a thread-local.
///
/// **Panics.** After a panic in a branch the value is valid, but what it has of that branch and those beside it is not
/// specified. A panic of `combine` loses its right operand.
///
/// Views must be `Send`.
/// ```compile_fail,E0277
/// let views = filch::monoids::of(std::rc::Rc::<u32>::default, |_, _| ());
/// let shared = filch::Reducer::new(views);
/// ```
/// No view leaves an update.
/// ```compile_fail
/// let list = filch::Reducer::new(filch::monoids::Append::<Vec<u32>>::new());
/// let view = list.update(|view| view);
/// ```
/// It cannot be ended while a branch may update it.
/// ```compile_fail,E0505
/// let sum = filch::Reducer::new(filch::monoids::Sum::<u32>::new());
/// filch::join(|| sum.put(1), || sum.into_inner());
/// ```
pub struct Reducer<M: Monoid> {
    /// Its number.
    id: u64,
    /// The task in which it was made.
    home: u64,
    /// The stretch of that task in which all views but `first` come later: written there, compared elsewhere too.
    turn: AtomicU64,
    first: Slot<M::View>,
    rest: Rest<M::View>,
    monoid: M,
}

// SAFETY: a shared reducer hands each view to one thread at a time (module head), so views need only be `Send`, which
// they are; the monoid is `Sync`.
unsafe impl<M: Monoid> Sync for Reducer<M> {}

impl<M: Monoid> Reducer<M> {
    /// A reducer at the identity.
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
        Reducer { id, home, turn, first, rest: Rest::new(id), monoid }
    }

    /// Calls `f` with this branch's view.
    ///
    /// It takes no strand: which view that is depends on what the thread is running, not on where it may fork; a strand
    /// would save nothing.
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
    /// If `f` updates the same reducer, if only in a branch that it forks and that stays; if `f`, `identity` or
    /// `combine` panics.
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

    /// The value. Every branch that could update has ended: it would have to borrow the reducer.
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

    /// This task's view.
    #[inline]
    fn hold(&self) -> Held<'_, M::View> {
        let turn = hypermap::current_turn();
        // Numbers are not used again and 0 is none, so who finds its own here is at home.
        if turn == self.turn.load(Ordering::Relaxed) {
            // SAFETY: at home.
            unsafe { self.first.hold() }
        } else if let Some(view) = hypermap::known(self.id) {
            // SAFETY: this task's, in the table of this reducer still: only its own task removes it.
            let slot = unsafe { view.cast::<Slot<M::View>>().as_ref() };
            // SAFETY: this task's.
            unsafe { slot.hold() }
        } else {
            self.find()
        }
    }

    /// This task's view, made if need be, after it has been combined with what the task has absorbed.
    #[cold]
    #[inline(never)]
    fn find(&self) -> Held<'_, M::View> {
        if hypermap::task() == self.home {
            // SAFETY: at home.
            let mut held = unsafe { self.first.hold() };
            while let Some(right) = hypermap::remove_first(self.id) {
                // SAFETY: removed; whose it was has ended.
                let right = unsafe { Slot::from_table(right) };
                self.monoid.combine(&mut held, right.into_inner());
            }
            // Nothing is left, and nothing has been run since that was found.
            self.turn.store(hypermap::turn(), Ordering::Relaxed);
            return held;
        }
        let first = match hypermap::first(self.id) {
            Some(view) => view.cast(),
            None => {
                let view = Slot::for_table(self.monoid.identity());
                let order = self.rest.order();
                // By now there may be one that `identity` has made; then this comes after it.
                if !hypermap::add_last(self.id, order, view.cast()) {
                    // SAFETY: in the table until the reducer ends, and known to nobody else.
                    let slot = unsafe { view.as_ref() };
                    // SAFETY: as above.
                    return unsafe { slot.hold() };
                }
                hypermap::first(self.id).map_or(view, NonNull::cast)
            }
        };
        // SAFETY: this task's first view stays in the table while the task runs.
        let slot: &Slot<M::View> = unsafe { first.as_ref() };
        // SAFETY: this task's.
        let mut held = unsafe { slot.hold() };
        while let Some(right) = hypermap::remove_second(self.id) {
            // SAFETY: removed; whose it was has ended, or it is the one made above.
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

/// The table of views other than the first. Their order has pointers to them, which nobody else frees.
struct Rest<V> {
    id: u64,
    /// Made with the first of them.
    order: OnceLock<Arc<Order>>,
    views: PhantomData<Box<Slot<V>>>,
}

impl<V> Rest<V> {
    fn new(id: u64) -> Self {
        Rest { id, order: OnceLock::new(), views: PhantomData }
    }

    fn order(&self) -> &Arc<Order> {
        self.order.get_or_init(|| Arc::new(Order::new()))
    }

    /// All of them, in order.
    fn take(&mut self) -> Vec<Box<Slot<V>>> {
        let Some(order) = self.order.get() else { return Vec::new() };
        hypermap::forget(self.id);
        // SAFETY: each was made for this table and leaves it now. The reducer is not shared any more, so nobody holds
        // one.
        order.end().into_iter().map(|view| unsafe { Slot::from_table(view) }).collect()
    }
}

impl<V> Drop for Rest<V> {
    fn drop(&mut self) {
        drop(self.take());
    }
}
