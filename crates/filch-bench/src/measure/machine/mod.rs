//! Facts about this machine, and what a pool has measured on it.
//!
//! - [`facts`]: the processor and the operating system
//! - [`caches`]: the caches of a processor
//! - [`pool`]: the default pool
//! - [`sharing`]: what a pool knows about the price of sharing
//! - [`report`]: all of this, as shown to the user

pub mod caches;
pub mod facts;
pub mod pool;
pub mod report;
pub mod sharing;
