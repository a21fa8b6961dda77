//! The ladder: latent frames of one worker, oldest at the bottom, and who may touch which.
//!
//! A fork leaves a frame on the native stack and a pointer to it in the next free slot. The worker works at the top;
//! thieves take from the bottom, so parents go before their children and a thief gets the largest piece there is.
//!
//! ```text
//!      slots   floor | f0 | f1 | f2 | f3 |  0 |  0 |  0 | ... | full
//!                           ^              ^
//!                    H ─────┘              └───── T   (the first empty slot: nobody stores it)
//!                    E ─────┘ at rest E = H; E > t sends the return to rung t into `attend`
//! ```
//!
//! | variable | owner | thief | ordering |
//! |---|---|---|---|
//! | slot `t` | writes a frame on a fork, null on the return | reads; marks a free one (`watch.rs`) | frames Release, null Relaxed; load Acquire; its own Relaxed |
//! | `bound` E | reads on every return; swaps in `attend`, under L | raises (`fetch_max`) and lowers (compare-exchange) under L; askers raise it without | load Relaxed, changes AcqRel |
//! | `head` H | writes in `attend`, under L | peeks; writes under L | Relaxed |
//! | `lock` L | `attend`, which spins before it sleeps | `try_lock` only | |
//!
//! **T is not stored.** A slot above the top is null and a slot below it is not, so "T > h" *is* "slot h is not
//! null". A fork is one store less, the check "is this strand current, and may it push here" is one comparison (full
//! and closed are further non-null values of the slot), and a peeking thief reads the line of the *oldest* slot, which
//! a busy owner leaves alone, instead of one that the owner writes twice per fork.
//!
//! **Exclusion** (Dijkstra's, as in the THE protocol, cilk5.txt section 5). Returning to rung t the owner empties slot
//! t, then reads E. Taking rung h the thief raises E to h+1, then reads slot h. With a fence between each pair at least
//! one sees the other: the owner meets E > t and goes to settle under L, or the thief meets an empty slot and retreats.
//! Whenever L is free, E ≥ H, so a taken frame is noticed by every later return to its rung.
//!
//! The protocol is checked by `models/ladder.pml` with its mutants, and these sources by loom (`loom_tests.rs`,
//! `loom_loop_tests.rs`).
//! May import: `sync`.

mod attend;
#[cfg(all(test, loom))]
mod loom_loop_tests;
#[cfg(all(test, loom))]
mod loom_tests;
mod region;
mod rung;
mod take;
mod watch;

pub(crate) use region::{LadderBox, MAX_CAPACITY, REGION_BYTES_RESERVED};
pub(crate) use rung::Rung;
pub(crate) use take::{Claimed, Miss};
pub(crate) use watch::Wish;

use crate::sync::{AtomicUsize, Mutex, Ordering};
use crossbeam_utils::CachePadded;
use rung::Slot;
use std::ptr::NonNull;

/// The head of a ladder's region; its slots follow in the same allocation.
///
/// `F` is the type of frames, which the ladder only points to; `O` is what the layer above keeps with the ladder (the
/// worker), reachable from any rung by [`Ladder::of`].
#[repr(C)]
pub(crate) struct Ladder<F, O> {
    /// E, on a line of its own: thieves write it, and rarely.
    bound: CachePadded<AtomicUsize>,
    claims: CachePadded<Claims>,
    /// The slot below the first rung, with the provenance of the whole region.
    floor: NonNull<Slot<F>>,
    owner: O,
}

/// What thieves contend for.
struct Claims {
    /// H: address of the oldest rung not yet taken. Written under `lock`.
    head: AtomicUsize,
    /// L.
    lock: Mutex<()>,
    /// The process that the ladder belongs to. In its children nobody releases L who holds it.
    generation: usize,
}

// SAFETY: a ladder is shared by design. Every field but `owner` is atomic, a lock, or constant; `floor` is only a base
// for slots, which are atomics; frames are reached through the unsafe contracts of `push` and `take`.
unsafe impl<F, O: Sync> Sync for Ladder<F, O> {}
// SAFETY: nothing in a ladder belongs to a thread; the frames it points to are governed by `push` as above.
unsafe impl<F, O: Send> Send for Ladder<F, O> {}

impl<F, O> Ladder<F, O> {
    /// The ladder that `rung` belongs to: its region is aligned to its size, so one mask finds it.
    ///
    /// # Safety
    ///
    /// `rung` came from a ladder of exactly these types that outlives `'a`.
    #[inline(always)]
    pub(crate) unsafe fn of<'a>(rung: Rung<F>) -> &'a Self {
        let head = region::start_of(rung.as_ptr()).cast::<Self>();
        // SAFETY: the region starts with an initialised `Ladder<F, O>` and lives for `'a`, by contract. Slots lie
        // behind the head, so pointers to them are not covered, hence not invalidated, by this reference.
        unsafe { &*head }
    }

    /// What the layer above keeps here.
    #[inline(always)]
    pub(crate) fn owner(&self) -> &O {
        &self.owner
    }

    /// The lowest rung.
    pub(crate) fn first(&self) -> Rung<F> {
        // SAFETY: a region has at least one rung above its floor.
        unsafe { Rung::new(self.floor).next() }
    }

    /// The address of the oldest rung not yet given or taken, H. It stays so while L is held.
    pub(crate) fn oldest(&self) -> usize {
        self.claims.head.load(Ordering::Relaxed)
    }

    /// The first free rung, T, looked for from `hint`. Costs the distance between them.
    ///
    /// # Safety
    ///
    /// The caller occupies this ladder, and `hint` is one of its rungs.
    #[cold]
    pub(crate) unsafe fn top_from(&self, hint: Rung<F>) -> Rung<F> {
        debug_assert!(std::ptr::eq(region::start_of(hint.as_ptr()).cast(), self), "a hint is a rung of its ladder");
        let mut rung = hint;
        // SAFETY: `full` stops the walk up before the region ends, and only the occupant writes slots.
        while unsafe { rung.holds_frame() } {
            // SAFETY: a rung that holds a frame is below `full`, so there is a slot above it.
            rung = unsafe { rung.next() };
        }
        while rung != self.first() {
            // SAFETY: above the first rung, so there is a rung below.
            let below = unsafe { rung.prev() };
            // SAFETY: as above.
            if unsafe { below.holds_frame() } {
                break;
            }
            rung = below;
        }
        rung
    }

    /// Whether `rung` is T and H has come back to it or stayed below: what every task leaves behind as it found it.
    ///
    /// # Safety
    ///
    /// The caller occupies this ladder, and `rung` is one of its rungs.
    pub(crate) unsafe fn is_settled_at(&self, rung: Rung<F>) -> bool {
        // SAFETY: forwarded.
        let top = unsafe { self.top_from(rung) };
        top == rung && self.claims.head.load(Ordering::Relaxed) <= rung.addr()
    }
}
