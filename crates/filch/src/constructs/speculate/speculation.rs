//! What a procedure and its children share.

use super::state::State;
use super::strand::{Aborted, SpeculativeStrand};
use crate::constructs::strand::Strand;
use crate::engine::scopes::group::Group;
use crate::engine::spawned::{Job, Task};
use crate::engine::team::Top;
use std::fmt;
use std::iter;
use std::marker::PhantomData;
use std::mem;
use std::ops::AddAssign;

/// A procedure with children that may be aborted, and the state into which inlets fold what the children return.
///
/// [`Strand::speculate`](crate::Strand::speculate) makes speculations. As with a [`Scope`](crate::Scope), children and
/// inlets do not get their speculation as an argument, they capture it. A child gets a strand that learns of an abort.
///
/// An inlet gets no strand, so it cannot fork:
/// ```compile_fail,E0593
/// filch::run(|mut s| s.speculate(0, |_, speculation| {
///     speculation.spawn(|_| Ok(1), |_: &mut i32, _, mut s: filch::Strand<'_>| { s.join(|_| (), |_| ()); });
/// }));
/// ```
/// Nor can it capture the strand of the body or of a child:
/// ```compile_fail,E0277
/// filch::run(|mut s| s.speculate(0, |mut s, speculation| {
///     speculation.spawn(|_| Ok(1), move |_, _: i32| { let _ = s.join(|_| Ok(()), |_| Ok(())); });
/// }));
/// ```
/// What children and inlets capture, and the state, move between threads:
/// ```compile_fail,E0277
/// filch::run(|mut s| {
///     let local = std::rc::Rc::new(1);
///     s.speculate(0, |_, speculation| {
///         let local = local.clone();
///         speculation.spawn(move |_| Ok(*local), |_, _: i32| ());
///     });
/// });
/// ```
/// ```compile_fail,E0277
/// filch::run(|mut s| { s.speculate(std::rc::Rc::new(1), |_, _| ()); });
/// ```
/// The state cannot be kept beyond the look:
/// ```compile_fail
/// filch::run(|mut s| s.speculate(0, |_, speculation| {
///     let kept = speculation.with(|state| state);
///     drop(kept);
/// }));
/// ```
/// A child cannot borrow what the body owns:
/// ```compile_fail,E0373
/// filch::run(|mut s| s.speculate(0, |_, speculation| {
///     let local = 1;
///     speculation.spawn(|_| Ok(local), |_, _: i32| ());
/// }));
/// ```
pub struct Speculation<'scope, 'env: 'scope, S: 'env> {
    core: Group,
    state: &'scope State<S>,
    /// Invariant in both lifetimes, as a [`Scope`](crate::Scope) is.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope, S> Speculation<'scope, '_, S> {
    pub(super) fn new(core: Group, state: &'scope State<S>) -> Self {
        Speculation { core, state, scope: PhantomData, env: PhantomData }
    }

    pub(super) fn core(&self) -> &Group {
        &self.core
    }

    /// Runs `look` on the state. Meanwhile no inlet runs, and nobody else looks. So `look` should be short, and like an
    /// inlet it should not fork by [free functions](crate::join()), since all strands that want the state wait for it.
    /// (Under [`Wait::Any`](crate::Wait::Any) they may wait for ever: a worker that has a part of what was forked may
    /// begin something that wants the state while it waits.) Neither may [broadcast](crate::broadcast()), which panics;
    /// and if they [yield](crate::yield_now), nothing is run.
    ///
    /// # Errors
    ///
    /// [`Aborted`] if the children have been aborted. Then `look` is dropped.
    ///
    /// # Panics
    ///
    /// If it is called by an inlet or by another look at the same state. If `look` panics, which aborts the children.
    pub fn with<R>(&self, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        let mut look = Some(look);
        let result = self.state.with(|state| {
            // This must come after the lock: an inlet that has the state may be about to abort.
            if self.is_aborted() {
                return Err(Aborted);
            }
            let look = look.take().expect("called once");
            // A panic aborts before the lock is released: whoever gets the state next must know that it may be broken.
            Ok(self.aborting_on_panic(|| look(state)))
        });
        // What a look owns that has not run is dropped here, not under the lock.
        drop(look);
        result
    }

    /// Aborts the children: those that have not begun are dropped, and so are those that are spawned from now on. Those
    /// that run learn it at their next fork, item of a loop, node of a search, or look. No further inlet runs.
    ///
    /// Returns at once. Any thread may call this. If an inlet runs at that moment on another thread, it is the last.
    ///
    /// Work: one store. (Cilk walks the tree of the children and interrupts workers; section 5 of the paper.)
    pub fn abort(&self) {
        self.core.cancel();
    }

    /// Whether the children have been [aborted](Self::abort), because of this speculation or of one around it, or
    /// because one of its strands has panicked.
    pub fn is_aborted(&self) -> bool {
        self.core.is_cancelled()
    }

    /// Whether all children that have been [spawned](Self::spawn) so far are over (Cilk's `SYNCHED`). If so, their
    /// inlets have run. This may be false for a moment after the last one. In a spawned child or its inlet it is false.
    pub fn synched(&self) -> bool {
        self.core.pending.is_zero()
    }

    fn aborting_on_panic<R>(&self, f: impl FnOnce() -> R) -> R {
        let abort = AbortOnPanic(&self.core);
        let result = f();
        mem::forget(abort);
        result
    }

