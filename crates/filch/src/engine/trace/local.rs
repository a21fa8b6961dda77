//! What a thread records: the functions that slow paths call.

use super::event::Event;
use super::flusher;
use super::is_on;
use super::ring::Ring;
use crate::sync::{clock, process};
use std::cell::{Cell, OnceCell};
use std::marker::PhantomData;
use std::sync::Arc;

/// The part of a thread.
struct Local {
    ring: OnceCell<Arc<Ring>>,
    /// How many recorded slices are open. The ring has room for their ends.
    open: Cell<usize>,
}

thread_local! {
    static LOCAL: Local = const { Local { ring: OnceCell::new(), open: Cell::new(0) } };
}

impl Drop for Local {
    fn drop(&mut self) {
        if let Some(ring) = self.ring.get() {
            ring.close();
        }
    }
}

/// A slice that ends when this is dropped, by the thread that has begun it. The slices of a thread end in the reverse
/// order.
#[must_use]
pub(crate) struct Slice {
    is_recorded: bool,
    thread: PhantomData<*const ()>,
}

impl Drop for Slice {
    #[inline]
    fn drop(&mut self) {
        if self.is_recorded {
            end();
        }
    }
}

/// Begins a slice with the name of this number, as the occupant of `worker`, if it is not zero. If it runs a frame that
/// has moved, that is `frame`.
#[inline]
pub(crate) fn begin(name: u8, frame: u64, worker: u64) -> Slice {
    begin_if_on(|| Event::Begin { name, frame, worker })
}

/// Begins a slice of the user.
#[inline]
pub(super) fn span(name: &'static str) -> Slice {
    begin_if_on(|| Event::Span { name })
}

#[inline]
fn begin_if_on(event: impl FnOnce() -> Event) -> Slice {
    Slice { is_recorded: is_on() && begin_event(event()), thread: PhantomData }
}

/// Notes that this thread gives a frame away, or leaves it for others. Before another worker can begin it.
#[inline]
pub(crate) fn given(frame: u64) {
    if is_on() {
        record(Event::Given { frame });
    }
}

/// Notes that this thread has taken a frame from the occupant of the worker `from`, and is about to run it.
#[inline]
pub(crate) fn taken(frame: u64, from: impl FnOnce() -> u64) {
    if is_on() {
        record(Event::Taken { frame, from: from() });
    }
}

/// Notes that this thread has taken back a frame that it has given.
#[inline]
pub(crate) fn reclaimed(frame: u64) {
    if is_on() {
        record(Event::Reclaimed { frame });
    }
}

#[cold]
#[inline(never)]
fn begin_event(event: Event) -> bool {
    with(|local, ring| {
        let open = local.open.get();
        let is_recorded = ring.put(clock::now_ns(), event, open + 1);
        local.open.set(open + usize::from(is_recorded));
        is_recorded
    })
}

#[cold]
#[inline(never)]
fn end() {
    with(|local, ring| {
        let open = local.open.get() - 1;
        local.open.set(open);
        ring.put(clock::now_ns(), Event::End, open)
    });
}

#[cold]
#[inline(never)]
fn record(event: Event) {
    with(|local, ring| ring.put(clock::now_ns(), event, local.open.get()));
}

/// Calls `put` with the ring of this thread. Not in a child of fork(2), nor at the end of a thread that has destroyed
/// it.
fn with(put: impl FnOnce(&Local, &Ring) -> bool) -> bool {
    if process::is_forked() {
        return false;
    }
    let put = |local: &Local| put(local, local.ring.get_or_init(flusher::new_ring));
    LOCAL.try_with(put).unwrap_or(false)
}
