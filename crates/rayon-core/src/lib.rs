//! A drop-in for rayon-core 1.13: the same interface, on the runtime [Filch](filch).
//!
//! Two lines in the `Cargo.toml` of a program put every `par_iter`, `scope`, `spawn` and `ThreadPool` of the program
//! and its dependencies on Filch:
//!
//! ```toml
//! [patch.crates-io]
//! rayon-core = { path = "../filch/crates/rayon-core" }
//! ```
//!
//! ```
//! let (a, b) = rayon_core::join(|| 20, || 22);
//! assert_eq!(a + b, 42);
//! ```
//!
//! `docs/rayon.md` says what changes. In short: a fork costs a few instructions, so programs need fewer
//! cut-offs. What rayon-core documents holds, including the order of spawned tasks, which
//! closures run although another one panics, and the indices of threads.
//!
//! - [`join()`] and [`join_context()`]: two closures, in parallel if another thread is idle
//! - [`scope()`], [`scope_fifo()`] and their forms in place: tasks that borrow, and are awaited together
//! - [`spawn()`], [`spawn_fifo()`]: tasks that nobody awaits; [`broadcast()`]: one closure on each thread
//! - [`ThreadPool`], made by [`ThreadPoolBuilder`], and the global pool, which `RAYON_NUM_THREADS` sizes
//! - [`yield_now()`], [`yield_local()`], [`current_thread_index()`] and other questions about the calling thread
//!
//! Two environment variables are Filch's. `FILCH_SCHEDULER` says how work is shared ([`filch::Scheduler`]).
//! `FILCH_WAIT` says what a thread may run while it waits: `any`, the default, is rayon's way, and `descendants` is
//! Filch's guarantee ([`filch::Wait`]).

mod broadcast;
mod build_error;
mod builder;
mod configuration;
mod environment;
mod fifo;
mod join;
mod registry;
mod scope;
mod settings;
mod spawn;
mod thread;
mod thread_pool;
mod unwind;

pub use broadcast::{BroadcastContext, broadcast, spawn_broadcast};
pub use build_error::ThreadPoolBuildError;
pub use builder::ThreadPoolBuilder;
#[allow(deprecated)]
pub use configuration::{Configuration, initialize};
pub use join::{FnContext, join, join_context};
pub use scope::{Scope, ScopeFifo, in_place_scope, in_place_scope_fifo, scope, scope_fifo};
pub use spawn::{spawn, spawn_fifo};
pub use thread::ThreadBuilder;
pub use thread_pool::ThreadPool;
pub use thread_pool::here::{
    Yield, current_num_threads, current_thread_has_pending_tasks, current_thread_index, max_num_threads, yield_local,
    yield_now,
};
