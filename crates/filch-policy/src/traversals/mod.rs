//! Traversals: how large batches are, which of them are stolen, and which workers are called to take part and
//! leave again.

mod appetite;
mod batches;
mod invitations;
mod returns;

pub use appetite::{Appetite, Glance};
pub use batches::{Batches, ParseBatchesError, Size};
pub use invitations::{Discouragement, is_pressing};
pub use returns::Returns;
