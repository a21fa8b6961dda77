//! The protocols: small concurrent machines, each with its own state, its own argument and its own model.
//!
//! - [`ladder`]: which frame of a worker belongs to its owner, and which to a thief
//! - [`ask`]: how a worker asks another for a frame, and how a frame is handed over
//! - [`lanes`]: where batches of a traversal wait, and how its end is noticed
//! - [`seats`]: how many threads work for a team at once
//! - [`sleep`]: which threads sleep, and the rule that one of them always looks again
//!
//! They stand side by side: none knows another. What is decided comes from the crate `filch-policy`. May import:
//! `sync`.

pub(crate) mod ask;
pub(crate) mod ladder;
pub(crate) mod lanes;
pub(crate) mod seats;
pub(crate) mod sleep;
