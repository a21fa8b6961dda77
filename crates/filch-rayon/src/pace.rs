//! What each thread knows of the loops that it has run: how many items fill a block (`block.rs`).
//!
//! What an item costs is not known beforehand. So each thread remembers, for each kind of loop, how many items have
//! turned out to fill a block. A kind of loop is one instance of a generic function: one type of iterator and one of
//! consumer. The first block of a loop of an unknown kind has one item. Some blocks are timed, the others rely on that.
//!
//! The same loop can be cheap at the leaves of a recursion and dear at its root. So what loops inside it have cost
//! says nothing about a loop that is its own ancestor: each of its items is a block.
//!
//! Only the thread itself reads and writes its table, so a cell is enough. Two kinds may want the same place; then the
//! later one takes it, and the other begins anew.

mod quiet;

pub(crate) use quiet::Quiet;

use crate::block::{self, Pieces};
use std::cell::Cell;

/// After a timed block, as many items as this many blocks have are run before the next one is timed.
const UNTIMED_BLOCKS: u8 = 8;

/// A measured time that is shorter than this says little, since it includes looks at the clock and cache misses. Two
/// that differ by less than this factor say more.
const SURE_NS: u64 = 1_000;
const ALIKE: u64 = 4;

/// After a loop that was its own ancestor, this many loops of its kind that are not are treated like it.
const RECURSIVE: u8 = 64;

/// A loop that begins outside of any run has to have this many blocks to be worth a call of other workers, which takes
/// some tens of microseconds.
const BLOCKS_WORTH_A_CALL: usize = 4;

/// Places in a thread's table. A few under Miri, so that places are fought for.
const PLACES: usize = if cfg!(miri) { 4 } else { 256 };

/// Functions begin at multiples of this on most machines.
const FUNCTION_BYTES: usize = 16;

thread_local! {
    static PACES: [Pace; PLACES] = const { [const { Pace::unknown() }; PLACES] };
}

/// Which loop it is: the address of its function. Where the compiler has merged equal functions, their loops are of one
/// kind; where it has copied one, of several.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind(usize);

impl Kind {
    #[inline(always)]
    pub(crate) fn of_function(address: *const ()) -> Self {
        Kind(address.addr())
    }
}

/// What this thread knows of a kind of loop. In a cache line of its own, so that its address is found by shifts.
#[repr(align(64))]
pub(crate) struct Pace {
    kind: Cell<usize>,
    /// One more than the number of items that can be run without a look at anything else; 0 if a loop has begun since
    /// that did look.
    room: Cell<usize>,
    /// How many more items can be run, with looks at what others want, until the next block counts.
    credit: Cell<usize>,
    /// How a block is divided.
    pieces: Cell<Pieces>,
    /// Whether items of a loop of this kind are running that were begun [slowly](Pace::inside).
    is_inside: Cell<bool>,
    /// How many items take as long as a block should; 0 if that is not known.
    block: Cell<u64>,
    /// How many more blocks may run until one is timed.
    untimed: Cell<u8>,
    /// For how many more loops of this kind an item is a block.
    recursive: Cell<u8>,
    /// Whether the next result that is combined on this thread is to be timed.
    combine_is_due: Cell<bool>,
    /// What is done once for each block: to make and complete its folder, and to combine its result.
    folder_ns: Cell<u64>,
    combine_ns: Cell<u64>,
    /// Whether this loop's last block on this thread has taken about as long as it should, and when it ended.
    is_confirmed: Cell<bool>,
    seen_ns: Cell<u64>,
}

impl Pace {
    const fn unknown() -> Self {
        Pace {
            kind: Cell::new(0),
            room: Cell::new(0),
            credit: Cell::new(0),
            pieces: Cell::new(Pieces::UNKNOWN),
            is_inside: Cell::new(false),
            block: Cell::new(0),
            untimed: Cell::new(0),
            recursive: Cell::new(0),
            combine_is_due: Cell::new(false),
            folder_ns: Cell::new(0),
            combine_ns: Cell::new(0),
            is_confirmed: Cell::new(false),
            seen_ns: Cell::new(0),
        }
    }

    /// Calls `f` with the place of this thread for loops of this kind. It may be that of another kind.
    #[inline(always)]
    pub(crate) fn with<R>(kind: Kind, f: impl FnOnce(&Pace) -> R) -> R {
        PACES.with(
            #[inline(always)]
            |paces| f(&paces[kind.0 / FUNCTION_BYTES % PLACES]),
        )
    }

