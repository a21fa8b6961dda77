//! Where tasks that are no frames wait: a [`job`] is a closure of any type, a [`pool`] keeps jobs by the group that
//! they belong to.

mod job;
mod pool;

pub(crate) use job::{Fate, Job, Task};
pub(crate) use pool::{Group, Latent, Pool};
