//! Spawn loops: the items of an iterator, each run as a child, with the rest of the iterator on the ladder meanwhile
//! (cilk5.txt, section 2: a `spawn` in a loop, whose continuation is stolen).
//!
//! [`run`] begins one. Whoever has the right to iterate, the beginner or a part (`constructs/items/frame.rs`), goes through the
//! same [`iterate`](Shared::iterate): the frame off the ladder, the next item; the frame on the ladder, the item's
//! body; the frame off again, and is the right still here? A part that has lost it is over. The beginner that has lost
//! it [gathers](Shared::gather) the parts.

use crate::constructs::items::frame::{ItemsFrame, ItemsPart, Parts};
use crate::constructs::quietly::{drop_quietly, lose_payload};
use crate::constructs::strand::Strand;
use crate::engine::frame::{FrameKind, Header, Rung};
use crate::engine::share::victim;
use crate::engine::share::victim::Right;
use crate::engine::share::way;
use crate::engine::share::way::Way;
use crate::engine::stop::Stop;
use crate::engine::team::Worker;
use crate::engine::wait::join_end::{Waited, wait};
use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;

/// Runs `body` on every item, until one breaks. Of several that have, what the first one says, in the order of the
/// items.
#[inline]
pub(crate) fn run<I, B, F>(s: Strand<'_>, items: I, body: &F) -> ControlFlow<B>
where
    I: Iterator + Send,
    B: Send,
    F: Fn(Strand<'_>, I::Item) -> ControlFlow<B> + Sync,
{
    let rung = s.rung();
    // SAFETY: a strand exists only on the thread that occupies its ladder.
    let parts = unsafe { Parts::new(rung) };
    let shared = Shared { parts, items: UnsafeCell::new(items), body, stop: Stop::new() };
    // SAFETY: as above, and the top is not below a strand's rung.
    let told = unsafe { shared.run_whole(rung) };
    // All parts have ended, so this is the only thread that knows of the iterator.
    let items = shared.items;
    match told {
        None => ControlFlow::Continue(()),
        Some(Told::Broken(value)) => ControlFlow::Break(value),
        Some(Told::Panicked(payload)) => {
            drop_quietly(rung, items);
            resume_unwind(payload)
        }
    }
}

/// What all parts of a loop share. Lives on the stack of whoever began it, who gathers all parts before it returns.
#[repr(C)]
struct Shared<'f, I, F> {
    parts: Parts,
    /// Touched by whoever has the right to iterate.
    items: UnsafeCell<I>,
    body: &'f F,
    /// Whether a body has broken or panicked: no further item is begun.
    stop: Stop,
}

/// Why a loop has ended early.
enum Told<B> {
    Broken(B),
    Panicked(Box<dyn Any + Send>),
}

/// How whoever had the right has come to its end.
struct Turn<B> {
    told: Option<Told<B>>,
    /// Whether the right is somebody else's now. If not, nothing is left to be done.
    has_moved: bool,
}

impl<I, B, F> Shared<'_, I, F>
where
    I: Iterator + Send,
    B: Send,
    F: Fn(Strand<'_>, I::Item) -> ControlFlow<B> + Sync,
{
    const KIND: FrameKind = FrameKind { run: Self::run_part, divide: ItemsFrame::DIVIDE };

    /// The whole loop.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder of `rung`, whose top is there or above. Called once.
    unsafe fn run_whole(&self, rung: Rung) -> Option<Told<B>> {
        // SAFETY: forwarded.
        let Some(rung) = (unsafe { top_with_room(rung) }) else {
            // SAFETY: forwarded; nobody else knows of the loop.
            return unsafe { self.iterate_serially(rung) };
        };
        let frame = self.parts.frame(NonNull::from(self).cast(), const { &Self::KIND });
        let mut told = None;
        loop {
            // SAFETY: the top, with room above; the right to iterate is here.
            let turn = unsafe { self.iterate(rung, &frame) };
            keep_first(rung, &mut told, turn.told);
            // SAFETY: the frame is off the ladder, and `rung` is the top.
            if !turn.has_moved || !unsafe { self.gather(rung, &mut told) } {
                return told;
            }
        }
    }

    /// What whoever has taken the right, or been given it, does with it.
    unsafe fn run_part(header: NonNull<Header>, rung: Rung) {
        // SAFETY: the header of a claimed spawn loop is a part's, which lives until it is done.
        let part = unsafe { header.cast::<ItemsPart>().as_ref() };
        // SAFETY: what began this loop outlives its parts, and is of the type of this kind.
        let shared = unsafe { part.parts().cast::<Self>().as_ref() };
        let frame = shared.parts.begin(part);
        // SAFETY: the caller occupies the ladder of `rung`, its top.
        let told = match unsafe { top_with_room(rung) } {
            // SAFETY: as above; the right has moved here.
            Some(rung) => unsafe { shared.iterate(rung, &frame) }.told,
            // SAFETY: as above.
            None => unsafe { shared.iterate_serially(rung) },
        };
        if let Some(told) = told {
            // SAFETY: this thread runs the part.
            unsafe { part.tell(Box::into_raw(Box::new(told)).cast()) };
        }
    }

    /// Runs items until none is left, the loop is over, or the right has moved. Does not unwind.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder of `rung`, its top, with room above, and has the right to iterate; the frame is
    /// its.
    #[inline]
    unsafe fn iterate(&self, rung: Rung, frame: &ItemsFrame) -> Turn<B> {
        // Unwind safety: whatever is left broken, the loop's beginner resumes the panic before anybody can look.
        let is_left = Cell::new(false);
        // SAFETY: forwarded.
        let result = catch_unwind(AssertUnwindSafe(|| unsafe { self.iterate_unguarded(rung, frame, &is_left) }));
        result.unwrap_or_else(
            #[cold]
            |payload| {
                self.stop();
                // SAFETY: the caller occupies the ladder, and whatever was pushed above has been popped. If the frame
                // is not there, the iterator has panicked, or what is left has been left for others.
                let has_moved = is_left.get()
                    || unsafe { rung.holds_frame() }
                    // SAFETY: as above, pushed by `iterate_unguarded`.
                    && !unsafe { rung.pop::<Worker>() }
                    // SAFETY: popped just now.
                    && unsafe { victim::attend(rung, frame.header()) };
                Turn { told: Some(Told::Panicked(payload)), has_moved }
            },
        )
    }

    /// [`iterate`](Self::iterate), which may unwind, with the frame on the ladder or `is_left` set: others have what is
    /// left.
    ///
    /// # Safety
    ///
    /// As [`iterate`](Self::iterate).
    #[inline(always)]
    unsafe fn iterate_unguarded(&self, rung: Rung, frame: &ItemsFrame, is_left: &Cell<bool>) -> Turn<B> {
        // SAFETY: there is room above.
        let above = unsafe { rung.next() };
        let mut is_wanted = false;
        loop {
            // At each turn the frame is off the ladder, and the right is here.
            // SAFETY: by that.
            let Some(item) = (unsafe { self.next() }) else { return Turn { told: None, has_moved: false } };
            // SAFETY: the rung is the top.
            if !unsafe { rung.is_free() } && unsafe { way::shares_items(rung) } {
                // SAFETY: told to, just now; the beginner waits for all parts.
                unsafe { way::share(rung, frame.header()) };
                is_left.set(true);
                let told = self.run_item(rung, item);
                return Turn { told, has_moved: true };
            }
            // SAFETY: the rung is the top, and the frame lives until it has been popped: below, or by `iterate`.
            unsafe { rung.push(frame.header()) };
            if is_wanted {
                // SAFETY: the frame at `rung` has the top above it.
                unsafe { victim::answer(above) };
                is_wanted = false;
            }
            // The frame at `rung` keeps the top above it.
            let told = self.run_item(above, item);
            // SAFETY: pushed above, by the occupant, and the body has popped what it pushed.
            if !unsafe { rung.pop::<Worker>() } {
                // SAFETY: popped just now.
                match unsafe { victim::attend_items(rung, frame.header()) } {
                    Right::Moved => return Turn { told, has_moved: true },
                    Right::Kept { is_wanted: wanted } => is_wanted = wanted,
                }
            }
            if told.is_some() {
                return Turn { told, has_moved: false };
            }
        }
    }

    /// Runs the body on an item, at `top`, the top of the ladder meanwhile.
    #[inline(always)]
    fn run_item(&self, top: Rung, item: I::Item) -> Option<Told<B>> {
        // SAFETY: by contract of `iterate_unguarded`, which calls this.
        let flow = (self.body)(unsafe { Strand::at(top) }, item);
        let told = flow.break_value().map(Told::Broken);
        if told.is_some() {
            self.stop();
        }
        told
    }

    /// The rest of it here, on a ladder that has no room. Does not unwind.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder of `rung`, whose top is there or above, and has the right to iterate.
    #[cold]
    unsafe fn iterate_serially(&self, rung: Rung) -> Option<Told<B>> {
        // SAFETY: forwarded.
        let top = unsafe { way::top_from(rung) };
        let result = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: nobody else can get the right.
            while let Some(item) = unsafe { self.next() } {
                // SAFETY: nobody pops below `top` meanwhile.
                (self.body)(unsafe { Strand::at(top) }, item)?;
            }
            ControlFlow::Continue(())
        }));
        let told = match result {
            Ok(flow) => Told::Broken(flow.break_value()?),
            Err(payload) => Told::Panicked(payload),
        };
        self.stop();
        Some(told)
    }

    /// The next item, if there is to be one.
    ///
    /// # Safety
    ///
    /// The caller has the right to iterate.
    #[inline(always)]
    unsafe fn next(&self) -> Option<I::Item> {
        if self.stop.is_requested() {
            return None;
        }
        // SAFETY: exclusive, by contract. Who had the right before has handed it over under a lock.
        let items = unsafe { &mut *self.items.get() };
        items.next()
    }

    #[cold]
    fn stop(&self) {
        self.stop.request();
    }

    /// Waits for all parts, in the order of their items. True if the right to iterate is here again.
    ///
    /// # Safety
    ///
    /// The caller has begun this loop, occupies the ladder of `rung`, its top, where the loop's frame was, and has
    /// learnt that the right has moved.
    #[cold]
    #[inline(never)]
    unsafe fn gather(&self, rung: Rung, told: &mut Option<Told<B>>) -> bool {
        while let Some(part) = self.parts.first() {
            // SAFETY: a part lives until it is removed below, and starts with its header.
            let header = unsafe { part.cast::<Header>().as_ref() };
            // SAFETY: forwarded; a part has been claimed.
            let waited = unsafe { wait(rung, header) };
            // What is to come after all that was before, the views of reducers, is absorbed by now.
            // SAFETY: forwarded; waited for.
            let what = unsafe { self.parts.remove_first(part) };
            if waited == Waited::Reclaimed {
                return true;
            }
            if let Some(what) = NonNull::new(what.cast::<Told<B>>()) {
                // SAFETY: left by `run_part` of this kind, a box's.
                let what = unsafe { Box::from_raw(what.as_ptr()) };
                keep_first(rung, told, Some(*what));
            }
        }
        false
    }
}

/// Where a loop may push that has a strand at `rung`, if there is room.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`, whose top is there or above.
#[inline(always)]
unsafe fn top_with_room(rung: Rung) -> Option<Rung> {
    // SAFETY: forwarded.
    if unsafe { rung.is_free() } {
        return Some(rung);
    }
    // SAFETY: forwarded.
    match unsafe { way::recover_stale(rung) } {
        Way::Push(top) => Some(top),
        // As soon as there is an item in hand.
        Way::Share(top) => {
            // SAFETY: its top.
            unsafe { top.make_eager() };
            Some(top)
        }
        Way::Full => None,
    }
}

/// Adds what comes later in the order of the items, which counts for nothing if there is something already.
fn keep_first<B>(rung: Rung, told: &mut Option<Told<B>>, later: Option<Told<B>>) {
    match (&told, later) {
        (_, None) => {}
        (None, later) => *told = later,
        (Some(_), Some(Told::Broken(value))) => drop_quietly(rung, value),
        (Some(_), Some(Told::Panicked(payload))) => lose_payload(rung, payload),
    }
}
