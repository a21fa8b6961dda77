//! What a user can say with a strand in hand: a folder for each thing, its interface, its hot code and its frame
//! together.
//!
//! - [`strand`]: the right to fork, one word
//! - [`join`]: two branches; the fast path that everything else is measured against
//! - [`loops`]: loops over what can be had by index
//! - [`items`]: loops over iterators
//! - [`mod@scope`]: tasks that come one by one, and are awaited together
//! - [`traverse`]: worklists that end when nobody has anything left
//! - [`reducer`]: what parallel branches collect together
//! - [`stop`]: what ends loops and scopes early; [`quietly`]: values that are dropped while a panic passes
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
