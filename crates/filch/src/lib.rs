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
//! | what | by |
//! |---|---|
//! | two closures that may run in parallel | [`join`] |
//! | loops over ranges and slices | [`for_each`], [`map_reduce`] |
//! | the items of an iterator | [`for_each_item`] |
//! | the same with a strand, which is the fastest form | [`Strand`]; [`run`] makes the first one |
//! | tasks that are spawned one by one | [`scope`] |
//! | work that follows a graph | [`traverse`] |
//! | backtracking | [`search`], with a [`Search`] |
//! | a task whose result a thread or asynchronous code gets later | [`submit`], which returns a [`Handle`] |
//! | a task that nobody awaits; what each worker must do once | [`spawn`]; [`broadcast`] |
//! | code that sleeps or reads; futures | [`blocking`]; [`block_on`] |
//! | streams whose results keep their order; stages | [`map_ordered`]; [`pipeline()`] |
//! | tasks that wait for each other, run many times | [`TaskGraph`] |
//! | a value computed once, by the first who asks and all who ask meanwhile | [`OnceValue`] |
//! | work that may turn out to be unnecessary and is then aborted | [`speculate`], [`first_of`] |
//! | deadlines, and the end of whatever runs, in any library | [`CancelToken`] |
//! | a value that parallel branches compute together | [`Reducer`] |
//! | scratch memory that each worker has to itself | [`for_each_with`], [`PerWorker`] |
//! | pseudo-random numbers that do not depend on the schedule | [`random`] |
//! | a pool of your own, and its settings | [`Pool`]; [`Scheduler`], [`Topology`] |
//! | what a pool has done, and each of its workers | [`Counters`]; [`WorkerStats`] |
//! | how parallel a program is, and where; who ran what, and when | [`Pool::profile`]; [`trace_span`] |
//! | tests that a result does not depend on the schedule | [`check`] |
//!
//! Every fork leaves its second branch where an idle worker can find it, so there is no cut-off to choose. A fork does
//! not allocate and does not read the clock. It executes no fence and no locked instruction, because the thief pays for
//! the synchronisation. (On a system without an asymmetric barrier a fork needs one fence; see
//! [`Capabilities::owner_fence_is_real`].)
//!
//! A worker that waits for a branch that has moved runs only parts of that branch. So no unrelated work runs on a
//! thread that holds a lock across a join, and a short job never waits behind a long one that its worker has picked up.
//! ([`Wait`] can lift this rule.)
//!
//! **Stack.** The stack of a worker is as deep as the program's own recursion, whatever the number of workers. The
//! threads of a pool have the stack size given to [`PoolBuilder::stack_size`]; callers use their own stacks.
//! `docs/architecture.md` says how much stack a join takes.
//!
//! **Coroutines.** Code must not suspend a stackful coroutine inside a branch and resume it after that branch has
//! returned. This is the only rule that the type system does not enforce. The standard library has no such coroutine.

// Which items need a feature is shown at docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[macro_use]
mod mutant;

#[macro_use]
mod decisions;

// Modules are in reading order, from the interface down to the fences. Each layer knows only the layers below it.
#[cfg(not(loom))]
mod free;

#[cfg(not(loom))]
mod pool;

#[cfg(not(loom))]
mod profile;

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
    Aborted, Access, AffinePart, Affinity, Bits, Bound, Broadcast, CancelToken, Cancelled, Checked, Choices, Chunks,
    ChunksMut, Context, CycleError, Enter, Export, GraphTask, Handle, Indexed, Items, MapOrdered, Node, OnceValue,
    Outcome, PartSearching, PerWorker, PhaseEnd, Pipeline, Procedure, Reducer, Scope, Search, SearchPart, Searching,
    ShortList, Speculation, SpeculativeStrand, State, Steps, Strand, TaskGraph, TaskGraphBuilder, TraversalCounts,
    Traverse, Traversed, Worklist, chunks, chunks_mut, monoids, random,
};
#[cfg(not(loom))]
pub use costs::{Capabilities, Measured, MeasuredCosts};
#[cfg(filch_decisions = "tested")]
#[doc(hidden)]
pub use decisions::{Decision, Decisions};
#[cfg(not(loom))]
pub use engine::{Activity, Counters, TraceSpan};
#[doc(hidden)]
pub use filch_policy::Over;
#[doc(inline)]
pub use filch_policy::topology::{self, Topology};
#[doc(inline)]
pub use filch_policy::{
    Balancer, Batches, Grain, ParseBatchesError, ParseSchedulerError, Scheduler, SettingError, Wait,
};
#[cfg(not(loom))]
pub use free::{
    Check, Difference, Here, block_on, blocking, broadcast, check, current_worker, end_if_cancelled, find_any,
    first_of, for_each, for_each_item, for_each_item_until, for_each_item_using, for_each_item_with, for_each_until,
    for_each_using, for_each_with, has_pending_tasks, is_cancelled, is_wanted, is_worker, join, join_context,
    join_with, map_ordered, map_reduce, may_be_wanted, num_workers, pipeline, run, run_urgent, scope, scope_fifo,
    search, spawn, spawn_broadcast, spawn_fifo, speculate, submit, submit_urgent, to_completion, trace_span, traverse,
    try_for_each, try_for_each_item, yield_local, yield_now,
};
#[cfg(not(loom))]
pub use pool::{
    Interval, Intervals, Latencies, Pool, PoolBuilder, PoolError, PoolThread, SeatStats, WorkerStats, Yield,
};
#[cfg(not(loom))]
pub use profile::{Profile, ProfileContext, ProfileError, ProfileSite, Segment};

/// The examples of the READMEs are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../README.md")]
struct Readme;
