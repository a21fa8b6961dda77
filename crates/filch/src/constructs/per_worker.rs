//! States per worker: scratch memory, counts or generators that bodies use one after the other.
//!
//! Each worker has a *place* for one state. Code that wants a state takes it out of its worker's place, has it to
//! itself, and puts it back. So whatever that code does meanwhile, and whoever works on the same worker, nobody gets
//! the same state twice: they find the place empty. If the place is full when a state comes back, because others have
//! put one there in the meantime, the state is *spare*, for whoever next finds an empty place.
//!
//! | variable | changed | by |
//! |---|---|---|
//! | a place | from a state to null | a swap, by whoever takes the state |
//! | a place | from null to a state | a compare-exchange, by whoever has the state |
//! | `spares`, `spoilt` | under their locks | whoever finds a place empty, or full; no user code runs there |
//!
//! A swap or a compare-exchange that succeeds hands over the state as a box, so a state belongs to one place, one list
//! or one lease. The number of the worker is a hint for speed; two threads may have the same one.

use crate::engine::seats::current;
use crate::sync::lock;
use crossbeam_utils::CachePadded;
use std::fmt;
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, OnceLock};

/// A state for each worker that takes part: made when a worker first needs one, used by one body at a time, and used
/// again by later ones.
///
/// Hand it to as many loops as are to share the states, one after the other or one inside the other
/// ([`Strand::for_each_using`](crate::Strand::for_each_using)), or use it in branches and tasks by
/// [`with`](Self::with). For a single loop there is [`Strand::for_each_with`](crate::Strand::for_each_with).
///
/// ```
/// use filch::PerWorker;
///
/// let (words, mut lengths) = (["to", "be", "or", "not"], [0; 4]);
/// let buffers = PerWorker::new(String::new);
/// filch::run(|mut s| {
///     for _ in 0..10 {
///         s.for_each_using(&buffers, (&words, &mut lengths), |_, buffer, (word, length)| {
///             buffer.clear();
///             buffer.push_str(word);
///             *length = buffer.len();
///         });
///     }
/// });
/// assert_eq!(lengths, [2, 2, 2, 3]);
/// assert!(buffers.into_states().count() <= filch::num_workers());
/// ```
///
/// **How many.** At most one for each worker, and one more for each body that is suspended while it has a state: a body
/// that forks may wait for another worker, and meanwhile its own worker runs another part of the same loop. (A run
/// without a seat shares the place of another worker, and threads that work for no pool have one place together. Each
/// of them that uses a state at the same time as another counts as one more.)
///
/// **Which.** Which bodies share a state depends on the schedule. So the outcome is deterministic only if it does not
/// depend on what earlier bodies have left in the state, as with scratch memory, or if the states are
/// [combined](Self::into_states) by an operation that is associative and commutative, as with counts. For other
/// values there is [`Reducer`](crate::Reducer).
///
/// **Cost.** To take a state and to put it back: two locked instructions, which usually stay in the worker's own cache.
/// A loop does this once for each block of some microseconds. Memory: a box for each state, and 128 bytes for each
/// worker.
///
/// **Panics.** A state whose body has panicked is not used again. It is dropped with the others.
///
/// The states move between threads, so they must be `Send`:
/// ```compile_fail,E0277
/// let shared = filch::PerWorker::new(|| std::rc::Rc::new(1));
/// filch::run(|mut s| s.for_each_using(&shared, 0..10, |_, _, _| ()));
/// ```
/// A state cannot leave its body:
/// ```compile_fail
/// let states = filch::PerWorker::new(|| 1);
/// let state = states.with(|state| state);
/// ```
pub struct PerWorker<S, F = fn() -> S> {
    make: F,
    /// A place for each worker, and one for all other threads. Made when the first state is taken.
    places: OnceLock<Box<[Place<S>]>>,
    spares: Mutex<Vec<Box<S>>>,
    /// The states whose bodies have panicked.
    spoilt: Mutex<Vec<Box<S>>>,
}

/// Null, or a state in a box.
type Place<S> = CachePadded<Boxed<S>>;

struct Boxed<S> {
    state: AtomicPtr<S>,
    /// As a lock does, it makes a state accessible to one thread at a time.
    owned: PhantomData<Mutex<Box<S>>>,
}

impl<S> Boxed<S> {
    fn empty() -> Self {
        Boxed { state: AtomicPtr::new(ptr::null_mut()), owned: PhantomData }
    }

    #[inline]
    fn take(&self) -> Option<Box<S>> {
        let state = self.state.swap(ptr::null_mut(), Ordering::Acquire);
        // SAFETY: what is not null comes from a box in `put`, and the swap has taken it out for this caller alone.
        (!state.is_null()).then(|| unsafe { Box::from_raw(state) })
    }

    /// Gives the state back as an error if there is one already.
    #[inline]
    fn put(&self, state: Box<S>) -> Result<(), Box<S>> {
        let state = Box::into_raw(state);
        let put = self.state.compare_exchange(ptr::null_mut(), state, Ordering::Release, Ordering::Relaxed);
        // SAFETY: the pointer comes from a box above, and nobody else has seen it.
        put.map(|_| ()).map_err(|_| unsafe { Box::from_raw(state) })
    }
}

