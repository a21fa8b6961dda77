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

// The order of the reader: from what users say down to the fences. Each layer knows only those below it.
#[cfg(not(loom))]
mod free;

#[cfg(not(loom))]
mod pool;

#[cfg(not(loom))]
mod costs;

#[cfg(not(loom))]
mod constructs;
#[cfg(loom)]
#[allow(dead_code, unused_imports)]
#[path = "constructs/loom.rs"]
mod constructs;

#[cfg(not(loom))]
mod engine;
#[cfg(loom)]
#[allow(dead_code, unused_imports)]
#[path = "engine/loom.rs"]
mod engine;

#[cfg_attr(loom, allow(dead_code, unused_imports))]
mod protocol;

#[cfg_attr(loom, allow(dead_code, unused_imports))]
mod sync;

#[cfg(not(loom))]
pub use constructs::{
    CancelToken, Cancelled, Chunks, ChunksMut, Context, Indexed, PhaseEnd, Reducer, Scope, Strand, TraversalCounts,
    Traverse, Traversed, Worklist, chunks, chunks_mut, monoids,
};
#[cfg(not(loom))]
pub use costs::Capabilities;
#[cfg(not(loom))]
pub use engine::Counters;
#[doc(inline)]
pub use filch_policy::{Batches, ParseSchedulerError, Scheduler, Wait};
#[cfg(not(loom))]
pub use free::{
    current_worker, find_any, for_each, for_each_item, for_each_item_until, for_each_until, join, join_context,
    map_reduce, num_workers, run, scope, scope_fifo, traverse, try_for_each, try_for_each_item,
};
#[cfg(not(loom))]
pub use pool::{Latencies, Pool, PoolBuilder, PoolError};

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