    /// Folds the result of a child into the state, unless the children have been aborted.
    fn fold<T>(&self, result: Result<T, Aborted>, inlet: impl FnOnce(&mut S, T)) {
        if let Ok(value) = result {
            // An abort means that the result is not wanted.
            _ = self.with(|state| inlet(state, value));
        }
    }
}

impl<'scope, S: Send> Speculation<'scope, '_, S> {
    /// Spawns `child`. When it returns a value, `inlet` folds that into the state. A child that returns [`Aborted`] has
    /// no value, and its inlet is dropped.
    ///
    /// A child begins when the body is over or another worker is idle, the oldest first. It may look at the state
    /// [with](Self::with), which shows what the children before it have found.
    ///
    /// Work: as for [`Scope::spawn`](crate::Scope::spawn), and a lock for the inlet. For children that an iterator can
    /// make, [`spawn_each`](Self::spawn_each) is cheaper.
    ///
    /// # Panics
    ///
    /// If it is called by an inlet or a look at the state. If the children have been aborted, and the destructor of
    /// `child` or `inlet` panics. If `child` or `inlet` panics when it runs, the children are aborted, and the
    /// speculation panics at its end.
    pub fn spawn<T, C, F>(&'scope self, child: C, inlet: F)
    where
        C: FnOnce(SpeculativeStrand<'_>) -> Result<T, Aborted> + Send + 'scope,
        F: FnOnce(&mut S, T) + Send + 'scope,
    {
        self.state.must_be_elsewhere();
        if self.is_aborted() {
            return;
        }
        // SAFETY: what is borrowed for `'scope` lives until the group has been finished, and all its jobs are finished
        // before that.
        let job = unsafe { Job::new(Child { speculation: self, child, inlet }) };
        // SAFETY: the body is generic over `'scope`, so only the body, its children, and what they await can have this
        // reference. The caller is one of these, so the group is not finished yet.
        unsafe { self.core.spawn(job) };
    }

    /// Spawns `child`, and adds its result to the state: Cilk's `x += spawn child()`.
    ///
    /// ```
    /// let (sum, ()) = filch::run(|mut s| {
    ///     s.speculate(0, |_, speculation| (1..=4).for_each(|n| speculation.spawn_add(move |_| Ok(n))))
    /// });
    /// assert_eq!(sum, 10);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    pub fn spawn_add<T, C>(&'scope self, child: C)
    where
        S: AddAssign<T>,
        C: FnOnce(SpeculativeStrand<'_>) -> Result<T, Aborted> + Send + 'scope,
    {
        self.spawn(child, |sum, value| *sum += value);
    }

    /// Runs `child` on every item of an iterator, each as a child, and waits for them: in Cilk, a loop with
    /// `inlet(spawn child(item))`, and a `sync`. The results go to `inlet`.
    ///
    /// A worker runs each child, and its inlet, before it makes the next item, while another worker can take the rest
    /// of the iterator, as in [`Strand::for_each_item`]. So one worker does what the serial loop does, and a child sees
    /// in the state what those before it have found, unless they run at the same time. After an abort no more items
    /// are made.
    ///
    /// `s` must be a strand of the caller.
    ///
    /// Work: a push and a pop for each item, and a lock for its inlet. Nothing is allocated unless the iterator moves.
    ///
    /// # Panics
    ///
    /// As [`Strand::for_each_item`]. A panic aborts the children. If it is called by an inlet or a look at the state.
    pub fn spawn_each<I, T, C, F>(&self, s: SpeculativeStrand<'_>, items: I, child: C, inlet: F)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        C: Fn(SpeculativeStrand<'_>, I::Item) -> Result<T, Aborted> + Sync,
        F: Fn(&mut S, T) + Sync,
    {
        self.state.must_be_elsewhere();
        let mut items = items.into_iter();
        let mut next = || if self.is_aborted() { None } else { items.next() };
        let items = iter::from_fn(|| self.aborting_on_panic(&mut next));
        // SAFETY: used by children, for which the body or a child waits below.
        let stops = unsafe { self.core.stops() };
        s.into_plain().for_each_item_unless(stops, items, |s, item| {
            self.aborting_on_panic(|| {
                let result = child(SpeculativeStrand::within(s, stops), item);
                self.fold(result, &inlet);
            });
        });
    }
}

impl<S> fmt::Debug for Speculation<'_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Speculation").field("is_aborted", &self.is_aborted()).finish_non_exhaustive()
    }
}

/// Aborts the children if it is dropped, which only a panic does.
struct AbortOnPanic<'s>(&'s Group);

impl Drop for AbortOnPanic<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A child with its inlet, in a spawn queue.
struct Child<'scope, 'env, S, C, F> {
    speculation: &'scope Speculation<'scope, 'env, S>,
    child: C,
    inlet: F,
}

impl<T, S, C, F> Task for Child<'_, '_, S, C, F>
where
    S: Send,
    C: FnOnce(SpeculativeStrand<'_>) -> Result<T, Aborted> + Send,
    F: FnOnce(&mut S, T) + Send,
{
    fn run(self, top: Top<'_>) {
        let Child { speculation, child, inlet } = self;
        // SAFETY: used by a child.
        let stops = unsafe { speculation.core.stops() };
        let result = child(SpeculativeStrand::within(Strand::of(top), stops));
        speculation.fold(result, inlet);
    }
}