    /// The same, with a place that is surely for this kind.
    #[inline]
    pub(crate) fn with_own<R>(kind: Kind, f: impl FnOnce(&Pace) -> R) -> R {
        Self::with(kind, |pace| {
            if !pace.is_of(kind) {
                pace.give_to(kind);
            }
            f(pace)
        })
    }

    /// Whether the place is still for this kind.
    #[inline(always)]
    pub(crate) fn is_of(&self, kind: Kind) -> bool {
        self.kind.get() == kind.0
    }

    #[cold]
    fn give_to(&self, kind: Kind) {
        self.kind.set(kind.0);
        self.room.set(0);
        self.credit.set(0);
        self.pieces.set(Pieces::UNKNOWN);
        self.is_inside.set(false);
        self.block.set(0);
        self.untimed.set(0);
        self.recursive.set(0);
        self.combine_is_due.set(false);
        self.folder_ns.set(0);
        self.combine_ns.set(0);
        self.is_confirmed.set(false);
    }

    /// Notes that a loop of this kind begins, on the way that is not the shortest one.
    pub(crate) fn begin(&self) {
        if self.is_inside.get() {
            self.is_its_own_ancestor();
        } else {
            self.recursive.set(self.recursive.get().saturating_sub(1));
        }
    }

    /// Whether each item of a loop of this kind is a block.
    pub(crate) fn is_recursive(&self) -> bool {
        self.recursive.get() > 0
    }

    fn is_its_own_ancestor(&self) {
        self.recursive.set(RECURSIVE);
        self.room.set(0);
        self.credit.set(0);
    }

    /// Begins a loop of `len` items of this kind that can run as it is, without a look at anything else. Returns the
    /// room that is left, to be told to [`leave`](Self::leave); or `None` if there is none. Nothing is written but the
    /// room that is left: each store takes a place in the processor's store buffer, and an inner loop of one item that
    /// waits for memory should leave places for the next one.
    #[inline(always)]
    pub(crate) fn enter(kind: Kind, len: usize) -> Option<usize> {
        // The loop is not run inside of `with`, which would not be inlined.
        Self::with(
            kind,
            #[inline(always)]
            move |pace| {
                if pace.has_room(kind, len) {
                    return Some(pace.take_room(len));
                }
                if pace.is_of(kind) { pace.take_more_room(len) } else { None }
            },
        )
    }

    #[inline(always)]
    fn has_room(&self, kind: Kind, len: usize) -> bool {
        self.is_of(kind) && len < self.room.get()
    }

    #[inline(always)]
    fn take_room(&self, len: usize) -> usize {
        let left = self.room.get() - len;
        self.room.set(left);
        left
    }

    /// [`take_room`](Self::take_room) after a look at what others want. If they want nothing, there is room for a few
    /// items, of this loop and others. This calls nothing, because the loop would have to save registers.
    #[inline(always)]
    fn take_more_room(&self, len: usize) -> Option<usize> {
        let few = self.pieces.get().few;
        let credit = self.credit.get().checked_sub(few)?;
        if len > few || filch::may_be_wanted() {
            return None;
        }
        self.credit.set(credit);
        self.room.set(few + 1);
        Some(self.take_room(len))
    }

    /// Takes room for one loop that others need not be able to divide.
    pub(crate) fn make_room(&self, kind: Kind, len: usize) -> Option<usize> {
        if !self.is_of(kind) {
            return None;
        }
        let (credit, pieces, is_wanted) = (self.credit.get(), self.pieces.get(), filch::is_wanted());
        if len > credit || len > pieces.undivided(is_wanted) {
            self.room.set(0);
            return None;
        }
        self.credit.set(credit - len);
        self.room.set(1);
        Some(1)
    }

    /// Ends a loop for which [`enter`](Self::enter) has left `room`.
    #[inline(always)]
    pub(crate) fn leave(kind: Kind, room: usize) {
        Self::with(
            kind,
            #[inline(always)]
            |pace| pace.note_room(kind, room),
        );
    }

    /// If there is not as much room as before, a loop inside has used the place.
    #[inline(always)]
    fn note_room(&self, kind: Kind, left: usize) {
        if self.room.get() != left {
            self.something_was_inside(kind);
        }
    }

    /// The pieces of a block.
    #[inline]
    pub(crate) fn pieces(&self) -> Pieces {
        self.pieces.get()
    }

