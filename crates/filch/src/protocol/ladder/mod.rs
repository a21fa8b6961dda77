//! The ladder: the array in which a worker keeps pointers to its latent frames, and the rules that say which thread may
//! touch which frame.
//!
//! A fork leaves a frame on the native stack and a pointer to it in the next free slot. The owner works at the top of
//! the ladder, and thieves take from the bottom. So parents are taken before their children, and a thief gets the
//! oldest frame, which is usually the largest piece of work.
//!
//! ```text
//!      slots   floor | f0 | f1 | f2 | f3 |  0 |  0 |  0 | ... | full
//!                           ^              ^
//!                    H ─────┘              └───── T: the first free slot; derived, never stored
//!                    E ─────┘ at rest E = H; a return to rung t that finds E > t calls `attend`
//! ```
//!
//! | variable | owner | other threads |
//! |---|---|---|
//! | slot `t` | writes a frame at a fork, null at the return | read it; may mark it while it is null (`watch.rs`) |
//! | `bound` E | reads it at each return; swaps it in `attend`, under L | raise it; thieves, under L, lower what they
//! raised |
//! | `head` H | writes it in `attend`, under L | look at it without L; thieves write it under L |
//! | `lock` L | `attend` locks it, and spins before it sleeps | thieves only `try_lock` |
//!
//! * Slots: the owner stores frames with Release and null with Relaxed. Thieves load with Acquire, the owner with
//!   Relaxed.
//! * E: loads are Relaxed. Every change is a read-modify-write, at least AcqRel.
//! * H: all accesses are Relaxed.
//!
//! **T is not stored.** The slots from H up to the top hold frames; the slot at the top and those above it hold null or
//! a mark. So "T > h" means "slot h holds a frame". This saves a store per fork. It also makes the check "is this
//! strand current, and may it push here?" a single comparison with null, because the marks of a full and of a closed
//! ladder are not null either. And a thief that looks for work reads the cache line of the *oldest* slot, which a busy
//! owner leaves alone, not that of a variable T, which the owner would write twice per fork.
//!
//! **Exclusion** is that of Dijkstra (1965), as in the THE protocol (Frigo, Leiserson and Randall 1998, section 5). The
//! owner that returns to rung t stores null in slot t, then reads E. The thief that takes rung h raises E to h+1, then
//! reads slot h. A fence stands between the two steps on each side, so at least one side sees what the other has
//! written. Either the owner finds E > t and settles under L whose the frame is, or the thief finds the slot empty and
//! gives up. Whenever L is free, E ≥ H, so every later return to the rung of a taken frame attends.
//!
//! **Code of the user** may run only while H is not above T. It may fork, and a fork at T under a higher H would be one
//! that no thief sees, and that its owner takes for gone: it would wait for a claim that nobody has written. H passes T
//! when the owner pops a frame that has been taken or passed by, and only then; `attend` brings it back. So nothing but
//! `attend` may follow a pop that has found E raised (`models/prepare.pml`, EARLY). Once H is not above T, it stays so:
//! thieves move H past frames only, and there are none from T upwards. A [`Top`] stands for this, and what calls code
//! of the user takes one; debug builds check it there.
//!
//! `models/ladder.pml` and its mutants check the protocol. Loom checks these sources (`loom_tests.rs`,
//! `loom_loop_tests.rs`).
//! May import: `sync`.

mod attend;
mod layout;
#[cfg(all(test, loom))]
mod loom_loop_tests;
#[cfg(all(test, loom))]
mod loom_tests;
mod occupied;
mod owner;
mod region;
mod rung;
mod take;
mod watch;

pub(crate) use layout::{MAX_CAPACITY, REGION_BYTES_RESERVED};
pub(crate) use occupied::{Occupied, Pushed, Returned, Top};
pub(crate) use owner::Limit;
pub(crate) use region::LadderBox;
pub(crate) use rung::Rung;
pub(crate) use take::{Claimed, FrameRef, Miss, Verdict};

use crate::sync::{AtomicUsize, Mutex, Ordering};
use crossbeam_utils::CachePadded;
use rung::Slot;
use std::ptr::NonNull;

/// What a ladder points to. Its type says what the ladder itself is, so that a rung tells.
pub(crate) trait Frame {
    /// What the layer above keeps with each ladder (the worker). [`Ladder::of`] finds it from any rung.
    type Owner;
}

/// The head of a ladder's region. The slots follow in the same allocation.
#[repr(C)]
pub(crate) struct Ladder<F: Frame> {
    /// E. It has a cache line of its own, because every return reads it and thieves seldom write it.
    bound: CachePadded<AtomicUsize>,
    claims: CachePadded<Claims>,
    /// The lowest rung, with the provenance of the whole region.
    first: NonNull<Slot<F>>,
    owner: F::Owner,
}

/// The state that thieves contend for.
struct Claims {
    /// H: the address of the oldest rung that has not been given or taken. Written under `lock`.
    head: AtomicUsize,
    /// L.
    lock: Mutex<()>,
    /// The process that the ladder belongs to. In a child of that process, an L that was held at the fork stays locked.
    generation: usize,
}

// SAFETY: threads share a ladder by design. Every field except `owner` is atomic, a lock or constant, and `owner` is
// `Sync`. `first` is only the address of slots, which are atomics. A frame is reached through its pointer
// only, which the contract of `push` governs.
unsafe impl<F: Frame<Owner: Sync>> Sync for Ladder<F> {}
// SAFETY: nothing in a ladder is tied to a thread, and `owner` is `Send`. The contract of `push` governs the frames.
unsafe impl<F: Frame<Owner: Send>> Send for Ladder<F> {}

impl<F: Frame> Ladder<F> {
    /// The ladder that `rung` belongs to. Its region is aligned to its size, so one mask finds the head.
    ///
    /// # Safety
    ///
    /// `rung` belongs to a ladder, which outlives `'a`.
    #[inline(always)]
    pub(crate) unsafe fn of<'a>(rung: Rung<F>) -> &'a Self {
        let head = layout::start_of(rung.as_ptr()).cast::<Self>();
        // SAFETY: by contract, the region starts with an initialised ladder and lives for `'a`. The slots lie
        // behind the head, so this reference does not cover them and does not invalidate pointers to them.
        unsafe { &*head }
    }

    /// The value that the layer above keeps with the ladder.
    #[inline(always)]
    pub(crate) fn owner(&self) -> &F::Owner {
        &self.owner
    }

    /// The lowest rung.
    pub(crate) fn first(&self) -> Rung<F> {
        Rung::new(self.first)
    }

    /// H, the address of the oldest rung that has not been given or taken. While L is held, only the holder changes it.
    pub(crate) fn oldest(&self) -> usize {
        self.claims.head.load(Ordering::Relaxed)
    }
}
