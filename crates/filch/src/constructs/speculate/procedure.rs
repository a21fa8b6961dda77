//! Procedures: what the body of a speculation can do.

use super::children::Children;
use super::erased;
use super::state::State;
use super::strand::{Aborted, SpeculativeStrand};
use std::fmt;
use std::iter;
use std::marker::PhantomData;
use std::ops::AddAssign;

/// A procedure that spawns children, whose results inlets fold into a state (Frigo, Leiserson and Randall 1998, section
/// 2).
///
/// [`Strand::speculate`](crate::Strand::speculate) makes procedures. The last child that has been spawned is *latent*:
/// an idle worker may take it. If none does, this worker runs it, and then its inlet, when the procedure
/// [spawns](Self::spawn) the next child, [looks](Self::with) at the state, asks whether it is [synched](Self::synched),
/// or ends. So one worker runs the children in the order in which they are spawned, as the serial program does, and
/// needs no more space than that. Children that other workers run add to [reducers](crate::Reducer) in any order.
///
/// So a child may run within any of these calls. If the caller holds a lock meanwhile, and the child takes the same
/// lock, they wait for each other for ever. (In Cilk a child begins at the spawn, so the same holds there.)
///
/// If a worker is idle when a child is spawned, the child is left to it, and the procedure goes on at once. Otherwise a
/// long child that does not fork keeps its procedure from spawning those behind it, except for one.
///
/// A procedure belongs to the thread of its body:
/// ```compile_fail,E0277
/// filch::run(|mut s| s.speculate(0, |p, _| {
///     std::thread::scope(|t| { t.spawn(|| p.spawn_add(|_, _| Ok(1))); });
/// }));
/// ```
/// An inlet gets no strand, so it cannot fork:
/// ```compile_fail,E0593
/// filch::run(|mut s| s.speculate(0, |p, _| {
///     p.spawn(|_, _| Ok(1), |_: &mut i32, _, mut s: filch::Strand<'_>| { s.join(|_| (), |_| ()); });
/// }));
/// ```
/// What children and inlets capture, and the state, move between threads:
/// ```compile_fail,E0277
/// filch::run(|mut s| {
///     let local = std::rc::Rc::new(1);
///     s.speculate(0, |p, _| {
///         let local = local.clone();
///         p.spawn(move |_, _| Ok(*local), |_, _: i32| ());
///     });
/// });
/// ```
/// ```compile_fail,E0277
/// filch::run(|mut s| { s.speculate(std::rc::Rc::new(1), |_, _| ()); });
/// ```
/// A child cannot borrow what the body owns:
/// ```compile_fail,E0373
/// filch::run(|mut s| s.speculate(0, |p, _| {
///     let local = 1;
///     p.spawn(|_, _| Ok(local), |_, _: i32| ());
/// }));
/// ```
/// Nor can it use the procedure, or keep its way to the state:
/// ```compile_fail
/// filch::run(|mut s| s.speculate(0, |p, _| p.spawn_add(|_, _| { p.spawn_add(|_, _| Ok(1)); Ok(1) })));
/// ```
/// ```compile_fail
/// filch::run(|mut s| s.speculate(0, |p, _| {
///     let mut kept = None;
///     p.spawn_add(|_, state| { kept = Some(state); Ok(1) });
/// }));
/// ```
pub struct Procedure<'l, 'scope, 'env: 'scope, S: Send + 'env> {
    pub(super) children: Children<'l, S>,
    /// Invariant in both lifetimes, as a [`Scope`](crate::Scope) is.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'l, 'scope, S: Send> Procedure<'l, 'scope, '_, S> {
    #[inline(always)]
    pub(super) fn new(children: Children<'l, S>) -> Self {
        Procedure { children, scope: PhantomData, env: PhantomData }
    }

    /// Spawns `child`. When it returns a value, `inlet` folds that into the state. A child that returns [`Aborted`] has
    /// no value, and its inlet is dropped.
    ///
    /// The child gets a strand that learns of an abort, and a way to [look](State::with) at the state, which shows what
    /// the children before it have found.
    ///
    /// Work: that of two joins. Nothing is allocated, unless the child is left to others, or the child and its inlet
    /// capture more than six words.
    ///
    /// # Panics
    ///
    /// If the child before it runs here and panics, or its inlet does. Then this child does not run.
    #[inline]
    pub fn spawn<T, C, F>(&mut self, child: C, inlet: F)
    where
        C: FnOnce(SpeculativeStrand<'_>, State<'_, S>) -> Result<T, Aborted> + Send + 'scope,
        F: FnOnce(&mut S, T) + Send + 'scope,
    {
        self.children.must_be_on_top();
        // SAFETY: the room is empty. What is borrowed for `'scope` lives until the procedure has ended, because the
        // body is generic over `'scope`, and then no child is left.
        self.children.spawn(|room| unsafe { erased::put(room, child, inlet) });
    }

    /// Spawns `child`, and adds its result to the state: Cilk's `x += spawn child()`.
    ///
    /// ```
    /// use filch::{Aborted, SpeculativeStrand};
    ///
    /// fn fib(mut s: SpeculativeStrand<'_>, n: u64) -> Result<u64, Aborted> {
    ///     if n < 2 {
    ///         return Ok(n);
    ///     }
    ///     let (sum, ()) = s.speculate(0, |p, _| {
    ///         p.spawn_add(move |s, _| fib(s, n - 1));
    ///         p.spawn_add(move |s, _| fib(s, n - 2));
    ///     })?;
    ///     Ok(sum)
    /// }
    ///
    /// assert_eq!(filch::run(|s| fib(s.into(), 20)), Ok(6765));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    #[inline]
    pub fn spawn_add<T, C>(&mut self, child: C)
    where
        S: AddAssign<T>,
        C: FnOnce(SpeculativeStrand<'_>, State<'_, S>) -> Result<T, Aborted> + Send + 'scope,
    {
        self.spawn(child, |sum, value| *sum += value);
    }

    /// Runs `child` on every item of an iterator, each as a child, and waits for them: in Cilk, a loop with
    /// `inlet(spawn child(item))`, and a `sync`. The results go to `inlet`.
    ///
    /// A worker runs each child, and its inlet, before it makes the next item, while another worker can take the rest
    /// of the iterator, as in [`Strand::for_each_item`](crate::Strand::for_each_item). So one worker does what the
    /// serial loop does, also where a child is long, and a child sees in the state what those before it have found,
    /// unless they run at the same time. After an abort no more items are made.
    ///
    /// Work: a push and a pop for each item, and a lock for its inlet. Nothing is allocated unless the iterator moves.
    ///
    /// # Panics
    ///
    /// As [`Strand::for_each_item`](crate::Strand::for_each_item). A panic aborts the children.
    pub fn spawn_each<I, T, C, F>(&mut self, items: I, child: C, inlet: F)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        C: Fn(SpeculativeStrand<'_>, State<'_, S>, I::Item) -> Result<T, Aborted> + Sync,
        F: Fn(&mut S, T) + Sync,
    {
        self.children.must_be_on_top();
        self.children.run_latent();
        let shared = self.children.shared();
        let speculation = &shared.speculation;
        let mut items = items.into_iter();
        // It owns the iterator, so that a panic of the iterator's destructor during another one is not its own.
        let items = iter::from_fn(move || {
            speculation.aborting_on_panic(|| if speculation.is_aborted() { None } else { items.next() })
        });
        // SAFETY: used by children, which end below.
        let stops = unsafe { speculation.stops() };
        self.children.strand().for_each_item_unless(stops, items, |s, item| {
            speculation.aborting_on_panic(|| {
                let result = child(SpeculativeStrand::within(s, stops), State(shared), item);
                shared.fold(result, &inlet);
            });
        });
    }

    /// Runs `look` on the state. It shows what the children that are over have found. Others may still run on other
    /// workers, or may be left to them and not have begun; [`sync`](Self::sync) waits for all.
    ///
    /// # Errors
    ///
    /// [`Aborted`] if the children have been aborted. Then `look` is dropped.
    ///
    /// # Panics
    ///
    /// If `look` panics, which aborts the children. Otherwise as [`spawn`](Self::spawn).
    #[inline]
    pub fn with<R>(&mut self, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        self.children.must_be_on_top();
        self.children.run_latent();
        self.children.with(look)
    }

    /// Whether all children are over (Cilk's `SYNCHED`). If so, their inlets have run, unless they were aborted. Runs
    /// what no other worker has begun, so it is false only if another one runs a child; with one worker it is always
    /// true.
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    #[inline]
    pub fn synched(&mut self) -> bool {
        self.children.must_be_on_top();
        self.children.are_over()
    }

    /// Waits until all children are over: Cilk's `sync`. The end of the body does the same.
    ///
    /// # Panics
    ///
    /// If a child or an inlet has panicked.
    #[inline]
    pub fn sync(&mut self) {
        self.children.must_be_on_top();
        self.children.sync();
    }

    /// A strand for the body, which no abort of the children concerns.
    #[inline]
    pub fn strand(&mut self) -> SpeculativeStrand<'_> {
        self.children.must_be_on_top();
        let around = self.children.shared().speculation.around();
        SpeculativeStrand::within(self.children.strand(), around)
    }
}

impl<S: Send> fmt::Debug for Procedure<'_, '_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Procedure").finish_non_exhaustive()
    }
}
