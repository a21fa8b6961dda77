//! Stops: how the parts of something, wherever they run, learn that the rest of it need not be done.
//!
//! Loops, spawn loops, scopes, speculations and traversals each have one. It is requested when a user cancels, when
//! what was looked for has been found, or when a part has panicked. Each part looks at its next block, item, task or
//! batch; what is under way runs to its end.
//!
//! Speculations nest, and the abort of an outer one reaches the inner ones. So the stop of a group knows the stop
//! around it ([`StopWithin`]), and a look goes outwards. To request one is a store, whatever is inside of it; nobody
//! keeps a list of what that is.

use crate::engine::team::Occupied;
use crate::sync::{AtomicBool, Ordering};
use std::iter;
use std::ptr::NonNull;

/// Whether something is to end early. Once requested, it stays so.
#[derive(Debug, Default)]
pub(crate) struct Stop(AtomicBool);

impl Stop {
    pub(crate) fn new() -> Self {
        Stop(AtomicBool::new(false))
    }

    /// The rest need not be done.
    pub(crate) fn request(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the rest need not be done. Loops ask this for each item, so it orders nothing.
    #[inline(always)]
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// As [`is_requested`](Self::is_requested); and if so, the caller sees what was written before the request.
    pub(crate) fn acquire(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// A stop inside of others. What it stops also ends if one of the stops around it is requested.
#[derive(Debug)]
pub(crate) struct StopWithin {
    own: Stop,
    around: Stops,
}

impl StopWithin {
    pub(crate) fn new(around: Stops) -> Self {
        StopWithin { own: Stop::new(), around }
    }

    /// The rest need not be done.
    pub(crate) fn request(&self) {
        self.own.request();
    }

    /// Whether the rest need not be done, because of this stop or of one around it. If so, the caller sees what was
    /// written before the request.
    #[inline]
    pub(crate) fn acquire(&self) -> bool {
        self.own.acquire() || self.around.acquire()
    }

    /// The stops around what this one stops.
    ///
    /// # Safety
    ///
    /// This stop lives, and stays where it is, as long as the result or a copy of it is used.
    pub(crate) unsafe fn inside(&self) -> Stops {
        Stops(Some(NonNull::from(self)))
    }
}

/// The stops around some code, of which it knows the innermost; none outside of all speculations.
#[derive(Clone, Copy, Debug)]
pub struct Stops(Option<NonNull<StopWithin>>);

// SAFETY: a stop is atomic, and lives while this is used (see `inside`).
unsafe impl Send for Stops {}
// SAFETY: as above.
unsafe impl Sync for Stops {}

impl Stops {
    pub(crate) const NONE: Stops = Stops(None);

    /// Whether one of them is requested: see [`StopWithin::acquire`].
    #[inline]
    pub(crate) fn acquire(self) -> bool {
        // SAFETY: by the contract of `inside`, the innermost stop lives, and with it those around it.
        let of = |stops: Stops| stops.0.map(|stop| unsafe { stop.as_ref() });
        iter::successors(of(self), |stop| of(stop.around)).any(|stop| stop.own.acquire())
    }
}

/// What aborts a construct from outside of it. Constructs are compiled for each kind, so that one outside of
/// speculations does not look.
pub trait Abort: Copy + Send + Sync {
    /// Whether the construct has been aborted. If so, the caller sees what was written before that.
    fn is_requested(self) -> bool;
}

impl Abort for Stops {
    #[inline]
    fn is_requested(self) -> bool {
        self.acquire()
    }
}

/// Outside of speculations nothing aborts a construct.
#[derive(Clone, Copy, Debug)]
pub struct Never;

impl Abort for Never {
    #[inline(always)]
    fn is_requested(self) -> bool {
        false
    }
}

/// Counts work that has moved to this worker and is about to begin, if it `is_aborted`.
pub(crate) fn count_begun(at: Occupied<'_>, is_aborted: bool) {
    if is_aborted {
        at.owner().counters.begun_after_abort.bump();
    }
}
