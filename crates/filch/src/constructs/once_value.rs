//! Values that are computed once, by the first who asks, while all who ask meanwhile help.
//!
//! | variable | written | read |
//! |---|---|---|
//! | `value` | once, by whoever computes it | by anyone: a `OnceLock` |
//! | `under_way` | under its lock: who computes, by the first who asks; who waits, by others; all taken at the end | |
//! | `ended` | under the same lock, at the end of each computation, after `value` | by those who wait |
//!
//! Who waits has read `ended` under the lock under which it left itself to be woken. So it sees the change, or is woken
//! after it.

use crate::constructs::strand::Strand;
use crate::engine::frame::task::Goal;
use crate::engine::seats::ambient::pass_on;
use crate::engine::seats::current;
use crate::engine::team::{Occupied, Team};
use crate::engine::wait::blocking::blocking;
use crate::engine::wait::handle_end::{HandleWaiter, wake};
use crate::engine::wait::value_end::{await_named, compute_named};
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;
use std::{fmt, thread};

/// A value that is computed once, by the first who asks for it.
///
/// Who asks while it is computed, and works for the same pool, runs parts of the computation meanwhile and nothing
/// else, as at a join. Any other thread sleeps. If the computation fails or panics, the next who asks computes, as with
/// [`std::sync::OnceLock`].
///
/// A computation must not rely on that help: its first branches should not block until second ones have begun. If
/// workers cannot [take](crate::Capabilities::taking) from each other, or not yet, those who wait cannot reach what is
/// forked above an older fork of the same worker.
///
/// A computation that asks for its own value does not end. If the same thread asks, it panics. So where waiters run
/// anything ([`Wait::Any`](crate::Wait::Any)) a computation must not fork: while it waits for a branch, its worker
/// might run something else that asks for the value. (The same holds for a lock that is held across a join.)
///
/// ```
/// use filch::OnceValue;
///
/// static SQUARES: OnceValue<Vec<u64>> = OnceValue::new();
///
/// let square = |i: usize| {
///     SQUARES.get_or_init(|mut s| {
///         let mut squares = vec![0; 1000];
///         s.for_each((&mut squares, 0..1000_u64), |_, (square, i)| *square = i * i);
///         squares
///     })[i]
/// };
/// assert_eq!(filch::join(|| square(30), || square(40)), (900, 1600));
/// ```
pub struct OnceValue<T> {
    value: OnceLock<T>,
    under_way: Mutex<Option<Computation>>,
    /// How many computations have ended.
    ended: AtomicUsize,
}

/// A computation that is under way.
struct Computation {
    /// The address of the team of the worker that computes.
    team: usize,
    /// The thread that computes.
    thread: usize,
    waiters: Vec<HandleWaiter>,
}

impl<T> OnceValue<T> {
    /// Without a value.
    pub const fn new() -> Self {
        OnceValue { value: OnceLock::new(), under_way: Mutex::new(None), ended: AtomicUsize::new(0) }
    }

    /// The value, if it has been computed.
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value, if it has been computed.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut()
    }

    /// Takes the value out, so that the next who asks computes it again.
    pub fn take(&mut self) -> Option<T> {
        self.value.take()
    }

    /// The value, if it has been computed.
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    /// [`get_or_init`](Self::get_or_init) on the pool of a strand.
    ///
    /// # Panics
    ///
    /// As [`get_or_init`](Self::get_or_init).
    pub fn get_or_init_in<F>(&self, s: Strand<'_>, f: F) -> &T
    where
        F: FnOnce(Strand<'_>) -> T,
    {
        match self.get_or_try_init_in(s, |s| Ok::<T, std::convert::Infallible>(f(s))) {
            Ok(value) => value,
        }
    }

    /// [`get_or_try_init`](Self::get_or_try_init) on the pool of a strand.
    ///
    /// # Errors
    ///
    /// As [`get_or_try_init`](Self::get_or_try_init).
    ///
    /// # Panics
    ///
    /// As [`get_or_init`](Self::get_or_init).
    pub fn get_or_try_init_in<F, E>(&self, s: Strand<'_>, f: F) -> Result<&T, E>
    where
        F: FnOnce(Strand<'_>) -> Result<T, E>,
    {
        let at = s.occupied();
        loop {
            if let Some(value) = self.value.get() {
                return Ok(value);
            }
            if self.begin_or_wait(at) {
                break;
            }
        }
        let computed = compute_named(at, self.goal(), |top| f(Strand::of(top)));
        let result = computed.map(|computed| computed.map(|value| self.value.get_or_init(|| value)));
        self.end(at.owner().team());
        result.unwrap_or_else(|payload| pass_on(payload))
    }

    fn goal(&self) -> Goal {
        Goal::at(NonNull::from(&self.under_way))
    }

    /// Begins the computation, and returns true. If one is under way, returns false when it has ended.
    fn begin_or_wait(&self, at: Occupied<'_>) -> bool {
        let (team, thread) = (ptr::from_ref(at.owner().team()).addr(), current::thread());
        let mut under_way = lock(&self.under_way);
        if self.value.get().is_some() {
            return false;
        }
        let Some(computation) = &mut *under_way else {
            *under_way = Some(Computation { team, thread, waiters: Vec::new() });
            return true;
        };
        if computation.thread == thread {
            drop(under_way);
            panic!("a value depends on itself: its computation asks for it");
        }
        let ended = self.ended.load(Ordering::Relaxed);
        let is_over = || self.ended.load(Ordering::Acquire) != ended;
        if computation.team == team {
            computation.waiters.push(HandleWaiter::Worker(at.owner().index));
            drop(under_way);
            await_named(at, self.goal(), &is_over);
        } else {
            computation.waiters.push(HandleWaiter::this_thread());
            drop(under_way);
            blocking(|| {
                while !is_over() {
                    thread::park();
                }
            });
        }
        false
    }

    /// Ends the computation, which a worker of `team` has done.
    fn end(&self, team: &Team) {
        let mut under_way = lock(&self.under_way);
        let computation = under_way.take();
        self.ended.store(self.ended.load(Ordering::Relaxed).wrapping_add(1), Ordering::Release);
        drop(under_way);
        computation.into_iter().flat_map(|computation| computation.waiters).for_each(|waiter| wake(team, waiter));
    }
}

impl<T> Default for OnceValue<T> {
    fn default() -> Self {
        OnceValue::new()
    }
}

impl<T> From<T> for OnceValue<T> {
    fn from(value: T) -> Self {
        OnceValue { value: OnceLock::from(value), ..OnceValue::new() }
    }
}

impl<T: fmt::Debug> fmt::Debug for OnceValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OnceValue").field(&self.value.get()).finish()
    }
}
