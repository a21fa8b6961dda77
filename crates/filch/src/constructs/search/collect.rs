//! What is made of the solutions of a search, and how the results of its parts come together in serial order.
//!
//! A part comes after everything that its owner still had when the part was split off. So the owner's own result comes
//! first, and then those of its parts, the newest first. The owner runs a part that no worker has begun in its place,
//! in the same loop, so the stack does not grow.

use super::bound::Bound;
use super::place::Place;
use crate::constructs::drop_while_unwinding::{former_or, keep};
use crate::engine::team::stop::Stop;
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};

/// What a search makes of its solutions. Each part of the search that runs separately has a result of its own.
pub(super) trait Collect<W>: Sync {
    /// The result of a part.
    type Out: Send;

    /// The result of the part at `place`, which has found nothing yet.
    fn begin(&self, place: &Place) -> Self::Out;

    /// Adds a solution, which the part at `place` has found.
    fn add(&self, out: Self::Out, solution: &W, place: &Place) -> Self::Out;

    /// Adds the result of the part that follows `former` in serial order.
    fn combine(&self, former: Self::Out, latter: Self::Out) -> Self::Out;

    /// Whether the part at `place`, with this result so far, need not go on. Asked for each node.
    #[inline(always)]
    fn is_over(&self, _out: &mut Self::Out, _place: &Place) -> bool {
        false
    }

    /// Whether the search has been aborted from outside. Asked for each part that begins on another worker.
    #[inline(always)]
    fn is_aborted(&self) -> bool {
        false
    }

    /// Called when the part at `place`, with this result, is at its end, before its worker waits for the part at
    /// `next`. If no worker has begun that, it is the part with this result from then on.
    #[inline(always)]
    fn pass_on(&self, _out: &mut Self::Out, _place: &Place, _next: &Place) {}
}

/// Folds the solutions.
pub(super) struct Fold<I, A, C> {
    pub(super) identity: I,
    pub(super) add: A,
    pub(super) combine: C,
}

impl<W, T, I, A, C> Collect<W> for Fold<I, A, C>
where
    T: Send,
    I: Fn() -> T + Sync,
    A: Fn(T, &W) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    type Out = T;

    #[inline(always)]
    fn begin(&self, _: &Place) -> T {
        (self.identity)()
    }

    #[inline(always)]
    fn add(&self, out: T, solution: &W, _: &Place) -> T {
        (self.add)(out, solution)
    }

    fn combine(&self, former: T, latter: T) -> T {
        (self.combine)(former, latter)
    }
}

/// Finds any solution.
pub(super) struct Any<F> {
    found: Stop,
    find: F,
}

impl<F> Any<F> {
    pub(super) fn new(find: F) -> Self {
        Any { found: Stop::new(), find }
    }
}

impl<W, T, F> Collect<W> for Any<F>
where
    T: Send,
    F: Fn(&W) -> T + Sync,
{
    type Out = Option<T>;

    #[inline(always)]
    fn begin(&self, _: &Place) -> Option<T> {
        None
    }

    fn add(&self, _: Option<T>, solution: &W, _: &Place) -> Option<T> {
        let found = (self.find)(solution);
        self.found.request();
        Some(found)
    }

    fn combine(&self, former: Option<T>, latter: Option<T>) -> Option<T> {
        former_or(former, latter)
    }

    #[inline(always)]
    fn is_over(&self, _: &mut Option<T>, _: &Place) -> bool {
        self.found.is_requested()
    }
}

/// Finds the first solution in serial order.
pub(super) struct First<F> {
    find: F,
    /// Changes with `earliest`.
    version: AtomicUsize,
    /// The earliest part that has found a solution.
    earliest: Mutex<Option<Place>>,
}

/// What a part of a search for the first solution has found, and up to which version it knows that no part before it
/// has found one.
pub(super) struct FirstOut<T> {
    pub(super) found: Option<T>,
    version: usize,
}

impl<F> First<F> {
    pub(super) fn new(find: F) -> Self {
        First { find, version: AtomicUsize::new(0), earliest: Mutex::new(None) }
    }

    /// Whether the part at `place` is behind the earliest one.
    #[cold]
    fn is_behind(&self, place: &Place) -> bool {
        lock(&self.earliest).as_ref().is_some_and(|earliest| earliest <= place)
    }
}

impl<W, T, F> Collect<W> for First<F>
where
    T: Send,
    F: Fn(&W) -> T + Sync,
{
    type Out = FirstOut<T>;

    fn begin(&self, _: &Place) -> FirstOut<T> {
        FirstOut { found: None, version: 0 }
    }

    fn add(&self, out: FirstOut<T>, solution: &W, place: &Place) -> FirstOut<T> {
        let found = Some((self.find)(solution));
        let mut earliest = lock(&self.earliest);
        if earliest.as_ref().is_none_or(|earliest| place < earliest) {
            *earliest = Some(place.clone());
            self.version.fetch_add(1, Ordering::Relaxed);
        }
        FirstOut { found: keep(found, out.found), version: out.version }
    }

    fn combine(&self, former: FirstOut<T>, latter: FirstOut<T>) -> FirstOut<T> {
        // What comes next may be behind another part than the former was.
        FirstOut { found: former_or(former.found, latter.found), version: 0 }
    }

    #[inline(always)]
    fn is_over(&self, out: &mut FirstOut<T>, place: &Place) -> bool {
        let version = self.version.load(Ordering::Relaxed);
        if version == out.version {
            return false;
        }
        if self.is_behind(place) {
            return true;
        }
        out.version = version;
        false
    }
}

