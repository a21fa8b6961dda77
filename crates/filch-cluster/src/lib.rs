//! Searches on several processes.

#![forbid(unsafe_code)]

mod counters;
mod error;
mod id;
mod message;
mod portable;
#[allow(dead_code, reason = "what carries it out comes next")]
mod protocol;

pub use counters::Counters;
pub use error::{ClusterError, Failure};
pub use id::Id;
pub use portable::{Corrupt, Portable, Unportable};
