//! What a user can do with a strand. Each construct has a folder with its interface, its hot code and its frame.
//!
//! - [`strand`]: the right to fork, one word
//! - [`join`]: two branches; the fast path of a fork
//! - [`loops`]: loops over items that have an index
//! - [`items`]: loops over iterators
//! - [`affinity`]: each part of a loop or a division goes to the worker or squad that had it last
//! - [`parts`]: what leaves the frame of a loop or a search, and comes back
//! - [`mod@scope`]: tasks that are spawned one by one and awaited together
//! - [`handle`]: tasks that are awaited one by one
//! - [`mod@block_on`]: futures that a thread waits for
//! - [`ordered`]: streams whose results keep their order
//! - [`pipeline`]: a source and stages, serial or parallel
//! - [`task_graph`]: tasks that wait for each other, built once and run many times
//! - [`once_value`]: values that are computed once, by the first who asks
//! - [`detached`]: tasks that nobody awaits; [`broadcast`]: one task for each worker
//! - [`speculate`]: children that can be aborted, and inlets for their results
//! - [`traverse`]: worklists, and how a traversal ends
//! - [`search`]: backtracking over a workspace that is copied only when work moves
//! - [`per_worker`]: states that bodies use one after the other
//! - [`random`]: numbers by their place in the fork tree
//! - [`reducer`]: values that parallel branches compute together
//! - [`stop`]: tokens that end loops early; [`drop_while_unwinding`]: drops while a panic unwinds
//!
//! May import: `engine` and below.

mod affinity;
mod block_on;
mod broadcast;
mod detached;
mod drop_while_unwinding;
mod handle;
mod items;
mod join;
mod loops;
mod once_value;
mod ordered;
mod parts;
mod per_worker;
mod pipeline;
pub mod random;
mod reducer;
mod scope;
mod search;
mod speculate;
mod stop;
mod strand;
mod task_graph;
mod tiers;
mod traverse;

pub use affinity::{AffinePart, Affinity};
pub(crate) use block_on::block_on;
pub use broadcast::Broadcast;
pub(crate) use broadcast::{collect, detach_broadcast};
pub(crate) use detached::detach;
pub use handle::Handle;
pub(crate) use handle::submit;
pub use join::Context;
pub(crate) use join::fork;
pub use loops::{Access, Chunks, ChunksMut, Indexed, Items, chunks, chunks_mut};
pub use once_value::OnceValue;
pub use ordered::MapOrdered;
pub(crate) use ordered::Way;
pub use per_worker::PerWorker;
pub use pipeline::Pipeline;
pub(crate) use pipeline::Stages;
pub use reducer::{Reducer, monoids};
pub use scope::Scope;
pub(crate) use scope::{Closure, scope_outside};
pub(crate) use search::sealed;
pub use search::{
    Bits, Bound, Checked, Choices, Enter, Export, Node, Outcome, PartSearching, Search, SearchPart, Searching,
    ShortList, Steps,
};
pub use speculate::{Aborted, Procedure, Speculation, SpeculativeStrand, State};
pub use stop::{CancelToken, Cancelled};
pub use strand::Strand;
pub use task_graph::{CycleError, GraphTask, TaskGraph, TaskGraphBuilder};
pub use traverse::{PhaseEnd, TraversalCounts, Traverse, Traversed, Worklist};