    /// Whether the last block has taken about as long as it should, and was one of the loop that is running.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.is_confirmed.get()
    }

    /// What is believed is to be confirmed, since another loop begins, or a part of one that has come from elsewhere.
    pub(crate) fn distrust(&self) {
        self.is_confirmed.set(false);
    }

    /// Notes that a block of `len` items ends, which began at `begun_ns`. If that is not known, it began a little after
    /// the last one had ended, or much later.
    pub(crate) fn look_again(&self, len: usize, begun_ns: Option<u64>, now_ns: u64) {
        let last_ns = self.seen_ns.replace(now_ns);
        let ns = now_ns - begun_ns.unwrap_or(last_ns);
        self.is_confirmed.set(block::is_as_believed(len as u64, ns, self.block.get()));
    }

    fn own_ns(&self) -> u64 {
        self.folder_ns.get().saturating_add(self.combine_ns.get())
    }

    /// A loop inside has used the place: one of this kind, unless another kind has taken it.
    #[cold]
    #[inline(never)]
    fn something_was_inside(&self, kind: Kind) {
        if self.is_of(kind) {
            self.is_its_own_ancestor();
        }
    }

    /// Notes that items of this kind run on this thread until the guard is dropped. They are not run inside of `with`:
    /// what is handed to them would be copied into its closure, just after it has been written.
    #[inline]
    pub(crate) fn inside(kind: Kind) -> Inside {
        Inside { kind, was_inside: Self::with_own(kind, Pace::begin_items) }
    }

    /// Whether items of this kind were running already, for [`end_items`](Self::end_items).
    fn begin_items(&self) -> bool {
        self.is_inside.replace(true)
    }

    fn end_items(&self, kind: Kind, was_inside: bool) {
        // A loop inside the items may have taken the place for its kind.
        if self.is_of(kind) {
            self.is_inside.set(was_inside);
        }
    }

    /// Takes `len` items that are not timed from the credit, if this thread knows enough. Otherwise they are to be
    /// timed.
    pub(crate) fn has_credit(&self, len: usize) -> bool {
        // Items of a recursion are blocks by themselves, and are not timed.
        if len == 0 || self.is_recursive() {
            return true;
        }
        if len > self.credit.get() {
            let Some(untimed) = self.untimed.get().checked_sub(1) else { return false };
            self.untimed.set(untimed);
            self.refill();
        }
        let credit = self.credit.get();
        self.credit.set(credit.saturating_sub(len));
        len <= credit
    }

    fn refill(&self) {
        let items = if self.is_recursive() { 0 } else { self.block.get() };
        self.credit.set(usize::try_from(items).unwrap_or(usize::MAX));
        self.room.set(0);
    }

    /// The most items that a block of a loop of `len` items may have.
    #[inline]
    pub(crate) fn block(&self, len: usize) -> usize {
        if self.is_recursive() {
            return 1;
        }
        let block = usize::try_from(self.block.get()).unwrap_or(usize::MAX).max(1);
        block::length(block, self.own_ns(), len)
    }

    /// Whether a loop of `len` items outside of any run is known to be too short for other workers to help.
    pub(crate) fn is_not_worth_a_call(&self, len: usize) -> bool {
        let block = self.block.get();
        // The time of a block of one item is not known: it may be much longer than it should be.
        !self.is_recursive() && block > 1 && (len / BLOCKS_WORTH_A_CALL) as u64 <= block
    }

    /// Notes how long a block of `len` items took, and how long it took to make and complete its folder.
    pub(crate) fn note_block(&self, len: usize, items_ns: u64, folder_ns: u64) {
        let before = self.block.get();
        let block = block::next(len as u64, items_ns, before);
        self.block.set(block);
        self.folder_ns.set(block::own_after(self.folder_ns.get(), folder_ns));
        self.note_pieces();
        let is_sure = items_ns >= SURE_NS || block / ALIKE <= before && before / ALIKE <= block;
        self.untimed.set(if is_sure { UNTIMED_BLOCKS } else { 0 });
        self.combine_is_due.set(true);
        self.refill();
    }

    /// Notes that `len` items took `ns` nanoseconds, longer than a block should.
    pub(crate) fn note_dear(&self, len: usize, ns: u64) {
        self.note_block(len, ns, self.folder_ns.get());
    }

    /// Whether the caller should time how long it takes to combine two results.
    pub(crate) fn is_combine_due(&self) -> bool {
        self.combine_is_due.replace(false)
    }

    pub(crate) fn note_combine(&self, ns: u64) {
        self.combine_ns.set(block::own_after(self.combine_ns.get(), ns));
        self.note_pieces();
    }

    fn note_pieces(&self) {
        self.pieces.set(Pieces::of(self.block.get(), self.own_ns()));
    }
}

/// While items run, so that a loop of the same kind inside them shows.
pub(crate) struct Inside {
    kind: Kind,
    was_inside: bool,
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        Pace::with(self.kind, |pace| pace.end_items(self.kind, self.was_inside));
    }
}

#[cfg(test)]
mod tests;
