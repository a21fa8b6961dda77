//! Scopes: the [`group`] of the tasks of one, and tasks that are [`bound`] to a thread.

pub(crate) mod bound;
pub(crate) mod group;