impl<S> Drop for Boxed<S> {
    fn drop(&mut self) {
        drop(self.take());
    }
}

impl<S, F: Fn() -> S> PerWorker<S, F> {
    /// States that `make` makes when they are needed. Allocates nothing yet.
    pub const fn new(make: F) -> Self {
        PerWorker { make, places: OnceLock::new(), spares: Mutex::new(Vec::new()), spoilt: Mutex::new(Vec::new()) }
    }

    /// Calls `f` with a state that nobody else has meanwhile.
    ///
    /// For branches and tasks, on any thread. `f` may do whatever a body may, and also take another state of the same
    /// kind. A loop takes states less often ([`Strand::for_each_using`](crate::Strand::for_each_using)).
    ///
    /// ```
    /// let counts = filch::PerWorker::new(|| 0_u64);
    /// filch::scope(|_, scope| {
    ///     for i in 0..10 {
    ///         let counts = &counts;
    ///         scope.spawn(move |_| counts.with(|count| *count += i));
    ///     }
    /// });
    /// assert_eq!(counts.into_states().sum::<u64>(), 45);
    /// ```
    ///
    /// # Panics
    ///
    /// If `f` panics, or if a state has to be made and that panics.
    pub fn with<R>(&self, f: impl FnOnce(&mut S) -> R) -> R {
        let (seat, workers) = current::with(|here| match here {
            Some(here) => (here.owner().seat(), here.owner().num_workers()),
            None => (usize::MAX, 1),
        });
        let mut lease = self.lease(seat, workers);
        let result = f(lease.state());
        lease.give_back();
        result
    }

    /// A state, for the worker on this seat. `workers` is how many there are.
    #[inline]
    pub(super) fn lease(&self, seat: usize, workers: usize) -> Lease<'_, S> {
        let places = match self.places.get() {
            Some(places) => places,
            None => self.make_places(workers),
        };
        // The last place is for those who are not workers. On a pool with more workers than the first one had, some
        // share a place.
        let place = &places[if seat < places.len() { seat } else { seat % places.len() }];
        let state = place.take().unwrap_or_else(|| self.spare());
        Lease { state: Some(state), place, spares: &self.spares, spoilt: &self.spoilt }
    }

    #[cold]
    fn make_places(&self, workers: usize) -> &[Place<S>] {
        self.places.get_or_init(|| (0..=workers).map(|_| CachePadded::new(Boxed::empty())).collect())
    }

    /// A state for a worker whose place is empty.
    #[cold]
    #[inline(never)]
    fn spare(&self) -> Box<S> {
        let spare = lock(&self.spares).pop();
        spare.unwrap_or_else(|| Box::new((self.make)()))
    }
}

impl<S, F> PerWorker<S, F> {
    /// All states that have been made, in no particular order. Those whose bodies have panicked are dropped.
    ///
    /// ```
    /// use filch::PerWorker;
    ///
    /// let counts = PerWorker::new(|| [0_usize; 26]);
    /// filch::run(|mut s| {
    ///     s.for_each_using(&counts, b"the quick brown fox", |_, count, letter| {
    ///         if letter.is_ascii_lowercase() {
    ///             count[usize::from(letter - b'a')] += 1;
    ///         }
    ///     });
    /// });
    /// let all = counts.into_states().fold([0; 26], |all, some| std::array::from_fn(|i| all[i] + some[i]));
    /// assert_eq!((all[usize::from(b'o' - b'a')], all[25]), (2, 0));
    /// ```
    pub fn into_states(self) -> impl Iterator<Item = S> {
        let PerWorker { places, spares, spoilt, .. } = self;
        drop(spoilt);
        let spares = spares.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let placed = places.into_inner().into_iter().flatten();
        placed.filter_map(|place| place.take()).chain(spares).map(|state| *state)
    }
}

impl<S: Default> Default for PerWorker<S> {
    fn default() -> Self {
        PerWorker::new(S::default)
    }
}

impl<S, F> fmt::Debug for PerWorker<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerWorker").finish_non_exhaustive()
    }
}

/// A state that has been taken out. If this is dropped without having been given back, the state is spoilt.
pub(super) struct Lease<'p, S> {
    /// Always there until the lease ends.
    state: Option<Box<S>>,
    place: &'p Place<S>,
    spares: &'p Mutex<Vec<Box<S>>>,
    spoilt: &'p Mutex<Vec<Box<S>>>,
}

impl<S> Lease<'_, S> {
    #[inline(always)]
    pub(super) fn state(&mut self) -> &mut S {
        self.state.as_mut().expect("it is there until the lease ends")
    }

    /// Puts the state back where it came from.
    #[inline]
    pub(super) fn give_back(mut self) {
        if let Some(Err(state)) = self.state.take().map(|state| self.place.put(state)) {
            keep(self.spares, state);
        }
    }
}

impl<S> Drop for Lease<'_, S> {
    #[inline]
    fn drop(&mut self) {
        if let Some(state) = self.state.take() {
            keep(self.spoilt, state);
        }
    }
}

#[cold]
#[inline(never)]
fn keep<S>(list: &Mutex<Vec<Box<S>>>, state: Box<S>) {
    lock(list).push(state);
}
