//! Where tasks that are no frames wait: a [`job`] is a closure of any type, [`sections`] keep jobs by the group that
//! they belong to, and a [`queue`] is such jobs behind a lock.
//! [`binding`]: those that only one thread may run.

pub(crate) mod binding;
mod job;
mod queue;
mod sections;

pub(crate) use job::{Fate, Job, Task};
pub(crate) use queue::{OwnQueue, SpawnQueue};
pub(crate) use sections::{GroupHead, Spawned};
