//! Tasks that are no frames: spawned into a group, and awaited together.
//!
//! [`group`] is what they belong to (a scope, to users), [`job`] a closure of any type, [`pool`] where tasks wait, and
//! [`run`] how one is run.

mod group;
mod job;
mod pool;
mod run;

pub(crate) use group::{Core, Order};
pub(crate) use job::{Job, Task};
pub(crate) use pool::{Group, Latent, Pool};
pub(crate) use run::{count_out, perform};
