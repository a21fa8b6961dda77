//! Spawn loops. Each item of an iterator is run as a child, while the rest of the iterator is on the ladder (Frigo,
//! Leiserson and Randall 1998, section 2: a `spawn` in a loop, whose continuation is stolen).
//!
//! [`run`] begins a loop. The beginner, or a part (`constructs/items/frame.rs`), has the right to iterate and runs
//! [`iterate`](Right::iterate): with the frame off the ladder it makes an item; with the frame on the ladder it runs
//! the item's body; then it takes the frame off again, and checks whether it still has the right. If not, a part ends,
//! and the beginner [gathers](Shared::gather) the parts.

use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::items::frame::{ItemsFrame, ItemsPart, Parts};
use crate::constructs::strand::Strand;
use crate::engine::frame::{FrameKind, Header};
use crate::engine::profile::site::Site;
use crate::engine::recording;
use crate::engine::seats::ambient::{end_if_cancelled, pass_on};
use crate::engine::share::at_return::Settled;
use crate::engine::share::{at_fork, at_return};
use crate::engine::team::Top;
use crate::engine::team::stop::{Abort, Stop, count_begun};
use crate::engine::wait::join_end::{Waited, wait};
use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// Runs `body` on every item, until a body breaks. If several bodies break, returns the value of the earliest item
/// among them. After an `abort` the body breaks or the iterator ends.
#[inline]
pub(crate) fn run<I, B, F>(s: Strand<'_>, abort: impl Abort, items: I, body: &F) -> ControlFlow<B>
where
    I: Iterator + Send,
    B: Send,
    F: Fn(Strand<'_>, I::Item) -> ControlFlow<B> + Sync,
{
    let at = s.occupied();
    let parts = Parts::of(at.owner());
    let shared = Shared { parts, items: UnsafeCell::new(items), body, stop: Stop::new(), abort };
    let told = shared.run_whole(s);
    // All parts have ended, so no other thread uses the iterator.
    let items = shared.items;
    match told {
        None => ControlFlow::Continue(()),
        Some(Told::Broken(value)) => ControlFlow::Break(value),
        Some(Told::Panicked(payload)) => {
            drop_quietly(&at.top(), items);
            pass_on(payload)
        }
    }
}

/// What all parts of a loop share. It lives on the stack of the worker that began the loop, which gathers all parts
/// before it returns.
#[repr(C)]
struct Shared<'f, I, F, A> {
    parts: Parts,
    /// Used by the worker that has the right to iterate.
    items: UnsafeCell<I>,
    body: &'f F,
    /// Whether a body has broken or panicked. Then no further item begins.
    stop: Stop,
    abort: A,
}

/// Why a loop has ended early.
enum Told<B> {
    Broken(B),
    Panicked(Box<dyn Any + Send>),
}

/// The right to iterate: whoever has it uses the iterator, and may show `frame`. It moves under L, or with `done` of a
/// part.
struct Right<'s, 'f, I, F, A> {
    of: &'s Shared<'f, I, F, A>,
    frame: &'s ItemsFrame,
}

impl<'s, 'f, I, F, A> Right<'s, 'f, I, F, A> {
    /// # Safety
    ///
    /// No other worker has the right of this loop. `frame` is that of the caller in this loop.
    unsafe fn new(of: &'s Shared<'f, I, F, A>, frame: &'s ItemsFrame) -> Self {
        Right { of, frame }
    }
}

/// A top with a rung for a frame.
struct Room<'l>(Top<'l>);

/// How a turn with the right to iterate has ended.
struct Turn<B> {
    told: Option<Told<B>>,
    /// Whether another worker has the right now. If not, nothing is left to be done.
    has_moved: bool,
}

