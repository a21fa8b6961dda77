//! What a user can do with a strand. Each construct has a folder with its interface, its hot code and its frame.
//!
//! - [`strand`]: the right to fork, one word
//! - [`join`]: two branches; the fast path of a fork
//! - [`loops`]: loops over items that have an index
//! - [`items`]: loops over iterators
//! - [`mod@scope`]: tasks that are spawned one by one and awaited together
//! - [`traverse`]: worklists, and how a traversal ends
//! - [`reducer`]: values that parallel branches compute together
//! - [`stop`]: tokens that end loops early; [`quietly`]: drops while a panic unwinds
//!
//! May import: `engine` and below.

mod items;
mod join;
mod loops;
mod quietly;
mod reducer;
mod scope;
mod stop;
mod strand;
mod traverse;

pub use join::Context;
pub(crate) use join::fork;
pub use loops::{Chunks, ChunksMut, Indexed, chunks, chunks_mut};
pub use reducer::{Reducer, monoids};
pub use scope::Scope;
pub use stop::{CancelToken, Cancelled};
pub use strand::Strand;
pub use traverse::{PhaseEnd, TraversalCounts, Traverse, Traversed, Worklist};
