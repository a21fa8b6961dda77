//! What is made of the solutions.

use crate::portable::{Portable, Unportable, encoded};
use crate::protocol::{Core, Values};
use filch::{Bound, CancelToken, Export, Search, SearchPart, Strand};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

/// What is made of the solutions, by all workers of a rank.
pub(super) trait Goal<P: Search>: Values<Value: Send> + Sync + Sized {
    /// Runs a part to its end, except for what leaves it.
    fn run(&self, s: Strand<'_>, problem: &P, part: SearchPart<P>, export: &dyn Export<P>) -> Self::Value;

    /// What the workers have found that the other ranks are to know. Called often, by the communication thread.
    fn exchange(&self, _core: &mut Core<'_, Self>) -> Result<(), Unportable> {
        Ok(())
    }
}

/// Folds the solutions.
pub(super) struct Fold<I, A, C> {
    pub(super) identity: I,
    pub(super) add: A,
    pub(super) combine: C,
}

impl<T: Portable, I, A, C: Fn(T, T) -> T> Values for Fold<I, A, C>
where
    I: Fn() -> T,
{
    type Value = T;

    fn combine(&self, former: T, latter: T) -> T {
        (self.combine)(former, latter)
    }
}

impl<P, T, I, A, C> Goal<P> for Fold<I, A, C>
where
    P: Search,
    T: Portable + Send,
    I: Fn() -> T + Sync,
    A: Fn(T, &P::Workspace) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    fn run(&self, mut s: Strand<'_>, problem: &P, part: SearchPart<P>, export: &dyn Export<P>) -> T {
        s.search_part(problem, part, export).fold(&self.identity, &self.add, &self.combine)
    }
}

/// Finds any solution. What the user makes of it is encoded at once, so that the value needs no more than that.
///
/// A part that comes to its end though it has a solution returns it: its result may be at rank 0 before the solution
/// that is sent there.
pub(super) struct Any<F> {
    find: F,
    found: Mutex<Option<Result<Vec<u8>, Unportable>>>,
    token: CancelToken,
    communication: Thread,
}

impl<F> Any<F> {
    pub(super) fn new(find: F, token: &CancelToken) -> Self {
        let (token, communication) = (token.clone(), std::thread::current());
        Any { find, found: Mutex::new(None), token, communication }
    }
}

impl<F> Values for Any<F> {
    type Value = Option<Vec<u8>>;

    fn combine(&self, former: Self::Value, latter: Self::Value) -> Self::Value {
        former.or(latter)
    }
}

impl<P, T, F> Goal<P> for Any<F>
where
    P: Search,
    T: Portable,
    F: Fn(&P::Workspace) -> T + Sync,
{
    fn run(&self, mut s: Strand<'_>, problem: &P, part: SearchPart<P>, export: &dyn Export<P>) -> Self::Value {
        let find = |_, solution: &P::Workspace| {
            let value = encoded(&(self.find)(solution));
            let found = value.clone().ok();
            lock(&self.found).get_or_insert(value);
            // The rest of this rank's work is not wanted. The others learn it from rank 0.
            self.token.cancel();
            self.communication.unpark();
            found
        };
        // What it has found is also its result: it may be at its end before it notices that it has been cancelled.
        s.search_part(problem, part, export).fold(|| None, find, |former, latter| self.combine(former, latter))
    }

    fn exchange(&self, core: &mut Core<'_, Self>) -> Result<(), Unportable> {
        let found = lock(&self.found).take();
        found.transpose().map(|found| {
            if let Some(value) = found {
                core.found(Some(value));
            }
        })
    }
}

/// Finds a solution of the best value.
///
/// Rank 0 has each solution before the other ranks know of its value. So it is there when they leave out what is not
/// better, also if the rank that has found it is lost.
pub(super) struct Best<'b, V, F> {
    bound: &'b Bound,
    value: V,
    keep: F,
    state: Mutex<BestState>,
    communication: Thread,
}

#[derive(Default)]
struct BestState {
    /// What rank 0 is to be sent.
    unsent: Option<(i64, Result<Vec<u8>, Unportable>)>,
    /// At rank 0: what the others have been told.
    told: Option<i64>,
}

impl<'b, V, F> Best<'b, V, F> {
    pub(super) fn new(bound: &'b Bound, value: V, keep: F) -> Self {
        let state = Mutex::new(BestState { unsent: None, told: bound.get() });
        Best { bound, value, keep, state, communication: std::thread::current() }
    }
}

impl<V, F> Values for Best<'_, V, F> {
    type Value = Option<(i64, Vec<u8>)>;

    fn combine(&self, former: Self::Value, latter: Self::Value) -> Self::Value {
        match (former, latter) {
            (Some(former), Some(latter)) => {
                Some(if self.bound.is_better(latter.0, former.0) { latter } else { former })
            }
            (former, latter) => former.or(latter),
        }
    }

    fn hear_better(&self, value: &Self::Value) {
        if let Some((value, _)) = value {
            self.bound.improve(*value);
        }
    }

    fn hear_bound(&self, bound: i64) {
        self.bound.improve(bound);
    }
}

impl<P, T, V, F> Goal<P> for Best<'_, V, F>
where
    P: Search,
    T: Portable,
    V: Fn(&P::Workspace) -> i64 + Sync,
    F: Fn(&P::Workspace) -> T + Sync,
{
    fn run(&self, mut s: Strand<'_>, problem: &P, part: SearchPart<P>, export: &dyn Export<P>) -> Self::Value {
        // Called for solutions that are better than all before them.
        let keep = |solution: &P::Workspace| {
            let (value, bytes) = ((self.value)(solution), encoded(&(self.keep)(solution)));
            let mut state = lock(&self.state);
            if state.unsent.as_ref().is_none_or(|(unsent, _)| self.bound.is_better(value, *unsent)) {
                state.unsent = Some((value, bytes.clone()));
                self.communication.unpark();
            }
            // What cannot be encoded ends the search.
            bytes.unwrap_or_default()
        };
        s.search_part(problem, part, export).find_best(self.bound, &self.value, keep)
    }

    fn exchange(&self, core: &mut Core<'_, Self>) -> Result<(), Unportable> {
        let mut state = lock(&self.state);
        if let Some((value, bytes)) = state.unsent.take() {
            core.better(Some((value, bytes?)));
        }
        let best = self.bound.get();
        if best != state.told {
            state.told = best;
            best.into_iter().for_each(|best| core.bound(best));
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
