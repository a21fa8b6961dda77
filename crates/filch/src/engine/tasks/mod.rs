//! Tasks that are not frames: they are spawned into a group and awaited together.
//!
//! [`group`] is what they belong to, which users know as a scope. [`job`] is a closure of any type. Tasks wait in a
//! [`pool`], and [`run`] runs one.

mod group;
mod job;
mod pool;
mod run;

pub(crate) use group::{Core, Order};
pub(crate) use job::{Job, Task};
pub(crate) use pool::{Group, Latent, Pool};
pub(crate) use run::{count_out, perform};
