//! Stops: how the parts of something, wherever they run, learn that the rest of it need not be done.
//!
//! Loops, spawn loops, scopes, speculations and traversals each have one. It is requested when a user cancels, when
//! what was looked for has been found, or when a part has panicked. Each part looks at its next block, item, task or
//! batch; what is under way runs to its end.
//!
//! Speculations nest, and the abort of an outer one reaches the inner ones. So the stop of a speculation knows the stop
//! around it ([`StopWithin`]), and a look goes outwards; nobody keeps a list of what is inside. Aborts are rare and
//! looks are not, so a process counts its aborts ([`REQUESTS`]), and a stop remembers the count at which a look last
//! found nothing. While the count is still the same, a look is two loads, however deep the stop is.

use crate::engine::team::Occupied;
use crate::sync::{AtomicBool, AtomicUsize, Ordering};
use crossbeam_utils::CachePadded;
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
    #[inline(always)]
    pub(crate) fn acquire(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// How often a [`StopWithin`] has been requested in this process. Counted after the request: whoever sees the count
/// sees all requests that have been counted.
static REQUESTS: CachePadded<AtomicUsize> = CachePadded::new(AtomicUsize::new(0));

/// A stop inside of others. What it stops also ends if one of the stops around it is requested.
#[derive(Debug)]
pub(crate) struct StopWithin {
    /// Whether this stop has been requested, and whether that has been counted.
    own: Stop,
    is_counted: AtomicBool,
    around: Stops,
    /// The number of [`REQUESTS`] when a look last began that found neither this stop nor one around it requested. A
    /// hint that any thread may renew.
    quiet: AtomicUsize,
}

impl StopWithin {
    /// `requests` comes from a [look](Stops::look) at the stops around.
    #[inline(always)]
    pub(crate) fn new(around: Stops, requests: usize) -> Self {
        StopWithin { own: Stop::new(), is_counted: AtomicBool::new(false), around, quiet: AtomicUsize::new(requests) }
    }

    /// The rest need not be done.
    pub(crate) fn request(&self) {
        self.own.request();
        self.count();
    }

    fn count(&self) {
        REQUESTS.fetch_add(1, Ordering::AcqRel);
        self.is_counted.store(true, Ordering::Release);
    }

    /// Whether the rest need not be done, because of this stop or of one around it. If so, the caller sees what was
    /// written before the request.
    #[inline(always)]
    pub(crate) fn acquire(&self) -> bool {
        let requests = REQUESTS.load(Ordering::Acquire);
        requests != self.quiet.load(Ordering::Relaxed) && self.look_outwards(requests)
    }

    #[cold]
    #[inline(never)]
    fn look_outwards(&self, requests: usize) -> bool {
        if self.own.acquire() {
            // Otherwise a look that began before the request could still make this stop count as quiet, and a thread
            // that has seen an abort would not see it again.
            if !self.is_counted.load(Ordering::Acquire) {
                self.count();
            }
            return true;
        }
        let is_requested = self.around.acquire();
        if !is_requested {
            self.quiet.store(requests, Ordering::Relaxed);
        }
        is_requested
    }

    pub(crate) fn around(&self) -> Stops {
        self.around
    }

    /// The stops around what this one stops.
    ///
    /// # Safety
    ///
    /// This stop lives, and stays where it is, as long as the result or a copy of it is used.
    #[inline(always)]
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

    /// `None` if one of them is requested; otherwise the number of [`REQUESTS`] when this look began.
    #[inline(always)]
    pub(crate) fn look(self) -> Option<usize> {
        // The count comes first: what is requested after the look is counted later.
        let requests = REQUESTS.load(Ordering::Acquire);
        (!self.acquire()).then_some(requests)
    }

    /// Whether one of them is requested: see [`StopWithin::acquire`].
    #[inline(always)]
    pub(crate) fn acquire(self) -> bool {
        // SAFETY: by the contract of `inside`, the innermost stop lives, and with it those around it.
        self.0.is_some_and(|stop| unsafe { stop.as_ref() }.acquire())
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
