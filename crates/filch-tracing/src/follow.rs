//! Which span follows: a pointer for each thread.
//!
//! The pointer of a thread is set by [`in_span`] for the time of a call, and is that of a span which the call borrows.
//! What is forked meanwhile is done before the call returns, also when it unwinds. So the pointer that a fork passes on
//! ([`Followed`]) is good as long as the other branch runs, wherever it runs.

use std::cell::Cell;
use std::ptr;

use filch::Strand;
use tracing::Span;

thread_local! {
    static SPAN: Cell<*const Span> = const { Cell::new(ptr::null()) };
}

/// Sets the pointer of this thread until it is dropped.
struct Follow {
    before: *const Span,
}

impl Follow {
    fn begin(span: *const Span) -> Self {
        Follow { before: SPAN.replace(span) }
    }
}

impl Drop for Follow {
    fn drop(&mut self) {
        SPAN.set(self.before);
    }
}

/// Runs `f` in `span`, which follows what moves out of `f`.
pub fn in_span<R>(span: &Span, f: impl FnOnce() -> R) -> R {
    let _follow = Follow::begin(span);
    let _entered = span.enter();
    f()
}

/// Runs `f`, and what moves out of it, in the span in which this thread is.
pub fn in_current_span<R>(f: impl FnOnce() -> R) -> R {
    let span = Span::current();
    let _follow = Follow::begin(&raw const span);
    f()
}

/// The same as `f`, to be called anywhere at any time: in the span that follows here, or in the current one if none
/// does. For tasks of scopes and for detached ones; it counts a reference to the span.
///
/// ```
/// let span = tracing::info_span!("tasks");
/// filch_tracing::in_span(&span, || {
///     filch::scope(|_, scope| {
///         scope.spawn(filch_tracing::following(|_| tracing::info!("inside of \"tasks\"")));
///     });
/// });
/// ```
pub fn following<R>(f: impl FnOnce(Strand<'_>) -> R) -> impl FnOnce(Strand<'_>) -> R {
    let followed = SPAN.get();
    // SAFETY: a call of `in_span` borrows it, or its caller's caller does, and has not returned.
    let span = unsafe { followed.as_ref() }.cloned().unwrap_or_else(Span::current);
    move |s: Strand<'_>| in_span(&span, || f(s))
}

/// The span that follows at a fork, for the other branch.
#[derive(Clone, Copy)]
pub(crate) struct Followed(*const Span);

// SAFETY: a span is `Sync`, and the pointer is followed as [`Followed::enter`] allows.
unsafe impl Send for Followed {}
// SAFETY: as above.
unsafe impl Sync for Followed {}

impl Followed {
    /// The one that follows here.
    #[inline(always)]
    pub(crate) fn here() -> Self {
        Followed(SPAN.get())
    }

    /// Runs `f`, which may have moved, in the span. If this thread is in it already, just runs `f`.
    ///
    /// # Safety
    ///
    /// [`here`](Self::here) was called in a call that has not returned.
    #[inline]
    pub(crate) unsafe fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        if ptr::eq(self.0, SPAN.get()) {
            return f();
        }
        // SAFETY: the call of `in_span` around that of `here` has not returned either, and borrows the span.
        match unsafe { self.0.as_ref() } {
            Some(span) => enter_moved(span, f),
            None => f(),
        }
    }
}

#[cold]
fn enter_moved<R>(span: &Span, f: impl FnOnce() -> R) -> R {
    in_span(span, f)
}
