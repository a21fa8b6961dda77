//! What holds of every reader, whatever bytes it is given: it returns, it does not panic, it takes little memory, and a
//! graph that it has read comes back when it is written and read again.
//!
//! A panic of these functions is a finding. The targets only say what their files are called.

mod memory;
mod names;
mod round;

pub use names::names;
pub use round::{bv_graph, compressed, graph, serialized};