/// Finds the best solution.
pub(super) struct Best<'b, V, F> {
    pub(super) bound: &'b Bound,
    pub(super) value: V,
    pub(super) keep: F,
}

impl<W, T, V, F> Collect<W> for Best<'_, V, F>
where
    T: Send,
    V: Fn(&W) -> i64 + Sync,
    F: Fn(&W) -> T + Sync,
{
    type Out = Option<(i64, T)>;

    #[inline(always)]
    fn begin(&self, _: &Place) -> Self::Out {
        None
    }

    fn add(&self, out: Self::Out, solution: &W, _: &Place) -> Self::Out {
        let value = (self.value)(solution);
        if self.bound.improve(value) { Some(keep((value, (self.keep)(solution)), out)) } else { out }
    }

    fn combine(&self, former: Self::Out, latter: Self::Out) -> Self::Out {
        match (former, latter) {
            (Some(former), Some(latter)) if self.bound.is_better(latter.0, former.0) => Some(keep(latter, former)),
            (former, latter) => former_or(former, latter),
        }
    }
}

/// Hands all solutions to one function, in serial order, as soon as those before them are known.
///
/// One part at a time has the function: the one at the *front*, before which no part has anything left. The parts
/// behind it keep what they find. A part that is at its end passes the function on to the next one in serial order.
pub(super) struct All<'f, M, T> {
    map: M,
    /// Changes with the front.
    version: AtomicUsize,
    front: Mutex<Front<'f, T>>,
}

/// Who receives solutions.
type Receiver<'f, T> = &'f mut (dyn FnMut(T) + Send);

/// Where the function lies, from a part that is at its end to the part that it waits for.
struct Front<'f, T> {
    place: Place,
    receiver: Option<Receiver<'f, T>>,
}

/// What a part has for the function.
pub(super) struct AllOut<'f, T> {
    /// Where it began. It goes on with parts that no other worker has begun, so by the time that it has the function,
    /// it may be at a later place than the one to which the function was passed.
    begun: Place,
    /// The function, if this part is at the front.
    receiver: Option<Receiver<'f, T>>,
    /// What it has found before it was at the front.
    kept: Vec<T>,
    version: usize,
}

impl<'f, M, T> All<'f, M, T> {
    pub(super) fn new(map: M, receiver: Receiver<'f, T>) -> Self {
        let front = Front { place: Place::default(), receiver: Some(receiver) };
        All { map, version: AtomicUsize::new(1), front: Mutex::new(front) }
    }

    /// Gets the function if it lies there for the part that is now at `place`, and hands it what the part has kept.
    #[inline]
    fn look(&self, out: &mut AllOut<'f, T>, place: &Place) {
        let version = self.version.load(Ordering::Relaxed);
        if version == out.version {
            return;
        }
        out.version = version;
        let mut front = lock(&self.front);
        if (&out.begun..=place).contains(&&front.place) && front.receiver.is_some() {
            out.receiver = front.receiver.take();
            drop(front);
            out.flush();
        }
    }
}

impl<T> AllOut<'_, T> {
    /// Whether nothing is kept.
    pub(super) fn is_handed_over(&self) -> bool {
        self.kept.is_empty()
    }

    /// Hands over what has been kept, if this part has the function.
    fn flush(&mut self) {
        if let Some(receiver) = &mut self.receiver {
            self.kept.drain(..).for_each(receiver);
        }
    }
}

impl<'f, W, T, M> Collect<W> for All<'f, M, T>
where
    T: Send,
    M: Fn(&W) -> T + Sync,
{
    type Out = AllOut<'f, T>;

    fn begin(&self, place: &Place) -> Self::Out {
        AllOut { begun: place.clone(), receiver: None, kept: Vec::new(), version: 0 }
    }

    fn add(&self, mut out: Self::Out, solution: &W, place: &Place) -> Self::Out {
        let value = (self.map)(solution);
        self.look(&mut out, place);
        match &mut out.receiver {
            Some(receiver) => receiver(value),
            None => out.kept.push(value),
        }
        out
    }

    fn combine(&self, mut former: Self::Out, mut latter: Self::Out) -> Self::Out {
        if latter.receiver.is_some() {
            // It has handed over all that it has found.
            former.receiver = latter.receiver;
        } else if former.version == PASSED_ON {
            former.receiver = lock(&self.front).receiver.take();
        }
        former.version = 0;
        former.kept.append(&mut latter.kept);
        former.flush();
        former
    }

    fn pass_on(&self, out: &mut Self::Out, place: &Place, next: &Place) {
        self.look(out, place);
        if let Some(receiver) = out.receiver.take() {
            *lock(&self.front) = Front { place: next.clone(), receiver: Some(receiver) };
            self.version.fetch_add(1, Ordering::Relaxed);
            out.version = PASSED_ON;
        }
    }
}

/// The version of a part that has passed the function on, and waits for the part that may have got it.
const PASSED_ON: usize = usize::MAX;