impl<I, B, F, A> Shared<'_, I, F, A>
where
    A: Abort,
    I: Iterator + Send,
    B: Send,
    F: Fn(Strand<'_>, I::Item) -> ControlFlow<B> + Sync,
{
    const KIND: FrameKind = FrameKind { run: Self::run_part, divide: ItemsFrame::DIVIDE, prepare: None };

    /// Runs the whole loop. To be called once.
    fn run_whole(&self, s: Strand<'_>) -> Option<Told<B>> {
        let frame = self.parts.frame(NonNull::from(self).cast(), const { &Self::KIND });
        let mut room = match room(s) {
            Ok(room) => room,
            // SAFETY: no other worker knows of the loop.
            Err(top) => return unsafe { Right::new(self, &frame) }.iterate_serially(top),
        };
        let mut told = None;
        loop {
            // SAFETY: no other worker knows of the loop; or the part that had the right has been taken back.
            let turn = unsafe { Right::new(self, &frame) }.iterate(Room(room.0.reborrow()));
            keep_first(&room.0, &mut told, turn.told);
            // SAFETY: this worker has begun the loop, and the right has moved.
            if !turn.has_moved || !unsafe { self.gather(&mut room.0, &mut told) } {
                return told;
            }
        }
    }

    /// What the worker calls that has taken the right, or has been given it ([`FrameKind::run`]).
    unsafe fn run_part(header: NonNull<Header>, top: Top<'_>) {
        // SAFETY: the header of a claimed spawn loop is that of a part, which lives until it is done.
        let part = unsafe { header.cast::<ItemsPart>().as_ref() };
        // SAFETY: the beginner waits for all parts, so `Shared` lives. The part is of this kind, so the type is right.
        let shared = unsafe { part.parts().cast::<Self>().as_ref() };
        count_begun(*top, shared.abort.is_requested());
        let frame = shared.parts.begin(part);
        // SAFETY: the right has moved to this part.
        let right = unsafe { Right::new(shared, &frame) };
        let told = match room(Strand::of(top)) {
            Ok(room) => right.iterate(room).told,
            Err(top) => right.iterate_serially(top),
        };
        if let Some(told) = told {
            // SAFETY: a loop of this kind tells this type.
            unsafe { part.tell(Box::into_raw(Box::new(told)).cast()) };
        }
    }

    /// Runs the body on an item.
    #[inline(always)]
    fn run_item(&self, top: Top<'_>, item: I::Item) -> Option<Told<B>> {
        let flow = (self.body)(Strand::of(top), item);
        let told = flow.break_value().map(Told::Broken);
        if told.is_some() {
            self.stop();
        }
        told
    }

    #[cold]
    fn stop(&self) {
        self.stop.request();
    }

    /// Waits for all parts, in the order of their items. Returns whether the right to iterate has come back.
    ///
    /// # Safety
    ///
    /// The caller must have begun this loop, and have learnt that the right has moved.
    #[cold]
    #[inline(never)]
    unsafe fn gather(&self, top: &mut Top<'_>, told: &mut Option<Told<B>>) -> bool {
        while let Some(part) = self.parts.first() {
            // SAFETY: a part lives until it is removed below, and starts with its header.
            let header = unsafe { part.cast::<Header>().as_ref() };
            // SAFETY: by the contract of this function; a part has been claimed.
            let waited = unsafe { wait(top, header) };
            // `wait` has absorbed the views of reducers that the part has left, so views stay in the order of the
            // parts.
            // SAFETY: this is the beginner; the part comes from `first`, and `wait` has returned.
            let what = unsafe { self.parts.remove_first(part) };
            if waited == Waited::Reclaimed {
                // No worker has begun the part that had the right.
                return true;
            }
            if let Some(what) = NonNull::new(what.cast::<Told<B>>()) {
                // SAFETY: `run_part` of this kind has stored the pointer of a box.
                let what = unsafe { Box::from_raw(what.as_ptr()) };
                keep_first(top, told, Some(*what));
            }
        }
        false
    }
}

impl<I, B, F, A> Right<'_, '_, I, F, A>
where
    A: Abort,
    I: Iterator + Send,
    B: Send,
    F: Fn(Strand<'_>, I::Item) -> ControlFlow<B> + Sync,
{
    /// Runs items until none is left, the loop is over, or the right has moved. Does not unwind.
    #[inline]
    fn iterate(self, room: Room<'_>) -> Turn<B> {
        let (of, frame, at) = (self.of, self.frame, *room.0);
        // Unwind safety: the beginner of the loop resumes the panic before other code can see what has been left
        // broken.
        let is_left = Cell::new(false);
        let result = catch_unwind(AssertUnwindSafe(|| {
            end_if_cancelled(at);
            // SAFETY: if it unwinds, the frame is taken off below.
            unsafe { self.iterate_unguarded(room, &is_left) }
        }));
        result.unwrap_or_else(
            #[cold]
            |payload| {
                of.stop();
                // If the frame is not there, either the iterator has panicked, or the rest has been left for others.
                // SAFETY: only `iterate_unguarded` pushes here, and what was pushed above has been popped.
                let has_moved = is_left.get() || unsafe { at_return::take_off(at, frame.header()) }.1;
                Turn { told: Some(Told::Panicked(payload)), has_moved }
            },
        )
    }

    /// [`iterate`](Self::iterate) without its guard: may unwind. Then the frame is on the ladder, or off it while this
    /// worker has the right, or `is_left` is set because the rest has been left for others.
    ///
    /// # Safety
    ///
    /// If this unwinds, the caller takes the frame off the ladder.
    #[inline(always)]
    unsafe fn iterate_unguarded(mut self, Room(mut top): Room<'_>, is_left: &Cell<bool>) -> Turn<B> {
        let (of, frame) = (self.of, self.frame);
        let mut is_wanted = false;
        loop {
            // At the start of each iteration, the frame is off the ladder, and this worker has the right.
            let Some(item) = self.next() else { return Turn { told: None, has_moved: false } };
            if !top.is_free() && at_fork::shares_items(*top) {
                // SAFETY: `shares_items` has just said so, and the beginner waits for all parts.
                let _descent = unsafe { at_fork::share(&top, frame.header()) };
                is_left.set(true);
                let told = of.run_item(top, item);
                return Turn { told, has_moved: true };
            }
            // SAFETY: there is room. The frame lives until it has been popped, below or by the caller.
            let mut pushed = unsafe { top.push(frame.header()) };
            if is_wanted {
                at_return::answer(pushed.above());
                is_wanted = false;
            }
            let told = of.run_item(pushed.above(), item);
            top = match pushed.pop() {
                Ok(top) => top,
                Err(returned) => match at_return::attend_between_items(returned) {
                    Settled::Gone(_) => return Turn { told, has_moved: true },
                    Settled::Kept((top, wanted)) => {
                        is_wanted = wanted;
                        if told.is_none() {
                            end_if_cancelled(*top);
                        }
                        top
                    }
                },
            };
            if told.is_some() {
                return Turn { told, has_moved: false };
            }
        }
    }

    /// Runs the rest on this worker, if the ladder has no room. Does not unwind.
    #[cold]
    fn iterate_serially(mut self, mut top: Top<'_>) -> Option<Told<B>> {
        let of = self.of;
        let site = Site::of::<F>(Self::iterate_serially as *const () as usize);
        let mut recorded = recording::items(*top, site);
        let result = catch_unwind(AssertUnwindSafe(|| {
            while let Some(item) = self.next() {
                end_if_cancelled(*top);
                recorded.begin();
                (of.body)(Strand::of(top.reborrow()), item)?;
                recorded.end();
            }
            ControlFlow::Continue(())
        }));
        let told = match result {
            Ok(flow) => Told::Broken(flow.break_value()?),
            Err(payload) => Told::Panicked(payload),
        };
        of.stop();
        Some(told)
    }

    /// Returns the next item, unless the loop is over or the iterator has none.
    #[inline(always)]
    fn next(&mut self) -> Option<I::Item> {
        if self.of.stop.is_requested() {
            return None;
        }
        // SAFETY: only the worker with the right uses the iterator. It has got the right under a lock of the worker
        // before it.
        let items = unsafe { &mut *self.of.items.get() };
        items.next()
    }
}

/// The top of the ladder, where a loop may push; or as an error, if there is no room.
#[inline(always)]
fn room(s: Strand<'_>) -> Result<Room<'_>, Top<'_>> {
    // Whether the rest is shared at once is asked when the loop has its first item in hand, and only then: the answer
    // spends a credit or a beat.
    s.into_top().or_else(at_fork::top_for_items).map(Room)
}

/// Keeps `later`, which comes later in the order of the items, only if there is nothing yet.
fn keep_first<B>(top: &Top<'_>, told: &mut Option<Told<B>>, later: Option<Told<B>>) {
    match (&told, later) {
        (_, None) => {}
        (None, later) => *told = later,
        (Some(_), Some(Told::Broken(value))) => drop_quietly(top, value),
        (Some(_), Some(Told::Panicked(payload))) => lose_payload(top, payload),
    }
}
