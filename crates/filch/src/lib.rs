//! Filch: a work-stealing runtime whose fork costs a few instructions.
//!
//! ```
//! fn fib(mut s: filch::Strand<'_>, n: u64) -> u64 {
//!     if n < 2 {
//!         return n;
//!     }
//!     let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
//!     a + b
//! }
//!
//! assert_eq!(filch::run(|s| fib(s, 25)), 75_025);
//! ```
//!
//! Start with [`join`], which needs nothing, or [`for_each`] and [`map_reduce`] for a loop; go on to [`Strand`], the
//! faster form, and [`run`], which makes the first one; to [`scope`], for tasks that come one by one, and
//! [`for_each_item`], for those of an iterator; to [`Reducer`], for what branches collect together; then to a [`Pool`]
//! of your own, its [`Scheduler`] and its [`Counters`].
//!
//! Every fork leaves its second branch where an idle worker finds it. There is no cut-off to choose. A fork allocates
//! nothing, and executes no fence, no locked instruction and no look at the clock: a thief pays for the
//! synchronisation.
//!
//! A worker that waits for a branch that has moved runs only parts of that branch. So a lock held across a join is safe
//! from unrelated work, and a short job never waits behind a long one that was picked up meanwhile.
//!
//! **Stack.** A worker's stack is as deep as the program's own recursion, on one worker or on many. The threads of a
//! pool have the stack given to [`PoolBuilder::stack_size`]; callers use their own. `docs/architecture.md` says how
//! much a join takes.
//!
//! **Coroutines.** The one thing that safe code must not do is to suspend a stackful coroutine inside a branch and
//! resume it after that branch has returned. No such coroutine is in the standard library.

#[macro_use]
mod mutant;

// The order of the reader: from what users say down to the fences. Each layer knows only those below it.
#[cfg(not(loom))]
mod constructs;
#[cfg(not(loom))]
mod pool;

#[cfg(not(loom))]
mod strand;

#[cfg(loom)]
#[allow(dead_code)]
#[path = "constructs/traverse/invitations.rs"]
mod invitations;
#[cfg(not(loom))]
mod worker;
#[cfg(loom)]
#[allow(dead_code, unused_imports)]
#[path = "worker/loom.rs"]
mod worker;

#[cfg(not(loom))]
mod scheduler;

#[cfg_attr(loom, allow(dead_code, unused_imports))]
mod ask;
#[cfg_attr(loom, allow(dead_code, unused_imports))]
mod ladder;
#[cfg_attr(loom, allow(dead_code, unused_imports))]
mod lanes;
#[cfg_attr(loom, allow(dead_code, unused_imports))]
mod seats;
#[cfg_attr(loom, allow(dead_code, unused_imports))]
mod sleep;

#[cfg_attr(loom, allow(dead_code, unused_imports))]
mod sync;

#[cfg(not(loom))]
pub use constructs::{Batches, PhaseEnd, TraversalCounts, Traverse, Traversed, Worklist, traverse};
#[cfg(not(loom))]
pub use constructs::{
    CancelToken, Cancelled, Chunks, ChunksMut, Indexed, chunks, chunks_mut, find_any, for_each, for_each_item,
    for_each_item_until, for_each_until, map_reduce, try_for_each, try_for_each_item,
};
#[cfg(not(loom))]
pub use constructs::{Reducer, current_worker, join, join_context, monoids, num_workers, run, scope, scope_fifo};
#[cfg(not(loom))]
pub use pool::{Capabilities, Latencies, Pool, PoolBuilder, PoolError};
#[cfg(not(loom))]
pub use scheduler::{ParseSchedulerError, Scheduler, Wait};
#[cfg(not(loom))]
pub use strand::{Context, Scope, Strand};
#[cfg(not(loom))]
pub use worker::Counters;

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
