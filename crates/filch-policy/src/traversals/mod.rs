//! Traversals: how large batches are, which of them are stolen, and which workers are called to take part.

mod appetite;
mod batches;
mod invitations;

pub use appetite::{Appetite, Glance};
pub use batches::{Batches, Size};
pub use invitations::{Discouragement, is_pressing};
